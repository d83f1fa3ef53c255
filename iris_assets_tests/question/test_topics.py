"""What a question is about: never the words on whose records are meant."""

import pytest

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.scope_words import Scoped
from iris_assets.question.topic import topic_of

EACH = Scoped(parties=("PT", "NOVO", "PC DO B"), years=(2022,), everyone=True)
OTHERS = Scoped(parties=("PT", "NOVO"), years=(2022,))


@pytest.mark.parametrize(
    "scope",
    [
        "cada candidato", "cada um dos candidatos", "cada uma das candidatas", "todos os presidenciáveis",
        "cada candidato a presidente", "cada candidato à presidência da República",
        "cada candidato ao cargo de presidente da República Federativa do Brasil",
        "cada um dos candidatos que disputam a presidência do país",
        "cada candidato a governador do Distrito Federal", "cada candidata ao governo do estado do Piauí",
        "cada candidato a governador do DF", "cada candidato a deputado federal de São Paulo",
        "cada candidato do PT", "cada candidato do Partido Novo", "cada candidato do PCdoB ao Senado",
        "cada candidato nas eleições de 2022", "cada candidato na eleição presidencial de 2022 (primeiro turno)",
        "cada pré-candidato ao Palácio do Planalto", "cada candidato registrado em 2022",
        "cada candidato para presidente", "na disputa pelo governo do Piauí cada candidato", "quem concorre ao cargo de governador do Acre",
    ],
)  # fmt: skip
def test_scope_is_no_topic(scope: str) -> None:
    for question in (f"O que {scope} propõe sobre creches?", f"Sobre creches, o que propõe {scope}?"):
        assert analyze(topic_of(question, scoped=EACH).text) == analyze("creches"), question


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("O que cada candidato propõe sobre eleições?", "eleições"),
        ("O que cada candidato propõe sobre segurança das eleições?", "segurança eleições"),
        ("O que cada candidato diz sobre as eleições de 2022?", "eleições"),
        ("O que cada candidato diz sobre a corrida espacial?", "corrida espacial"),
        ("O que cada candidato a presidente propõe sobre a presidência da Câmara?", "presidência câmara"),
        ("O que cada candidato propõe sobre a rede pública?", "rede pública"),
        ("O que cada candidato a presidente propõe para o governo digital?", "governo digital"),
        ("O que cada candidato propõe sobre segurança no Brasil?", "segurança"),
        ("O que cada candidato propõe sobre segurança em 2022?", "segurança"),
        ("O que cada candidato propõe para saúde no Piauí?", "saúde"),
        ("O que cada candidato a presidente propõe para o Piauí?", "piauí"),
        ("O que cada candidato propõe sobre covid-19 e R$ 1.500,00?", "covid-19 e r$ 1.500,00"),
        ("o que cada presidenciável promete pro tema saúde", "saúde"),
        ("o q cada candidato propoe pra saude", "saúde"),
        ("Qual a posição de cada candidato sobre o aborto?", "aborto"),
        ("O que cada candidato propõe na área da saúde?", "saúde"),
        ("O que cada candidato propõe sobre áreas de proteção?", "áreas proteção"),
    ],
)
def test_what_stays_a_topic(question: str, topic: str) -> None:
    assert analyze(topic_of(question, scoped=EACH).text) == analyze(topic)


@pytest.mark.parametrize(
    ("question", "names", "topic"),
    [
        ("O que a deputada federal Ana Lima (PT-DF) propôs sobre creches?", [("ANA", "LIMA")], "creches"),
        ("O que o ex-presidente Ciro, do PT, propõe sobre creches?", [("CIRO",)], "creches"),
        ("O que Felipe D'Avelar propõe sobre caixa d'água?", [("FELIPE", "D", "AVELAR")], "caixa d'água"),
        ("Lia contra Ciro na luta contra a fome", [("LIA", "CONTRA", "CIRO")], "luta contra fome"),
        ("O que Lia prometeu nas eleições de 2022 sobre creches?", [("LIA",)], "creches"),
        ("O que Lia propõe?", [("LIA",)], ""),
        ("quais as propostas de Lia para São Paulo", [("LIA",)], "são paulo"),
    ],
)
def test_names_with_what_describes_them_are_no_topic(question: str, names: list[tuple[str, ...]], topic: str) -> None:
    assert analyze(topic_of(question, names, OTHERS).text) == analyze(topic)


def test_years_of_bills_stay() -> None:
    scoped = Scoped(years=(2022,), keeps_years=True)
    assert "2022" in topic_of("projetos de 2022 sobre creches", scoped=scoped).text

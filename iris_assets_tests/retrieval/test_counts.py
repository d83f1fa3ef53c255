"""A table of "how many" questions over an invented store: the count that can be checked by hand, or none."""

import re

import pytest

from iris_assets.retrieval.types import Retrieval, Turn
from iris_assets.store.search import SearchFilter
from iris_assets_tests.retrieval.world import World


@pytest.fixture(scope="module")
def world(elections: World) -> World:
    return elections


def counts(found: Retrieval) -> list[int]:
    return [row.count for row in found.counts]


COUNTED = [
    # Candidatures: those of the newest election unless the question names one.
    ("Quantos candidatos há?", 8),
    ("QUANTOS CANDIDATOS SE REGISTRARAM?", 8),
    ("Quantos candidatos e candidatas disputam?", 8),
    ("Quantos candidatos havia em 2022?", 1),
    ("Quantos candidatos nas eleições de 2022 e 2026?", 9),
    ("Quantos candidatos desde 2022?", 9),
    ("Quantos candidatos até 2024?", 1),
    ("Quantos candidatos foram eleitos?", 3),
    ("Quantos foram os candidatos eleitos no DF?", 2),
    ("Quantos candidatos se elegeram por média?", 1),
    ("Quantos candidatos foram eleitos por média?", 1),
    ("Quantos governadores foram eleitos no segundo turno?", 1),
    ("Quantos candidatos foram ao 2º turno no Piauí?", 2),
    ("Quantos candidatos foram eleitos no primeiro turno?", 2),
    ("Quantos deputados o PT elegeu no Distrito Federal?", 1),
    ("Quantos suplentes há em Sergipe?", 1),
    ("Quantos candidatos aptos há?", 1),
    ("Quantas candidaturas inaptas?", 1),
    # Office, party and UF in any spelling.
    ("quantos candidatos a governador no pi", 2),
    ("Quantos candidatos a deputado federal?", 5),
    ("Quantos candidatos ao cargo de governador no estado do PI?", 2),
    ("Quantos candidatos a deputado?", 5),
    ("Quantos candidatos a presidente e a governador?", 3),
    ("Quantos candidatos disputam o governo do Piauí?", 2),
    ("Quantos candidatos à presidência da República do Brasil?", 1),
    ("Quantos candidatos do pt disputam no Piaui?", 1),
    ("Quantos candidatos do Partido dos Trabalhadores?", 2),
    ("Quantos candidatos do União Brasil?", 1),
    ("Quantos candidatos do PCdoB?", 1),
    ("quantos candidatos do pc do b", 1),
    ("Quantos candidatos o PL lançou?", 2),
    ("Quantos candidatos (PL/DF)?", 1),
    ("Quantos candidatos PT, PL e Rede há?", 5),
    ("Quantos candidatos do Novo, PL e União Brasil?", 4),
    ("quantos candidatos da rede", 1),
    ("Quantos candidatos do Novo no DF?", 1),
    ("QUANTOS CANDIDATOS DO PT EM SE?", 0),
    ("QUANTOS CANDIDATOS DA REDE EM SE?", 1),
    ("quantos candidatos no df e pi?", 6),
    ("qtos candidatos são do PT ou do PL?", 4),
    ("Quantos candidatos são do PT ou do Piauí?", None),
    ("Quantos candidatos da bancada do PT?", None),
    ("Quantos candidatos há no Ceará?", 0),
    ("Quantos candidatos do Solidariedade?", 0),
    # Plans.
    ("Quantos planos de governo há?", 1),
    ("Quantos planos de governo tem o Piauí?", 0),
    ("Quantos planos de governo para o Piauí?", 0),
    ("Quantos planos de governo de candidatos a presidente foram registrados?", 1),
    ("Quantos planos de governo em 2022?", 0),
    # Bills: types, years, topics of the Câmara, party and UF of whoever signs.
    ("Quantos projetos há ao todo?", 4),
    ("Quantos projetos de 2022 e 2023?", 3),
    ("Quantos projetos de 2021, 2022 e 2023?", 3),
    ("Quantos projetos apresentados até 2022?", 1),
    ("Quantos projetos apresentados desde 2023?", 3),
    ("Quantos projetos depois de 2023?", 1),
    ("Quantos projetos antes de 2022?", 0),
    ("Quantos projetos entre 2022 e 2023?", 3),
    ("Quantos projetos de 2023 a 2024?", 3),
    ("Quantos projetos do PL?", 2),
    ("Quantos PLs do PL?", 1),
    ("quantos pls há?", 2),
    ("Qual o número de PL apresentados?", 2),
    ("Quantos PLs e PECs?", 3),
    ("Quantos projetos de lei e requerimentos há?", 3),
    ("Quantas proposições são requerimentos?", 1),
    ("Quantas proposições do tipo PEC?", 1),
    ("Quantas propostas de emenda à Constituição?", 1),
    ("Quantos requerimentos de 2023 no DF?", 1),
    ("Quantas medidas provisórias?", 0),
    ("Quantos projetos dos deputados do Piauí?", 1),
    ("Quantos projetos da bancada do PT?", 2),
    ("Quantos projetos têm como tema educação?", 2),
    ("Quantos projetos dos candidatos a governador?", 0),
    ("Quantos projetos sobre educação?", 2),
    ("Quantos projetos do PL sobre educação em 2023?", 1),
    ("Quantas proposições na área de transporte?", 1),
    ("Quantos temas há nos projetos do PT?", 2),
    ("Quantos temas diferentes aparecem nos projetos de 2023?", 2),
    # Named candidates.
    ("Quantos projetos Ana Lima apresentou?", 2),
    ("quantos projetos a deputada ana lima apresentou em 2023?", 1),
    ("Quantos projetos Ana Lima (PT/DF) apresentou?", 2),
    ("Quantos mandatos teve Ana Lima?", 1),
    ("Bruno Costa assinou quantos requerimentos?", 1),
    # What no table tells, or no rule understands.
    ("Quantas candidatas há no DF?", None),
    ("Quantas candidatas mulheres foram eleitas?", None),
    ("Quantos candidatos negros há?", None),
    ("Quantos candidatos defendem a reforma tributária?", None),
    ("Quantos candidatos há no Brasil?", None),
    ("Quantos candidatos a vice-governador?", 0),
    ("Quantos candidatos concorrem contra Ana Lima?", None),
    ("Quantos deputados há?", None),
    ("Quantos candidatos o PT pode eleger?", None),
    ("Quantos candidatos o PL vai eleger no DF?", None),
    ("Quantos vereadores foram eleitos?", None),
    ("Quantos planos de governo mencionam dinossauros?", None),
    ("Quantos mandatos de vereador teve Ana Lima?", None),
    ("Quantas leis há?", None),
    ("Quantos requerimentos sobre PECs?", None),
    ("Quantos requerimentos e projetos?", None),
    ("Quantos projetos e requerimentos?", None),
    ("Quantas emendas há?", None),
    ("Quantos projetos foram aprovados?", None),
    ("Quantos projetos não são sobre saúde?", None),
    ("Quantos projetos sobre creches?", None),
    ("Quantos projetos sobre o Piauí?", None),
    ("Quantos projetos sobre educação e o PT?", None),
    ("Quantos projetos para o DF?", None),
    ("Quantos projetos em março de 2023?", None),
    ("Quantos projetos o deputado apresentou?", None),
    ("Quantos projetos ela apresentou?", None),
    ("Quantos projetos de Ana Lima e Arthur Lira?", None),
    ("Quantos projetos Ana Lima e Bruno Costa assinaram juntos?", None),
    ("Quantos projetos de Ana Lima foram assinados por Bruno Costa?", None),
    ("Quantos projetos do PL Ana Lima apresentou?", None),
    ("Quantos projetos do partido de Ana Lima?", None),
    ("Quantos projetos do estado de Ana Lima?", None),
    ("Quantos projetos sobre Ana Lima?", None),
    ("Quantos projetos do PT foram assinados pelo PL?", None),
    ("Quantos projetos de 2022 assinados em 2023?", None),
    ("Quantos projetos na Câmara Legislativa do DF?", None),
    ("Quantos candidatos do PT no DF e do PL no PI?", None),
    ("Quantos deputados são candidatos a governador?", None),
    ("Quantos autores do PT têm projetos?", None),
    ("Quantos autores tem o PL 1/2023?", None),
]


@pytest.mark.parametrize(("question", "expected"), COUNTED, ids=[question for question, _ in COUNTED])
def test_a_count_is_given_only_when_every_word_was_understood(
    world: World, question: str, expected: int | None
) -> None:
    found = world.service().retrieve(question)
    if expected is None:
        assert (found.strategy, found.counts) == ("hybrid", ())
        assert not any("exact" in evidence.structured for evidence in found.evidences)
        assert "contagem exata" in found.said or "não trazem" in found.said
    else:
        assert counts(found) == [expected]
        assert [evidence.source_type for evidence in found.evidences] == ["PROPOSITION_TOPIC_AGGREGATE"]
        assert f"Contagem exata nos registros guardados: {expected} " in found.evidences[0].content


@pytest.mark.parametrize("word", ["zebrado", "não"])
def test_one_word_that_no_rule_takes_is_enough_for_no_count(world: World, word: str) -> None:
    service = world.service()
    for question in (question for question, expected in COUNTED if expected is not None):
        words = question.rstrip("?").split()
        for place in {len(words) // 2, len(words)}:
            changed = " ".join((*words[:place], word, *words[place:]))
            found = service.retrieve(changed)
            # "não eleitos", "não do União Brasil" are restrictions that the records tell.
            told = word == "não" and found.counts and re.search(r"exceto|NÃO ELEITO", found.evidences[0].content)
            assert told or found.counts == (), changed


def test_the_restrictions_are_said_with_the_number(world: World) -> None:
    content = world.service().retrieve("Quantos PLs do PL no DF de 2022 e 2023 sobre educação?").evidences[0].content
    assert content == (
        "Contagem exata nos registros guardados: 1 proposição (tipo: PL; ano: 2022, 2023; tema: Educação; partido: PL; "
        "UF: DF). A saber: PL 6/2023."
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Quantos candidatos foram eleitos e quantos ficaram de suplente em Sergipe?", [0, 1]),  # the UF is of both
        ("PT do DF: quantos tentaram a Câmara e quantos entraram?", [1, 1]),
        ("Quantos candidatos a governador no PI e quantos no DF?", [2, 0]),
        ("Quantos candidatos o PL tem no DF? E o PT?", [1, 1]),
        ("quantos candidatos a deputado federal e quantos desses foram eleitos por média?", [5, 1]),
        (
            "Dos que se elegeram deputado federal, quantos entraram pelo quociente partidário e quantos pela média?",
            [1, 1],
        ),
        ("Quantas PECs e quantos requerimentos há?", [1, 1]),
    ],
)
def test_each_count_of_a_question_keeps_what_belongs_to_all(world: World, question: str, expected: list[int]) -> None:
    assert counts(world.service().retrieve(question)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Quantos candidatos, exceto os do PT?", 6),
        ("Sem o PL e o PT, quantos candidatos a deputado federal?", 3),
        ("quantos candidatos tirando o DF e o PI", 2),
        ("Quantos candidatos não são do PT?", 6),
        ("quantos candidatos sem contar o DF", 5),
        ("Quantos candidatos não foram eleitos?", 3),
        ("Quantas proposições, fora os requerimentos?", 3),
        ("Quantos projetos de lei (só PL, não requerimento)?", 2),
        ("Quantos partidos têm candidatos no DF?", 3),
        ("o PT fez quantos deputados federais no DF na última", 1),
        ("uai, era quantos concorrendo pra deputado federal?", 5),
        ("quantos federais o PT botou no DF, hein mano?", 1),
        ("PT DF quantos", 1),
        ("quantos candidatos usam 'luz' no nome de urna", 1),
        ("o DF tem quantos deputados federais?", 2),
        ("quantas cadeiras o PL conquistou no DF", 1),
        ("Quantos presidenciáveis entregaram plano?", 1),
    ],
)
def test_exclusions_and_everyday_wordings_are_read(world: World, question: str, expected: int) -> None:
    assert counts(world.service().retrieve(question)) == [expected]


def test_several_values_have_their_own_numbers_beside_the_whole(world: World) -> None:
    found = world.service().retrieve("Quantos candidatos PT, PL e Rede há?")
    assert "Cada um: PL: 2; PT: 2; REDE: 1." in found.evidences[0].content
    lost = world.service().retrieve("Quantos candidatos não se elegeram?").evidences[0].content
    assert "Cada um: NÃO ELEITO: 2; SUPLENTE: 1." in lost


def test_few_counted_ones_are_named(world: World) -> None:
    assert (
        world.service()
        .retrieve("Quantos candidatos do PL?")
        .evidences[0]
        .content.endswith("A saber: BRUNO COSTA (PL/DF), FLORA SA (PL/BR).")
    )


@pytest.mark.parametrize(
    ("question", "word"),
    [("Quantos candidatos canhotos há?", "canhotos"), ("Quantos candidatos desistiram no DF?", "desistiram")],
)
def test_the_word_that_no_column_tells_is_named(world: World, question: str, word: str) -> None:
    found = world.service().retrieve(question)
    assert found.counts == () and f"nenhuma coluna deles diz “{word}”" in found.said


@pytest.mark.parametrize(
    ("question", "restriction"),
    [
        ("Quantos candidatos a presidente havia em 2018?", "eleição: 2018"),
        ("Quantos candidatos há no Ceará?", "UF: CE"),
        ("Quantos candidatos do Solidariedade?", "partido: SOLIDARIEDADE"),
        ("Quantos projetos antes de 2022?", "ano: até 2021"),
        ("Quantos planos de governo tem o Piauí?", "UF: PI"),
        ("Quantos candidatos a senador?", "cargo: SENADOR"),
    ],
)
def test_a_zero_without_any_record_says_that_it_speaks_of_the_index(
    world: World, question: str, restriction: str
) -> None:
    content = world.service().retrieve(question).evidences[0].content
    assert f"para este recorte ({restriction}): o zero não diz que não houve" in content


def test_any_other_zero_says_so_in_short(world: World) -> None:
    content = world.service().retrieve("Quantos projetos do PT de 2024?").evidences[0].content
    assert content.endswith("0 proposições (ano: 2024; partido: PT). O zero é dos registros guardados.")


def test_of_several_elections_those_with_records_are_said(world: World) -> None:
    content = world.service().retrieve("Quantos candidatos em 2018 e 2022?").evidences[0].content
    assert "1 candidatura (eleição: 2018, 2022; eleições com registros: 2022)." in content


def test_results_that_no_record_holds_yet_are_not_counted_as_nobody(world: World) -> None:
    found = world.service().retrieve("Quantos candidatos a presidente foram eleitos?")
    assert found.counts == () and found.said.startswith(
        "O registro guardado ainda não traz resultados (cargo: PRESIDENTE"
    )


def test_a_candidature_that_the_court_dropped_is_not_counted(world: World) -> None:
    dropped = world.candidate("99", "ZECA LUZ", state="RR", removed_at_source=True)
    assert world.store.candidates.by_ids([dropped])
    assert counts(world.service().retrieve("Quantos candidatos em Roraima?")) == [0]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Quantos projetos Bruno Costa e Ana Lima apresentaram?", [("ANA LIMA", 2), ("BRUNO COSTA", 2)]),
        ("Quantos projetos de Ana Lima e Flora Sa?", [("ANA LIMA", 2), ("FLORA SA", 0)]),
    ],
)
def test_several_candidates_have_a_row_each_by_ballot_name(
    world: World, question: str, expected: list[tuple[str, int]]
) -> None:
    found = world.service().retrieve(question)
    assert [(row.candidate.ballot_name, row.count) for row in found.counts if row.candidate] == expected
    assert any("ordem alfabética" in notice for notice in found.notices)


@pytest.mark.parametrize(
    ("filters", "question", "expected"),
    [
        (SearchFilter(states=("PI",)), "Quantos candidatos há?", [3]),
        (SearchFilter(states=("PI", "DF")), "Quantos candidatos há no DF?", [3]),
        (SearchFilter(states=("PI",)), "Quantos candidatos há no DF?", []),
        (SearchFilter(parties=("PL",)), "Quantos candidatos do PT?", []),
        (SearchFilter(years=(2022,)), "Quantos candidatos há?", [1]),
        (SearchFilter(years=(2022,)), "Quantos candidatos havia em 2026?", []),
        (SearchFilter(states=("PI",)), "Quantos projetos apresentou Ana Lima?", []),
    ],
)
def test_the_callers_filter_and_the_question_both_hold(
    world: World, filters: SearchFilter, question: str, expected: list[int]
) -> None:
    assert counts(world.service().retrieve(question, filters=filters)) == expected


def test_with_a_candidate_selected_nobody_else_is_counted(world: World) -> None:
    service = world.service()
    assert counts(service.retrieve("Quantos projetos há?", candidate="1")) == [2]
    assert counts(service.retrieve("Quantos projetos ela apresentou em 2022?", candidate="1")) == [1]
    assert counts(service.retrieve("Quantos projetos Bruno Costa apresentou?", candidate="1")) == []
    assert counts(service.retrieve("Quantos candidatos a governador há?", candidate="1")) == []


def test_a_follow_up_counts_for_the_candidate_without_the_topic_before(world: World) -> None:
    history = [Turn("O que Ana Lima propõe sobre creches?", "1")]
    found = world.service().retrieve("quantos projetos?", history=history)
    assert (found.strategy, counts(found)) == ("structured_count", [2])
    assert counts(world.service().retrieve("e quantos ela apresentou em 2022?", history=history)) == []
    assert counts(world.service().retrieve("Quantos candidatos há no DF?", history=history)) == [3]


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        ("Quantos candidatos o PT tem no DF?", "e o PL?", [1]),
        ("Quantos candidatos a governador no PI?", "e no DF?", [0]),
        ("Quantos se candidataram a deputado federal no DF?", "e quantos se elegeram?", [2]),
        ("Quantos projetos Ana Lima apresentou?", "e o Bruno Costa?", [2]),
    ],
)
def test_a_count_after_a_count_keeps_what_it_does_not_name(
    world: World, before: str, question: str, expected: list[int]
) -> None:
    assert counts(world.service().retrieve(question, history=[Turn(before)])) == expected


def test_authors_are_counted_over_the_bills_that_the_question_names(world: World) -> None:
    found = world.service().retrieve("Quantos autores tem o PL 6/2023?")
    assert found.strategy == "reference_lookup"
    assert found.evidences[-1].content.startswith("Contagem exata nos registros guardados: 0 autores de PL 6/2023")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Principais temas dos projetos de Ana Lima", [("ANA LIMA", "Educação", 2), ("ANA LIMA", "Saúde", 1)]),
        ("Principais temas dos projetos de Ana Lima em 2022", [("ANA LIMA", "Educação", 1), ("ANA LIMA", "Saúde", 1)]),
        (
            "Principais temas dos PLs do PL",
            [("BRUNO COSTA", "Educação", 1)],
        ),
        (
            "Quais os temas mais frequentes dos projetos de Bruno Costa e Caio Reis?",
            [("BRUNO COSTA", "Educação", 1), ("BRUNO COSTA", "Viação, Transporte e Mobilidade", 1)],
        ),
        ("Principais temas dos projetos do Arthur Lira", []),
        ("principais temas dos projetos do arthur lira", []),
        ("Principais temas dos projetos de Ana Lima e Arthur Lira", []),
    ],
)
def test_topics_are_those_of_exactly_whom_the_question_names(
    world: World, question: str, expected: list[tuple[str, str, int]]
) -> None:
    found = world.service().retrieve(question)
    assert [(row.candidate.ballot_name, row.name, row.count) for row in found.counts if row.candidate] == expected
    if not expected:
        assert found.evidences == () and "Não há contagem exata" in found.said


def test_a_named_candidate_without_topics_or_bills_is_said(world: World) -> None:
    found = world.service().retrieve("Principais temas dos projetos de Bruno Costa, Caio Reis e Flora Sa")
    assert found.evidences[1].content == "Contagem exata: 1 proposição de CAIO REIS, sem tema registrado pela Câmara."
    assert "Sem proposições guardadas neste recorte: FLORA SA." in found.notices


def test_a_filter_that_leaves_out_the_named_candidate_gives_nobody_elses_topics(world: World) -> None:
    question = "Principais temas dos projetos de Ana Lima"
    assert world.service().retrieve(question, filters=SearchFilter(states=("PI",))).evidences == ()
    assert world.service().retrieve(question, filters=SearchFilter(states=("PI",)), candidate="1").evidences == ()


def test_the_topics_of_a_plan_are_no_topics_of_bills(world: World) -> None:
    found = world.service().retrieve("Quais os principais temas do plano de Flora Sa?")
    assert (found.strategy, found.plan.source_types) == ("hybrid", ("GOVERNMENT_PROPOSAL",))
    assert {evidence.source_id for evidence in found.evidences} == {"plan"}

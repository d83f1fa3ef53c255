"""What is read off a question by rule: references, intents, refused questions, topics, samples."""

import pytest

from iris_assets.errors import UsageError
from iris_assets.question.intents import read_signals, source_type
from iris_assets.question.references import find_references
from iris_assets.question.refusal import refused
from iris_assets.question.topic import topic_of
from iris_assets.retrieval.coverage import sampled
from iris_assets.retrieval.fusion import reciprocal_ranks
from iris_assets.retrieval.windows import joined, window_text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("PL 1.234/2023 e pl nº 1234 de 23", ["PL 1234/2023"]),
        ("PL 5/2023 e PLP 5/2023", ["PL 5/2023", "PLP 5/2023"]),
        ("PEC 45/2019, 46/2019", ["PEC 45/2019", "PEC 46/2019"]),
        ("projeto de lei complementar nº 12, de 2023", ["PLP 12/2023"]),
        ("medida provisória 1.154/2023", ["MPV 1154/2023"]),
        ("REQ 12/0", ["REQ 12/0"]),
        ("candidato 13 a presidente", ["PRESIDENTE 13"]),
        ("governador do Acre número 15", ["GOVERNADOR 15/AC"]),
        ("página 12 do plano de Lula", ["página 12"]),
        ("proposição id 2348929", ["id da Câmara 2348929"]),
        ("o que propõe 280001607829?", ["id do TSE 280001607829"]),
        ("lei 8.666/1993 e 1 João 3:16", []),
    ],
)
def test_references_in_order_once_each(question: str, expected: list[str]) -> None:
    assert [reference.text for reference in find_references(question).references] == expected


@pytest.mark.parametrize(
    "question",
    [
        "Em quem devo votar?", "Quem é o melhor candidato?", "qual o pior presidente?", "Quem vai ganhar a eleição?",
        "Faça um ranking dos candidatos", "lula e comunista?", "Bolsonaro é de extrema direita?",
        "Qual candidato você recomenda?", "O plano de A é melhor que o de B?", "Quem tem mais chances de vencer?",
    ],
)  # fmt: skip
def test_judgements_are_refused(question: str) -> None:
    assert refused(question)


@pytest.mark.parametrize(
    "question",
    [
        "O que Lula propõe para melhorar a saúde?", "Quem é o candidato do Partido Liberal?",
        "propostas para melhor atendimento do SUS", "Quais projetos tratam do voto impresso?",
        "Previsão orçamentária para saúde", "saúde e educação progressista", "mão de obra mais qualificada",
    ],
)  # fmt: skip
def test_questions_of_fact_are_not_refused(question: str) -> None:
    assert refused(question) is None


def test_intents_by_whole_words_and_plurals() -> None:
    assert read_signals("Síntese das diretrizes de governo").plan
    assert read_signals("sintese do programa").summary
    assert read_signals("Trajetórias e mandatos").history
    assert read_signals("ementas das leis").bills
    assert not read_signals("planejamento legítimo").plan
    assert read_signals("proposta de emenda à constituição").bills
    assert not read_signals("proposta de emenda à constituição").plan
    assert read_signals("Quais os temas mais frequentes dos projetos?").topics
    assert read_signals("Quantas proposições há?").counted == "bills"
    assert read_signals("Quantas creches o plano promete?").counted is None
    assert read_signals("O que cada candidato propõe sobre saúde?").each_candidate


def test_source_type_aliases() -> None:
    assert source_type("PROPOSTA_GOVERNO") == "GOVERNMENT_PROPOSAL"
    assert source_type("notícia") == "NEWS_ARTICLE"
    with pytest.raises(UsageError) as raised:
        source_type("BLOG")
    assert raised.value.code == "SOURCE_TYPE_UNKNOWN"


def test_topic_is_what_remains_without_names_and_words_of_asking() -> None:
    assert topic_of("O que o plano de governo de Lula diz sobre creches?", [("LULA",)]).text.split()[-1] == "creches"
    assert "plano" not in topic_of("plano de governo e plano diretor").text


def test_coverage_positions() -> None:
    assert sampled(list(range(101)), 5) == [0, 25, 50, 75, 100]
    assert sampled([1, 2, 3], 12) == [1, 2, 3]
    assert sampled(list(range(10)), 1) == [0]


def test_reciprocal_ranks_with_weights() -> None:
    assert reciprocal_ranks([7, 8], [8]) == {7: 1 / 61, 8: 1 / 62 + 1 / 61}
    assert reciprocal_ranks([7], [7], (2.0, 1.0)) == {7: 3 / 61}


def test_windows_hold_the_overlap_once_and_stay_in_the_document() -> None:
    text = "um dois três quatro cinco"
    spans = [(0, 13), (8, 20), (14, 25)]
    chunks = [
        {"chunk_index": i, "content": text[a:b], "span_start": a, "span_end": b} for i, (a, b) in enumerate(spans)
    ]
    assert window_text(chunks, 1, 1) == text
    assert window_text(chunks, 0, 0) == text[:13]
    assert joined("abc", "xyz", -5) == "abc\nxyz"

"""Who is recognised in a question, and who is not: capitals, small letters, lists of names, common words, places."""

from typing import Any

import pytest

from iris_assets.question.name_index import NameIndex
from iris_assets.question.names import Named, recognise
from iris_assets.retrieval.text import normalised


def _row(number: int, ballot_name: str, name: str = "", state: str = "BR", party: str = "P1") -> dict[str, Any]:
    return {
        "id": number, "tse_id": str(number), "name": name or f"{ballot_name} DOS ANZOIS", "ballot_name": ballot_name,
        "party": party, "office": "PRESIDENTE", "state": state, "election_year": 2026, "candidate_number": number,
    }  # fmt: skip


PEOPLE = [
    _row(1, "LIA", "LIA TAVARES MOURAO"),
    _row(2, "CIRO PRADO", "CIRO FERNANDES PRADO"),
    _row(3, "DORA KLEIN", "DORA MARIA KLEIN"),
    _row(4, "FELIPE D AVELAR", "LUIZ FELIPE D AVELAR"),
    _row(5, "ROSA"),
    _row(6, "PARENTE", "JOAO CARLOS PARENTE"),
    _row(7, "SARGENTO PORTUGAL", "MIGUEL PORTUGAL"),
    _row(8, "MÃE DO POVO", "ANA BEZERRA"),
    _row(9, "TITO ZUMBA", state="AC"),
    _row(10, "NINO ZUMBA", state="SP"),
    _row(11, "FORÇA BRASIL", "ODETE FORCA BRASIL", party="NOVO"),
    _row(12, "MANDATO COLETIVO", "TELMA AVELAR"),
]
INDEX = NameIndex(PEOPLE)


def _who(question: str) -> list[str]:
    return [one.ballot_name or "" for one in recognise(question, INDEX).candidates]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Compare Ciro e Klein sobre saúde", ["CIRO PRADO", "DORA KLEIN"]),
        ("O que dizem Klein e Ciro sobre família?", ["CIRO PRADO", "DORA KLEIN"]),
        ("Compare Lia, Ciro e Klein sobre saúde", ["CIRO PRADO", "DORA KLEIN", "LIA"]),
        ("O que Felipe D'Avelar e Lia propõem?", ["FELIPE D AVELAR", "LIA"]),
        ("o que felipe d’avelar e lia propõem?", ["FELIPE D AVELAR", "LIA"]),
        ("compare lia e klein em educação", ["DORA KLEIN", "LIA"]),
        ("COMPARE LIA E KLEIN EM EDUCAÇÃO", ["DORA KLEIN", "LIA"]),
        ("Compare D'Avelar com Lia", ["FELIPE D AVELAR", "LIA"]),
        ("lia x dora klein: creches", ["DORA KLEIN", "LIA"]),
        ("Lia versus Ciro", ["CIRO PRADO", "LIA"]),
        ("Quem propõe creches, Lia ou Ciro?", ["CIRO PRADO", "LIA"]),
        ("Compare o plano da Lia com o do Ciro", ["CIRO PRADO", "LIA"]),
        ("Compare o Ciro e a Klein", ["CIRO PRADO", "DORA KLEIN"]),
        ("entre lia e ciro, qual a diferença em creches?", ["CIRO PRADO", "LIA"]),
    ],
)
def test_names_in_a_list(question: str, expected: list[str]) -> None:
    assert _who(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("o que lia propõe?", ["LIA"]),
        ("propostas de lia para idosos", ["LIA"]),
        ("vacina no plano do ciro", ["CIRO PRADO"]),
        ("e o ciro?", ["CIRO PRADO"]),
        ("quem é dora klein", ["DORA KLEIN"]),
        ("o que d'avelar propõe para ferrovias?", ["FELIPE D AVELAR"]),
        ("o q o ciro propoe pra saude", ["CIRO PRADO"]),
        ("o presidente ciro e a vacina", ["CIRO PRADO"]),
        ("a ex-deputada federal klein", ["DORA KLEIN"]),
        ("reforma agraria no plano de ciro prado", ["CIRO PRADO"]),
        ("Lia propõe creches?", ["LIA"]),
        ("O que Rosa propõe?", ["ROSA"]),
        ("o que a candidata rosa propõe?", ["ROSA"]),
        ("Qual o plano do candidato parente?", ["PARENTE"]),
        ("projetos do deputado Portugal", ["SARGENTO PORTUGAL"]),
        ("Sargento Portugal e a saúde", ["SARGENTO PORTUGAL"]),
        ("O que a candidata mãe do povo propõe?", ["MÃE DO POVO"]),
    ],
)
def test_one_name(question: str, expected: list[str]) -> None:
    assert _who(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "contratação de parente no serviço público",
        "Parente pode ser nomeado?",
        "CONTRATAÇÃO DE PARENTE NO SERVIÇO PÚBLICO",
        "o jardim de rosa",
        "projetos de rosa",
        "Rosa choque",
        "saúde em Portugal",
        "acordo com Portugal",
        "imigrantes de Portugal",
        "O que cada um dos candidatos à presidência do Brasil propõe?",
        "a força do Brasil",
        "a mãe do povo da terra",
        "Ministério de Minas e Energia",
        "Lei Maria da Penha",
        "a força de um copo d'água",
        "maria da penha",
        "S.U.S.",
    ],
)
def test_no_name(question: str) -> None:
    named = recognise(question, INDEX)
    assert (named.candidates, named.ambiguous) == ((), ())


def test_a_word_that_the_texts_use_as_common_is_nobody_in_small_letters() -> None:
    index = NameIndex([_row(1, "TATUAPÉ"), _row(2, "FAROL")], ordinary=lambda word: word == "FAROL")
    assert [one.ballot_name for one in recognise("o que farol propõe?", index).candidates] == []
    assert [one.ballot_name for one in recognise("o que Farol propõe?", index).candidates] == ["FAROL"]
    assert [one.ballot_name for one in recognise("o que tatuapé propõe?", index).candidates] == ["TATUAPÉ"]


def test_a_name_of_several_is_ambiguous_beside_a_recognised_one() -> None:
    for question in ("Compare Lia e Zumba sobre saúde", "compare lia e zumba em saúde"):
        named = recognise(question, INDEX)
        assert [one.ballot_name for one in named.candidates] == ["LIA"]
        assert [one.ballot_name for one in named.ambiguous] == ["NINO ZUMBA", "TITO ZUMBA"]


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Compare Lia e Fulano Beltrano sobre saúde", ("FULANO BELTRANO",)),
        ("compare lia, fulano e ciro em saúde", ("FULANO",)),
        ("O que Lia e Fulano propõem?", ("FULANO",)),
        ("Lia e o Mercosul", ()),
        ("O que Lia e o NOVO propõem?", ()),
        ("Compare Lia e Ciro sobre Bolsa Família", ()),
        ("Entre Lia e Ciro, qual a diferença?", ()),
        ("Compare Lia e Ciro, Amazônia", ()),
        ("Compare Lia, Ciro, Fulano", ("FULANO",)),
        ("Compare Lia, Fulano e Ciro", ("FULANO",)),
    ],
)
def test_who_is_compared_and_unknown_is_named(question: str, unknown: tuple[str, ...]) -> None:
    assert recognise(question, INDEX).unknown == unknown


def test_other_capitalised_words_must_occur_in_the_evidence() -> None:
    named = recognise("O que Lia propõe para o Bolsa Família e o S.U.S. em Recife?", INDEX)
    assert named.entities == (("BOLSA", "FAMILIA"), ("SUS",), ("RECIFE",))
    assert named.places == (("RECIFE",),)


def test_a_short_question_of_names_costs_no_more_than_its_words() -> None:
    """Four thousand characters of a name's word: each run of words is looked up once."""
    import time

    index = NameIndex([_row(number, f"NOME{number} SILVA") for number in range(2000)])
    for question in ("silva " * 660, "Silva e " * 500):
        started = time.process_time()
        named: Named = recognise(question, index)
        assert time.process_time() - started < 5
        assert not named.candidates and normalised(question)

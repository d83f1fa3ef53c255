"""One kind of wrong sentence a case, each beside a faithful sentence over the same evidence that is kept."""

from typing import Any

import pytest

from iris_assets.answers.check import check_answer

ANA = {"name": "ANA SOUZA", "party": "PT", "office": "GOVERNADOR"}


def plan(text: str, number: int = 1, name: str = "ANA SOUZA") -> dict[str, Any]:
    return {
        "id": f"E{number}", "text": text, "title": f"Plano de governo de {name}", "source_type": "GOVERNMENT_PROPOSAL",
        "candidates": [{**ANA, "name": name}],
    }  # fmt: skip


BILL = {
    "id": "E1", "title": "PL 26/2023", "source_type": "PROPOSITION",
    "text": "Título: PL 26/2023\nAutores: Ana Souza\nEmenta: Susta dispositivos do decreto do saneamento.\nSituação: Aguardando Despacho",
    "structured": {"type": "PL", "number": 26, "year": 2023, "status": "Aguardando Despacho"},
}  # fmt: skip
MANDATE = {
    "id": "E1", "title": "DEPUTADO FEDERAL", "source_type": "POLITICAL_HISTORY", "candidates": [ANA],
    "text": "Cargo/Função: DEPUTADO FEDERAL\nSituação: Exercício",
}  # fmt: skip
FOREST = plan("Manter a floresta em pé será mais lucrativo do que derrubar as árvores.")
ROADS = plan("Já distribuímos 519 milhões de doses aos estados, que aplicaram 457 milhões de doses.")
TEACHERS = plan("Propomos valorizar os professores com plano de carreira.")
CITIES = plan("Haverá repasse da cultura para o maior número possível de municípios.")
BONUS = plan("As unidades que não cumprirem as metas perderão o bônus anual.")
NUMBERS = plan("No século XXI um terço das vagas será de mulheres. O ônibus sai às 14h30. A fila tem 1.234 pessoas.")
TWO = [
    plan("Vamos recriar o Ministério da Segurança Pública."),
    plan("O diretor da Polícia Federal terá mandato fixo de quatro anos.", 2, "BRUNO LIMA"),
]
CRECHES = [
    plan("Vamos fazer 20 creches para a primeira infância."),
    plan("Vamos fazer 45 creches para a primeira infância.", 2, "BRUNO LIMA"),
]


def verdict(evidences: list[dict[str, Any]], sentence: str) -> str:
    result = check_answer({"evidences": evidences, "answer": sentence})
    return "removed" if result["removed"] else "doubted" if result["flagged"] else "kept"


@pytest.mark.parametrize(
    ("evidences", "sentence", "expected"),
    [
        ([FOREST], "Para Ana Souza, manter a floresta em pé é mais lucrativo do que derrubar as árvores [E1].", "kept"),
        ([FOREST], "Para Ana Souza, derrubar as árvores é mais lucrativo do que manter a floresta em pé [E1].", "doubted"),
        ([ROADS], "O plano diz que foram aplicadas 457 milhões de doses [E1].", "kept"),
        ([ROADS], "O plano diz ter aplicado 519 milhões de doses [E1].", "doubted"),
        ([TEACHERS], "O plano valoriza os professores [E1].", "kept"),
        ([TEACHERS], "O plano desvaloriza os professores [E1].", "doubted"),
        ([CITIES], "O plano prevê repasse da cultura para muitos municípios [E1].", "kept"),
        ([CITIES], "O plano prevê repasse da cultura para todos os municípios [E1].", "doubted"),
        ([BONUS], "Unidades que descumprirem metas perderão o bônus, diz o plano [E1].", "kept"),
        ([BONUS], "As unidades perderão o bônus anual, diz o plano [E1].", "doubted"),
        (TWO, "O programa recria o Ministério da Segurança Pública e dá ao diretor da Polícia Federal mandato fixo [E1][E2].",
         "doubted"),
        ([NUMBERS], "O plano fala do século 21 e reserva 1/3 das vagas a mulheres [E1].", "kept"),
        ([NUMBERS], "O plano fala do século XX [E1].", "removed"),
        ([NUMBERS], "O plano diz que o ônibus sai às 14:30 [E1].", "kept"),
        ([NUMBERS], "O plano diz que a fila tem mais de 1.200 pessoas [E1].", "kept"),
        ([NUMBERS], "O plano diz que a fila tem mais de 1.300 pessoas [E1].", "removed"),
        ([BILL], "O PL 26/2023 susta dispositivos do decreto do saneamento e ainda não foi votado [E1].", "doubted"),
        ([BILL], "O PL 26/2023 está em vigor [E1].", "removed"),
        ([BILL], "O PL 26/2023 susta dispositivos do decreto do saneamento e se encontra em vigor [E1].", "removed"),
        ([BILL], "O PL 26/2023 susta dispositivos do decreto do saneamento e foi sancionado [E1].", "removed"),
        ([BILL], "O PL 26/2023 susta dispositivos do decreto do saneamento desde quando foi aprovado [E1].", "removed"),
        ([BILL], "Se for aprovado, o PL 26/2023 susta dispositivos do decreto do saneamento [E1].", "kept"),
        (CRECHES, "Ana Souza fará 45 creches e Bruno Lima fará 20 creches para a primeira infância [E1][E2].",
         "removed"),
        ([BILL], "O decreto foi sustado pelo PL 26/2023 [E1].", "doubted"),
        ([BILL], "O PL 26/2023 é de autoria do governo [E1].", "removed"),
        ([MANDATE], "Ana Souza é deputada federal [E1].", "kept"),
        ([MANDATE], "Ana Souza é senadora [E1].", "removed"),
    ],
)  # fmt: skip
def test_a_sentence_gets_its_verdict(evidences: list[dict[str, Any]], sentence: str, expected: str) -> None:
    assert verdict(evidences, sentence) == expected


def test_a_number_at_the_end_of_a_sentence_belongs_to_it() -> None:
    result = check_answer(
        {"evidences": [plan("A fila caiu 30%.\n\nA receita subiu.")], "answer": "O plano diz que a fila caiu 30% [E1]."}
    )
    assert [support["text"] for claim in result["claims"] for support in claim["supports"]] == ["A fila caiu 30%."]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("O plano apresenta um programa socialista em 16 pontos [E1].", "kept"),  # the plan's own words
        ("O plano apresenta um programa comunista em 16 pontos [E1].", "removed"),
        ("A candidata petista apresenta 16 pontos [E1].", "kept"),  # a fact of record
        ("A candidata emedebista apresenta 16 pontos [E1].", "removed"),
    ],
)
def test_a_label_is_a_sources_word_or_a_party_of_record(sentence: str, expected: str) -> None:
    assert verdict([plan("Apresentamos 16 pontos de um programa socialista para o estado.")], sentence) == expected

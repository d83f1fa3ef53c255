"""How a bill, a mandate and a count are told, and the addresses of a source for people."""

import pytest

from iris_assets.answers.links import human_url, list_url, locator
from iris_assets.answers.wording import authors_text, bill_text, history_text
from iris_assets.retrieval.types import CandidateRef, Evidence

BILL = {
    "summary": "Requer sessão solene em homenagem a Marielle Franco",
    "authors": [{"name": f"Autora {n}"} for n in range(1, 8)],
    "author_total": 176,
    "status": "Aguardando  despacho",
    "status_at": "2023-02-07T15:20",
    "presentation_date": "2023-02-01",
    "topics": ["Homenagens"],
}
ABOUT = "Requer sessão solene em homenagem a Marielle Franco."
WHO = "Autores: Autora 1; Autora 2; Autora 3; Autora 4; Autora 5 e mais 171."
STATE = "Situação: Aguardando despacho (em 07/02/2023)."


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("REQ 243/2023 homenagem a quem?", ABOUT, WHO),
        ("O que é o REQ 243/2023?", ABOUT, WHO),
        ("em que pé está o REQ 243/2023?", STATE, ABOUT),
        ("Qual a situação do REQ 243/2023?", STATE, ABOUT),
        ("Quem assina o REQ 243/2023?", WHO, ABOUT),
        ("autores do REQ 243/2023", WHO, ABOUT),
    ],
)
def test_a_bill_is_told_with_the_asked_part_first(question: str, first: str, second: str) -> None:
    assert bill_text(question, BILL).startswith(f"{first} {second}")
    assert bill_text(question, BILL).count("Situação:") == 1
    assert bill_text(question, BILL).endswith("Apresentação: 01/02/2023. Temas: Homenagens.")


def test_authors_are_shortened_with_their_number() -> None:
    assert authors_text([{"name": "Ana"}], 1) == "Autoria: Ana."
    assert authors_text([{"name": "Ana"}, {"name": "Bia"}], None) == "Autores: Ana; Bia."
    assert authors_text([{"name": "Ana"}], 12) == "Autores: Ana e mais 11."
    assert authors_text([]) == ""


def test_a_mandate_is_told_without_labels() -> None:
    facts = {"position": "Deputada Federal", "institution": "Câmara dos Deputados", "party": "PT", "state": "DF",
             "start_date": "2011-02-01", "end_date": "2015-01-31"}  # fmt: skip
    assert history_text(facts) == "Deputada Federal, Câmara dos Deputados, PT/DF, 2011–2015."


def source(kind: str, id_: str, people: int = 0, **facts: object) -> Evidence:
    one = CandidateRef(1, "280001", "ANA", "ANA", "PT", "PRESIDENTE", "BR", 2022, 13)
    return Evidence("E1", kind, id_, 0, "", "", "", candidates=(one,) * people, structured=facts)


def test_people_are_sent_to_official_pages() -> None:
    bill = human_url(source("PROPOSITION", "2345"))
    assert bill == "https://www.camara.leg.br/proposicoesWeb/fichadetramitacao?idProposicao=2345"
    plan = source("GOVERNMENT_PROPOSAL", "a" * 64, 1, file_name="2022BR280001.pdf")
    assert human_url(plan) == "https://dadosabertos.tse.jus.br/dataset/candidatos-2022"
    assert locator(plan) == "arquivo 2022BR280001.pdf dentro do pacote do TSE"
    assert "SQ_CANDIDATO 280001" in (locator(source("CANDIDATE", "280001", 1)) or "")


def test_a_count_opens_the_list_that_was_counted() -> None:
    count = source("PROPOSITION_TOPIC_AGGREGATE", "candidates", counted="candidates", offices=["GOVERNADOR"],
                   states=["DF"], parties=[], elections="2022")  # fmt: skip
    assert list_url(count) == "/api/candidates?office=GOVERNADOR&state=DF&year=2022"
    assert (
        list_url(source("PROPOSITION_TOPIC_AGGREGATE", "1", 1, counted="bills"))
        == "/api/candidates/280001/propositions"
    )
    narrower = source("PROPOSITION_TOPIC_AGGREGATE", "1", 1, counted="bills", types=["PL"])
    assert list_url(narrower) is None
    assert list_url(source("GOVERNMENT_PROPOSAL", "a")) is None

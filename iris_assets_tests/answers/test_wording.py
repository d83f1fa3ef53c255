"""How a bill, a mandate and a count are told, and the addresses of a source for people."""

from dataclasses import replace

import pytest

from iris_assets.answers.links import court_page, human_url, list_url, locator
from iris_assets.answers.wording import authors_text, bill_text, history_text, record_text
from iris_assets.retrieval.types import CandidateRef, Evidence

COURT = "https://divulgacandcontas.tse.jus.br/divulga/#/candidato"
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
    since = {**facts, "start_date": "2023-02-01", "end_date": None, "date_precision": "DAY"}
    assert "desde 01/02/2023" in history_text(since)
    assert "01/02/2023–31/01/2027" in history_text({**since, "end_date": "2027-01-31"})


def source(kind: str, id_: str, people: int = 0, **facts: object) -> Evidence:
    one = CandidateRef(1, "280001", "ANA", "ANA", "PT", "PRESIDENTE", "BR", 2022, 13)
    return Evidence("E1", kind, id_, 0, "", "", "", candidates=(one,) * people, structured=facts)


def test_people_are_sent_to_official_pages() -> None:
    bill = human_url(source("PROPOSITION", "2345"))
    assert bill == "https://www.camara.leg.br/proposicoesWeb/fichadetramitacao?idProposicao=2345"
    plan = source("GOVERNMENT_PROPOSAL", "a" * 64, 1, file_name="2022BR280001.pdf")
    assert human_url(plan) == f"{COURT}/BR/BR/2040602022/280001/2022/BR"
    assert locator(plan) == "arquivo 2022BR280001.pdf dentro do pacote do TSE"
    record = replace(source("CANDIDATE", "280001", 1), url="https://cdn.tse.jus.br/consulta_cand_2022.zip")
    assert locator(record) == "linha com SQ_CANDIDATO 280001 no pacote consulta_cand_2022.zip de candidaturas do TSE"


def test_the_courts_page_of_a_candidacy_is_that_of_its_town_and_election() -> None:
    mayor = CandidateRef(1, "70", "ANA", "ANA", "PT", "PREFEITO", "SP", 2024, 13, "71072")
    assert court_page(mayor) == f"{COURT}/SUDESTE/SP/2045202024/70/2024/71072"
    assert court_page(replace(mayor, year=2010)) == "https://dadosabertos.tse.jus.br/dataset/candidatos-2010"


def test_a_candidacy_is_told_without_labels() -> None:
    facts = {"name": "ANA LIMA", "party": "PT", "office": "PREFEITO", "state": "SP", "town": "CAMPINAS", "number": 13,
             "election_year": 2024, "registration_status": "APTO", "round_result": "ELEITO",
             "ticket": [{"office": "Vice-prefeito", "name": "BIA", "party": "PV"}]}  # fmt: skip
    assert record_text(facts) == (
        "ANA LIMA, pelo partido PT, candidatura a PREFEITO (CAMPINAS/SP), com o número 13, na eleição de 2024; na mesma "
        "chapa, Vice-prefeito: BIA (PV); o registro consta como APTO; o resultado consta como ELEITO."
    )
    bare = {"name": "ANA LIMA", "office": "PRESIDENTE", "state": "BR", "election_year": 2026}
    assert (
        record_text(bare) == "ANA LIMA, sem partido registrado, candidatura a PRESIDENTE (Brasil), na eleição de 2026."
    )


def test_a_count_opens_the_list_that_was_counted() -> None:
    count = source("PROPOSITION_TOPIC_AGGREGATE", "candidates", counted="candidates", offices=["GOVERNADOR"],
                   states=["DF"], parties=[], elections="2022")  # fmt: skip
    assert list_url(count) == "/api/candidates?office=GOVERNADOR&state=DF&year=2022&listed=true"
    bills = "/api/candidates/280001/propositions?year=2022"
    assert list_url(source("PROPOSITION_TOPIC_AGGREGATE", "1", 1, counted="bills")) == bills
    narrower = source("PROPOSITION_TOPIC_AGGREGATE", "1", 1, counted="bills", types=["PL"], bill_years=[2023, 2024])
    assert list_url(narrower) == f"{bills}&type=PL&bill_year=2023&bill_year=2024"
    elected = source("PROPOSITION_TOPIC_AGGREGATE", "candidates", counted="candidates", results=["ELEITO", "MÉDIA"])
    assert list_url(elected) == "/api/candidates?result=ELEITO&result=M%C3%89DIA&listed=true"
    assert list_url(replace(elected, structured={**elected.structured, "count": 0})) is None  # nothing to open
    all_bills = source("PROPOSITION_TOPIC_AGGREGATE", "bills", counted="bills", states=["DF"], topic="Saúde")
    assert list_url(all_bills) == "/api/propositions?state=DF&topic=Sa%C3%BAde"
    assert list_url(replace(elected, structured={**elected.structured, "listable": False})) is None
    assert list_url(source("GOVERNMENT_PROPOSAL", "a")) is None

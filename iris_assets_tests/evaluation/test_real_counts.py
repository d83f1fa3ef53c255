"""Counts over the real records: every number that a question gets is the one that plain SQL gives beside it."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.web.app import create_app
from iris_assets_tests.evaluation.conftest import by_sql

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(900)]

BILLS = (
    "SELECT COUNT(DISTINCT p.CamaraId) FROM Proposition p"
    " JOIN SourceCandidate s ON s.SourceType = 'PROPOSITION' AND s.SourceId = CAST(p.CamaraId AS TEXT)"
    " JOIN Candidate c ON c.Id = s.CandidateId WHERE "
)
PEOPLE = "SELECT COUNT(*) FROM Candidate c WHERE "
PLANS = (
    "SELECT COUNT(DISTINCT s.SourceId) FROM SourceCandidate s JOIN Candidate c ON c.Id = s.CandidateId"
    " WHERE s.SourceType = 'GOVERNMENT_PROPOSAL' AND "
)
ELECTED = "c.RoundResult IN ('ELEITO', 'ELEITO POR QP', 'ELEITO POR MÉDIA')"
OF_TOPIC = "p.Id IN (SELECT PropositionId FROM PropositionTopic WHERE Name = '{}')"

COUNTED = [
    ("Quantos candidatos foram eleitos?", PEOPLE + ELECTED),
    ("Quantos candidatos se registraram?", PEOPLE + "1"),
    ("QUANTOS CANDIDATOS SE REGISTRARAM?", PEOPLE + "1"),
    ("Quantos candidatos o Republicanos lançou no DF?", PEOPLE + "c.Party = 'REPUBLICANOS' AND c.State = 'DF'"),
    ("Quantos candidatos do pt disputam no Piauí?", PEOPLE + "c.Party = 'PT' AND c.State = 'PI'"),
    ("quantos candidatos a governador no pi", PEOPLE + "c.Office = 'GOVERNADOR' AND c.State = 'PI'"),
    ("Quantos candidatos do União Brasil?", PEOPLE + "c.Party = 'UNIÃO'"),
    ("Quantos candidatos do PCdoB?", PEOPLE + "c.Party = 'PC DO B'"),
    ("Quantos candidatos do PC do B?", PEOPLE + "c.Party = 'PC DO B'"),
    ("Quantos candidatos do Podemos no Distrito Federal?", PEOPLE + "c.Party = 'PODE' AND c.State = 'DF'"),
    ("quantos candidatos do novo", PEOPLE + "c.Party = 'NOVO'"),
    ("Quantos candidatos do MDB, PT e PL há no DF?", PEOPLE + "c.Party IN ('MDB', 'PT', 'PL') AND c.State = 'DF'"),
    ("Quantos candidatos a presidente havia em 2018?", PEOPLE + "c.Office = 'PRESIDENTE' AND c.ElectionYear = 2018"),
    ("Quantos candidatos à presidência em 2022?", PEOPLE + "c.Office = 'PRESIDENTE' AND c.ElectionYear = 2022"),
    ("Quantos candidatos a deputado federal pelo DF?", PEOPLE + "c.Office = 'DEPUTADO FEDERAL' AND c.State = 'DF'"),
    (
        "Quantos deputados o PT elegeu no Piauí?",
        PEOPLE + f"c.Party = 'PT' AND c.State = 'PI' AND {ELECTED} AND c.Office = 'DEPUTADO FEDERAL'",
    ),
    ("Quantos candidatos foram ao segundo turno?", PEOPLE + "c.Round = 2"),
    (
        "Quantos governadores foram eleitos no primeiro turno?",
        PEOPLE + "c.Office = 'GOVERNADOR' AND c.Round = 1 AND c.RoundResult = 'ELEITO'",
    ),
    ("Quantos suplentes há no Piauí?", PEOPLE + "c.RoundResult = 'SUPLENTE' AND c.State = 'PI'"),
    ("Quantos candidatos aptos no DF?", PEOPLE + "c.RegistrationStatus = 'APTO' AND c.State = 'DF'"),
    ("Quantos planos de governo há?", PLANS + "1"),
    ("Quantos planos de governo tem o Piauí?", PLANS + "c.State = 'PI'"),
    ("Quantos planos de governo de candidatos a presidente?", PLANS + "c.Office = 'PRESIDENTE'"),
    ("Quantos projetos de 2022 e 2023?", BILLS + "p.Year IN (2022, 2023)"),
    ("Quantos projetos de 2021, 2022 e 2023?", BILLS + "p.Year IN (2021, 2022, 2023)"),
    ("Quantos projetos foram apresentados até 2022?", BILLS + "p.Year <= 2022"),
    ("Quantos projetos foram apresentados desde 2022?", BILLS + "p.Year >= 2022"),
    ("Quantos projetos do PL?", BILLS + "c.Party = 'PL'"),
    ("Quantos PLs o PT apresentou?", BILLS + "c.Party = 'PT' AND p.Type = 'PL'"),
    ("Quantos projetos do PT no Piauí?", BILLS + "c.Party = 'PT' AND c.State = 'PI'"),
    ("Quantos requerimentos de 2023 no DF?", BILLS + "p.Type = 'REQ' AND p.Year = 2023 AND c.State = 'DF'"),
    ("Quantos projetos sobre saúde?", BILLS + OF_TOPIC.format("Saúde")),
    (
        "Quantos projetos de Fred Linhares sobre direitos humanos e minorias?",
        BILLS + "c.BallotName = 'FRED LINHARES' AND " + OF_TOPIC.format("Direitos Humanos e Minorias"),
    ),
    (
        "quantos projetos a deputada erika kokay apresentou em 2023?",
        BILLS + "c.BallotName = 'ERIKA KOKAY' AND p.Year = 2023",
    ),
]
NOT_COUNTED = [
    "Quantas candidatas mulheres há no DF?",
    "Quantos candidatos defendem a reforma tributária?",
    "Quantos planos de governo mencionam dinossauros?",
    "Quantos autores tem o PL 1/2023?",
    "Quantos deputados há?",
    "Quantos projetos sobre o Piauí?",
    "Quantos projetos de Bia Kicis e Arthur Lira?",
]


@pytest.mark.parametrize(("question", "statement"), COUNTED, ids=[question for question, _ in COUNTED])
def test_a_count_is_what_sql_says(service: RetrievalService, data: Path, question: str, statement: str) -> None:
    assert [row.count for row in service.retrieve(question).counts] == [by_sql(data, statement)]


@pytest.mark.parametrize("question", NOT_COUNTED)
def test_what_no_record_tells_has_no_number(service: RetrievalService, question: str) -> None:
    found = service.retrieve(question)
    assert found.counts == () and ("contagem exata" in found.said or "não trazem gênero" in found.said)


def test_topics_are_those_of_the_two_deputies_that_are_named(service: RetrievalService) -> None:
    found = service.retrieve("principais temas dos projetos de Merlong Solano e Fred Linhares")
    people = {row.candidate.ballot_name for row in found.counts if row.candidate}
    assert people == {"MERLONG SOLANO", "FRED LINHARES"}
    assert service.retrieve("principais temas das proposições do Arthur Lira").evidences == ()


def test_a_count_opens_a_list_of_as_many(data: Path) -> None:
    """Wherever a list is offered it holds what was counted; most counts offer one."""
    app = create_app(load_settings({}, iris_assets_data=data), rate_per_minute=1_000_000)
    listed = 0
    with TestClient(app) as client:
        for question, _ in COUNTED:
            for source in client.post("/api/ask", json={"question": question}).json()["sources"]:
                number = re.match(r"Contagem exata nos registros guardados: (\d+)", source["quote"])
                if source["list_url"] and number:
                    listed += 1
                    reply = client.get(source["list_url"]).json()
                    assert reply.get("total") == int(number[1]), (question, source["list_url"], reply)
    assert listed > len(COUNTED) / 2

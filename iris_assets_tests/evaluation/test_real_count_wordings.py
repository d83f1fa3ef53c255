"""Counts in everyday wordings over the real records of 2022 and 2026: what plain SQL gives beside them, or no number."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.retrieval.service import RetrievalService
from iris_assets_tests.evaluation.conftest import by_sql, collected, searched
from iris_assets_tests.evaluation.test_real_counts import BILLS, ELECTED, PEOPLE

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(900)]

DEPUTY, GOVERNOR, PRESIDENT = (f"c.Office = '{name}'" for name in ("DEPUTADO FEDERAL", "GOVERNADOR", "PRESIDENTE"))
PARTIES = "SELECT COUNT(DISTINCT c.Party) FROM Candidate c WHERE "
LOST = "c.RoundResult IN ('NÃO ELEITO', 'SUPLENTE')"
DF, PI = "c.State = 'DF'", "c.State = 'PI'"
OF_TYPE = "p.Type = '{}'"

IN_2022 = [
    ("o PT fez quantos deputados federais no Piauí na última", [f"{PEOPLE}c.Party = 'PT' AND {PI} AND {ELECTED} AND {DEPUTY}"]),
    ("uai, era quantos concorrendo pra presidente?", [PEOPLE + PRESIDENT]),
    ("quantos nomes pediram registro pra presidente e quantos desses foram considerados aptos",
     [PEOPLE + PRESIDENT, f"{PEOPLE}{PRESIDENT} AND c.RegistrationStatus = 'APTO'"]),
    ("No DF, dos que se elegeram deputado federal, quantos entraram pelo quociente partidário e quantos pela média?",
     [f"{PEOPLE}{DF} AND {DEPUTY} AND c.RoundResult = 'ELEITO POR {how}'" for how in ("QP", "MÉDIA")]),
    ("PT do Piauí: quantos tentaram a Câmara e quantos entraram?",
     [f"{PEOPLE}c.Party = 'PT' AND {PI} AND {DEPUTY}{more}" for more in ("", f" AND {ELECTED}")]),
    ("tchê, quantos foram derrotados pra governador no DF", [f"{PEOPLE}{LOST} AND {GOVERNOR} AND {DF}"]),
    ("Sem o PL, quantas candidaturas a deputado federal no Piauí?", [f"{PEOPLE}c.Party <> 'PL' AND {DEPUTY} AND {PI}"]),
    ("quantos candidatos a governador tirando os do DF", [f"{PEOPLE}{GOVERNOR} AND c.State <> 'DF'"]),
    ("Quantas candidaturas não são nem do PT nem do PL no DF?", [f"{PEOPLE}c.Party NOT IN ('PT', 'PL') AND {DF}"]),
    ("o Republicanos somando DF e PI fez quantos deputados federais?",
     [f"{PEOPLE}c.Party = 'REPUBLICANOS' AND {ELECTED} AND {DEPUTY} AND c.State IN ('DF', 'PI')"]),
    ("quantos partidos lançaram gente pra governador no DF", [f"{PARTIES}{GOVERNOR} AND {DF}"]),
    ("de quantos partidos diferentes saíram os eleitos do Piauí", [f"{PARTIES}{ELECTED} AND {PI}"]),
    ("quantos tiveram o registro negado no DF", [f"{PEOPLE}c.RegistrationStatus = 'INAPTO' AND {DF}"]),
    ("quantas candidaturas a governador deram INAPTO no total", [f"{PEOPLE}{GOVERNOR} AND c.RegistrationStatus = 'INAPTO'"]),
    ("número de candidatos a deputado federal pelo Piauí", [f"{PEOPLE}{DEPUTY} AND {PI}"]),
    ("PDT DF quantos", [f"{PEOPLE}c.Party = 'PDT' AND {DF}"]),
    ("total candidatos PT PI", [f"{PEOPLE}c.Party = 'PT' AND {PI}"]),
    ("quantos eleitos o MDB fez no DF e quantos no Piauí", [f"{PEOPLE}c.Party = 'MDB' AND {ELECTED} AND {where}" for where in (DF, PI)]),
    ("quantos ganharam e quantos ficaram de suplente no Piauí?",
     [f"{PEOPLE}{PI} AND {ELECTED}", f"{PEOPLE}{PI} AND c.RoundResult = 'SUPLENTE'"]),
    ("e quantos desse povo todo que se candidatou no distrito federal entrou mesmo", [f"{PEOPLE}{DF} AND {ELECTED}"]),
    ("quantos candidatos brasilienses a federal se registraram", [f"{PEOPLE}{DF} AND {DEPUTY}"]),
    ("quantos federais o PL botou no DF, hein mano?", [f"{PEOPLE}c.Party = 'PL' AND {DF} AND {DEPUTY} AND {ELECTED}"]),
    ("em dois mil e vinte e dois quantos disputaram o governo do Piauí", [f"{PEOPLE}{PI} AND {GOVERNOR} AND c.ElectionYear = 2022"]),
    ("quantos governadores foram decididos no primeiro turno", []),
    ("quantos candidatos a presidente foram pro segundo turno?", [f"{PEOPLE}{PRESIDENT} AND c.Round = 2"]),
    ("me diz aí quantos requerimentos (REQ) e quantas indicações (INC) tem guardados",
     [BILLS + OF_TYPE.format(name) for name in ("REQ", "INC")]),
    ("Qual o total de projetos de lei (só PL, não requerimento) nos registros?", [BILLS + OF_TYPE.format("PL")]),
    ("fora os requerimentos, quantas proposições existem?", [BILLS + "p.Type <> 'REQ'"]),
    ("nº de PLs apresentados por Erika Kokay", [f"{BILLS}{OF_TYPE.format('PL')} AND c.BallotName = 'ERIKA KOKAY'"]),
    ("quantos PL e quantos REQ a Erika Kokay tem?",
     [f"{BILLS}{OF_TYPE.format(name)} AND c.BallotName = 'ERIKA KOKAY'" for name in ("PL", "REQ")]),
    ("a bia kicis assinou quantas coisas em 2023", []),
    ("De todos os PLs, quantos são da deputada Bia Kicis?", [f"{BILLS}{OF_TYPE.format('PL')} AND c.BallotName = 'BIA KICIS'"]),
]  # fmt: skip
IN_2026 = [
    ("Em São Paulo, o Novo tem quantos candidatos a federal? E o MDB?",
     [f"{PEOPLE}c.Party = '{party}' AND {DEPUTY}" for party in ("NOVO", "MDB")]),
    ("total de gente candidata na base de sp 2026", [PEOPLE + "c.State = 'SP'"]),
    ("conta pra mim solidariedade e união em são paulo, deputado federal", [PEOPLE + "c.Party IN ('SOLIDARIEDADE', 'UNIÃO')"]),
    ("quantos candidatos o partido Novo lançou a deputado federal em SP esse ano", [PEOPLE + "c.Party = 'NOVO'"]),
    ("Quantos candidatos o MDB tem e quantos o PP tem em São Paulo em 2026?",
     [f"{PEOPLE}c.Party = '{party}'" for party in ("MDB", "PP")]),
    ("quantos concorrem pelo PRD ou pelo PP", [PEOPLE + "c.Party IN ('PRD', 'PP')"]),
    ("tem quantos partidos na disputa pra deputado federal em sp", [PARTIES + DEPUTY]),
    ("Requerimento de informação, o tal RIC: quantos existem nos registros?", [BILLS + OF_TYPE.format("RIC")]),
    ("quantos candidatos foram eleitos em são paulo?", []),
    ("quantas mulheres concorrem em sp", []),
    ("quantos candidatos do novo com menos de 30 anos", []),
]  # fmt: skip


@pytest.fixture(scope="module")
def data_2026(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collected(tmp_path_factory.mktemp("sp"), shared_data / "replay", "SP", 2026, "2026-08-15")


@pytest.fixture(scope="module")
def service_2026(data_2026: Path) -> Iterator[RetrievalService]:
    with searched(data_2026) as found:
        yield found


@pytest.mark.parametrize(("question", "statements"), IN_2022, ids=[question for question, _ in IN_2022])
def test_counts_of_2022_are_what_sql_says(
    service: RetrievalService, data: Path, question: str, statements: list[str]
) -> None:
    assert [row.count for row in service.retrieve(question).counts] == [by_sql(data, one) for one in statements]


@pytest.mark.parametrize(("question", "statements"), IN_2026, ids=[question for question, _ in IN_2026])
def test_counts_of_2026_are_what_sql_says(
    service_2026: RetrievalService, data_2026: Path, question: str, statements: list[str]
) -> None:
    found = [row.count for row in service_2026.retrieve(question).counts]
    assert found == [by_sql(data_2026, one) for one in statements]

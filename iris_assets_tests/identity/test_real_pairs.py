"""Every MATCHED and REVIEW pair of the independent computation over the offline copies, no more and no fewer."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from iris_assets.identity import CandidateIdentity, DeputyIdentity, match_candidates

pytestmark = pytest.mark.real_data
OFFICES = {"DEPUTADO FEDERAL", "GOVERNADOR", "PRESIDENTE"}


@pytest.fixture(scope="module")
def replay(shared_data: Path) -> Path:
    return shared_data / "replay"


@pytest.fixture(scope="module")
def deputies(replay: Path) -> list[DeputyIdentity]:
    history = json.loads((replay / "camara/historico.json").read_text("utf-8"))
    return [_deputy(item, history) for item in json.loads((replay / "camara/deputados.json").read_text("utf-8"))]


def _deputy(item: dict[str, Any], history: dict[str, Any]) -> DeputyIdentity:
    status = item["ultimoStatus"]
    parties = tuple(line["siglaPartido"] for line in history.get(str(item["id"]), []) if line["siglaPartido"])
    return DeputyIdentity(
        item["id"], item["nomeCivil"], status["nome"], status["nomeEleitoral"], status["siglaUf"], parties
    )


def _candidates(replay: Path, year: int, member: str) -> list[CandidateIdentity]:
    found: dict[str, CandidateIdentity] = {}
    with zipfile.ZipFile(replay / f"tse/files/consulta_cand_{year}.zip") as archive:
        name = next(name for name in archive.namelist() if name.endswith(f"_{member}.csv"))
        rows = csv.DictReader(io.TextIOWrapper(archive.open(name), "latin-1"), delimiter=";")
        for row in rows:
            if row["DS_CARGO"].upper() in OFFICES and row["CD_TIPO_ELEICAO"] == "2":
                found.setdefault(
                    row["SQ_CANDIDATO"],
                    CandidateIdentity(
                        row["SQ_CANDIDATO"], row["SQ_CANDIDATO"], year, row["NM_CANDIDATO"],
                        row["NM_URNA_CANDIDATO"], row["SG_UF"], row["SG_PARTIDO"],
                    ),
                )  # fmt: skip
    return list(found.values())


@pytest.mark.parametrize("year", [2022, 2026])
def test_the_decisions_are_those_of_the_independent_computation(
    replay: Path, deputies: list[DeputyIdentity], year: int
) -> None:
    expected = json.loads((replay / "EXPECTED.json").read_text("utf-8"))
    aliased = {(int(y), sq) for y, sq in expected["score_95_only_for_a_party_alias"]}
    pairs = {
        pair["sq"]: (pair["status"], 100 if (year, pair["sq"]) in aliased else pair["score"], pair["deputies"])
        for pair in expected["pairs"]
        if int(pair["year"]) == year
    }
    people = _candidates(replay, year, "BRASIL")
    decisions = {str(d.candidate_key): d for d in match_candidates(people, deputies)}
    found = {
        sq: (d.status, d.confidence, [c.deputy_id for c in d.considered if c.score.points == d.confidence])
        for sq, d in decisions.items()
        if d.status != "UNMATCHED"
    }
    assert found == pairs
    assert len(pairs) == {2022: 41, 2026: 119}[year]

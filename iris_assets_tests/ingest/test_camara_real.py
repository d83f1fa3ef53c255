"""Candidates and the Câmara on the offline copies: the independently computed figures by API, by files, by both."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from iris_assets.ingest.camara import ingest_camara
from iris_assets.ingest.candidates import ingest_candidates
from iris_assets.ingest.context import IngestContext
from iris_assets.sample.simulator import replay_transport
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient
from iris_assets.store import Store, open_store

pytestmark = [pytest.mark.real_data, pytest.mark.slow]

SELECTIONS = {
    "candidates_2026_SP": (2026, date(2026, 8, 15), ("SP",)),
    "candidates_2022_AC_BR_DF_PI_RR": (2022, date(2023, 3, 1), ("AC", "BR", "DF", "PI", "RR")),
}


def _run(replay: Path, folder: Path, selection: str, mode: str) -> tuple[Store, list[Any]]:
    year, as_of, ufs = SELECTIONS[selection]
    settings = load_settings(
        {},
        iris_assets_data=folder,
        iris_assets_replay=replay,
        ingest_election_year=year,
        as_of=as_of,
        camara_source=mode,
        camara_max_matched_candidates=0,
        camara_max_propositions_per_candidate=0,
    )
    store = open_store(settings.store_url)
    with HttpClient(settings, replay_transport(replay)) as http:
        context = IngestContext(store=store, settings=settings, http=http)
        for uf in ufs:
            assert ingest_candidates(context, uf).status == "SUCCESS"
        return store, [ingest_camara(context, uf) for uf in ufs]


def _bills(store: Store) -> list[dict[str, Any]]:
    technical = {"id", "created_at", "updated_at", "source_collected_at", "proposition_id"}
    bills = store.camara.bills(sorted(store.camara.bill_states()))
    for bill in bills:
        for part in ("authors", "topics"):
            bill[part] = [{k: v for k, v in row.items() if k not in technical} for row in bill[part]]
    return [{k: v for k, v in bill.items() if k not in technical} for bill in bills]


@pytest.mark.parametrize("selection", list(SELECTIONS))
def test_candidates_matches_and_bills_are_the_expected_ones_by_api_files_and_both(
    shared_data: Path, tmp_path: Path, selection: str
) -> None:
    replay = shared_data / "replay"
    expected = json.loads((replay / "EXPECTED.json").read_text("utf-8"))[selection]
    found = {}
    for mode in ("api", "bulk", "auto"):
        store, reports = _run(replay, tmp_path / mode, selection, mode)
        assert {report.status for report in reports} == {"SUCCESS"}
        total = expected["total"]
        assert store.matches.counts() == {name: total.get(name, 0) for name in ("MATCHED", "REVIEW", "UNMATCHED")}
        bills = _bills(store)
        assert len(bills) == expected["bills_of_matched"]["of_those_in_proposicoes_2023"]
        found[mode] = bills
    assert found["api"] == found["bulk"] == found["auto"]

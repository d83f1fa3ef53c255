"""Runs of two elections in one UF: neither stands for the other, in checks, freshness and audit."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from iris_assets.ingest.freshness import refreshed
from iris_assets.ingest.standing import COMPLETE, failing_partitions
from iris_assets.store import Store, open_store
from iris_assets.store.tables.runs import RunRow

SOURCE = "TSE_CANDIDATES"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")


def ran(store: Store, uf: str, year: int | None, status: str) -> RunRow:
    run = store.runs.start(SOURCE, uf, {}, year)
    return store.runs.finish(run.id, status, error_message=None if status == "SUCCESS" else "broken")


def test_a_failure_of_one_election_stays_red_when_another_one_succeeds(store: Store) -> None:
    first = ran(store, "BR", 2022, "FAILED")
    ran(store, "BR", 2018, "SUCCESS")
    (failing,) = failing_partitions(store, "candidates", SOURCE)[COMPLETE]
    assert (failing.partition, failing.election_year) == ("BR", 2022)
    assert (failing.since, failing.failed_run) == (first.started_at, True)
    ran(store, "BR", 2022, "SUCCESS")
    assert failing_partitions(store, "candidates", SOURCE)[COMPLETE] == []


def test_a_refresh_of_another_election_makes_no_uf_fresh(store: Store) -> None:
    ran(store, "AC", 2018, "SUCCESS")
    assert [(one.uf, one.at) for one in refreshed(store, "candidates", ["AC"], 2026)] == [("AC", None)]
    done = ran(store, "AC", 2026, "SUCCESS")
    assert [one.at for one in refreshed(store, "candidates", ["AC"], 2026)] == [done.finished_at]


def test_a_run_from_before_elections_were_kept_counts_until_the_next_one(store: Store) -> None:
    old = ran(store, "AC", None, "SUCCESS")
    assert [one.at for one in refreshed(store, "candidates", ["AC"], 2026)] == [old.finished_at]
    assert set(store.runs.latest_of_each(SOURCE)) == {("AC", None)}
    ran(store, "AC", 2026, "SUCCESS")
    assert set(store.runs.latest_of_each(SOURCE)) == {("AC", 2026)}


def test_the_audit_names_the_election(store: Store) -> None:
    ran(store, "AC", 2022, "PARTIAL")
    ran(store, "AC", 2026, "SUCCESS")
    assert [run.election_year for run in store.runs.latest(partition="AC", election_year=2022)] == [2022]
    assert store.runs.latest(1)[0].started_at <= datetime.now(UTC)

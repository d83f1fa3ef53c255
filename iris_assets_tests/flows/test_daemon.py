"""Backfills, killed workers and two daemons over real processes: what one UF suffers leaves the others and the rows."""

import os
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import dagster as dg
import pytest

from iris_assets.store.process import parse_process
from iris_assets_tests.flows.commands import Done
from iris_assets_tests.flows.daemon import Platform, running_platform, wait_for
from iris_assets_tests.flows.rows import database, logical_rows, runs
from iris_assets_tests.flows.spoiling import ARCHIVE, drop_column

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
POOLS = ("tse", "camara", "store", "llm")


@pytest.fixture(scope="module")
def replay(sample_replay: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spoiled") / "replay"
    shutil.copytree(sample_replay, folder)
    return folder


@pytest.fixture(scope="module")
def platform(replay: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    with running_platform(tmp_path_factory.mktemp("platform"), replay) as running:
        yield running


def _by_uf(found: list[dg.DagsterRun]) -> dict[str, set[str]]:
    by_uf: dict[str, set[str]] = {}
    for run in found:
        by_uf.setdefault(run.tags["dagster/partition"], set()).add(run.status.value)
    return by_uf


def _failure(platform: Platform, run: dg.DagsterRun) -> str:
    with platform.instance() as instance:
        events = [entry.dagster_event for entry in instance.all_logs(run.run_id) if entry.dagster_event]
    (failed,) = [event for event in events if event.is_step_failure]
    error = failed.step_failure_data.error
    assert error is not None
    return error.to_string()


def test_one_broken_uf_is_red_with_its_code_and_the_others_are_green(platform: Platform, replay: Path) -> None:
    drop_column(replay, "AC")
    backfill = platform.backfill(["AC|2026", "BR|2026"])
    assert platform.wait_backfill(backfill, 300) == "COMPLETED_FAILED"
    found = platform.runs(**{"dagster/backfill": backfill})
    assert _by_uf(found) == {"AC|2026": {"FAILURE"}, "BR|2026": {"SUCCESS"}}
    (red,) = [run for run in found if run.status is dg.DagsterRunStatus.FAILURE]
    # A typed failure is final: no crash, no second try.
    assert "CSV_COLUMN_MISSING" in _failure(platform, red) and "NM_CANDIDATO" in _failure(platform, red)
    with platform.instance() as instance:
        assert instance.get_materialized_partitions(dg.AssetKey("embeddings")) == {"BR|2026"}


def _running_worker(platform: Platform, source: str) -> int | None:
    """The process that works on a stage, as its audit row says."""
    query = 'SELECT "ProcessKey" FROM "IngestionRun" WHERE "Source" = ? AND "Status" = \'RUNNING\''
    with closing(sqlite3.connect(f"file:{database(platform.data)}?mode=ro", uri=True, timeout=5)) as connection:
        row = connection.execute(query, (source,)).fetchone()
    process = parse_process(row[0]) if row else None
    return process.pid if process else None


def test_a_killed_run_worker_is_retried_and_its_slots_are_freed(platform: Platform) -> None:
    run_id = platform.launch("refresh", "SP|2026")
    pid = wait_for(lambda: _running_worker(platform, "CAMARA"), 120, "the stage camara", pause=0.002)
    os.kill(pid, signal.SIGKILL)

    def retried() -> dg.DagsterRun | None:
        again = [run for run in platform.runs(**{"dagster/parent_run_id": run_id}) if run.is_finished]
        return again[0] if again else None

    assert wait_for(retried, 240, "the retry", pause=1).status is dg.DagsterRunStatus.SUCCESS
    with platform.instance() as instance:
        killed = instance.get_run_by_id(run_id)
        assert killed is not None and killed.status is dg.DagsterRunStatus.FAILURE

        def slots() -> int:
            infos = instance.event_log_storage.get_concurrency_infos(POOLS)
            return sum(info.active_slot_count for info in infos.values())

        wait_for(lambda: True if slots() == 0 else None, 90, "the slots of the killed run", pause=1)
    assert ("CAMARA", "FAILED", "RUN_DIED") in runs(platform.data)
    assert all(status != "RUNNING" for _, status, _ in runs(platform.data))


def test_two_daemons_by_mistake_make_no_double_rows(
    platform: Platform, replay: Path, sample_replay: Path, sample_run: tuple[Path, Done]
) -> None:
    """Run after the others: AC, mended by now, is new work; SP and BR are there already."""
    shutil.copy2(sample_replay / ARCHIVE, replay / ARCHIVE)
    platform.start_daemon()
    backfill = platform.backfill(["AC|2026", "BR|2026", "SP|2026"])
    assert platform.wait_backfill(backfill, 400) == "COMPLETED_SUCCESS"
    platform.wait_runs(120, **{"dagster/backfill": backfill})
    assert logical_rows(platform.data) == logical_rows(sample_run[0])
    counted = Counter(run.tags["dagster/partition"] for run in platform.runs(**{"dagster/backfill": backfill}))
    assert set(counted) == {"AC|2026", "BR|2026", "SP|2026"}

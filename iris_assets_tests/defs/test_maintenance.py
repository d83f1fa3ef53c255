"""The weekly maintenance: the instance stays bounded, partition status survives, the store is checked and backed up."""

import os
import shutil
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from iris_assets.definitions import build
from iris_assets.defs.launch import PROCESS_TAG
from iris_assets.defs.maintenance import drop_old_backups
from iris_assets.defs.pruning import compact, delete_old_runs, delete_stray_files, instance_bytes
from iris_assets.platform import forget_process_platforms
from iris_assets.store import open_store
from iris_assets_tests.defs.long_use import DailyRuns, days, make_one_run

UFS = ("SP|2026", "AC|2026")
FIRST = datetime(2026, 1, 1, 7, tzinfo=UTC)
DEAD = "another-host|00000000|1|1"


def _variables(folder: Path, replay: Path) -> dict[str, str]:
    return {"IRIS_ASSETS_DATA": str(folder / "data"), "IRIS_ASSETS_REPLAY": str(replay), "OCR": "off"}


@pytest.fixture(scope="module")
def one_run(sample_replay: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """(folder with `home` and `data` after one real run of SP, the run's id); copied by each test."""
    folder = tmp_path_factory.mktemp("one_run")
    job = build(_variables(folder, sample_replay)).resolve_job_def("refresh")
    run_id = make_one_run(folder / "home", job, "SP|2026")
    forget_process_platforms()
    return folder, run_id


@pytest.fixture
def platform(sample_replay: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    yield _variables(tmp_path, sample_replay)
    forget_process_platforms()


@pytest.fixture
def used(one_run: tuple[Path, str], tmp_path: Path) -> Iterator[tuple[dg.DagsterInstance, DailyRuns]]:
    for part in ("home", "data"):
        shutil.copytree(one_run[0] / part, tmp_path / part)
    with dg.DagsterInstance.from_config(str(tmp_path / "home")) as instance:
        yield instance, DailyRuns(tmp_path / "home", one_run[1], "SP|2026")


def _materialised(instance: dg.DagsterInstance, asset: str) -> set[str]:
    return instance.get_materialized_partitions(dg.AssetKey(asset))


def test_the_instance_stays_bounded_and_every_partition_keeps_its_newest_run(
    used: tuple[dg.DagsterInstance, DailyRuns],
) -> None:
    instance, runs = used
    sizes: list[int] = []
    for number, day in enumerate(days(FIRST, 49)):
        # AL was refreshed on the first day only.
        runs.add_day(day, UFS if number else (*UFS, "AL|2026"))
        if number % 7 == 6:
            delete_old_runs(instance, before=day - timedelta(days=30))
            assert compact(instance)
            sizes.append(instance_bytes(instance))
    assert instance.get_runs_count() <= 2 * 31 + 2
    # From the fifth week on every week's old runs make room for its new ones.
    assert sizes[6] < 1.1 * sizes[5]
    for asset in ("candidates", "embeddings"):
        assert _materialised(instance, asset) == {*UFS, "AL|2026"}
    al = instance.get_runs(dg.RunsFilter(tags={"dagster/partition": "AL|2026"}))
    assert len(al) == 1 and instance.all_logs(al[0].run_id)


def test_a_deleted_run_leaves_no_file_no_tag_and_no_check_result(used: tuple[dg.DagsterInstance, DailyRuns]) -> None:
    instance, runs = used
    for day in days(FIRST, 3):
        runs.add_day(day, ["SP|2026"])
    assert delete_old_runs(instance, before=datetime.now(UTC) + timedelta(days=1)) == 3
    (left,) = instance.get_run_ids()
    assert [path.stem for path in (runs.history / "runs").glob("*-*.db")] == [left]
    assert [path.name for path in (runs.home / "storage").iterdir()] == [left]
    for file, table in (("runs.db", "run_tags"), ("runs/index.db", "asset_check_executions")):
        with closing(sqlite3.connect(runs.history / file)) as connection:
            assert set(connection.execute(f"SELECT DISTINCT run_id FROM {table}")) == {(left,)}


def test_the_newest_run_of_a_partition_stays_also_when_it_failed(used: tuple[dg.DagsterInstance, DailyRuns]) -> None:
    instance, _ = used
    tags = {"dagster/partition": "SP|2026"}
    failed = create_run_for_test(instance, job_name="refresh", status=dg.DagsterRunStatus.FAILURE, tags=tags)
    assert delete_old_runs(instance, before=datetime.now(UTC) + timedelta(days=1)) == 0
    assert instance.has_run(failed.run_id) and _materialised(instance, "candidates") == {"SP|2026"}


def test_files_of_runs_deleted_in_the_ui_are_swept_once_they_are_old(
    used: tuple[dg.DagsterInstance, DailyRuns],
) -> None:
    instance, runs = used
    runs.add_day(FIRST, ["AC|2026"])
    (run,) = instance.get_runs(dg.RunsFilter(tags={"dagster/partition": "AC|2026"}))
    instance.delete_run(run.run_id)
    assert (runs.history / "runs" / f"{run.run_id}.db").exists()
    assert delete_stray_files(instance, before=datetime.now(UTC) - timedelta(days=1)) == 0
    assert delete_stray_files(instance, before=datetime.now(UTC) + timedelta(days=1)) == 2
    assert not (runs.history / "runs" / f"{run.run_id}.db").exists()
    assert not (runs.home / "storage" / run.run_id).exists()


def _maintain(platform: dict[str, str], instance: dg.DagsterInstance, **config: int) -> dg.ExecuteInProcessResult:
    job = build(platform).resolve_job_def("maintenance")
    ops = {name: {"config": config} for name in ("prune_runs", "tend_store")}
    return job.execute_in_process(instance=instance, run_config={"ops": ops}, raise_on_error=False)


def _output(result: dg.ExecuteInProcessResult, op: str) -> dict[str, object]:
    (event,) = [event for event in result.events_for_node(op) if event.is_successful_output]
    return {name: value.value for name, value in event.step_output_data.metadata.items()}


def test_the_job_closes_dead_runs_and_keeps_the_last_backups(
    platform: dict[str, str], used: tuple[dg.DagsterInstance, DailyRuns], tmp_path: Path
) -> None:
    instance, _ = used
    data = tmp_path / "data"
    with closing(sqlite3.connect(data / "iris_assets.sqlite3")) as database:
        database.execute(
            "UPDATE IngestionRun SET Status = 'RUNNING', FinishedAt = NULL, ProcessKey = ?, StartedAt = ? WHERE Id = 1",
            (DEAD, "2026-01-01 00:00:00.000000"),
        )
        database.commit()
    here = DEAD.replace("another-host", socket.gethostname())
    dead = create_run_for_test(
        instance, job_name="refresh", status=dg.DagsterRunStatus.STARTED, tags={PROCESS_TAG: here}
    )
    backups = data / "backups"
    backups.mkdir()
    for number in range(3):
        (backups / f"x-0000000{number}T000000000000.sqlite3").write_bytes(b"old")

    result = _maintain(platform, instance, keep_backups=2)
    assert result.success
    pruned, tended = _output(result, "prune_runs"), _output(result, "tend_store")
    assert pruned["closed_dagster_runs"] == 1 and pruned["deleted_runs"] == 0
    assert instance.get_run_by_id(dead.run_id).status is dg.DagsterRunStatus.FAILURE  # type: ignore[union-attr]
    assert tended["closed_runs"] == 1 and tended["removed_backups"] == 2
    kept = sorted(path.name for path in backups.iterdir())
    assert len(kept) == 2 and kept[1].startswith("x-00000002T")

    copy = open_store(f"sqlite:///{backups / kept[0]}")
    try:
        assert copy.statistics()["tables"] == _tables(data)
    finally:
        copy.close()


@pytest.mark.parametrize("suffix", [".sqlite3", ".db", ".v2.sqlite", ""])
def test_backups_are_pruned_whatever_the_store_s_file_is_called(tmp_path: Path, suffix: str) -> None:
    store = open_store(f"sqlite:///{tmp_path / f'x{suffix}'}")
    made = [store.backup(tmp_path / "backups") for _ in range(4)]
    store.close()
    folder = tmp_path / "backups"
    renamed = folder / "a-20200101T000000000000.db"  # of the time when the store had another name
    by_hand = folder / "before-the-election.sqlite3"
    killed, at_work = (folder / f"x-2026010{n}T000000000000.partial" for n in (1, 2))
    journal = Path(f"{killed}-journal")
    for path in (renamed, by_hand, killed, at_work, journal, Path(f"{made[0]}-wal")):
        path.write_bytes(b"")
    hours_ago = time.time() - 2 * 3600
    os.utime(killed, (hours_ago, hours_ago))
    assert drop_old_backups(folder, 2) == 3
    assert set(folder.iterdir()) == {by_hand, at_work, *made[2:]}
    assert drop_old_backups(tmp_path / "nowhere", 2) == 0


def _tables(data: Path) -> dict[str, int]:
    store = open_store(f"sqlite:///{data / 'iris_assets.sqlite3'}")
    try:
        return dict(store.statistics()["tables"])
    finally:
        store.close()


def test_a_lexical_index_out_of_step_is_rebuilt(
    platform: dict[str, str], used: tuple[dg.DagsterInstance, DailyRuns], tmp_path: Path
) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'data' / 'iris_assets.sqlite3'}")
    whole = store.lexical.size()
    with closing(sqlite3.connect(tmp_path / "data" / "iris_assets.sqlite3")) as database:
        (table,) = next(
            database.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%' LIMIT 1")
        )
        database.execute(f'DELETE FROM "{table}" WHERE rowid IN (SELECT rowid FROM "{table}" LIMIT 3)')
        database.commit()
    assert not store.lexical.verify().ok
    assert _maintain(platform, used[0]).success
    assert store.lexical.verify().ok and store.lexical.size() == whole
    store.close()


def test_a_damaged_store_fails_the_job_with_its_code_and_keeps_the_good_backups(
    platform: dict[str, str], used: tuple[dg.DagsterInstance, DailyRuns], tmp_path: Path
) -> None:
    file = tmp_path / "data" / "iris_assets.sqlite3"
    backups = tmp_path / "data" / "backups"
    backups.mkdir()
    for number in range(3):
        (backups / f"0000-{number}.sqlite3").write_bytes(b"good")
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = database.execute("PRAGMA page_size").fetchone()[0]
    content = bytearray(file.read_bytes())
    content[6 * page : 40 * page] = b"\x5a" * (34 * page)
    file.write_bytes(bytes(content))
    result = _maintain(platform, used[0], keep_backups=1)
    assert not result.success
    (failure,) = [event for event in result.all_events if event.is_step_failure]
    error = failure.step_failure_data.error
    assert error is not None and "STORE_DAMAGED" in error.to_string()
    assert len(list(backups.iterdir())) == 3

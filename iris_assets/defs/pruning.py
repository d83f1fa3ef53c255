"""What the Dagster instance may forget: old finished runs with everything they left, so that its storage is bounded.

Dagster's own `delete_run` leaves the file of the run's events, its compute logs, tags and check results behind.
"""

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

import dagster as dg
from dagster._core.storage.dagster_run import FINISHED_STATUSES, RunRecord
from dagster._core.storage.event_log.schema import AssetCheckExecutionsTable
from dagster._core.storage.event_log.sqlite import SqliteEventLogStorage
from dagster._core.storage.runs.schema import RunTagsTable

PAGE: Final = 200
BUSY_SECONDS: Final = 30
PARTITION: Final = "dagster/partition"
INDEX: Final = "index"

logger = logging.getLogger(__name__)


def delete_old_runs(instance: dg.DagsterInstance, *, before: datetime) -> int:
    """Delete finished runs that ended before `before`, with their events, logs, tags and check results.

    The run with the newest materialisation of each (asset, partition) stays, and the newest run of each (job,
    partition): partition status survives. Returns the number of deleted runs.
    """
    finished = list(instance.get_run_records(dg.RunsFilter(statuses=list(FINISHED_STATUSES))))
    keep = _newest_materialisations(instance) | _newest_of_jobs(finished)
    limit = before.timestamp()
    doomed = [
        record.dagster_run.run_id
        for record in finished
        if record.dagster_run.run_id not in keep and (record.end_time or record.update_timestamp.timestamp()) < limit
    ]
    for run_id in doomed:
        instance.delete_run(run_id)
        instance.compute_log_manager.delete_logs(prefix=[run_id])
        _delete_shard(instance, run_id)
    for page in _pages(doomed):
        _delete_rows(instance, page)
    return len(doomed)


def delete_stray_files(instance: dg.DagsterInstance, *, before: datetime) -> int:
    """Delete event files and log folders of runs that no longer exist (deleted in the UI); how many.

    Files touched since `before` stay: their run may just be starting.
    """
    known = set(instance.get_run_ids())
    limit = before.timestamp()
    stray = [path for path in _run_files(instance) if path.stem not in known and path.stat().st_mtime < limit]
    for path in stray:
        if path.is_dir():
            instance.compute_log_manager.delete_logs(prefix=[path.name])
        else:
            _delete_shard(instance, path.stem)
    return len(stray)


def compact(instance: dg.DagsterInstance) -> bool:
    """Give the freed pages of the instance's SQLite files back; False when another process held one of them."""
    files = _databases(instance)
    try:
        for file in files:
            connection = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                connection.close()
    except sqlite3.OperationalError as error:
        logger.warning("the instance's files were not compacted, the next maintenance tries again: %s", error)
        return False
    return True


def instance_bytes(instance: dg.DagsterInstance) -> int:
    """Size of the Dagster home on disk; 0 for an instance without one."""
    home = _home(instance)
    return sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) if home else 0


def _newest_materialisations(instance: dg.DagsterInstance) -> set[str]:
    keep: set[str] = set()
    for key in instance.get_asset_keys():
        newest = instance.get_latest_storage_id_by_partition(key, dg.DagsterEventType.ASSET_MATERIALIZATION)
        for page in _pages(list(newest.values())):
            chosen = dg.AssetRecordsFilter(asset_key=key, storage_ids=page)
            keep |= {record.run_id for record in instance.fetch_materializations(chosen, limit=PAGE).records}
    return keep


def _newest_of_jobs(finished: Sequence[RunRecord]) -> set[str]:
    newest: dict[tuple[str, str], RunRecord] = {}
    for record in finished:
        key = record.dagster_run.job_name, record.dagster_run.tags.get(PARTITION, "")
        if key not in newest or record.storage_id > newest[key].storage_id:
            newest[key] = record
    return {record.dagster_run.run_id for record in newest.values()}


def _delete_rows(instance: dg.DagsterInstance, run_ids: Sequence[str]) -> None:
    events, runs = cast(Any, instance.event_log_storage), cast(Any, instance.run_storage)
    with events.index_connection() as connection:
        connection.execute(AssetCheckExecutionsTable.delete().where(AssetCheckExecutionsTable.c.run_id.in_(run_ids)))
    with runs.connect() as connection:
        connection.execute(RunTagsTable.delete().where(RunTagsTable.c.run_id.in_(run_ids)))


def _delete_shard(instance: dg.DagsterInstance, run_id: str) -> None:
    storage = instance.event_log_storage
    if isinstance(storage, SqliteEventLogStorage):
        for ending in ("", "-wal", "-shm"):
            Path(storage.path_for_shard(run_id) + ending).unlink(missing_ok=True)


def _run_files(instance: dg.DagsterInstance) -> Iterator[Path]:
    """Event files and log folders, each named by a run."""
    home = _home(instance)
    if home is None:
        return
    if isinstance(instance.event_log_storage, SqliteEventLogStorage):
        folder = Path(instance.event_log_storage.path_for_shard(INDEX)).parent
        yield from (path for path in folder.glob("*.db") if path.stem not in {INDEX, ".db"})
    yield from (path.parent for path in (home / "storage").glob("*/compute_logs"))


def _databases(instance: dg.DagsterInstance) -> list[Path]:
    home = _home(instance)
    if home is None or not isinstance(instance.event_log_storage, SqliteEventLogStorage):
        return []
    index = Path(instance.event_log_storage.path_for_shard(INDEX))
    return [
        path for path in (index, home / "history" / "runs.db", home / "schedules" / "schedules.db") if path.exists()
    ]


def _home(instance: dg.DagsterInstance) -> Path | None:
    return Path(instance.root_directory) if instance.is_persistent else None


def _pages(ids: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(ids), PAGE):
        yield list(ids[start : start + PAGE])

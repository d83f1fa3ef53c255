"""The audit of ingestion runs: opened, counted in the transactions that they describe, finished once."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import func, or_, select, update

from iris_assets.errors import StoreError
from iris_assets.store.engine import Row, RowMapping, Tx
from iris_assets.store.process import is_dead, parse_process, this_process
from iris_assets.store.tables.rows import Repository, fetch, fetch_one, insert_rows, select_rows, update_rows
from iris_assets.store.tables.schema import ingestion_run
from iris_assets.store.tables.values import normalised

COUNTERS: Final = ("read", "created", "updated", "skipped", "failed")
MAX_MESSAGE: Final = 32_000
FINAL: Final = frozenset({"SUCCESS", "PARTIAL", "FAILED"})
DONE: Final = frozenset({"SUCCESS", "PARTIAL"})  # what the source has is stored
# A run of another machine (a container that is gone) cannot be looked at from here: after a day it is taken for dead.
FOREIGN_RUN_LIMIT: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One row of IngestionRun."""

    id: int
    run_key: str
    source: str
    run_partition: str
    started_at: datetime
    finished_at: datetime | None
    status: str
    records_read: int
    records_created: int
    records_updated: int
    records_skipped: int
    records_failed: int
    source_hash: str | None
    error_code: str | None
    error_message: str | None
    parameters_json: Any
    work_json: Any
    process_key: str | None
    election_year: int | None


class Runs(Repository):
    """IngestionRun."""

    def start(self, source: str, partition: str, parameters: RowMapping, election_year: int | None = None) -> RunRow:
        """Open a run as RUNNING; runs that a dead process left RUNNING are closed as FAILED (RUN_DIED) first."""
        run_key = str(uuid.uuid4())
        with self._access.transaction() as tx:
            self._close_dead(tx)
            row: Row = {
                "run_key": run_key,
                "source": source,
                "run_partition": partition,
                "started_at": tx.now,
                "status": "RUNNING",
                "parameters_json": dict(parameters),
                "process_key": this_process().key,
                "election_year": election_year,
                **{f"records_{name}": 0 for name in COUNTERS},
            }
            insert_rows(tx, ingestion_run, ("run_key",), [normalised(ingestion_run, row)])
            stored = fetch_one(tx, select_rows(ingestion_run).where(ingestion_run.c.run_key == run_key))
        return _run(stored)

    def count(
        self, tx: Tx, run_id: int, read: int = 0, created: int = 0, updated: int = 0, skipped: int = 0, failed: int = 0
    ) -> None:
        """Add to the run's counters in the transaction that they describe."""
        added = {"read": read, "created": created, "updated": updated, "skipped": skipped, "failed": failed}
        columns = {ingestion_run.c[f"records_{name}"]: value for name, value in added.items() if value}
        if not columns:
            return
        values: dict[Any, Any] = {column: column + value for column, value in columns.items()}
        tx.connection.execute(update(ingestion_run).where(ingestion_run.c.id == run_id).values(values))

    def finish(
        self,
        run_id: int,
        status: str,
        *,
        source_hash: str | None = None,
        error_code: str | None = None,
        error_message: str | None = None,
        work: RowMapping | None = None,
    ) -> RunRow:
        """Close the run, once, from RUNNING; raises StoreError RUN_NOT_RUNNING otherwise."""
        if status not in FINAL:
            raise StoreError("RUN_STATUS_INVALID", f"a run cannot end as {status}")
        statement = select_rows(ingestion_run).where(ingestion_run.c.id == run_id)
        with self._access.transaction() as tx:
            stored = fetch_one(tx, statement)
            if stored is None or stored["status"] != "RUNNING":
                state = "unknown" if stored is None else stored["status"]
                raise StoreError("RUN_NOT_RUNNING", f"run {run_id} is {state}: it can be finished once only")
            ending = {
                "status": status,
                "finished_at": tx.now,
                "source_hash": source_hash,
                "error_code": error_code,
                "error_message": _cut(error_message),
                "work_json": dict(work) if work is not None else None,
            }
            update_rows(tx, ingestion_run, {run_id: normalised(ingestion_run, ending)})
            stored = fetch_one(tx, statement)
        return _run(stored)

    def latest(
        self,
        limit: int = 10,
        source: str | None = None,
        partition: str | None = None,
        election_year: int | None = None,
    ) -> list[RunRow]:
        """The newest runs first; those that no election is known of belong to every one."""
        statement = select_rows(ingestion_run)
        if source is not None:
            statement = statement.where(ingestion_run.c.source == source)
        if partition is not None:
            statement = statement.where(ingestion_run.c.run_partition == partition)
        if election_year is not None:
            year = ingestion_run.c.election_year
            statement = statement.where(or_(year == election_year, year.is_(None)))
        order = (ingestion_run.c.started_at.desc(), ingestion_run.c.id.desc())
        with self._access.snapshot() as tx:
            return [_run(row) for row in fetch(tx, statement.order_by(*order).limit(limit))]

    def latest_of_each(self, source: str, statuses: Collection[str] = FINAL) -> dict[tuple[str, int | None], RunRow]:
        """The newest run of `source` for every partition and election that ended with one of `statuses`.

        Runs without an election (None: from before it was kept) stand only where no later one of their partition does.
        """
        newest = (
            select(func.max(ingestion_run.c.id))
            .where(ingestion_run.c.source == source, ingestion_run.c.status.in_(sorted(statuses)))
            .group_by(ingestion_run.c.run_partition, ingestion_run.c.election_year)
        )
        with self._access.snapshot() as tx:
            rows = fetch(tx, select_rows(ingestion_run).where(ingestion_run.c.id.in_(newest)))
        runs = sorted(map(_run, rows), key=lambda run: run.id)
        kept = {run.run_partition for run in runs if run.election_year is not None}
        return {
            (run.run_partition, run.election_year): run
            for run in runs
            if run.election_year is not None or run.run_partition not in kept
        }

    def running(self) -> list[RunRow]:
        """Runs that are RUNNING in a live process (or one that cannot be judged from here)."""
        with self._access.snapshot() as tx:
            rows = fetch(tx, select_rows(ingestion_run).where(ingestion_run.c.status == "RUNNING"))
            return [_run(row) for row in rows if not _died(tx, row)]

    def close_dead(self) -> int:
        """Close the runs that a dead process left RUNNING as FAILED (RUN_DIED); how many."""
        with self._access.transaction() as tx:
            return self._close_dead(tx)

    def _close_dead(self, tx: Tx) -> int:
        columns = (ingestion_run.c.id, ingestion_run.c.process_key, ingestion_run.c.started_at)
        statement = select(*(column.label(column.key) for column in columns)).where(ingestion_run.c.status == "RUNNING")
        ending = {
            "status": "FAILED",
            "finished_at": tx.now,
            "error_code": "RUN_DIED",
            "error_message": "the process of this run ended without closing it; what it had committed is kept",
        }
        dead = {row["id"]: ending for row in fetch(tx, statement) if _died(tx, row)}
        update_rows(tx, ingestion_run, dead)
        return len(dead)


def _died(tx: Tx, row: RowMapping) -> bool:
    process = parse_process(row["process_key"])
    dead = None if process is None else is_dead(process)
    return tx.now - row["started_at"] > FOREIGN_RUN_LIMIT if dead is None else dead


def _cut(message: str | None) -> str | None:
    return message if message is None or len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"


def _run(row: Row | None) -> RunRow:
    if row is None:
        raise StoreError("RUN_LOST", "the run that was just written cannot be read")
    return RunRow(**{field.name: row[field.name] for field in fields(RunRow)})

"""Months of daily runs in an instance, without running them: the events of one real run, copied under other names."""

import json
import shutil
import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dagster as dg

Row = dict[str, Any]
TIMES = ("timestamp", "create_timestamp", "update_timestamp", "event_timestamp", "evaluation_event_timestamp")


class DailyRuns:
    """Inserts copies of the one run that `home` holds, for any partition and moment, straight into its files."""

    def __init__(self, home: Path, run_id: str, uf: str) -> None:
        self.home, self.run_id, self.uf = home, run_id, uf
        self.history = home / "history"
        shutil.copy(self._shard(run_id), home / "template.db")
        with closing(sqlite3.connect(home / "template.db")) as template:
            template.execute("PRAGMA journal_mode=DELETE")
        with closing(sqlite3.connect(self.history / "runs.db")) as runs:
            self._run = _rows(runs, "runs", f"run_id = '{run_id}'")[0]
            self._tags = _rows(runs, "run_tags", f"run_id = '{run_id}'")
        with closing(sqlite3.connect(self.history / "runs" / "index.db")) as index:
            self._events = _rows(index, "event_logs", f"run_id = '{run_id}'")
            ids = ", ".join(str(row["id"]) for row in self._events)
            self._event_tags = _rows(index, "asset_event_tags", f"event_id IN ({ids})")
            self._checks = _rows(index, "asset_check_executions", f"run_id = '{run_id}'")

    def add_day(self, day: datetime, ufs: Sequence[str]) -> None:
        """One finished run for each UF, ended at `day`."""
        with (
            closing(sqlite3.connect(self.history / "runs.db")) as runs,
            closing(sqlite3.connect(self.history / "runs" / "index.db")) as index,
        ):
            for uf in ufs:
                self._add(runs, index, str(uuid.uuid4()), uf, day)
            runs.commit()
            index.commit()

    def _add(self, runs: sqlite3.Connection, index: sqlite3.Connection, run_id: str, uf: str, day: datetime) -> None:
        seconds = {"start_time": day.timestamp() - 30, "end_time": day.timestamp()}
        _insert(runs, "runs", self._copy({**self._run, **seconds}, run_id, uf, day))
        for row in self._tags:
            _insert(runs, "run_tags", self._copy(row, run_id, uf, day))
        renamed: dict[int, int] = {}
        for row in self._events:
            renamed[row["id"]] = _insert(index, "event_logs", self._copy(row, run_id, uf, day))
        for row in self._event_tags:
            _insert(
                index, "asset_event_tags", {**self._copy(row, run_id, uf, day), "event_id": renamed[row["event_id"]]}
            )
        for row in self._checks:
            event = renamed[row["evaluation_event_storage_id"]]
            check = {**self._copy(row, run_id, uf, day), "evaluation_event_storage_id": event}
            _insert(index, "asset_check_executions", check)
        self._add_files(run_id)

    def _add_files(self, run_id: str) -> None:
        shutil.copy(self.home / "template.db", self._shard(run_id))
        with closing(sqlite3.connect(self._shard(run_id))) as shard:
            shard.execute(
                "UPDATE event_logs SET run_id = ?, event = replace(event, ?, ?)", (run_id, self.run_id, run_id)
            )
            shard.commit()
        logs = self.home / "storage" / self.run_id
        if logs.is_dir():
            shutil.copytree(logs, self.home / "storage" / run_id)

    def _copy(self, row: Row, run_id: str, uf: str, day: datetime) -> Row:
        made = {name: self._renamed(value, run_id, uf) for name, value in row.items() if name != "id"}
        moment = day.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ")
        return {**made, **{name: moment for name in TIMES if name in made}}

    def _renamed(self, value: Any, run_id: str, uf: str) -> Any:
        if not isinstance(value, str):
            return value
        if value == self.uf:
            return uf
        return value.replace(self.run_id, run_id).replace(json.dumps(self.uf), json.dumps(uf))

    def _shard(self, run_id: str) -> Path:
        return self.history / "runs" / f"{run_id}.db"


def make_one_run(home: Path, job: dg.JobDefinition, uf: str) -> str:
    """A Dagster home over SQLite files with one real run of the job; the run's id."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "dagster.yaml").write_text("telemetry: {enabled: false}\n", encoding="utf-8")
    with dg.DagsterInstance.from_config(str(home)) as instance:
        return job.execute_in_process(partition_key=uf, instance=instance, tags={"refresh_day": "2026-01-01"}).run_id


def days(first: datetime, count: int) -> Iterator[datetime]:
    yield from (first + timedelta(days=number) for number in range(count))


def _rows(connection: sqlite3.Connection, table: str, where: str) -> list[Row]:
    cursor = connection.execute(f"SELECT * FROM {table} WHERE {where}")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> int:
    names = [name for name in row if name != "id"]
    marks = ", ".join("?" for _ in names)
    quoted = ", ".join(f'"{name}"' for name in names)
    cursor = connection.execute(f"INSERT INTO {table} ({quoted}) VALUES ({marks})", [row[name] for name in names])
    assert cursor.lastrowid is not None
    return cursor.lastrowid

"""The runtime's own state file (SQLite, WAL): where each article stands, its transitions, events not yet sent."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import StoreError
from iris_assets.files import locked

NEXT: Final[dict[str | None, frozenset[str]]] = {
    None: frozenset({"received"}),
    "received": frozenset({"validated", "failed"}),
    "validated": frozenset({"content_cleaned", "failed"}),
    "content_cleaned": frozenset({"ecp_approved", "ecp_rejected", "failed"}),
    "ecp_approved": frozenset({"enriched", "failed"}),
    "enriched": frozenset({"completed_text", "failed"}),
    "ecp_rejected": frozenset(),
    "completed_text": frozenset(),
}
KEPT_EVENTS: Final = 1000  # sent events that stay to be looked at
FINAL: Final = frozenset({"ecp_rejected", "completed_text"})

TABLES: Final = """
CREATE TABLE IF NOT EXISTS run (
  fingerprint TEXT PRIMARY KEY, state TEXT NOT NULL, payload TEXT NOT NULL, error_code TEXT);
CREATE TABLE IF NOT EXISTS transition (
  id INTEGER PRIMARY KEY AUTOINCREMENT, fingerprint TEXT NOT NULL, state TEXT NOT NULL, started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL, seconds REAL NOT NULL, error_code TEXT);
CREATE TABLE IF NOT EXISTS event (
  id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, sent INTEGER NOT NULL DEFAULT 0);
"""


class StateStore:
    """One state file, used by any number of processes; every write is one short transaction.

    An instance belongs to one thread and holds one connection until `close`.
    """

    def __init__(self, path: Path, busy_timeout_seconds: float = 30.0) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._locked("open"), self._refusals():
            self._open = sqlite3.connect(path, timeout=busy_timeout_seconds, isolation_level=None)
            self._open.execute("PRAGMA synchronous=FULL")
            self._open.execute("PRAGMA journal_mode=WAL")
            self._open.executescript(TABLES)

    def close(self) -> None:
        """Give the connection back."""
        self._open.close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._refusals():
            yield self._open

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                "STATE_STORE_FAILED", f"the state file refused: {error}", hint="check the disk and the file's rights"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def exclusive(self, fingerprint: str) -> AbstractContextManager[None]:
        """A context in which this process alone works on the fingerprint; a killed process holds nothing."""
        return self._locked(fingerprint)

    def _locked(self, name: str) -> AbstractContextManager[None]:
        return locked(self.path.with_name(self.path.name + ".locks") / f"{name}.lock", removed=True)

    def get(self, fingerprint: str) -> tuple[str, dict[str, Any], str | None] | None:
        """(last safe state, payload, error code of the last failure) of a fingerprint."""
        with self._connection() as connection:
            row = connection.execute(
                "SELECT state, payload, error_code FROM run WHERE fingerprint = ?", (fingerprint,)
            ).fetchone()
        return (row[0], json.loads(row[1]), row[2]) if row else None

    def advance(self, fingerprint: str, state: str, payload: dict[str, Any], started: float, began: str) -> None:
        """Reach `state` from the one before it. Raises StoreError TRANSITION_INVALID."""
        with self._writing() as connection:
            row = connection.execute("SELECT state FROM run WHERE fingerprint = ?", (fingerprint,)).fetchone()
            if state not in NEXT[row[0] if row else None]:
                raise StoreError("TRANSITION_INVALID", f"{row[0] if row else 'nothing'} → {state}")
            connection.execute(
                "INSERT INTO run VALUES (?, ?, ?, NULL) ON CONFLICT (fingerprint) DO UPDATE SET "
                "state = excluded.state, payload = excluded.payload, error_code = NULL",
                (fingerprint, state, json.dumps(payload, ensure_ascii=False)),
            )
            _note(connection, fingerprint, state, started, began, None)

    def fail(self, fingerprint: str, code: str, payload: dict[str, Any], started: float, began: str) -> None:
        """Note a failure; the last safe state stays, so that a rerun goes on from there."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE run SET error_code = ?, payload = ? WHERE fingerprint = ?",
                (code, json.dumps(payload, ensure_ascii=False), fingerprint),
            )
            _note(connection, fingerprint, "failed", started, began, code)

    def transitions(self, fingerprint: str) -> list[dict[str, Any]]:
        """All transitions of a fingerprint, in order."""
        names = ("state", "started_at", "ended_at", "seconds", "error_code")
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT state, started_at, ended_at, seconds, error_code FROM transition WHERE fingerprint = ? "
                "ORDER BY id", (fingerprint,),
            ).fetchall()  # fmt: skip
        return [dict(zip(names, row, strict=True)) for row in rows]

    def add_events(self, bodies: list[dict[str, Any]]) -> list[int]:
        """Keep events until they are sent; their ids."""
        with self._writing() as connection:
            return [
                int(connection.execute("INSERT INTO event (body) VALUES (?)", (json.dumps(body),)).lastrowid or 0)
                for body in bodies
            ]

    def pending_events(self, limit: int = 500) -> list[tuple[int, dict[str, Any]]]:
        """The oldest events that were not sent."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT id, body FROM event WHERE sent = 0 ORDER BY id LIMIT ?", (limit,)
            ).fetchall()
        return [(row[0], json.loads(row[1])) for row in rows]

    def pending_count(self) -> int:
        """How many events were not sent."""
        with self._connection() as connection:
            return int(connection.execute("SELECT count(*) FROM event WHERE sent = 0").fetchone()[0])

    def mark_sent(self, ids: list[int]) -> None:
        """These events arrived; of all that did only the newest are kept."""
        with self._writing() as connection:
            connection.executemany("UPDATE event SET sent = 1 WHERE id = ?", [(item,) for item in ids])
            connection.execute(
                "DELETE FROM event WHERE sent = 1 AND id NOT IN (SELECT id FROM event WHERE sent = 1 "
                "ORDER BY id DESC LIMIT ?)", (KEPT_EVENTS,),
            )  # fmt: skip


def now() -> str:
    """UTC time as ISO 8601 with milliseconds."""
    moment = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment % 1 * 1000):03d}Z"


def _note(
    connection: sqlite3.Connection, fingerprint: str, state: str, started: float, began: str, code: str | None
) -> None:
    connection.execute(
        "INSERT INTO transition (fingerprint, state, started_at, ended_at, seconds, error_code) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (fingerprint, state, began, now(), round(time.monotonic() - started, 6), code),
    )

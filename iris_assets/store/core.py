"""The store: repositories over one engine, short transactions, nothing open between calls."""

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, or_, select
from sqlalchemy.exc import DBAPIError

from iris_assets.errors import StoreError
from iris_assets.store.engine import Limits, Row, StoreEngine, Tx
from iris_assets.store.tables.answers import Answers
from iris_assets.store.tables.articles import Articles
from iris_assets.store.tables.camara import Camara
from iris_assets.store.tables.candidate_changes import CandidateChanges
from iris_assets.store.tables.candidates import CandidatePage, Candidates
from iris_assets.store.tables.chunks import Chunks
from iris_assets.store.tables.documents import Documents
from iris_assets.store.tables.evaluations import Evaluations
from iris_assets.store.tables.links import Links
from iris_assets.store.tables.matches import Matches
from iris_assets.store.tables.rows import pages
from iris_assets.store.tables.runs import Runs
from iris_assets.store.tables.schema import (
    ingestion_run,
    metadata,
    political_chunk,
    proposal_document,
    proposition,
    snake,
)
from iris_assets.store.tables.state import States


class Store:
    """All repositories over one engine; safe to share between threads, usable in a forked child."""

    def __init__(self, engine: StoreEngine) -> None:
        self.engine = engine
        self._units = threading.local()
        self._lock = threading.Lock()
        self._working = 0
        self.runs = Runs(self)
        self.state = States(self)
        self.candidates = Candidates(self)
        self.changes = CandidateChanges(self)
        self.matches = Matches(self)
        self.documents = Documents(self)
        self.links = Links(self)
        self.camara = Camara(self)
        self.chunks = Chunks(self)
        self.answers = Answers(self)
        self.evaluations = Evaluations(self)
        self.articles = Articles(self)
        self.lexical = engine.lexical(self)
        self.vectors = engine.vectors(self)

    @property
    def limits(self) -> Limits:
        """How much a transaction and a statement may hold on this engine."""
        return self.engine.limits

    @property
    def url_safe(self) -> str:
        """The store's URL without a password."""
        return self.engine.url_safe

    @contextmanager
    def transaction(self, wait: float | None = None) -> Iterator[Tx]:
        """One write transaction: committed when the block ends, undone when it raises.

        `wait` is how many seconds other writers are waited for (None: as long as the engine's stages do).

        Raises StoreError STORE_BUSY, STORE_FULL, STORE_DAMAGED, …; TRANSACTION_NESTED inside another transaction or a read,
        which holds the one connection that a server gives this process.
        """
        self._require_nothing_open()
        with self._translated(), self.engine.writing(wait) as connection, self._at_work(connection) as tx:
            yield tx

    @contextmanager
    def snapshot(self) -> Iterator[Tx]:
        """A read, inside this thread's transaction or another read of it on the same connection: it sees what was written."""
        current = self._current()
        if current is not None:
            yield current
            return
        with self._translated(), self.engine.reading() as connection, self._at_work(connection) as tx:
            yield tx

    @contextmanager
    def work(self) -> Iterator[None]:
        """A step or a request; when the last one of this process ends, a server's connection is given back."""
        with self._lock:
            self._working += 1
        try:
            yield
        finally:
            with self._lock:
                self._working -= 1
                if not self._working:
                    self.engine.rest()

    @contextmanager
    def schema_session(self) -> Iterator[Connection]:
        """A write transaction for DDL, which writes no rows; driver errors are left as they are."""
        self._require_nothing_open()
        with self.engine.writing() as connection:
            yield connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self.engine.translate(error) from error

    @contextmanager
    def _at_work(self, connection: Connection) -> Iterator[Tx]:
        tx = Tx(connection, self.engine)
        self._units.current = os.getpid(), tx
        try:
            yield tx
        finally:
            self._units.current = None

    def _current(self) -> Tx | None:
        pid, tx = getattr(self._units, "current", None) or (0, None)
        return tx if pid == os.getpid() else None  # what a parent has open is not its child's

    def _require_nothing_open(self) -> None:
        if self._current() is not None:
            raise StoreError(
                "TRANSACTION_NESTED",
                "transaction() was called while this thread already has a transaction or read open",
            )

    def search_candidates(self, **criteria: Any) -> CandidatePage:
        """Candidates by name (accent-free substring), party, state, office, match_status; see Candidates.search."""
        return self.candidates.search(**criteria)

    def revision(self) -> str:
        """Another value whenever what is searched may have changed: candidates, chunks, bills, runs that changed rows."""
        changing = (
            ingestion_run.c.records_created + ingestion_run.c.records_updated + ingestion_run.c.records_failed > 0
        )
        newest_run = select(func.max(ingestion_run.c.id)).where(or_(changing, ingestion_run.c.finished_at.is_(None)))
        newest = [select(func.max(table.c.id)) for table in (political_chunk, proposition, proposal_document)]
        with self.snapshot() as tx:
            ids = [tx.connection.execute(statement).scalar_one() for statement in (*newest, newest_run)]
        return f"{ids} {self.candidates.change_mark()}"

    def statistics(self) -> dict[str, dict[str, int]]:
        """Rows per table (snake_case names) and candidates per match status."""
        tables = {}
        with self.snapshot() as tx:
            for table in metadata.sorted_tables:
                statement = select(func.count()).select_from(table)
                tables[snake(table.name)] = int(tx.connection.execute(statement).scalar_one())
        return {"tables": dict(sorted(tables.items())), "match": self.matches.counts()}

    def table_rows(self, name: str, without: Iterable[str] = ()) -> Iterator[list[Row]]:
        """All rows of a table of `dictionary.tables`, some hundreds at a time by row id, keyed by column name."""
        table = next(table for table in metadata.sorted_tables if table.name == name)
        columns = [column.label(column.name) for column in table.c if column.name not in without]
        return pages(self, select(*columns), table.c.id, "Id")

    def check_integrity(self) -> None:
        """Ask the engine whether the database is sound; raises StoreError STORE_DAMAGED."""
        with self._translated():
            self.engine.check_integrity()

    def optimise(self) -> None:
        """Refresh the engine's statistics and fold its write-ahead log."""
        with self._translated():
            self.engine.optimise()

    def backup(self, folder: Path) -> Path | None:
        """A consistent copy of the live store in `folder`, named by the time; None where the server does that."""
        with self._translated():
            return self.engine.backup(folder)

    def schema_version(self) -> str | None:
        """The migration that the database stands at."""
        with self._translated():
            return self.engine.schema_version()

    def close(self) -> None:
        """Give back every connection; the store opens new ones when it is used again."""
        self.engine.close()

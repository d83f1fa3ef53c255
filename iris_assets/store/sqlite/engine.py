"""The embedded engine: one SQLite file in WAL mode, short transactions, its own full-text index and vector matrix."""

import logging
import os
import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Dialect, Table, create_engine, event
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import QueuePool

from iris_assets.errors import StoreError
from iris_assets.files import locked
from iris_assets.settings import sqlite_url
from iris_assets.store.engine import Access, Limits, Row
from iris_assets.store.migrations import HEAD, check_known, upgrade
from iris_assets.store.search import PreparedText
from iris_assets.store.sqlite import index, search, vectors
from iris_assets.store.sqlite.administration import SqliteAdministration
from iris_assets.store.sqlite.damage import PRIMARY_CODE
from iris_assets.store.sqlite.steps import SqliteSteps
from iris_assets.store.sqlite.vectors import WRITING
from iris_assets.store.tables.filters import tokens_of_chunks
from iris_assets.store.tables.types import utc_now

BUSY_SECONDS: Final = 30.0  # how long a transaction waits for other writers before it gives up
WAIT_SLICE: Final = 5.0  # the driver's own waiting, per attempt
# Between transactions a connection rests without a transaction: closing a file's last one costs a checkpoint, 5 to 10 ms.
IDLE_CONNECTIONS: Final = 2

log = logging.getLogger(__name__)

_ERRORS: Final[dict[int, tuple[str, str, str, bool]]] = {
    sqlite3.SQLITE_BUSY: ("STORE_BUSY", "another process keeps the store locked", "try again when it is done", True),
    sqlite3.SQLITE_LOCKED: ("STORE_BUSY", "the store is locked", "try again", True),
    sqlite3.SQLITE_FULL: ("STORE_FULL", "the disk is full", "free space; what was committed is kept", False),
    sqlite3.SQLITE_CORRUPT: ("STORE_DAMAGED", "the store's file is damaged", "restore a copy of it", False),
    sqlite3.SQLITE_NOTADB: ("STORE_DAMAGED", "the file is no SQLite database", "check the path of the store", False),
    sqlite3.SQLITE_READONLY: ("STORE_READ_ONLY", "the store's file cannot be written", "check its permissions", False),
    sqlite3.SQLITE_CANTOPEN: ("STORE_UNREACHABLE", "the store's file cannot be opened", "check path and rights", False),
    sqlite3.SQLITE_IOERR: ("STORE_IO", "reading or writing the store's file failed", "check the disk", False),
    sqlite3.SQLITE_CONSTRAINT: ("STORE_CONSTRAINT", "a row breaks a rule of its table", "this is a bug", False),
}


class SqliteEngine:
    """One file; a resting connection is used again, a forked child takes its own."""

    name = "sqlite"
    limits: Final = Limits(
        transaction_rows=2_000, listed=10_000
    )  # a second of writing; a third of what a statement may bind
    sql_schema: Final = None

    def __init__(self, url: str, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = Path(str(make_url(url).database)).resolve()
        self.url_safe = sqlite_url(self.path)
        self._busy_seconds = busy_seconds
        self._engine = create_engine(
            self.url_safe,
            poolclass=QueuePool,
            pool_size=IDLE_CONNECTIONS,
            max_overflow=-1,
            isolation_level="AUTOCOMMIT",  # transactions are begun by hand: IMMEDIATE for writers
            hide_parameters=True,
            connect_args={"timeout": min(WAIT_SLICE, busy_seconds), "check_same_thread": False},
        )
        event.listen(self._engine, "connect", _prepare)
        self._pid = os.getpid()
        self._of_parent: list[Any] = []

    @property
    def administration(self) -> SqliteAdministration:
        """What an administrator can do to a file."""
        return SqliteAdministration(self.open)

    @property
    def dialect(self) -> Dialect:
        """SQLAlchemy's dialect of this engine."""
        return self._engine.dialect

    def open(self) -> None:
        """Create folder and file when absent, migrate to head, verify the full-text index and repair it.

        Safe when several processes do it at once.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Only our user reads the store; the files of the write-ahead log take over these rights.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            lock = self.path.with_name(self.path.name + ".lock")
            if self._version() != HEAD:
                with locked(lock):
                    self._migrate()
            if not self._index_holds():
                with locked(lock):
                    self._mend_index()
        except DBAPIError as error:
            raise self.translate(error) from error
        except OSError as error:
            raise StoreError(
                "STORE_UNREACHABLE", f"{self.path}: {error.strerror}", hint="check the folder and its permissions"
            ) from error

    def _version(self) -> str | None:
        version = self.schema_version()
        check_known(version)
        return version

    def _migrate(self) -> None:
        with self._connected() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        with self.writing() as connection:
            upgrade(connection, SqliteSteps())
            index.create(connection)
            vectors.create(connection)
            if not index.health(connection).ok:  # an earlier version's, which the migration has dropped
                index.rebuild(connection, tokens_of_chunks)

    def _index_holds(self) -> bool:
        with self.reading() as connection:
            return index.health(connection).ok

    def _mend_index(self) -> None:
        with self.writing() as connection:
            health = index.health(connection)
            if health.ok:  # another process has done it meanwhile
                return
            index.rebuild(connection, tokens_of_chunks)
        log.warning("%s: %s; the full-text index was written anew from the chunks", self.path.name, health.detail)

    def schema_version(self) -> str | None:
        """The migration that the file stands at; None for a fresh file."""
        with self.reading() as connection:
            known = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").first()
            if known is None:
                return None
            row = connection.exec_driver_sql("SELECT version_num FROM alembic_version").first()
            return None if row is None else str(row[0])

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator[Connection]:
        """A connection inside BEGIN IMMEDIATE … COMMIT; waits for other writers up to the busy limit, or `wait`."""
        with self._connected() as connection:
            connection.execution_options(**{WRITING: True})
            self._begin_immediate(connection, self._busy_seconds if wait is None else wait)
            with _committed(connection):
                yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection inside one read transaction: a consistent picture, never blocked by writers."""
        with self._connected() as connection:
            connection.exec_driver_sql("BEGIN")
            with _committed(connection):
                yield connection

    def _connected(self) -> Connection:
        if self._pid != os.getpid():
            # SQLite forbids a child to use, or even close, what its parent opened: it is kept and left alone.
            self._of_parent.append(self._engine.pool)
            self._engine.dispose(close=False)
            self._pid = os.getpid()
        return self._engine.connect()

    def _begin_immediate(self, connection: Connection, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(1000 * min(WAIT_SLICE, seconds))}")
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                return
            except OperationalError as error:
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                    raise
                time.sleep(random.uniform(0.005, 0.05))

    def translate(self, error: DBAPIError) -> StoreError:
        """The typed error of a driver's error, with its code and what to do."""
        code = _code(error)
        known = _ERRORS.get(code)
        if known is None:
            return StoreError("STORE_FAILED", f"{type(error.orig).__name__}: {error.orig}", hint="see the cause above")
        name, text, hint, retryable = known
        return StoreError(
            name, f"{text} ({self.path.name}: {error.orig})", hint=hint, details={"sqlite": code}, retryable=retryable
        )

    def insert(self, connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Row]) -> None:
        """INSERT … ON CONFLICT of the natural key DO UPDATE, executemany."""
        if not rows:
            return
        connection.execute(_insert_or_update(table, tuple(key), tuple(rows[0])), list(rows))

    def check_dimension(self, connection: Connection, dimension: int) -> None:
        """Every dimension fits: a vector is a blob, and its stamp says how long it is."""

    def index_chunk(
        self, connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Sequence[str]
    ) -> None:
        """Write the chunk's words into the FTS5 table."""
        index.write(connection, chunk_id, prepared, filter_tokens)

    def unindex_chunks(self, connection: Connection, chunk_ids: Sequence[int]) -> None:
        """Take chunks out of the FTS5 table."""
        index.delete(connection, chunk_ids)

    def refilter_chunk(self, connection: Connection, chunk_id: int, filter_tokens: Sequence[str]) -> None:
        """Replace the chunk's filter tokens."""
        index.set_filters(connection, chunk_id, filter_tokens)

    def lexical(self, access: Access) -> search.SqliteLexicalSearch:
        """BM25 over FTS5."""

        @contextmanager
        def write() -> Iterator[Connection]:
            with access.transaction() as tx:
                yield tx.connection

        return search.SqliteLexicalSearch(_reads(access), write, tokens_of_chunks)

    def vectors(self, access: Access) -> vectors.SqliteVectorSearch:
        """Exact cosine over a resident matrix."""
        return vectors.SqliteVectorSearch(_reads(access))

    def check_integrity(self) -> None:
        """SQLite's own integrity and foreign-key checks; raises StoreError STORE_DAMAGED."""
        with self.reading() as connection:
            found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(5)")]
            orphan = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if orphan is not None:
            found.append(f"{orphan[0]} has rows without their parent")
        if found != ["ok"]:
            raise StoreError("STORE_DAMAGED", f"{self.path.name}: {'; '.join(found)}", hint="restore a copy of it")

    def optimise(self) -> None:
        """Statistics for the planner, and the write-ahead log folded into the file."""
        with self._connected() as connection:
            connection.exec_driver_sql("PRAGMA optimize")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def has_vector_index(self) -> bool:
        """Never: the search is exact, over a matrix in memory."""
        return False

    def backup(self, folder: Path) -> Path:
        """A consistent copy made by VACUUM INTO, complete or absent: it gets its name when it is whole."""
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{self.path.stem}-{utc_now():%Y%m%dT%H%M%S%f}{self.path.suffix}"
        partial = target.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        with self._connected() as connection:
            connection.exec_driver_sql("VACUUM INTO ?", (str(partial),))
        return partial.rename(target)

    def rest(self) -> None:
        """Nothing to give back: closing a file's last connection costs a checkpoint, and nobody waits for it."""

    def close(self) -> None:
        """Close the resting connections; a later call opens new ones."""
        if self._pid == os.getpid():
            self._engine.dispose()


def _reads(access: Access) -> search.Session:
    @contextmanager
    def read() -> Iterator[Connection]:
        with access.snapshot() as tx:
            yield tx.connection

    return read


@cache
def _insert_or_update(table: Table, key: tuple[str, ...], names: tuple[str, ...]) -> Insert:
    statement = insert(table)
    kept = {*key, "created_at"}
    changed = {name: statement.excluded[name] for name in names if name not in kept}
    return statement.on_conflict_do_update(index_elements=[table.c[name] for name in key], set_=changed)


def _prepare(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("foreign_keys = ON", "synchronous = NORMAL", "temp_store = MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@contextmanager
def _committed(connection: Connection) -> Iterator[None]:
    try:
        yield
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself after some errors (a full disk): then there is nothing to undo.
        driver: Any = connection.connection.driver_connection
        if driver.in_transaction:
            connection.exec_driver_sql("ROLLBACK")
        raise


def _code(error: DBAPIError) -> int:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return int(code) & PRIMARY_CODE if code is not None else 0

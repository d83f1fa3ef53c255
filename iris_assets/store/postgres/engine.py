"""The server engine: PostgreSQL through psycopg, a small pool per process, write transactions that take turns."""

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Dialect, Table, create_engine, event, or_
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as NoConnectionInTime
from sqlalchemy.pool import Pool, QueuePool

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store.engine import Access, Limits, Row
from iris_assets.store.migrations import require_head
from iris_assets.store.postgres import index, loading
from iris_assets.store.postgres.administration import PostgresAdministration
from iris_assets.store.postgres.errors import translated
from iris_assets.store.postgres.search import PostgresLexicalSearch
from iris_assets.store.postgres.vectors import PostgresVectorSearch, has_index
from iris_assets.store.search import PreparedText

CONNECT_SECONDS: Final = 10
TURN_SECONDS: Final = 30  # how long a transaction waits for the others', and a thread for a connection of the pool
STATEMENT_SECONDS: Final = 300
RETURN_SECONDS: Final = 20  # how long a server that has answered before may be away
IDLE_SECONDS: Final = 900  # a transaction whose process sleeps is undone by the server
CONNECTIONS: Final = 4  # that rest in a process, and twice as many at most
LIMITS: Final = Limits(transaction_rows=5_000, listed=10_000, piece=5_000)
_WRITER: Final = "iris_assets.writer"


class PostgresEngine:
    """A database of its own; write transactions of all processes take turns by an advisory lock, reads never wait."""

    name = "postgresql"
    limits: Final = LIMITS
    sql_schema: Final = None

    def __init__(
        self,
        url: URL,
        *,
        turn_seconds: float = TURN_SECONDS,
        statement_seconds: float = STATEMENT_SECONDS,
        return_seconds: float = RETURN_SECONDS,
    ) -> None:
        place = {name: value for name, value in url.query.items() if name == "host"}
        self.url_safe = url.set(query=place).render_as_string(hide_password=True)
        settings = {
            "search_path": "public",
            "timezone": "UTC",
            "lock_timeout": f"{int(turn_seconds * 1000)}ms",
            "statement_timeout": f"{int(statement_seconds * 1000)}ms",
            "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
            "jit": "off",  # our statements are short: compiling one takes longer than running it
        }
        self._engine = _made(
            url,
            poolclass=QueuePool,
            pool_size=CONNECTIONS,
            max_overflow=CONNECTIONS,
            pool_timeout=turn_seconds,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={
                "connect_timeout": CONNECT_SECONDS,
                "application_name": "iris-assets",
                "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
            },
        )
        event.listen(self._engine, "connect", _know_vectors)
        self._return_seconds = return_seconds
        self._known = False
        self._pid = os.getpid()
        self._of_parent: list[Pool] = []

    @property
    def administration(self) -> PostgresAdministration:
        """What an administrator can do to the database."""
        return PostgresAdministration(self)

    @property
    def dialect(self) -> Dialect:
        """SQLAlchemy's dialect of this engine."""
        dialect: Dialect = self._engine.dialect
        return dialect

    def open(self) -> None:
        """Reach the server and refuse a database that is not at head (`iris-assets db upgrade` brings it there)."""
        try:
            version = self.schema_version()
        except DBAPIError as error:
            raise self.translate(error) from error
        require_head(version, self.url_safe)

    def schema_version(self) -> str | None:
        """The migration that the database stands at; None before the first."""
        with self.reading() as connection:
            if connection.exec_driver_sql("SELECT to_regclass('alembic_version')").scalar() is None:
                return None
            row = connection.exec_driver_sql("SELECT version_num FROM alembic_version").first()
            return None if row is None else str(row[0])

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator[Connection]:
        """A connection in one transaction that no other write transaction of this database runs beside.

        Each statement sees what was committed before it. A transaction reads, compares and writes: beside another one it could
        take a source for abandoned that the other has just linked, or lock rows in the other's way.
        `wait` is how many seconds the turn is waited for.
        """
        with self._transaction("READ COMMITTED") as connection:
            if wait is not None:
                # No limit at all is what the server understands by nought.
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {max(1, int(wait * 1000))}")
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext(%s))", (_WRITER,))
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection in one read transaction: a picture of one moment, never blocked by writers."""
        with self._transaction("REPEATABLE READ", postgresql_readonly=True) as connection:
            yield connection

    @contextmanager
    def outside(self) -> Iterator[Connection]:
        """A connection without a transaction or a time limit, for building an index while others work."""
        with self._connected() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.exec_driver_sql("SET statement_timeout = 0")
            try:
                yield connection
            finally:
                connection.invalidate()  # its settings must not come back from the pool

    @contextmanager
    def _transaction(self, isolation: Any, **options: Any) -> Iterator[Connection]:
        with self._connected() as connection:
            connection.execution_options(isolation_level=isolation, **options)
            with connection.begin() as transaction:
                yield connection
                try:
                    transaction.commit()
                except DBAPIError as error:
                    raise translated(error, committing=not options) from error

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        self._forget_parent()
        with self._connect() as connection:
            self._known = True
            yield connection

    def _connect(self) -> Connection:
        """A connection; a server that answered before and is away is waited for: it may be starting again."""
        deadline = time.monotonic() + (self._return_seconds if self._known else 0)
        while True:
            try:
                connection: Connection = self._engine.connect()
                return connection
            except NoConnectionInTime as error:
                raise StoreError(
                    "STORE_BUSY", "other threads kept this process's connections", hint="try again", retryable=True
                ) from error
            except DBAPIError as error:
                away = self.translate(error).code in {"STORE_UNREACHABLE", "STORE_LINK_LOST"}
                if not away or time.monotonic() >= deadline:
                    raise
                time.sleep(random.uniform(0.2, 0.6))

    def _forget_parent(self) -> None:
        # A forked child must neither use nor close the parent's sockets: they are kept, so that nothing finalises them.
        if self._pid != os.getpid():
            self._of_parent.append(self._engine.pool)
            self._engine.dispose(close=False)
            self._pid = os.getpid()

    def translate(self, error: DBAPIError) -> StoreError:
        """The typed error of a driver's error."""
        return translated(error)

    def insert(self, connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Row]) -> None:
        """INSERT … ON CONFLICT of the natural key DO UPDATE; many rows come by COPY into a temporary table."""
        if len(rows) >= loading.COPY_FROM:
            loading.insert(connection, table, key, rows)
        elif rows:
            connection.execute(_insert_or_update(table, tuple(key), tuple(rows[0])), list(rows))

    def check_dimension(self, connection: Connection, dimension: int) -> None:
        """Every dimension fits: the column names none, and a vector's stamp says how long it is."""

    def index_chunk(
        self, connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Sequence[str]
    ) -> None:
        """Write the chunk's words into the search table."""
        index.write(connection, [(chunk_id, prepared, filter_tokens)])

    def unindex_chunks(self, connection: Connection, chunk_ids: Sequence[int]) -> None:
        """Take chunks out of the search table."""
        index.delete(connection, chunk_ids)

    def refilter_chunk(self, connection: Connection, chunk_id: int, filter_tokens: Sequence[str]) -> None:
        """Replace the chunk's filter tokens."""
        index.set_filters(connection, chunk_id, filter_tokens)

    def lexical(self, access: Access) -> PostgresLexicalSearch:
        """BM25 over what the full-text index finds."""
        return PostgresLexicalSearch(access)

    def vectors(self, access: Access) -> PostgresVectorSearch:
        """Cosine similarity in the server."""
        return PostgresVectorSearch(access)

    def check_integrity(self) -> None:
        """The server checks its own files; here: does it answer for our tables."""
        if self.schema_version() is None:
            raise StoreError(
                "STORE_NOT_MIGRATED", "the database has no tables of ours", hint="run iris-assets db upgrade"
            )

    def optimise(self) -> None:
        """Statistics for the planner, and the vector index once there are enough vectors."""
        self.administration.tend()

    def has_vector_index(self) -> bool:
        """Whether an HNSW index was built."""
        with self.reading() as connection:
            return has_index(connection)

    def backup(self, folder: Path) -> Path | None:
        """None: a server is backed up by pg_dump or its administrators' own means."""
        return None

    def rest(self) -> None:
        """Nothing to give back: a resting connection holds no lock, and the server has enough of them."""

    def close(self) -> None:
        """Give the connections back; a later call takes new ones."""
        self._forget_parent()
        self._engine.dispose()


@cache
def _insert_or_update(table: Table, key: tuple[str, ...], names: tuple[str, ...]) -> Insert:
    statement = insert(table).inline()
    return on_conflict_update(statement, table, key, names)


def on_conflict_update(statement: Insert, table: Table, key: Sequence[str], names: Sequence[str]) -> Insert:
    """Overwrite a row of the same key where something of it differs; when it was made stays."""
    kept = {*key, "created_at"}
    changed = {name: statement.excluded[name] for name in names if name not in kept}
    differs = or_(*(table.c[name].is_distinct_from(value) for name, value in changed.items()))
    columns = [table.c[name] for name in key]
    return statement.on_conflict_do_update(index_elements=columns, set_=changed, where=differs)


def _made(url: URL, **arguments: Any) -> Any:
    try:
        return create_engine(url, **arguments)
    except (NoSuchModuleError, ImportError) as error:
        raise ConfigurationError(
            "POSTGRES_DRIVER_MISSING",
            f"the driver of PostgreSQL is not installed ({error})",
            hint="install iris-assets[postgres]",
        ) from error


def _know_vectors(connection: Any, _record: Any) -> None:
    """Let the driver send and read vectors in binary form; before the first migration there are none."""
    from pgvector.psycopg import register_vector

    if connection.execute("SELECT to_regtype('vector')").fetchone()[0] is not None:
        register_vector(connection)
    connection.commit()

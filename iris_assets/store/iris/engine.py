"""The server engine: InterSystems IRIS through its own dialect, one connection per process, short transactions."""

import logging
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Dialect, ExceptionContext, Table, create_engine, event, insert, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as NoConnectionInTime
from sqlalchemy.pool import Pool, QueuePool
from sqlalchemy.sql.elements import quoted_name

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store.engine import Access, Limits, Row
from iris_assets.store.iris import ddl
from iris_assets.store.iris.administration import IrisAdministration
from iris_assets.store.iris.errors import is_licence_limit, is_lost_link, lost_link, translated
from iris_assets.store.iris.search import IrisLexicalSearch
from iris_assets.store.iris.types import DEFAULT_DIMENSION
from iris_assets.store.iris.vectors import IrisVectorSearch, column_dimension, has_index
from iris_assets.store.migrations import require_head
from iris_assets.store.search import PreparedText, require_bearable

log = logging.getLogger(__name__)

DEFAULT_SCHEMA: Final = "IRISPolitical_Model"
DIALECT_PACKAGE: Final = "sqlalchemy_intersystems_iris"
CONNECT_SECONDS: Final = 10
TURN_SECONDS: Final = 30  # how long a thread waits for the process's connection
LICENCE_ATTEMPTS: Final = 6  # waits of 0.5, 1, 2, 4, 8 seconds and a jitter between them
# From 1,000 changed rows on the server locks the whole table; a statement takes about 1,000 values, a list of 400 leaves
# room for what else it binds.
LIMITS: Final = Limits(transaction_rows=500, listed=400)
MOST_PARAMETERS: Final = 500  # of one statement
HNSW_FROM: Final = 10_000  # rows from which the approximate index pays


class IrisEngine:
    """A namespace of a server; the Community Edition has 8 connections, so a process never takes more than one."""

    name = "iris"
    limits: Final = LIMITS

    def __init__(
        self,
        url: str,
        *,
        schema: str,
        dimension: int = DEFAULT_DIMENSION,
        driver: Any = None,
        connect_seconds: int = CONNECT_SECONDS,
        turn_seconds: float = TURN_SECONDS,
        licence_wait: float = 0.5,
    ) -> None:
        """`driver` stands in for iris.dbapi in tests; `dimension` is what a migration gives the embedding column."""
        self.schema = self.sql_schema = ddl.checked_schema(schema)
        self._column_dimension = dimension
        named = {} if schema == DEFAULT_SCHEMA else {"schema": schema}
        self.url_safe = make_url(url).set(query=named).render_as_string(hide_password=True)
        self._licence_wait = licence_wait
        check_dialect(_dialect_class(url))
        engine = create_engine(
            url,
            module=driver,
            poolclass=QueuePool,
            pool_size=1,
            max_overflow=0,
            pool_timeout=turn_seconds,
            pool_pre_ping=True,
            # The server's own default reads what others have not committed, passages of a plan that may be undone.
            isolation_level="READ COMMITTED",
            hide_parameters=True,
            connect_args={"timeout": connect_seconds},
        )
        event.listen(engine, "handle_error", _tell_lost_link, retval=True)
        event.listen(engine, "before_cursor_execute", _require_bearable)
        event.listen(engine, "after_cursor_execute", self._count_changes)
        engine.dialect.vector_dimension = dimension  # type: ignore[attr-defined]
        self._root = engine
        self._engine = engine.execution_options(schema_translate_map={None: quoted_name(self.schema, quote=False)})
        self._pid = os.getpid()
        self._of_parent: list[Pool] = []
        self._dimension: int | None = None
        self._changed: Counter[str] = (
            Counter()
        )  # rows of the transaction at work; there is one connection, so one transaction

    @property
    def administration(self) -> IrisAdministration:
        """What an administrator can do to the schema."""
        return IrisAdministration(self, self.schema, self._column_dimension)

    @property
    def dialect(self) -> Dialect:
        """SQLAlchemy's dialect of this engine."""
        return self._root.dialect

    def open(self) -> None:
        """Reach the server and refuse a schema that is not at head (`iris-assets db upgrade` brings it there)."""
        try:
            version = self.schema_version()
        except DBAPIError as error:
            raise self.translate(error) from error
        require_head(version, f"schema {self.schema}")

    def schema_version(self) -> str | None:
        """The migration that the schema stands at; None before the first."""
        try:
            with self.reading() as connection:
                row = connection.exec_driver_sql(f"SELECT version_num FROM {self.schema}.alembic_version").first()
        except DBAPIError as error:
            if self.translate(error).code == "STORE_NOT_MIGRATED":
                return None
            raise
        return None if row is None else str(row[0])

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator[Connection]:
        """The process's connection in one transaction; a second thread waits for the first, other processes do not."""
        with self._transaction(writes=True) as connection:
            self._changed.clear()
            yield connection

    def _count_changes(
        self, _connection: Any, cursor: Any, _statement: str, parameters: Any, context: Any, executemany: bool
    ) -> None:
        """Notice a transaction beyond 500 changed rows of one table: from 1,000 on the server locks the whole table."""
        if context is None or not (context.isinsert or context.isupdate or context.isdelete):
            return
        table = context.compiled.statement.table.name
        before = self._changed[table]
        self._changed[table] += len(parameters) if executemany else max(cursor.rowcount, 1)
        if before <= LIMITS.transaction_rows < self._changed[table]:
            log.warning(
                "one transaction changes %d rows of %s; up to %d are meant",
                self._changed[table],
                table,
                LIMITS.transaction_rows,
            )

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """The process's connection in one transaction that only reads what was committed.

        It is no picture of one moment: what others commit meanwhile is seen by the next statement.
        """
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        with self._connected() as connection, connection.begin() as transaction:
            yield connection
            try:
                transaction.commit()
            except DBAPIError as error:
                connection.invalidate(error)  # or what was not ended would be committed with the next transaction
                raise translated(error, committing=writes) from error

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        self._forget_parent()
        connection = self._connect()
        try:
            yield connection
        finally:
            connection.close()

    def _forget_parent(self) -> None:
        # A forked child must neither use nor close the parent's socket: it is kept, so that nothing finalises it.
        if self._pid != os.getpid():
            self._of_parent.append(self._root.pool)
            self._root.dispose(close=False)
            self._pid = os.getpid()

    def _connect(self) -> Connection:
        for attempt in range(LICENCE_ATTEMPTS):
            try:
                return self._engine.connect()
            except NoConnectionInTime as error:
                raise StoreError(
                    "STORE_BUSY", "other threads kept this process's one connection", hint="try again", retryable=True
                ) from error
            except DBAPIError as error:
                if not is_licence_limit(str(error.orig)) or attempt == LICENCE_ATTEMPTS - 1:
                    raise
                time.sleep(self._licence_wait * 2**attempt * random.uniform(0.75, 1.25))
            except (RuntimeError, ValueError) as error:  # the driver's bare ones: a resting link, or a new one, is gone
                if attempt:
                    raise lost_link(error) from error
                self._root.dispose()
        raise AssertionError("unreachable")

    def translate(self, error: DBAPIError) -> StoreError:
        """The typed error of a driver's error."""
        return translated(error)

    def insert(self, connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Row]) -> None:
        """INSERT OR UPDATE, executemany; each table has one natural key, which is what the server matches."""
        if rows:
            # Inline: nobody wants the identity back, and asking for it would be one more statement.
            connection.execute(insert(table).prefix_with("OR UPDATE").inline(), list(rows))

    def check_dimension(self, connection: Connection, dimension: int) -> None:
        """Raise StoreError VECTOR_DIMENSION when the embedding column has another one."""
        if self._dimension is None:
            self._dimension = column_dimension(connection)
        if self._dimension not in (None, dimension):
            raise StoreError(
                "VECTOR_DIMENSION",
                f"the store keeps vectors of {self._dimension} numbers, got {dimension}",
                hint=f"run iris-assets db set-dimension {dimension} (every vector is made anew)",
            )

    def index_chunk(
        self, connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Sequence[str]
    ) -> None:
        """Nothing to do: the server keeps its index over SearchText in step, filters are joins."""

    def unindex_chunks(self, connection: Connection, chunk_ids: Sequence[int]) -> None:
        """Nothing to do: the index follows the rows."""

    def refilter_chunk(self, connection: Connection, chunk_id: int, filter_tokens: Sequence[str]) -> None:
        """Nothing to do: filters are joins over the links."""

    def lexical(self, access: Access) -> IrisLexicalSearch:
        """BM25 over what iFind finds."""
        return IrisLexicalSearch(access, self.schema)

    def vectors(self, access: Access) -> IrisVectorSearch:
        """VECTOR_COSINE in the server."""
        return IrisVectorSearch(access)

    def check_integrity(self) -> None:
        """The server checks its own files; here: does it answer for our schema."""
        if self.schema_version() is None:
            raise StoreError("STORE_NOT_MIGRATED", f"no schema {self.schema}", hint="run iris-assets db upgrade")

    def optimise(self) -> None:
        """Statistics for the planner, and the vector index once there are enough vectors."""
        with self.reading() as connection:
            count = connection.execute(
                text(f'SELECT COUNT(*) FROM {ddl.chunk_table(self.schema)} WHERE "Embedding" IS NOT NULL')
            ).scalar_one()
        wanted = int(count) >= HNSW_FROM and not self.has_vector_index()
        statements = [
            ddl.tune_table(self.schema),
            *([ddl.create_vector_index(self.schema)] if wanted else []),
        ]
        for statement in statements:
            with self.writing() as connection:
                connection.exec_driver_sql(statement)

    def has_vector_index(self) -> bool:
        """Whether the HNSW index was built."""
        with self.reading() as connection:
            return has_index(connection, self.schema, ddl.VECTOR_INDEX)

    def backup(self, folder: Path) -> Path | None:
        """None: backups of a server are made by its own tools."""
        return None

    def rest(self) -> None:
        """Give the connection (and its licence unit) back unless a thread is using it."""
        self._forget_parent()
        if not self._root.pool.checkedout():  # type: ignore[attr-defined]
            self._root.dispose()

    def close(self) -> None:
        """Give the connection (and its licence unit) back; a later call takes a new one."""
        self._forget_parent()
        self._root.dispose()


def _dialect_class(url: str) -> type[Dialect]:
    try:
        return make_url(url).get_dialect()
    except (NoSuchModuleError, ImportError) as error:
        raise ConfigurationError(
            "IRIS_DRIVER_MISSING", f"the driver of IRIS is not installed ({error})", hint="install iris-assets[iris]"
        ) from error


def check_dialect(dialect: type[Dialect]) -> None:
    """Refuse any dialect but InterSystems' own: others answer to `iris://` and drop ORDER BY from limited queries."""
    module = dialect.__module__
    if module.partition(".")[0] != DIALECT_PACKAGE:
        raise ConfigurationError(
            "IRIS_DIALECT_WRONG",
            f"iris:// is served by {module}, not by {DIALECT_PACKAGE}",
            hint="uninstall sqlalchemy-iris and testcontainers-iris, then install iris-assets[iris] again",
        )


def _require_bearable(_c: Any, _cursor: Any, _statement: str, parameters: Any, _context: Any, many: bool) -> None:
    if not many:
        require_bearable(len(parameters or ()), MOST_PARAMETERS)


def _tell_lost_link(context: ExceptionContext) -> StoreError | None:
    """Mark a dead socket, or it would come back from the pool: the dialect knows one wording only.

    The driver's bare errors about a connection that is gone are no errors of DB-API: they are told as ours.
    """
    error = context.original_exception
    context.is_disconnect = context.is_disconnect or is_lost_link(str(error))
    of_driver = context.sqlalchemy_exception is None and isinstance(error, RuntimeError | ValueError)
    return lost_link(error) if of_driver and context.is_disconnect else None

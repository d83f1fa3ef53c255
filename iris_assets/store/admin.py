"""What an administrator does to a store: migrate, print or check the schema, tend its vector column, copy."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from alembic import command
from sqlalchemy import Table, inspect
from sqlalchemy.exc import DBAPIError

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store.copying import copy_tables
from iris_assets.store.core import Store
from iris_assets.store.engine import Administration
from iris_assets.store.engines import DEFAULT_DIMENSION, engine_for, require_store
from iris_assets.store.migrations import HEAD, configuration
from iris_assets.store.search import Health
from iris_assets.store.tables.schema import metadata

T = TypeVar("T")
Progress = Callable[[str, int], None]  # table, rows copied so far


def upgrade(url: str, *, dimension: int = DEFAULT_DIMENSION) -> str:
    """Bring the database to head; a fresh vector column that keeps one dimension gets this one. Returns the revision."""
    with _administered(Store(engine_for(url, dimension=dimension))) as store:
        store.engine.administration.upgrade()
    return HEAD


@contextmanager
def _administered(store: Store) -> Iterator[Store]:
    """Driver errors of raw DDL become typed ones, and the connection is given back."""
    try:
        yield store
    except DBAPIError as error:
        raise store.engine.translate(error) from error
    finally:
        store.close()


def ddl(url: str, *, dimension: int = DEFAULT_DIMENSION) -> str:
    """The DDL of every migration for the engine of `url`, without connecting to it."""
    engine = engine_for(url, dimension=dimension)
    config = configuration(engine.administration.steps, engine.sql_schema)
    config.attributes["dialect"] = engine.dialect
    config.output_buffer = buffer = io.StringIO()
    command.upgrade(config, "head", sql=True)
    statements = [buffer.getvalue().strip()]
    for statement in engine.administration.ddl_after_load():
        statements.append(f"-- after the load, on a connection of its own:\n{statement};")
    return "\n\n".join(statements) + "\n"


def check(url: str) -> dict[str, Any]:
    """{ok, url, revision, head, findings}: the revision, missing and unknown columns, the engine's own check, the text index.

    Raises StoreError when the database cannot be reached or is damaged, ConfigurationError STORE_ABSENT.
    """
    require_store(url)
    store = Store(engine_for(url))
    try:
        revision = store.schema_version()
        findings = [] if revision == HEAD else [f"stands at migration {revision}, head is {HEAD}"]
        with store.snapshot() as tx:
            inspector: Any = inspect(tx.connection)
            where = store.engine.sql_schema
            present = set(inspector.get_table_names(schema=where))
            for table in metadata.sorted_tables:
                findings += _table_findings(inspector, table, where, present)
        if revision == HEAD:
            store.check_integrity()
            findings += store.engine.administration.findings(store)
            health = store.lexical.verify(deep=True)
            findings += [] if health.ok else [f"lexical index: {health.text}"]
        return {"ok": not findings, "url": store.url_safe, "revision": revision, "head": HEAD, "findings": findings}
    finally:
        store.close()


def mend_index(url: str) -> Health | None:
    """What a deep look at the text index found; one that does not hold is written anew. None: no store at head yet."""
    try:
        require_store(url)
    except ConfigurationError as error:
        if error.code == "STORE_ABSENT":
            return None
        raise
    store = Store(engine_for(url))
    try:
        if store.schema_version() != HEAD:
            return None
        health = store.lexical.verify(deep=True)
        if not health.ok:
            store.lexical.rebuild()
        return health
    finally:
        store.close()


def _table_findings(inspector: Any, table: Table, schema: str | None, present: set[str]) -> Iterator[str]:
    if table.name not in present:
        yield f"table {table.name} is missing"
        return
    found = {column["name"] for column in inspector.get_columns(table.name, schema=schema)}
    wanted = {column.name for column in table.c}
    yield from (f"column {table.name}.{name} is missing" for name in sorted(wanted - found))
    yield from (f"column {table.name}.{name} is not ours" for name in sorted(found - wanted))


def set_dimension(url: str, dimension: int) -> int | None:
    """Give the vector column another dimension; returns how many chunks have to be embedded anew.

    A call that broke off is completed by the next one. None where vectors of several dimensions are kept.
    """
    if not 1 <= dimension <= 8192:
        raise ConfigurationError("DIMENSION_INVALID", f"{dimension} is no dimension: 1 to 8192")
    return _tended(url, lambda work, store: work.set_dimension(store, dimension))


def build_vector_index(url: str) -> bool | None:
    """Build the approximate vector index after a load; False when it was there already, None where search is exact."""
    return _tended(url, lambda work, store: work.build_vector_index(store))


def _tended(url: str, change: Callable[[Administration, Store], T]) -> T:
    with _administered(Store(engine_for(url))) as store:
        return change(store.engine.administration, store)


def _silent(table: str, done: int) -> None:
    return None


def copy(source_url: str, target_url: str, *, progress: Progress = _silent) -> dict[str, int]:
    """Copy every row from one store to another, in pieces of 500, verified by counts and hashes; rows per table.

    Can be started again after a break: rows that are there already are compared, not written twice. Row ids are
    given anew by the target. Raises ConfigurationError STORE_ABSENT or COPY_ONTO_ITSELF, StoreError
    STORE_NOT_MIGRATED for a source that is none; COPY_TARGET_TAKEN or VECTOR_DIMENSION before anything is written;
    COPY_DIFFERS naming the table when the two do not agree afterwards.
    """
    require_store(source_url)
    origin, goal = engine_for(source_url), engine_for(target_url)
    if origin.url_safe == goal.url_safe:
        raise ConfigurationError("COPY_ONTO_ITSELF", "source and target are the same store")
    with _administered(Store(origin)) as source, _administered(Store(goal)) as target:
        _require_migrated(source)
        goal.open()
        return copy_tables(source, target, progress)


def _require_migrated(store: Store) -> None:
    """A source is only read: it is neither made nor migrated on the way."""
    version = store.schema_version()
    if version != HEAD:
        raise StoreError(
            "STORE_NOT_MIGRATED",
            f"{store.url_safe} stands at migration {version or 'none'}, this version needs {HEAD}",
            hint="check the source's URL, or run iris-assets db upgrade on it",
        )

"""What an administrator does to a store: migrate, print or check the schema, change the vector dimension, copy."""

import io
from collections.abc import Callable, Iterator
from typing import Any, Final

from alembic import command
from sqlalchemy import Table, inspect
from sqlalchemy.exc import DBAPIError

from iris_assets.errors import ConfigurationError
from iris_assets.store import iris_ddl
from iris_assets.store.copying import copy_tables
from iris_assets.store.core import Store
from iris_assets.store.iris_vectors import DIMENSION_NOTE
from iris_assets.store.migrations import HEAD, configuration
from iris_assets.store.migrations import upgrade as run_migrations
from iris_assets.store.opening import DEFAULT_SCHEMA, engine_for
from iris_assets.store.schema import metadata

DEFAULT_DIMENSION: Final = 1536

Progress = Callable[[str, int], None]  # table, rows copied so far


def upgrade(url: str, *, schema: str = DEFAULT_SCHEMA, dimension: int = DEFAULT_DIMENSION) -> str:
    """Bring the database to head; on IRIS a fresh embedding column gets `dimension`. Returns the revision."""
    engine = engine_for(url, schema=schema, dimension=dimension)
    if engine.name == "sqlite":
        engine.open()
        return HEAD
    store = Store(engine)
    try:
        upgrade_server(store, schema, dimension)
    except DBAPIError as error:
        raise engine.translate(error) from error
    finally:
        store.close()
    return HEAD


def upgrade_server(store: Store, schema: str, dimension: int) -> None:
    """Run the migrations over an IRIS store's own connection and note the dimension of a fresh embedding column."""
    fresh = store.schema_version() is None
    with store.schema_session() as connection:
        run_migrations(connection, schema=schema)
    if fresh:
        _note_dimension(store, dimension)


def ddl(url: str, *, schema: str = DEFAULT_SCHEMA, dimension: int = DEFAULT_DIMENSION) -> str:
    """The DDL of every migration for the engine of `url`, without connecting to it."""
    engine = engine_for(url, schema=schema, dimension=dimension)
    config = configuration(schema if engine.name == "iris" else None)
    config.attributes["dialect"] = engine.dialect
    config.output_buffer = buffer = io.StringIO()
    command.upgrade(config, "head", sql=True)
    statements = [buffer.getvalue().strip()]
    if engine.name == "iris":
        statements.append(f"-- after the load, on a connection of its own:\n{iris_ddl.create_vector_index(schema)};")
    return "\n\n".join(statements) + "\n"


def check(url: str, *, schema: str = DEFAULT_SCHEMA) -> dict[str, Any]:
    """{ok, url, revision, head, findings}: the revision, missing and unknown columns, the engine's own check.

    Raises StoreError when the database cannot be reached or is damaged.
    """
    store = Store(engine_for(url, schema=schema))
    try:
        revision = store.schema_version()
        findings = [] if revision == HEAD else [f"stands at migration {revision}, head is {HEAD}"]
        with store.snapshot() as tx:
            inspector: Any = inspect(tx.connection)
            where = schema if store.engine.name == "iris" else None
            present = set(inspector.get_table_names(schema=where))
            for table in metadata.sorted_tables:
                findings += _table_findings(inspector, table, where, present)
        if revision == HEAD:
            store.check_integrity()
        return {"ok": not findings, "url": store.url_safe, "revision": revision, "head": HEAD, "findings": findings}
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


def set_dimension(url: str, dimension: int, *, schema: str = DEFAULT_SCHEMA) -> int:
    """Give IRIS's embedding column another dimension; returns how many chunks have to be embedded anew.

    SQLite holds vectors of several dimensions: nothing to do there, 0 is returned.
    """
    if not 1 <= dimension <= 8192:
        raise ConfigurationError("DIMENSION_INVALID", f"{dimension} is no dimension: 1 to 8192")
    engine = engine_for(url, schema=schema)
    if engine.name == "sqlite":
        return 0
    engine.open()
    store = Store(engine)
    try:
        return set_server_dimension(store, schema, dimension)
    except DBAPIError as error:
        raise engine.translate(error) from error
    finally:
        store.close()


def set_server_dimension(store: Store, schema: str, dimension: int) -> int:
    """Rebuild the embedding column of an IRIS store; returns how many chunks are pending now."""
    chunks = store.statistics()["tables"]["political_chunk"]
    if store.engine.has_vector_index():
        _run(store, iris_ddl.drop_vector_index(schema))
    for statement in iris_ddl.change_dimension(schema, dimension):
        _run(store, statement)
    _note_dimension(store, dimension)
    return chunks


def _run(store: Store, statement: str) -> None:
    with store.schema_session() as connection:
        connection.exec_driver_sql(statement)


def _note_dimension(store: Store, dimension: int) -> None:
    stage, unit = DIMENSION_NOTE
    with store.transaction() as tx:
        store.state.put(tx, stage, unit, str(dimension))


def _silent(table: str, done: int) -> None:
    return None


def copy(
    source_url: str, target_url: str, *, schema: str = DEFAULT_SCHEMA, progress: Progress = _silent
) -> dict[str, int]:
    """Copy every row from one store to another, in pieces of 500, verified by counts and hashes; rows per table.

    Can be started again after a break: rows that are there already are compared, not written twice. Row ids are
    given anew by the target. Raises StoreError COPY_DIFFERS naming the table when the two do not agree afterwards.
    """
    if source_url == target_url:
        raise ConfigurationError("COPY_ONTO_ITSELF", "source and target are the same store")
    source, target = _opened(source_url, schema), _opened(target_url, schema)
    try:
        return copy_tables(source, target, progress)
    finally:
        source.close()
        target.close()


def _opened(url: str, schema: str) -> Store:
    engine = engine_for(url, schema=schema)
    engine.open()
    return Store(engine)

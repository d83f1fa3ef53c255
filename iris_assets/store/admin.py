"""What an administrator does to a store: migrate, print or check the schema, change the vector dimension, copy."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from alembic import command
from sqlalchemy import Table, func, inspect, select
from sqlalchemy.exc import DBAPIError

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store import iris_ddl
from iris_assets.store.core import Store
from iris_assets.store.engine import StoreEngine
from iris_assets.store.iris_vectors import DIMENSION_NOTE
from iris_assets.store.migrations import HEAD, configuration, upgrade
from iris_assets.store.opening import DEFAULT_SCHEMA, engine_for
from iris_assets.store.schema import metadata

DEFAULT_DIMENSION: Final = 1536


@dataclass(frozen=True, slots=True)
class SchemaFinding:
    """One difference between the database and the schema of the code."""

    table: str
    text: str


def upgrade_database(url: str, *, schema: str = DEFAULT_SCHEMA, dimension: int = DEFAULT_DIMENSION) -> str:
    """Bring the database to head; on IRIS a fresh embedding column gets `dimension`. Returns the revision."""
    engine = engine_for(url, schema=schema, dimension=dimension)
    if engine.name == "sqlite":
        engine.open()
        return HEAD
    store = Store(engine)
    try:
        fresh = store.schema_version() is None
        with store.session_for_schema() as connection:
            upgrade(connection, schema=schema)
        if fresh:
            _note_dimension(store, dimension)
    finally:
        store.close()
    return HEAD


def database_sql(url: str, *, schema: str = DEFAULT_SCHEMA, dimension: int = DEFAULT_DIMENSION) -> str:
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


def check_database(url: str, *, schema: str = DEFAULT_SCHEMA) -> list[SchemaFinding]:
    """Tables and columns that are missing or too many, and a revision that is not head; nothing when all is well."""
    engine = engine_for(url, schema=schema)
    store = Store(engine)
    try:
        version = store.schema_version()
        findings = [] if version == HEAD else [SchemaFinding("alembic_version", f"stands at {version}, head is {HEAD}")]
        with store.snapshot() as tx:
            inspector: Any = inspect(tx.connection)
            where = schema if engine.name == "iris" else None
            present = set(inspector.get_table_names(schema=where))
            for table in metadata.sorted_tables:
                findings += _table_findings(inspector, table, where, present)
        return findings
    finally:
        store.close()


def _table_findings(inspector: Any, table: Table, schema: str | None, present: set[str]) -> Iterator[SchemaFinding]:
    if table.name not in present:
        yield SchemaFinding(table.name, "the table is missing")
        return
    found = {column["name"] for column in inspector.get_columns(table.name, schema=schema)}
    wanted = {column.name for column in table.c}
    for name in sorted(wanted - found):
        yield SchemaFinding(table.name, f"column {name} is missing")
    for name in sorted(found - wanted):
        yield SchemaFinding(table.name, f"column {name} is not ours")


def set_dimension(url: str, dimension: int, *, schema: str = DEFAULT_SCHEMA) -> int:
    """Give IRIS's embedding column another dimension; returns how many chunks have to be embedded anew.

    SQLite holds vectors of several dimensions: nothing to do there, 0 is returned.
    """
    if not 1 <= dimension <= 8192:
        raise ConfigurationError("DIMENSION_INVALID", f"{dimension} is no dimension: 1 to 8192")
    engine = engine_for(url, schema=schema)
    if engine.name == "sqlite":
        return 0
    store = Store(engine)
    try:
        chunks = store.statistics()["tables"]["political_chunk"]
        _drop_vector_index(store, schema)
        for statement in iris_ddl.change_dimension(schema, dimension):
            with store.session_for_schema() as connection:
                connection.exec_driver_sql(statement)
        _note_dimension(store, dimension)
        return chunks
    finally:
        store.close()


def _drop_vector_index(store: Store, schema: str) -> None:
    try:
        with store.session_for_schema() as connection:
            connection.exec_driver_sql(iris_ddl.drop_vector_index(schema))
    except DBAPIError as error:
        # Below the size that pays there is no vector index yet; any other reason shows at the next statement.
        if store.engine.translate(error).retryable:
            raise store.engine.translate(error) from error


def _note_dimension(store: Store, dimension: int) -> None:
    stage, unit = DIMENSION_NOTE
    with store.transaction() as tx:
        store.state.put(tx, stage, unit, str(dimension))


Progress = Callable[[str, int, int], None]


def _silent(table: str, done: int, total: int) -> None:
    return None


def count_rows(store: Store, table: Table) -> int:
    """Rows of one table."""
    with store.snapshot() as tx:
        return int(tx.connection.execute(select(func.count()).select_from(table)).scalar_one())


def opened(url: str, *, schema: str) -> Store:
    """A store for copying: migrated where that is ours to do."""
    engine: StoreEngine = engine_for(url, schema=schema)
    engine.open()
    return Store(engine)


def copy_database(
    source_url: str, target_url: str, *, schema: str = DEFAULT_SCHEMA, progress: Progress = _silent
) -> dict[str, int]:
    """Copy every row from one store to another, in pieces of 500, verified by counts and hashes; rows per table.

    Can be started again after a break: rows that are there already are compared, not written twice. Row ids are
    given anew by the target. Raises StoreError COPY_DIFFERS naming the table when the two do not agree afterwards.
    """
    from iris_assets.store.copying import copy_tables

    if source_url == target_url:
        raise ConfigurationError("COPY_ONTO_ITSELF", "source and target are the same store")
    source, target = opened(source_url, schema=schema), opened(target_url, schema=schema)
    try:
        copied = copy_tables(source, target, progress)
        if target.engine.name == "sqlite":
            target.lexical.rebuild()
        return copied
    finally:
        source.close()
        target.close()


__all__ = [
    "SchemaFinding",
    "StoreError",
    "check_database",
    "copy_database",
    "database_sql",
    "set_dimension",
    "upgrade_database",
]

"""Thousands of rows at once: COPY into a temporary table, then one statement that inserts or overwrites."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Column, Connection, Dialect, Table

from iris_assets.store.engine import Row

COPY_FROM: Final = 1_000  # rows from which a temporary table costs less than it saves


def insert(connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Row]) -> None:
    """Insert the rows, overwriting those of the same key where they differ; all name the same columns."""
    names = tuple(rows[0])
    columns = [table.c[name] for name in names]
    listed = ", ".join(f'"{column.name}"' for column in columns)
    connection.exec_driver_sql(
        f'CREATE TEMPORARY TABLE loading ON COMMIT DROP AS SELECT {listed} FROM "{table.name}" LIMIT 0'
    )
    _copy(connection, listed, columns, names, rows)
    connection.exec_driver_sql(_merge(table, key, names, listed))
    connection.exec_driver_sql("DROP TABLE loading")


def _copy(
    connection: Connection, listed: str, columns: Sequence[Column[Any]], names: Sequence[str], rows: Sequence[Row]
) -> None:
    to_driver = [_processor(column, connection.dialect) for column in columns]
    pairs = list(zip(names, to_driver, strict=True))
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f"COPY loading ({listed}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([row[name] if process is None else process(row[name]) for name, process in pairs])


def _processor(column: Column[Any], dialect: Dialect) -> Any:
    """What makes a value of Python one of the driver; None where it stays as it is."""
    return column.type.dialect_impl(dialect).bind_processor(dialect)


def _merge(table: Table, key: Sequence[str], names: Sequence[str], listed: str) -> str:
    kept = {*key, "created_at"}
    changed = [f'"{table.c[name].name}"' for name in names if name not in kept]
    conflict = ", ".join(f'"{table.c[name].name}"' for name in key)
    values = ", ".join(f"{name} = excluded.{name}" for name in changed)
    differs = " OR ".join(f"stored.{name} IS DISTINCT FROM excluded.{name}" for name in changed)
    return (
        f'INSERT INTO "{table.name}" AS stored ({listed}) SELECT {listed} FROM loading '
        f"ON CONFLICT ({conflict}) DO UPDATE SET {values} WHERE {differs}"
    )

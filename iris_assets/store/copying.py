"""Copying a store row by row: parents before children, row ids translated through natural keys, verified by hashes."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from sqlalchemy import Table, UniqueConstraint, select

from iris_assets.errors import StoreError
from iris_assets.store.engine import Row, Tx
from iris_assets.store.tables.rows import fetch, insert_rows, pages, select_rows, stored_rows
from iris_assets.store.tables.schema import metadata, political_chunk
from iris_assets.store.tables.values import canonical

# Notes about the database itself: they belong to it and do not travel.
LEFT_OUT: Final = {"SourceState": ("stage", "schema")}

Ids = dict[str, dict[int, int]]  # table → row id here → row id there
Progress = Callable[[str, int], None]


def copy_tables(source: Any, target: Any, progress: Progress) -> dict[str, int]:
    """Copy and verify every table; returns rows per table name. The codes it raises are those of `admin.copy`."""
    _require_dimension(source, target)
    _require_own_rows(source, target)
    ids: Ids = {}
    copied = {}
    for table in metadata.sorted_tables:
        key = natural_key(table)
        done = 0
        for rows in _pages(source, table):
            translated = [_with_ids(table, row, ids) for row in rows]
            with target.transaction() as tx:
                _bring(tx, table, key, translated)
            done += len(rows)
            progress(table.name, done)
        ids[table.name] = _id_map(source, target, table, key, ids)
        _verify(source, target, table, ids)
        copied[table.name] = done
    target.lexical.rebuild()
    return copied


def _require_dimension(source: Any, target: Any) -> None:
    """Refuse vectors that the target's column cannot keep, before the first row is written."""
    stamp = political_chunk.c.embedding_dimension
    with source.snapshot() as tx:
        found = tx.connection.execute(select(stamp).where(stamp.is_not(None)).distinct().order_by(stamp))
        dimensions = [int(row[0]) for row in found]
    with target.snapshot() as tx:
        for dimension in dimensions:
            try:
                target.engine.check_dimension(tx.connection, dimension)
            except StoreError as error:
                if len(dimensions) > 1:
                    error.hint = (
                        f"the source has vectors of {' and '.join(map(str, dimensions))} numbers, the target's column "
                        "takes one dimension: embed all chunks with one model first"
                    )
                raise


def _require_own_rows(source: Any, target: Any) -> None:
    """Refuse a target with rows that are not the source's, before the first row is written: they would be lost."""
    ids: Ids = {}
    for table in metadata.sorted_tables:
        key = natural_key(table)
        for rows in _pages(target, table):
            translated = [_with_ids(table, row, ids) for row in rows]
            with source.snapshot() as tx:
                known = {_key(row, key): _digest(row) for row in stored_rows(tx, table, key, translated)}
            for row in translated:
                if known.get(_key(row, key)) != _digest(row):
                    raise _taken(table, _key(row, key), _key(row, key) in known)
        ids[table.name] = _id_map(target, source, table, key, ids)


def _taken(table: Table, key: tuple[Any, ...], known: bool) -> StoreError:
    row = f"{table.name} {', '.join(map(str, key))}"
    return StoreError(
        "COPY_TARGET_TAKEN",
        f"the target has another row {row} than the source" if known else f"the target has a row more: {row}",
        hint="copy into an empty store; one that an earlier copy began goes on only while the source stays as it was",
    )


def natural_key(table: Table) -> tuple[str, ...]:
    """The keys of the table's one unique constraint."""
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            return tuple(column.key for column in constraint.columns)
    raise StoreError("TABLE_WITHOUT_KEY", f"{table.name} has no natural key")


def _pages(store: Any, table: Table) -> Iterator[list[Row]]:
    for rows in pages(store, select_rows(table), table.c.id, "id"):
        yield [row for row in rows if not _stays(table, row)]


def _stays(table: Table, row: Row) -> bool:
    name, value = LEFT_OUT.get(table.name, ("", ""))
    return bool(name) and row[name] == value


def _with_ids(table: Table, row: Row, ids: Ids) -> Row:
    """The row without its own id, its references as ids of the other store."""
    new = {key: value for key, value in row.items() if key != "id"}
    for column in table.c:
        for foreign in column.foreign_keys:
            there = ids[foreign.column.table.name].get(row[column.key])
            if there is None:
                raise _differs(table, f"{column.name} {row[column.key]} came while its rows were copied")
            new[column.key] = there
    return new


def _bring(tx: Tx, table: Table, key: Sequence[str], rows: Sequence[Row]) -> None:
    """Insert what is absent: a second start goes on where the first one broke off."""
    stored = {_key(row, key) for row in stored_rows(tx, table, key, rows)}
    insert_rows(tx, table, key, [row for row in rows if _key(row, key) not in stored])


def _key(row: Row, key: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in key)


def _id_map(here: Any, there: Any, table: Table, key: Sequence[str], ids: Ids) -> dict[int, int]:
    """Row id here → row id there, through the natural key (whose own references are translated first)."""
    if not any(foreign.column.table is table for other in metadata.sorted_tables for foreign in other.foreign_keys):
        return {}
    columns: list[Any] = [table.c[name].label(name) for name in ("id", *key)]
    with here.snapshot() as tx:
        rows = fetch(tx, select(*columns))
    if not rows:
        return {}
    with there.snapshot() as tx:
        found = {_key(row, key): row["id"] for row in fetch(tx, select(*columns))}
    keys = {row["id"]: _key(_with_ids(table, row, ids), key) for row in rows}
    absent = next((key for key in keys.values() if key not in found), None)
    if absent is not None:
        raise _differs(table, f"{', '.join(map(str, absent))} came while its rows were copied")
    return {row_id: found[key] for row_id, key in keys.items()}


def _differs(table: Table, how: str) -> StoreError:
    return StoreError(
        "COPY_DIFFERS",
        f"{table.name}: {how}",
        hint="stop what writes to either store, then start the copy again",
    )


def _verify(source: Any, target: Any, table: Table, ids: Ids) -> None:
    expected = _sum(_digest(_with_ids(table, row, ids)) for rows in _pages(source, table) for row in rows)
    found = _sum(_digest(row) for rows in _pages(target, table) for row in rows)
    if expected != found:
        raise _differs(table, f"{expected[0]} rows here, {found[0]} there, or different ones")


def _sum(digests: Iterable[bytes]) -> tuple[int, int]:
    """How many, and the sum of their hashes: rows in any order and of any number, without keeping them."""
    count = total = 0
    for digest in digests:
        count += 1
        total += int.from_bytes(digest, "big")
    return count, total


def _digest(row: Row) -> bytes:
    plain = {
        key: value.tolist() if isinstance(value, np.ndarray) else str(value) if value is not None else None
        for key, value in row.items()
        if key not in {"id", "created_at", "updated_at"}
    }
    return hashlib.sha256(canonical(plain).encode()).digest()

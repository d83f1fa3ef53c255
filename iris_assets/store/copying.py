"""Copying a store row by row: parents before children, row ids translated through natural keys, verified by hashes."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from sqlalchemy import Table, UniqueConstraint, select

from iris_assets.errors import StoreError
from iris_assets.store.engine import MAX_BATCH, Row, Tx
from iris_assets.store.rows import fetch, insert_rows, select_rows, stored_rows, update_rows
from iris_assets.store.schema import metadata
from iris_assets.store.values import canonical, differences

# Notes about the database itself: they belong to it and do not travel.
LEFT_OUT: Final = {"SourceState": ("stage", "schema")}

Progress = Callable[[str, int], None]


def copy_tables(source: Any, target: Any, progress: Progress) -> dict[str, int]:
    """Copy and verify every table; returns rows per table name."""
    ids: dict[str, dict[int, int]] = {}
    copied = {}
    for table in metadata.sorted_tables:
        key = natural_key(table)
        done = 0
        for rows in _pages(source, table):
            translated = [_with_target_ids(table, row, ids) for row in rows]
            with target.transaction() as tx:
                _bring(tx, table, key, translated)
            done += len(rows)
            progress(table.name, done)
        ids[table.name] = _id_map(source, target, table, key, ids)
        _verify(source, target, table, ids)
        copied[table.name] = done
    target.lexical.rebuild()
    return copied


def natural_key(table: Table) -> tuple[str, ...]:
    """The keys of the table's one unique constraint."""
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            return tuple(column.key for column in constraint.columns)
    raise StoreError("TABLE_WITHOUT_KEY", f"{table.name} has no natural key")


def _pages(store: Any, table: Table) -> Iterator[list[Row]]:
    last = 0
    while True:
        statement = select_rows(table).where(table.c.id > last).order_by(table.c.id).limit(MAX_BATCH)
        with store.snapshot() as tx:
            rows = fetch(tx, statement)
        if not rows:
            return
        last = rows[-1]["id"]
        yield [row for row in rows if not _stays(table, row)]


def _stays(table: Table, row: Row) -> bool:
    name, value = LEFT_OUT.get(table.name, ("", ""))
    return bool(name) and row[name] == value


def _with_target_ids(table: Table, row: Row, ids: dict[str, dict[int, int]]) -> Row:
    new = {key: value for key, value in row.items() if key != "id"}
    for column in table.c:
        for foreign in column.foreign_keys:
            new[column.key] = ids[foreign.column.table.name][row[column.key]]
    return new


def _bring(tx: Tx, table: Table, key: Sequence[str], rows: Sequence[Row]) -> None:
    """Insert what is absent, correct what differs: a second start goes on where the first one broke off."""
    stored = {tuple(row[name] for name in key): row for row in stored_rows(tx, table, key, rows)}
    absent = [row for row in rows if tuple(row[name] for name in key) not in stored]
    insert_rows(tx, table, key, absent)
    changes = {}
    for row in rows:
        old = stored.get(tuple(row[name] for name in key))
        if old is not None and differing(table, old, row):
            changes[old["id"]] = row
    update_rows(tx, table, changes)


def differing(table: Table, old: Row, new: Row) -> bool:
    """Whether two rows differ in anything but technical time stamps; vectors are compared by their numbers."""
    plain = {key: value for key, value in new.items() if not isinstance(value, np.ndarray)}
    arrays = {key for key in new if isinstance(new[key], np.ndarray) or isinstance(old.get(key), np.ndarray)}
    return bool(differences(table, old, plain) - arrays) or any(
        not np.array_equal(np.asarray(old.get(key)), np.asarray(new[key])) for key in arrays
    )


def _id_map(
    source: Any, target: Any, table: Table, key: Sequence[str], ids: dict[str, dict[int, int]]
) -> dict[int, int]:
    """source row id → target row id, through the natural key (whose own references are translated first)."""
    if not any(foreign.column.table is table for other in metadata.sorted_tables for foreign in other.foreign_keys):
        return {}
    columns: list[Any] = [table.c[name].label(name) for name in ("id", *key)]
    with target.snapshot() as tx:
        there = {tuple(row[name] for name in key): row["id"] for row in fetch(tx, select(*columns))}
    with source.snapshot() as tx:
        here = fetch(tx, select(*columns))
    return {row["id"]: there[tuple(_with_target_ids(table, row, ids).get(name) for name in key)] for row in here}


def _verify(source: Any, target: Any, table: Table, ids: dict[str, dict[int, int]]) -> None:
    expected = _sum(_digest(_with_target_ids(table, row, ids)) for rows in _pages(source, table) for row in rows)
    found = _sum(_digest({k: v for k, v in row.items() if k != "id"}) for rows in _pages(target, table) for row in rows)
    if expected != found:
        raise StoreError(
            "COPY_DIFFERS",
            f"{table.name}: {expected[0]} rows here, {found[0]} there, or different ones",
            hint="stop what writes to either store, then start the copy again",
        )


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
        if key not in {"created_at", "updated_at"}
    }
    return hashlib.sha256(canonical(plain).encode()).digest()

"""From mappings to rows and back, and the upsert that writes only what changed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from itertools import groupby
from typing import Any, Final, TypeVar

from sqlalchemy import Select, Table, bindparam, select, update
from sqlalchemy.sql.elements import quoted_name

from iris_assets.store.engine import Access, Row, RowMapping, Tx
from iris_assets.store.tables.values import differences, normalised

T = TypeVar("T")

PIECE: Final = 500  # rows that a driver is given at once


class Outcome(Enum):
    """What an upsert did to one row."""

    INSERTED = "INSERTED"
    UPDATED = "UPDATED"
    UNCHANGED = "UNCHANGED"


def batches(items: Sequence[T], size: int = PIECE) -> Iterator[Sequence[T]]:
    """`items` in slices of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def in_units(items: Iterable[T], changes: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """`items` in their order, grouped so that no group changes more than `most` rows of a table (Limits.transaction_rows).

    `changes` says how many rows of the most affected table an item can change; one that exceeds a transaction comes alone.
    """
    unit: list[T] = []
    room = most
    for item in items:
        needed = changes(item)
        if unit and needed > room:
            yield unit
            unit, room = [], most
        unit.append(item)
        room -= needed
    if unit:
        yield unit


def select_rows(table: Table, *, without: Iterable[str] = (), only: Iterable[str] = ()) -> Select[Any]:
    """SELECT of the table's columns (`only` some of them, when named), each labelled by its snake_case key."""
    return _select_rows(table, frozenset(only or (c.key for c in table.c)) - frozenset(without))


@cache
def _select_rows(table: Table, keys: frozenset[str]) -> Select[Any]:
    # Quoted: a key such as `round` or `position` must not meet a word that an engine reserves.
    return select(*(c.label(quoted_name(c.key, quote=True)) for c in table.c if c.key in keys))


def fetch(tx: Tx, statement: Select[Any]) -> list[Any]:
    """All rows as dictionaries (made before the cursor closes); who returns them says which of `store.records` they are."""
    result = tx.connection.execute(statement)
    keys = list(map(str, result.keys()))
    return [dict(zip(keys, row, strict=True)) for row in result]


def pages(access: Access, statement: Select[Any], row_id: Any, label: str) -> Iterator[list[Any]]:
    """All rows of a statement by row id, some hundreds in a read each; `label` is what the statement calls the id."""
    last = 0
    while True:
        with access.snapshot() as tx:
            rows = fetch(tx, statement.where(row_id > last).order_by(row_id).limit(PIECE))
        if not rows:
            return
        last = rows[-1][label]
        yield rows


def fetch_one(tx: Tx, statement: Select[Any]) -> Any | None:
    """The first row, or None."""
    rows = fetch(tx, statement)
    return rows[0] if rows else None


def fetch_in(tx: Tx, statement: Select[Any], column: Any, values: Iterable[Any]) -> list[Any]:
    """Rows of `statement` whose `column` is among `values`, as many values a statement as the engine lists."""
    rows: list[Any] = []
    for part in batches(list(dict.fromkeys(values)), tx.engine.limits.listed):
        rows += fetch(tx, statement.where(column.in_(part)))
    return rows


def upsert(tx: Tx, table: Table, key: Sequence[str], rows: Sequence[RowMapping]) -> list[Outcome]:
    """Bring `rows` into `table` by their natural key; one Outcome per row, in order.

    Stored rows are read first and only rows that differ are written; columns that a row does not name keep
    their value. A key that comes twice is applied in order.
    """
    new = [normalised(table, row) for row in rows]
    stored = {_key(row, key): row for row in stored_rows(tx, table, key, new)}
    inserts: dict[tuple[Any, ...], Row] = {}
    changes: dict[int, Row] = {}
    outcomes = []
    for row in new:
        identity = _key(row, key)
        old = inserts.get(identity) or stored.get(identity)
        if old is None:
            inserts[identity] = row
            outcomes.append(Outcome.INSERTED)
        elif differences(table, old, row):
            old.update(row)
            if identity not in inserts:
                changes[old["id"]] = {**changes.get(old["id"], {}), **row}
            outcomes.append(Outcome.UPDATED)
        else:
            outcomes.append(Outcome.UNCHANGED)
    insert_rows(tx, table, key, list(inserts.values()))
    update_rows(tx, table, changes)
    return outcomes


def _key(row: RowMapping, key: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in key)


def stored_rows(tx: Tx, table: Table, key: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    """Rows that share the natural keys; the key column with the most different values carries the IN list."""
    if not rows:
        return []
    spread = {name: {row[name] for row in rows} for name in key}
    widest = max(key, key=lambda name: len(spread[name]))
    statement = select_rows(table)
    for name in key:
        if name != widest and len(spread[name]) == 1:
            statement = statement.where(table.c[name] == next(iter(spread[name])))
    return fetch_in(tx, statement, table.c[widest], (row[widest] for row in rows))


def insert_rows(tx: Tx, table: Table, key: Sequence[str], rows: Sequence[RowMapping]) -> None:
    """Insert through the engine's seam, as many rows a batch as it takes; absent columns are NULL, stamps are set."""
    names = [column.key for column in table.c if column.key != "id"]
    stamps = {name: tx.now for name in ("created_at", "updated_at") if name in table.c}
    empty = {**dict.fromkeys(names), **stamps}
    full = [{**empty, **row} for row in rows]
    for part in batches(full, tx.engine.limits.piece):
        tx.engine.insert(tx.connection, table, key, list(part))


def update_rows(tx: Tx, table: Table, changes: dict[int, Row]) -> None:
    """UPDATE by row id, executemany over rows that name the same columns, at most 500 rows a batch."""
    stamps = {"updated_at": tx.now} if "updated_at" in table.c else {}
    full = [({**row, **stamps}, row_id) for row_id, row in changes.items()]
    full.sort(key=lambda item: sorted(item[0]))
    for names, group in groupby(full, key=lambda item: sorted(item[0])):
        statement = (
            update(table)
            .where(table.c.id == bindparam("row_id"))
            .values({name: bindparam(f"new_{name}", type_=table.c[name].type) for name in names})
        )
        parameters = [{"row_id": row_id, **{f"new_{k}": v for k, v in row.items()}} for row, row_id in group]
        for part in batches(parameters):
            tx.connection.execute(statement, list(part))


class Repository:
    """Base of the repositories: how they reach the database when a method opens its own transaction."""

    def __init__(self, access: Any) -> None:
        self._access = access

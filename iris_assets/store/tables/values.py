"""Values on their way into a row: checked, normalised, compared; one converter per column, made once per table."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from sqlalchemy import Boolean, Column, Integer, Table

from iris_assets.errors import StoreError
from iris_assets.store.engine import Row, RowMapping
from iris_assets.store.tables.types import JsonText, Points, ShortText

NOT_COMPARED: Final = frozenset({"id", "created_at", "updated_at", "source_collected_at"})

NUL: Final = "\x00"  # says nothing in a text, and not every engine keeps it

Converter = Callable[[Any], Any]


def normalised(table: Table, row: RowMapping) -> Row:
    """`row` as the engines store it: empty strings are None, scores have two decimals.

    Raises StoreError COLUMN_UNKNOWN or VALUE_TOO_LONG.
    """
    converters = _converters(table)
    unknown = row.keys() - converters.keys()
    if unknown:
        names = ", ".join(sorted(unknown))
        raise StoreError("COLUMN_UNKNOWN", f"{table.name} has no column {names}", hint="see store/tables/schema.py")
    return {key: None if value is None else converters[key](value) for key, value in row.items()}


def differences(table: Table, old: RowMapping, new: RowMapping) -> set[str]:
    """Keys of `new` whose value differs from `old`; technical time stamps do not count."""
    changed = {key for key, value in new.items() if key not in NOT_COMPARED and old.get(key) != value}
    return {key for key in changed if not (key in _json_keys(table) and _same_json(old.get(key), new[key]))}


def canonical(value: Any) -> str:
    """JSON text with sorted keys: equal values are equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _same_json(old: Any, new: Any) -> bool:
    return old is not None and new is not None and canonical(old) == canonical(new)


@cache
def _json_keys(table: Table) -> frozenset[str]:
    return frozenset(column.key for column in table.c if isinstance(column.type, JsonText))


@cache
def _converters(table: Table) -> dict[str, Converter]:
    return {column.key: _converter(column) for column in table.c}


def _converter(column: Column[Any]) -> Converter:
    kind = column.type
    if isinstance(kind, ShortText):
        return _text(column, kind.impl_instance.length)  # type: ignore[attr-defined]
    if isinstance(kind, JsonText):
        return _json(column, kind.impl_instance.length)  # type: ignore[attr-defined]
    if isinstance(kind, Boolean):
        return bool
    if isinstance(kind, Points):
        return lambda value: round(float(value), 2)
    if isinstance(kind, Integer):
        return lambda value: None if value == "" else int(value)
    return lambda value: (value.replace(NUL, "") or None) if isinstance(value, str) else value


def _text(column: Column[Any], limit: int) -> Converter:
    def convert(value: Any) -> str | None:
        text = value if isinstance(value, str) else str(value)
        text = text.replace(NUL, "") if NUL in text else text
        if len(text) > limit:
            raise _too_long(column, text, limit)
        return text or None

    return convert


def _json(column: Column[Any], limit: int) -> Converter:
    def convert(value: Any) -> Any:
        text = canonical(value)
        if len(text) > limit:
            raise _too_long(column, text, limit)
        return value

    return convert


def _too_long(column: Column[Any], text: str, limit: int) -> StoreError:
    return StoreError(
        "VALUE_TOO_LONG",
        f"{column.table.name}.{column.name} takes {limit} characters, got {len(text)}",
        hint="the source holds an unusual value: look at it, then widen the column by a migration",
    )

"""What the tables and columns mean, for readers outside: the data dictionary, the export, the schema metadata of assets."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml
from sqlalchemy import Boolean, Column, Date, Integer

from iris_assets.store.tables.schema import metadata
from iris_assets.store.tables.types import JsonText, Points, UtcDateTime, Vector

KINDS: Final = (
    (Vector, "vector"), (JsonText, "JSON"), (UtcDateTime, "moment"), (Points, "number"), (Boolean, "yes or no"),
    (Date, "date"), (Integer, "integer"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ColumnMeaning:
    """A column for readers: `kind` is text, integer, number, yes or no, date, moment, JSON or vector."""

    name: str
    key: str
    kind: str
    required: bool
    identity: bool
    meaning: str


def tables() -> dict[str, str]:
    """The tables by name with what a row of each is, parents before children."""
    return {table.name: _meanings()[table.name]["_"] for table in metadata.sorted_tables}


def columns(table: str) -> list[ColumnMeaning]:
    """The columns of a table in their order."""
    own, shared = _meanings()[table], _meanings()["shared"]
    found = next(one for one in metadata.sorted_tables if one.name == table)
    unique = {column.name for rule in found.constraints for column in getattr(rule, "columns", ())} - {"Id"}
    return [
        ColumnMeaning(
            column.name, str(column.key), _kind(column), not column.nullable, column.name in unique,
            own.get(column.name) or shared[column.name],
        )
        for column in found.columns
    ]  # fmt: skip


def _kind(column: Column[Any]) -> str:
    return next((name for kind, name in KINDS if isinstance(column.type, kind)), "text")


@cache
def _meanings() -> dict[str, dict[str, str]]:
    text = (files("iris_assets.store.tables") / "meanings.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = yaml.safe_load(text)
    return found

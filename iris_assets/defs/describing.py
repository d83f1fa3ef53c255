"""What a user reads about every asset before a run: the columns of its table, how fresh it should be, its sources."""

from datetime import timedelta
from typing import Any, Final

import dagster as dg

from iris_assets.store.tables.schema import metadata as tables

COURT: Final = "https://dadosabertos.tse.jus.br/dataset/"
CHAMBER: Final = "https://dadosabertos.camara.leg.br/"

# The refresh is daily: a late night is a warning, a missed one a failure.
DAILY: Final = dg.FreshnessPolicy.time_window(fail_window=timedelta(hours=50), warn_window=timedelta(hours=26))

_TYPES: Final = {
    "LongText": "text",
    "JsonText": "JSON",
    "Points": "number",
    "UtcDateTime": "UTC time",
    "Vector": "vector",
    "Integer": "integer",
    "Boolean": "boolean",
    "Date": "date",
}


def stored_in(table: str, official_source: str | None = None) -> dict[str, Any]:
    """Definition metadata of an asset whose rows lie in `table` of the store: its columns, with links to the source."""
    found: dict[str, Any] = {"store_table": table, "dagster/column_schema": column_schema(table)}
    if official_source is not None:
        found["official_source"] = dg.MetadataValue.url(official_source)
    return found


def column_schema(table: str) -> dg.TableSchema:
    """The columns and natural keys of a table, under the names that are interface."""
    found = tables.tables[table]
    keys = [_names(constraint) for constraint in found.constraints if type(constraint).__name__ == "UniqueConstraint"]
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=str(column.name),
                type=_type(column.type),
                constraints=dg.TableColumnConstraints(nullable=bool(column.nullable), unique=bool(column.primary_key)),
            )
            for column in found.columns
        ],
        constraints=dg.TableConstraints(other=[f"unique ({', '.join(names)})" for names in sorted(keys)]),
    )


def _names(constraint: Any) -> list[str]:
    return sorted(str(column.name) for column in constraint.columns)


def _type(kind: Any) -> str:
    name = type(kind).__name__
    return _TYPES.get(name) or f"text({kind.length})"

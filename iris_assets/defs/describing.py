"""What a user reads about every asset before a run: the columns of its table, how fresh it should be, its sources."""

from typing import Any, Final

import dagster as dg

from iris_assets.ingest.freshness import FAIL_AFTER, WARN_AFTER
from iris_assets.store.tables.dictionary import columns

COURT: Final = "https://dadosabertos.tse.jus.br/dataset/"
CHAMBER: Final = "https://dadosabertos.camara.leg.br/"

DAILY: Final = dg.FreshnessPolicy.time_window(fail_window=FAIL_AFTER, warn_window=WARN_AFTER)


def stored_in(table: str, official_source: str | None = None) -> dict[str, Any]:
    """Definition metadata of an asset whose rows lie in `table` of the store: its columns, with links to the source."""
    found: dict[str, Any] = {"store_table": table, "dagster/column_schema": column_schema(table)}
    if official_source is not None:
        found["official_source"] = dg.MetadataValue.url(official_source)
    return found


def column_schema(table: str) -> dg.TableSchema:
    """The columns and natural key of a table, under the names that are interface, each with its meaning."""
    key = sorted(column.name for column in columns(table) if column.identity)
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=column.name,
                type=column.kind,
                description=column.meaning,
                constraints=dg.TableColumnConstraints(nullable=not column.required, unique=column.name == "Id"),
            )
            for column in columns(table)
        ],
        constraints=dg.TableConstraints(other=[f"unique ({', '.join(key)})"] if key else []),
    )

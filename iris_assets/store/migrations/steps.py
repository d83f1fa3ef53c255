"""What a migration does beyond plain tables, engine by engine: each engine brings its own `Steps`."""

from collections.abc import Iterable
from typing import Any

from alembic import op
from sqlalchemy import Column, Dialect


class Steps:
    """`op.create_table` and `op.create_index` in the engine's SQL schema, and what only some engines have to do.

    This one suits an engine that undoes a migration which broke off, and that needs nothing beyond the tables.
    """

    @property
    def schema(self) -> str | None:
        """The SQL schema of the tables; None where there is none."""
        return op.get_context().version_table_schema

    def prepare_offline(self, dialect: Dialect) -> None:
        """Give the dialect that prints the SQL what the engine's own knows."""

    def create_table(self, name: str, *items: Any, **options: Any) -> None:
        """Make a table of the schema."""
        op.create_table(name, *items, schema=self.schema, **options)

    def create_index(self, name: str, table: str, columns: list[str]) -> None:
        """Make a plain index."""
        op.create_index(name, table, columns, unique=False, schema=self.schema)

    def add_column(self, table: str, column: Column[Any]) -> None:
        """Add a column that may be empty."""
        op.add_column(table, column, schema=self.schema)

    def state_made(self) -> None:
        """The table of states is there, and no other yet."""

    def tables_made(self) -> None:
        """Every table is there: the place for what searches need."""

    def keep_vectors_in_rows(self) -> None:
        """Vectors lie in the row of their chunk, where the engine would put them elsewhere."""

    def drop_side_tables(self, names: Iterable[str]) -> None:
        """Drop tables that the embedded engine keeps beside the schema."""


def steps() -> Steps:
    """The steps of the engine that is being migrated."""
    config = op.get_context().config
    assert config is not None
    found: Steps = config.attributes["steps"]
    return found

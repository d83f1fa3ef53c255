"""Migrations of a SQLite file, which undoes one that broke off."""

from collections.abc import Iterable

from alembic import op

from iris_assets.store.migrations.steps import Steps


class SqliteSteps(Steps):
    """Beyond the tables: the text index of earlier versions goes; opening the store writes the new one."""

    def drop_side_tables(self, names: Iterable[str]) -> None:
        """Drop tables that are no part of the schema, with the triggers that watch them."""
        for name in names:
            op.execute(f"DROP TABLE IF EXISTS {name}")

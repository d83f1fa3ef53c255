"""Migrations of a server that keeps what a broken-off one has made: every step looks first at what is there."""

from typing import Any

from alembic import op
from sqlalchemy import Column, Dialect

from iris_assets.store.iris.changes import is_there
from iris_assets.store.iris.ddl import TEXT_INDEX, add_embedding, create_text_index, drop_embedding, note_dimension
from iris_assets.store.migrations.steps import Steps


class IrisSteps(Steps):
    """A second run over a half-made schema completes it; SQL that is printed asks nobody and takes every step."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._half_made = False

    def prepare_offline(self, dialect: Dialect) -> None:
        """The dimension that the embedding column is printed with."""
        dialect.vector_dimension = self._dimension  # type: ignore[attr-defined]

    def create_table(self, name: str, *items: Any, **options: Any) -> None:
        """Make a table unless an earlier run made it."""
        if not self._is_there("TABLES", name, name):
            super().create_table(name, *items, **options)

    def create_index(self, name: str, table: str, columns: list[str]) -> None:
        """Make an index unless an earlier run made it."""
        if not self._is_there("INDEXES", table, name):
            super().create_index(name, table, columns)

    def add_column(self, table: str, column: Column[Any]) -> None:
        """Add a column unless an earlier run added it."""
        if not self._is_there("COLUMNS", table, str(column.name)):
            super().add_column(table, column)

    def state_made(self) -> None:
        """Note the dimension in the migration's own transaction: a schema at head is never without it."""
        self._half_made = self._is_there("TABLES", "PoliticalChunk", "PoliticalChunk")
        op.execute(note_dimension(str(self.schema), self._dimension))

    def tables_made(self) -> None:
        """The embedding column of this run's dimension (no vector is there yet), and the text index."""
        if self._half_made:
            if self._is_there("COLUMNS", "PoliticalChunk", "Embedding"):
                op.execute(drop_embedding(str(self.schema)))
            op.execute(add_embedding(str(self.schema), self._dimension))
        if not self._is_there("INDEXES", "PoliticalChunk", TEXT_INDEX):
            op.execute(create_text_index(str(self.schema)))

    def _is_there(self, view: str, table: str, name: str) -> bool:
        context = op.get_context()
        connection = None if context.as_sql else context.connection
        return connection is not None and is_there(connection, view, str(self.schema), table, name)

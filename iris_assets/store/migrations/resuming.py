"""Tables and indexes of a migration, made unless they are there: a server keeps what a broken-off migration has made."""

from typing import Any

from alembic import op

from iris_assets.store.iris.changes import is_there
from iris_assets.store.iris.ddl import add_embedding, drop_embedding


class Resumed:
    """`op.create_table`, `op.create_index` and `op.execute` that a second run over a half-made schema can repeat.

    SQLite undoes a migration that broke off, and SQL that is printed asks nobody: there every step is taken.
    """

    def __init__(self) -> None:
        context = op.get_context()
        self.schema = context.version_table_schema
        self.on_server = context.dialect.name == "iris"
        self.dimension = getattr(context.dialect, "vector_dimension", 0)  # of IRIS alone
        self._connection = None if context.as_sql or not self.on_server else context.connection

    def has_table(self, name: str) -> bool:
        """Whether an earlier run made this table."""
        return self._is_there("TABLES", name, name)

    def create_table(self, name: str, *items: Any, **options: Any) -> None:
        """Make a table of the schema."""
        if not self.has_table(name):
            op.create_table(name, *items, schema=self.schema, **options)

    def create_index(self, name: str, table: str, columns: list[str]) -> None:
        """Make a plain index."""
        if not self._is_there("INDEXES", table, name):
            op.create_index(name, table, columns, unique=False, schema=self.schema)

    def execute_index(self, name: str, table: str, statement: str) -> None:
        """Make an index by a statement of the server's own."""
        if not self._is_there("INDEXES", table, name):
            op.execute(statement)

    def embedding_anew(self) -> None:
        """Give the chunk table of an earlier run the embedding column of this one's dimension."""
        if self._is_there("COLUMNS", "PoliticalChunk", "Embedding"):
            op.execute(drop_embedding(str(self.schema)))
        op.execute(add_embedding(str(self.schema), self.dimension))

    def _is_there(self, view: str, table: str, name: str) -> bool:
        return self._connection is not None and is_there(self._connection, view, str(self.schema), table, name)

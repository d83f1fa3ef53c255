"""Migrations of a PostgreSQL schema, which undoes one that broke off."""

from typing import Final

from alembic import op

from iris_assets.store.migrations.steps import Steps

EXTENSION: Final = "CREATE EXTENSION IF NOT EXISTS vector"
# What of a chunk is searched: its words with their places and weights, and the tokens that it can be filtered by.
SEARCH_TABLE: Final = (
    'CREATE TABLE "ChunkSearch" ('
    '"ChunkId" INTEGER PRIMARY KEY REFERENCES "PoliticalChunk" ("Id") ON DELETE CASCADE, '
    '"Words" TSVECTOR NOT NULL, "Filter" TEXT[] NOT NULL)',
    # A row stays in one place up to a page: ranking reads thousands of them.
    'ALTER TABLE "ChunkSearch" SET (toast_tuple_target = 8160)',
    'CREATE INDEX "ChunkSearchWordsIdx" ON "ChunkSearch" USING gin ("Words")',
    'CREATE INDEX "ChunkSearchFilterIdx" ON "ChunkSearch" USING gin ("Filter")',
    # The mean length of a chunk is read from this index alone.
    'CREATE INDEX "PoliticalChunkLengthIdx" ON "PoliticalChunk" ("SearchTermCount")',
)


class PostgresSteps(Steps):
    """Beyond the tables: pgvector before the first of them, the full-text index after the last."""

    def state_made(self) -> None:
        """pgvector, which an administrator may have made already."""
        op.execute(EXTENSION)

    def tables_made(self) -> None:
        """The full-text index."""
        for statement in SEARCH_TABLE:
            op.execute(statement)

    def keep_vectors_in_rows(self) -> None:
        """Comparing all vectors reads rows in order, a third of the time of fetching each from its side table.

        A vector that a page cannot hold still goes there. Rows that are stored already move when they are next written.
        """
        op.execute('ALTER TABLE "PoliticalChunk" ALTER COLUMN "Embedding" SET STORAGE MAIN')

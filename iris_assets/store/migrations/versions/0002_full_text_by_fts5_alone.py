"""The embedded store's full text by FTS5 alone: the postings kept beside it go. Opening the store writes the new index."""

from iris_assets.store.migrations.steps import steps

revision = "0002"
down_revision = "0001"

# Dropping a table takes the triggers that watched it along.
TABLES = (
    "chunk_search",
    "chunk_search_row",
    "chunk_search_state",
    "chunk_search_posting",
    "chunk_search_block",
    "chunk_search_tail",
    "chunk_search_vocabulary",
)


def upgrade() -> None:
    steps().drop_side_tables(TABLES)


def downgrade() -> None:
    pass

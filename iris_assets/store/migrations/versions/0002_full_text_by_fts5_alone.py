"""The embedded store's full text by FTS5 alone: the postings kept beside it go. Opening the store writes the new index."""

from alembic import op

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
    if op.get_context().dialect.name == "sqlite":
        for table in TABLES:
            op.execute(f"DROP TABLE IF EXISTS {table}")


def downgrade() -> None:
    pass

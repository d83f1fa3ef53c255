"""Vectors in the rows of their chunks (PostgreSQL)."""

from iris_assets.store.migrations.steps import steps

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    steps().keep_vectors_in_rows()


def downgrade() -> None:
    pass

"""The election whose records a run refreshed: runs of two elections in one UF no longer stand for each other."""

import sqlalchemy as sa

from iris_assets.store.migrations.steps import steps

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    steps().add_column("IngestionRun", sa.Column("ElectionYear", sa.Integer()))


def downgrade() -> None:
    pass

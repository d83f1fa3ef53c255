"""Facts of a filing on its link, when an answer was last opened, and how many authors a bill has at its source."""

from sqlalchemy import Column, Integer

from iris_assets.store.migrations.steps import steps
from iris_assets.store.tables.types import ShortText, UtcDateTime

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    step = steps()
    step.add_column("Proposition", Column("AuthorTotal", Integer))
    step.add_column("SourceCandidate", Column("Title", ShortText(500)))
    step.add_column("SourceCandidate", Column("SourceUrl", ShortText(1000)))
    step.add_column("SourceCandidate", Column("SourceCollectedAt", UtcDateTime))
    step.add_column("Answer", Column("OpenedAt", UtcDateTime))


def downgrade() -> None:
    pass

"""Which version of a news article counts, when its page was read, and what became of the others."""

from sqlalchemy import Column

from iris_assets.store.migrations.steps import steps
from iris_assets.store.tables.types import ShortText

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    step = steps()
    for name, size in (
        ("FetchedAt", 40),
        ("Status", 20),
        ("StatusReason", 500),
        ("ReplacedBy", 64),
        ("Correction", 1000),
    ):
        step.add_column("NewsArticle", Column(name, ShortText(size)))


def downgrade() -> None:
    pass

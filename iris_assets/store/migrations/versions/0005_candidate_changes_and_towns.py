"""What the court corrected in a candidacy, run by run; the electoral unit of a candidate: the town in municipal elections."""

import sqlalchemy as sa

from iris_assets.store.migrations.steps import steps
from iris_assets.store.tables.types import ExactText, ShortText, UtcDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    step = steps()
    step.add_column("Candidate", sa.Column("ElectoralUnit", ShortText(10)))
    step.add_column("Candidate", sa.Column("ElectoralUnitName", ShortText(100)))
    step.create_table(
        "CandidateChange",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("TseId", ExactText(40), nullable=False),
        sa.Column("ElectionYear", sa.Integer(), nullable=False),
        sa.Column("Field", ExactText(50), nullable=False),
        sa.Column("ValueBefore", ShortText(255), nullable=True),
        sa.Column("ValueAfter", ShortText(255), nullable=True),
        sa.Column("RunKey", ExactText(36), nullable=False),
        sa.Column("ChangedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("TseId", "ElectionYear", "Field", "RunKey", name="CandidateChangeKey"),
        sqlite_autoincrement=True,
    )
    step.create_index("CandidateChangeTimeIdx", "CandidateChange", ["ChangedAt"])


def downgrade() -> None:
    pass

"""${message}"""

from alembic import op
import sqlalchemy as sa

from iris_assets.store.tables.types import ExactText, JsonText, LongText, ShortText, UtcDateTime, Vector

revision = "${up_revision}"
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    ${downgrades if downgrades else "pass"}

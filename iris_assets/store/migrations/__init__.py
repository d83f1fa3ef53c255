"""Alembic migrations, packaged with the code: one history for all engines."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from iris_assets.errors import StoreError
from iris_assets.store.migrations.steps import Steps

HEAD: Final = "0007"
REVISIONS: Final = (
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
)  # in order; a test compares both with the files


def upgrade(connection: Connection, steps: Steps, *, schema: str | None = None) -> None:
    """Bring the database of `connection` to head by the engine's steps, inside the caller's transaction."""
    config = configuration(steps, schema)
    # A translated schema name would come out quoted: the migrations name their schema themselves.
    plain = connection.execution_options(schema_translate_map=None) if schema else connection
    config.attributes["connection"] = plain
    command.upgrade(config, "head")


def configuration(steps: Steps, schema: str | None = None) -> Config:
    """Alembic's configuration; `schema` is the SQL schema of the tables, None where there is none."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes.update(schema=schema, steps=steps)
    return config


def check_known(version: str | None) -> None:
    """Raise StoreError STORE_NEWER when the database was made by a later version of this code."""
    if version is not None and version not in REVISIONS:
        raise StoreError(
            "STORE_NEWER",
            f"the store stands at migration {version}, this version knows {', '.join(REVISIONS)}",
            hint="use the version of iris-assets that made it, or a newer one",
        )


def require_head(version: str | None, place: str) -> None:
    """Raise StoreError STORE_NOT_MIGRATED where a server's tables (`place` names them) do not stand at head."""
    check_known(version)
    if version != HEAD:
        raise StoreError(
            "STORE_NOT_MIGRATED",
            f"{place} stands at {version or 'nothing'}, this version needs {HEAD}",
            hint="run iris-assets db upgrade",
        )

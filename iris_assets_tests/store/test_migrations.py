"""Migrations and schema say the same; the revisions named in the code are those in the folder."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from iris_assets.store import open_store
from iris_assets.store.migrations import HEAD, REVISIONS, configuration
from iris_assets.store.migrations.steps import Steps
from iris_assets.store.sqlite.engine import SqliteEngine
from iris_assets.store.tables.schema import metadata


def test_the_migrated_file_has_the_schema_of_the_code(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    assert isinstance(store.engine, SqliteEngine)
    ours = {table.name for table in metadata.tables.values()}
    with store.engine.reading() as connection:
        options = {"compare_type": True, "include_name": lambda name, kind, _: kind != "table" or name in ours}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
    assert store.schema_version() == HEAD


def test_the_revisions_of_the_code_are_those_of_the_folder() -> None:
    scripts = ScriptDirectory.from_config(configuration(Steps()))
    found = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS and scripts.get_heads() == [HEAD]


@pytest.mark.parametrize("name", ["Candidate", "PoliticalChunk", "IngestionRun"])
def test_tables_keep_the_names_of_the_classes(tmp_path: Path, name: str) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    with store.snapshot() as tx:
        assert tx.connection.exec_driver_sql(f'SELECT count(*) FROM "{name}"').scalar_one() == 0

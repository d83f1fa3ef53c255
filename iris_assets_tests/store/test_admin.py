"""An administrator's work: migrations and DDL, checks, another dimension, the vector index; each taken up again."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store import Store, admin
from iris_assets.store.iris import changes as iris_changes
from iris_assets.store.iris.ddl import create_vector_index
from iris_assets.store.iris.engine import IrisEngine
from iris_assets.store.iris.vectors import DIMENSION_NOTE
from iris_assets.store.migrations import HEAD
from iris_assets.store.tables.rows import update_rows
from iris_assets.store.tables.schema import candidate
from iris_assets_tests.flows.commands import iris_assets
from iris_assets_tests.store import flow
from iris_assets_tests.store.catalogue import LOST, Catalogue
from iris_assets_tests.store.conftest import add_candidate, add_document, recorded_store
from iris_assets_tests.store.recorder import SCHEMA, OperationalError, Recorder


def test_the_check_names_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    url = f"sqlite:///{path}"
    assert admin.upgrade(url) == HEAD
    assert admin.check(url)["ok"] and admin.check(url)["findings"] == []
    with sqlite3.connect(path) as connection:
        connection.execute('ALTER TABLE "Candidate" DROP COLUMN "Round"')
        connection.execute('ALTER TABLE "Candidate" ADD COLUMN "Extra" TEXT')
        connection.execute('DROP TABLE "NewsArticle"')
    found = admin.check(url)
    assert not found["ok"] and set(found["findings"]) == {
        "table NewsArticle is missing",
        "column Candidate.Round is missing",
        "column Candidate.Extra is not ours",
    }


def test_sqlite_holds_every_dimension_and_needs_no_index(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    assert admin.set_dimension(url, 384) is None
    assert admin.build_vector_index(url) is None
    with pytest.raises(ConfigurationError):
        admin.set_dimension(url, 0)
    said = iris_assets("db", "set-dimension", "384", "--url", url, cwd=tmp_path)
    assert said.code == 0 and said.out == "Este banco guarda vetores de qualquer dimensão: nada a mudar.\n"
    said = iris_assets("db", "index", "--url", url, cwd=tmp_path)
    assert said.code == 0 and "nenhum índice" in said.out
    assert list(tmp_path.iterdir()) == []


TABLE = 'IRISPolitical_Model."PoliticalChunk"'
DROP_INDEX = f"DROP INDEX ChunkVectorIdx ON {TABLE}"
DROP_COLUMN = f'ALTER TABLE {TABLE} DROP COLUMN "Embedding"'
ADD_COLUMN = f'ALTER TABLE {TABLE} ADD COLUMN "Embedding" VECTOR(DOUBLE, 384)'
NOTE = 'INSERT OR UPDATE INTO IRISPolitical_Model."SourceState"'


@pytest.fixture
def server(tmp_path: Path) -> Catalogue:
    """A server in use: three chunks with vectors of three numbers and an HNSW index over them."""
    server = Catalogue(tmp_path / "behind.sqlite3", names={("COLUMNS", "Embedding"), ("INDEXES", "ChunkVectorIdx")})
    server.scripted += [("DROP INDEX", []), ("CREATE INDEX", []), ("TUNE TABLE", [])]
    store = recorded_store(server)
    flow.write_everything(store)
    store.close()
    server.events.clear()
    return server


def _sent(server: Recorder) -> list[str]:
    changes = ("ALTER", "DROP INDEX", "CREATE INDEX", "TUNE", "UPDATE")
    return [event.statement for event in server.statements() if event.statement.startswith(changes)]


def test_another_dimension_on_iris_rebuilds_the_column_and_makes_every_chunk_pending(server: Catalogue) -> None:
    store = recorded_store(server)
    assert iris_changes.set_dimension(store, SCHEMA, 384) == 3
    sent = _sent(server)
    assert [sent[0], sent[-2], sent[-1]] == [DROP_INDEX, DROP_COLUMN, ADD_COLUMN]
    assert [statement[:70] for statement in sent[1:-2]] == [f'UPDATE {TABLE} SET "EmbeddingModel"=?, "Embed'[:70]]
    assert store.chunks.pending_count("m", 3) == 3
    note = store.state.get(*DIMENSION_NOTE)
    assert note is not None and note.consumed_key == "384"


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("step", [NOTE, "DROP INDEX", "UPDATE IRIS", "DROP COLUMN", "ADD COLUMN"])
def test_another_dimension_is_completed_by_the_next_call(server: Catalogue, step: str, done: bool) -> None:
    """Whether the server has done the step or not when the link breaks: what is there says what is left to do."""
    store = recorded_store(server)
    if done:
        server.lost.append(step)
    else:
        server.failures.append((step, LOST))
    with pytest.raises((DBAPIError, StoreError)):
        iris_changes.set_dimension(store, SCHEMA, 384)
    server.events.clear()
    assert iris_changes.set_dimension(store, SCHEMA, 384) == 3
    index = step == NOTE or (step == "DROP INDEX" and not done)
    gone = (step == "DROP COLUMN" and done) or (step == "ADD COLUMN" and not done)
    ddl = [statement for statement in _sent(server) if not statement.startswith("UPDATE")]
    assert ddl == [*[DROP_INDEX] * index, *[DROP_COLUMN] * (not gone), ADD_COLUMN]
    assert store.chunks.pending_count("m", 3) == 3
    store.close()
    later = recorded_store(server)
    with pytest.raises(StoreError) as refused, later.transaction() as tx:
        later.chunks.set_vectors(tx, [(1, [1, 2, 3])], "m", 3)
    assert refused.value.code == "VECTOR_DIMENSION"


def test_the_stamps_are_reset_500_a_unit_and_what_is_done_is_passed_over(server: Catalogue) -> None:
    store = recorded_store(server)
    candidate_id = add_candidate(store, "many")
    for number in range(3):
        add_document(store, f"{number}" * 64, [candidate_id], [f"texto {number} {n}" for n in range(400)])
        with store.transaction() as tx:
            pending = store.chunks.pending("m", 3, limit=500)
            store.chunks.set_vectors(tx, [(row["id"], [1, 2, 3]) for row in pending], "m", 3)
    server.events.clear()
    server.failures.append(("DROP COLUMN", LOST))
    with pytest.raises(DBAPIError):
        iris_changes.set_dimension(store, SCHEMA, 384)
    units = " ".join(event.statement.partition(" ")[0] or event.kind for event in server.events).split("commit")
    assert [unit.count("UPDATE") for unit in units if "UPDATE" in unit.replace("OR UPDATE", "")] == [1, 1, 1]
    ranges = [event.parameters[2:4] for event in server.statements() if event.statement.startswith("UPDATE")]
    assert all(last - first < 510 for first, last in ranges) and ranges == sorted(ranges)
    assert store.chunks.pending_count("m", 3) == 1203
    server.events.clear()
    assert iris_changes.set_dimension(store, SCHEMA, 384) == 1203
    assert _sent(server) == [DROP_COLUMN, ADD_COLUMN]


class Busy(Catalogue):
    """Others write while the column changes: one a vector of the new dimension, one a stamp whose vector went."""

    def take(self, statement: str) -> None:
        super().take(statement)
        if "ADD COLUMN" in statement:
            with closing(sqlite3.connect(self.file)) as other, other:
                stamp = 'UPDATE "PoliticalChunk" SET "EmbeddingModel" = ?, "Embedding" = ? WHERE "ChunkIndex" = ?'
                other.executemany(stamp, [("new", "1,2", 0), ("old", None, 1)])


def test_a_vector_that_comes_while_the_column_changes_is_kept_and_a_stamp_without_one_is_not(tmp_path: Path) -> None:
    server = Busy(tmp_path / "behind.sqlite3", names={("COLUMNS", "Embedding")})
    store = recorded_store(server)
    flow.write_everything(store)
    iris_changes.set_dimension(store, SCHEMA, 384)
    with closing(sqlite3.connect(server.file)) as database:
        rows = database.execute('SELECT "ChunkIndex", "EmbeddingModel" FROM "PoliticalChunk" ORDER BY "ChunkIndex"')
        assert rows.fetchall() == [(0, "new"), (1, None), (2, None)]


@pytest.mark.parametrize("there", [True, False])
def test_the_vector_index_is_built_once(server: Catalogue, there: bool) -> None:
    if not there:
        server.names.remove(("INDEXES", "ChunkVectorIdx"))
    store = recorded_store(server)
    assert iris_changes.build_vector_index(store, SCHEMA) is not there
    built = [] if there else [create_vector_index(SCHEMA)]
    assert _sent(server) == [*built, f"TUNE TABLE {TABLE}"]
    assert iris_changes.build_vector_index(store, SCHEMA) is False


@pytest.fixture
def fresh(tmp_path: Path) -> Catalogue:
    """A server without our schema."""
    server = Catalogue(tmp_path / "behind.sqlite3")
    server.scripted += [("CREATE ", []), ("ALTER ", []), ("INSERT INTO IRISPol", []), ("version_num", [])]
    return server


def _upgrade(server: Catalogue, dimension: int) -> Store:
    engine = IrisEngine("iris://u:p@h:1/N", schema=SCHEMA, driver=server, dimension=dimension)
    engine.dialect.server_version_info, engine.dialect.supports_vectors = (2025, 1, 0), True  # type: ignore[attr-defined]
    store = Store(engine)
    store.engine.administration.upgrade()
    return store


def _made(server: Recorder) -> list[str]:
    """What was sent to make the schema, without the table of versions that Alembic keeps."""
    making = ("CREATE", "ALTER", "INSERT")
    sent = [event.statement for event in server.statements() if event.statement.startswith(making)]
    return [statement for statement in sent if "alembic_version" not in statement]


def _printed(dimension: int) -> list[str]:
    text = admin.ddl("iris://u:p@127.0.0.1:1972/IRISAPP", dimension=dimension)
    parts = [re.sub(r"--.*", "", part) for part in text.split(";")]
    wanted = [" ".join(part.split()) for part in parts if "HNSW" not in part and "alembic_version" not in part]
    return [part for part in wanted if part not in {"", "BEGIN", "COMMIT"}]


def test_the_migrations_send_iris_what_the_offline_ddl_says(fresh: Catalogue) -> None:
    _upgrade(fresh, 384)
    assert _made(fresh) == _printed(384)
    versions = [event.statement for event in fresh.statements() if "alembic_version" in event.statement]
    assert (
        versions[-1].startswith("UPDATE IRISPolitical_Model.alembic_version SET version_num") and HEAD in versions[-1]
    )


def test_the_dimension_is_noted_in_the_unit_of_the_migration(fresh: Catalogue) -> None:
    """A schema at head without the note could be filled with vectors of any length: it must not come to be."""
    store = _upgrade(fresh, 384)
    sent = [event.statement or event.kind for event in fresh.events]
    note = next(n for n, statement in enumerate(sent) if statement.startswith(NOTE))
    version = max(n for n, statement in enumerate(sent) if "alembic_version" in statement)
    assert note < version and not {"commit", "rollback"} & set(sent[note:version]) and sent[version + 1] == "commit"
    kept = store.state.get(*DIMENSION_NOTE)
    assert kept is not None and kept.consumed_key == "384"


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize(
    "step", ["CandidatePartyIdx", '"PoliticalChunk" (', "PoliticalChunkTextIdx", "ChunkTextIdx ON"]
)
def test_a_migration_that_broke_off_is_completed_by_the_next_call(fresh: Catalogue, step: str, done: bool) -> None:
    """A server keeps the tables that were made: what is missing is made, and the column of this call's dimension."""
    if done:
        fresh.lost.append(step)
    else:
        fresh.failures.append((step, LOST))
    with pytest.raises(DBAPIError):
        _upgrade(fresh, 1536)
    made = [*_made(fresh)[: None if done else -1]]
    chunks = any('"PoliticalChunk" (' in statement and "CREATE TABLE" in statement for statement in made)
    fresh.events.clear()
    store = _upgrade(fresh, 384)
    left = [statement for statement in _printed(384) if statement.startswith(NOTE) or statement not in made]
    left = [
        statement
        for statement in left
        if not (chunks and 'CREATE TABLE IRISPolitical_Model."PoliticalChunk"' in statement)
    ]
    anew = [DROP_COLUMN, ADD_COLUMN] if chunks else []
    assert sorted(_made(fresh)) == sorted([*left, *anew])
    kept = store.state.get(*DIMENSION_NOTE)
    assert kept is not None and kept.consumed_key == "384"


def test_the_check_says_when_the_dimension_is_noted_nowhere(server: Catalogue) -> None:
    store = recorded_store(server)
    (finding,) = store.engine.administration.findings(store)
    assert "db set-dimension" in finding
    iris_changes.set_dimension(store, SCHEMA, 384)
    assert list(store.engine.administration.findings(store)) == []


def test_a_wrong_password_is_told_as_such(recorder: Recorder) -> None:
    recorder.failures.append(("connect", OperationalError("Access Denied")))
    with pytest.raises(StoreError) as denied:
        recorded_store(recorder)
    assert denied.value.code == "STORE_ACCESS_DENIED" and "IRIS_PASSWORD" in denied.value.hint


def test_updates_by_id_name_only_the_columns_that_they_change(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    candidate_id = add_candidate(store, "1")
    recorder.events.clear()
    with store.transaction() as tx:
        update_rows(tx, candidate, {candidate_id: {"party": "PXB"}})
    table = 'IRISPolitical_Model."Candidate"'
    sent = [event.statement for event in recorder.statements() if event.statement.startswith("UPDATE")]
    assert sent == [f'UPDATE {table} SET "Party"=?, "UpdatedAt"=? WHERE {table}."Id" = ?']

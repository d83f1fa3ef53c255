"""An administrator's work: migrations and DDL, checks, another dimension, moving between the stores and back."""

import json
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store import Store, admin, open_store
from iris_assets.store.copying import copy_tables
from iris_assets.store.rows import update_rows
from iris_assets.store.schema import candidate
from iris_assets_tests.flows.commands import command_line, environment
from iris_assets_tests.store import flow
from iris_assets_tests.store.conftest import add_candidate, add_document, candidate_row, recorded_store
from iris_assets_tests.store.recorder import SCHEMA, OperationalError, Recorder


def _silent(_table: str, _done: int) -> None:
    return None


def _filled(path: Path) -> Store:
    store = open_store(f"sqlite:///{path}")
    add_document(store, "e" * 64, [add_candidate(store, "gone")], ["x"])
    with store.transaction() as tx:  # so that row ids of source and target differ
        store.links.remove(tx, "GOVERNMENT_PROPOSAL", "e" * 64, 1)
    flow.write_everything(store)
    return store


def test_a_store_moves_to_another_file_and_is_the_same_there(tmp_path: Path) -> None:
    source = _filled(tmp_path / "a.sqlite3")
    url = f"sqlite:///{tmp_path / 'b.sqlite3'}"
    first = admin.copy(source.url_safe, url)
    target = open_store(url)
    assert flow.logical_rows(target) == flow.logical_rows(source)
    assert first == {name: len(rows) for name, rows in flow.logical_rows(source).items()}
    assert target.lexical.verify(deep=True).ok
    before = target.candidates.list()
    admin.copy(source.url_safe, url)
    assert target.candidates.list() == before


def test_a_store_moves_to_iris_and_back(tmp_path: Path, recorder: Recorder) -> None:
    """The recorder stands where the server would: the statements are those of IRIS, the rows come back the same."""
    source = _filled(tmp_path / "a.sqlite3")
    recorder.scripted.append(("BUILD INDEX", [(1,)]))
    server = recorded_store(recorder)
    copy_tables(source, server, _silent)
    home = open_store(f"sqlite:///{tmp_path / 'c.sqlite3'}")
    copy_tables(server, home, _silent)
    assert flow.logical_rows(source) == flow.logical_rows(server) == flow.logical_rows(home)
    assert home.chunks.candidates_of(home.chunks.get(range(1, 20))).values()


def test_a_copy_that_broke_off_goes_on_and_corrects_what_differs(tmp_path: Path) -> None:
    source, url = _filled(tmp_path / "a.sqlite3"), f"sqlite:///{tmp_path / 'b.sqlite3'}"
    target = open_store(url)
    add_candidate(target, "0", party="OLD")
    admin.copy(source.url_safe, url)
    assert flow.logical_rows(target) == flow.logical_rows(source)


def test_a_copy_killed_on_its_way_is_taken_up_again(tmp_path: Path) -> None:
    source, url = _filled(tmp_path / "a.sqlite3"), f"sqlite:///{tmp_path / 'b.sqlite3'}"
    for start in range(0, 3000, 500):
        with source.transaction() as tx:
            source.candidates.upsert(tx, [candidate_row(f"many{n}") for n in range(start, start + 500)])
    target = open_store(url)
    command = command_line(["db", "copy", "--from", source.url_safe, "--to", url])
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL)
    while not target.statistics()["tables"]["candidate"] and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    process.wait()
    arrived = target.statistics()["tables"]["candidate"]
    assert arrived > 0
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["Candidate"] == source.statistics()["tables"]["candidate"] > 3000
    assert flow.logical_rows(target) == flow.logical_rows(source)


def test_rows_that_only_the_target_has_are_told(tmp_path: Path) -> None:
    source, url = _filled(tmp_path / "a.sqlite3"), f"sqlite:///{tmp_path / 'b.sqlite3'}"
    add_candidate(open_store(url), "only here")
    with pytest.raises(StoreError) as differs:
        admin.copy(source.url_safe, url)
    assert differs.value.code == "COPY_DIFFERS" and "Candidate" in str(differs.value)
    with pytest.raises(ConfigurationError):
        admin.copy(url, url)


def test_the_check_names_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    url = f"sqlite:///{path}"
    assert admin.upgrade(url) == "0001"
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


def test_sqlite_holds_every_dimension(tmp_path: Path) -> None:
    assert admin.set_dimension(f"sqlite:///{tmp_path / 'a.sqlite3'}", 384) == 0
    with pytest.raises(ConfigurationError):
        admin.set_dimension(f"sqlite:///{tmp_path / 'a.sqlite3'}", 0)


def test_another_dimension_on_iris_rebuilds_the_column_and_makes_every_chunk_pending(recorder: Recorder) -> None:
    recorder.scripted += [("INFORMATION_SCHEMA", [(1,)]), ("DROP INDEX", [])]
    store = recorded_store(recorder)
    flow.write_everything(store)
    recorder.events.clear()
    assert admin.set_server_dimension(store, SCHEMA, 384) == 3
    sent = [event.statement for event in recorder.statements()]
    table = 'IRISPolitical_Model."PoliticalChunk"'
    assert f"DROP INDEX ChunkVectorIdx ON {table}" in sent
    assert f'ALTER TABLE {table} ADD COLUMN "Embedding" VECTOR(DOUBLE, 384)' in sent
    assert store.chunks.pending_count("m", 3) == 3
    note = store.state.get("schema", "embedding_dimension")
    assert note is not None and note.consumed_key == "384"


def test_the_migrations_send_iris_what_the_offline_ddl_says(recorder: Recorder) -> None:
    offline = admin.ddl("iris://u:p@127.0.0.1:1972/IRISAPP", dimension=384)
    store = recorded_store(recorder)
    store.engine.dialect.vector_dimension = 384  # type: ignore[attr-defined]
    recorder.events.clear()
    recorder.scripted += [
        ("CREATE ", []),
        ("INFORMATION_SCHEMA", [(0,)]),
        ("INSERT INTO IRISPol", []),
        ("version_num", []),
    ]
    admin.upgrade_server(store, SCHEMA, 384)
    sent = [event.statement for event in recorder.statements() if event.statement.startswith("CREATE")]
    expected = [" ".join(part.split()) for part in offline.split(";") if "CREATE" in part and "HNSW" not in part]
    assert sent == [part[part.index("CREATE") :] for part in expected]
    versions = [event.statement for event in recorder.statements() if "alembic_version (" in event.statement]
    assert versions[-1] == "INSERT INTO IRISPolitical_Model.alembic_version (version_num) VALUES ('0001')"


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

"""Moving between the stores and back: taken up again after a break, refused where something would be lost or unsound."""

import json
import subprocess
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store import Store, admin, open_store
from iris_assets.store.copying import copy_tables
from iris_assets.store.iris.vectors import DIMENSION_NOTE
from iris_assets_tests.flows.commands import command_line, environment, iris_assets
from iris_assets_tests.store import flow
from iris_assets_tests.store.conftest import (
    add_candidate,
    add_document,
    author_row,
    bill_row,
    candidate_row,
    recorded_store,
)
from iris_assets_tests.store.recorder import Recorder


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


OWN_ROWS: dict[str, Callable[[Store], object]] = {
    "a row more": lambda store: add_candidate(store, "only here"),
    "another row of a key": lambda store: add_candidate(store, "0", party="OLD"),
    "a row more below a parent of the source": lambda store: add_bill(store, "Z"),
}


def add_bill(store: Store, author: str) -> None:
    """Bill 1 as the source has it, with an author of the target's own."""
    with store.transaction() as tx:
        bill = bill_row(1, presentation_date=date(2023, 3, 1), status_at="2023-03-02T10:00", status="Arquivada")
        store.camara.upsert_bill(tx, bill, [author_row(author, 1)], [])


@pytest.mark.parametrize("case", OWN_ROWS)
def test_a_target_with_rows_of_its_own_is_refused_before_anything_is_written(tmp_path: Path, case: str) -> None:
    source, url = _filled(tmp_path / "a.sqlite3"), f"sqlite:///{tmp_path / 'b.sqlite3'}"
    target = open_store(url)
    OWN_ROWS[case](target)
    before = flow.logical_rows(target)
    with pytest.raises(StoreError) as taken:
        admin.copy(source.url_safe, url)
    assert taken.value.code == "COPY_TARGET_TAKEN" and "empty" in taken.value.hint
    assert flow.logical_rows(target) == before
    with pytest.raises(ConfigurationError) as same:
        admin.copy(url, url)
    assert same.value.code == "COPY_ONTO_ITSELF"


def test_a_target_that_has_part_of_the_source_is_completed(tmp_path: Path, recorder: Recorder) -> None:
    """As a copy that broke off leaves it; the recorder stands for a server, whose row ids differ."""
    source = _filled(tmp_path / "a.sqlite3")
    recorder.scripted.append(("BUILD INDEX", [(1,)]))
    server = recorded_store(recorder)

    def break_off(table: str, _done: int) -> None:
        if table == "PropositionAuthor":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_tables(source, server, break_off)
    assert server.statistics()["tables"]["proposition_author"] > 0 == server.statistics()["tables"]["source_candidate"]
    copied = copy_tables(source, server, _silent)
    assert flow.logical_rows(server) == flow.logical_rows(source)
    assert copied == {name: len(rows) for name, rows in flow.logical_rows(source).items()}


@pytest.mark.parametrize("when", ["Proposition", "MatchEvidence", "SourceState"])
def test_a_source_that_is_written_meanwhile_is_told(tmp_path: Path, when: str) -> None:
    source, target = _filled(tmp_path / "a.sqlite3"), open_store(f"sqlite:///{tmp_path / 'b.sqlite3'}")

    def write(table: str, _done: int) -> None:
        if table == when:
            candidate_id = add_candidate(source, "new")
            with source.transaction() as tx:
                source.camara.upsert_bill(tx, bill_row(99), [author_row("A", 1)], [{"name": "Saúde"}])
                source.links.set(tx, "PROPOSITION", "99", candidate_id, "AUTHOR")

    with pytest.raises(StoreError) as differs:
        copy_tables(source, target, write)
    assert differs.value.code == "COPY_DIFFERS" and "stop what writes" in differs.value.hint


@pytest.mark.parametrize("missing", ["--from", "check"])
def test_a_store_that_is_not_there_is_not_created(tmp_path: Path, missing: str) -> None:
    absent, target = f"sqlite:///{tmp_path / 'x' / 'nosuch.sqlite3'}", f"sqlite:///{tmp_path / 'b.sqlite3'}"
    arguments = ["check", "--url", absent] if missing == "check" else ["copy", "--from", absent, "--to", target]
    done = iris_assets("db", *arguments, cwd=tmp_path)
    assert done.code == 2 and done.err.startswith("STORE_ABSENT: ") and done.err.count("\n") == 1
    assert (done.out, list(tmp_path.iterdir())) == ("", [])


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_a_source_that_is_no_store_is_refused_and_left_as_it_was(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.sqlite3").write_bytes(content)
    with pytest.raises(StoreError) as refused:
        admin.copy(f"sqlite:///{tmp_path / 'a.sqlite3'}", f"sqlite:///{tmp_path / 'b.sqlite3'}")
    assert refused.value.code == ("STORE_DAMAGED" if content else "STORE_NOT_MIGRATED")
    assert [path.name for path in tmp_path.iterdir()] == ["a.sqlite3"]
    assert (tmp_path / "a.sqlite3").read_bytes() == content


def test_vectors_that_the_target_cannot_keep_are_refused_before_anything_is_written(
    tmp_path: Path, recorder: Recorder
) -> None:
    source, server = _filled(tmp_path / "a.sqlite3"), recorded_store(recorder)
    _note(server, 1536)
    before = flow.logical_rows(server)
    with pytest.raises(StoreError) as refused:
        copy_tables(source, server, _silent)
    assert refused.value.code == "VECTOR_DIMENSION" and "db set-dimension 3" in refused.value.hint
    (chunk, *_) = source.chunks.of_source("GOVERNMENT_PROPOSAL", "a" * 64)
    with source.transaction() as tx:
        source.chunks.set_vectors(tx, [(chunk["id"], [1] * 1536)], "n", 1536)
    with pytest.raises(StoreError) as mixed:
        copy_tables(source, server, _silent)
    assert mixed.value.code == "VECTOR_DIMENSION" and "3 and 1536" in mixed.value.hint
    assert flow.logical_rows(server) == before


def _note(store: Store, dimension: int) -> None:
    with store.transaction() as tx:
        store.state.put(tx, *DIMENSION_NOTE, str(dimension))

"""A store that opens verifies its full-text index, repairs it from the chunks, and a source removed leaves its twin."""

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from iris_assets.commands.diagnosis import diagnose
from iris_assets.indexing.analyzer import prepare
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import Store, admin, open_store
from iris_assets.store.search import LexicalHit, LexicalQuery, SearchFilter
from iris_assets.store.tables.schema import political_chunk
from iris_assets_tests.store.conftest import add_candidate, add_document, chunk_row

ESCOLA = LexicalQuery((("escola",),), filter=SearchFilter(states=("SP",)))
DAMAGES = (
    "DROP TABLE chunk_search",
    "DROP TABLE chunk_search_vocabulary",
    "DROP TABLE chunk_search_change",
    "DELETE FROM chunk_search WHERE rowid = 3",
    "DELETE FROM chunk_search_docsize WHERE id = 1",
    "DELETE FROM chunk_search_data",
)


def small_store(tmp_path: Path) -> tuple[str, list[LexicalHit]]:
    """A store's URL, and what it finds about schools."""
    url = f"sqlite:///{tmp_path / 'store.sqlite3'}"
    store = open_store(url)
    add_document(store, "d1", [add_candidate(store)], ["escola rural", "escola tecnica", "estrada"])
    found = store.lexical.search(ESCOLA)
    store.close()
    assert len(found) == 2
    return url, found


def change(url: str, *statements: str) -> None:
    """Change the file as another program would."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_written_anew_when_the_store_opens(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    url, before = small_store(tmp_path)
    change(url, damage)
    store = open_store(url)
    assert "written anew from the chunks" in caplog.text
    assert store.lexical.verify(deep=True).ok
    assert store.lexical.search(ESCOLA) == before
    store.close()


def test_a_sound_index_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    url, before = small_store(tmp_path)
    store = open_store(url)
    assert (store.lexical.search(ESCOLA), caplog.text) == (before, "")
    store.close()


def test_db_check_says_what_is_wrong_with_the_index_and_doctor_writes_it_anew(tmp_path: Path) -> None:
    url, before = small_store(tmp_path)
    settings = load_settings({}, iris_assets_data=tmp_path, database_url=url)

    def index() -> list[str]:
        return [finding.line() for finding in diagnose(settings) if finding.subject == "lexical index"]

    assert index() == ["[ok] lexical index: 3 of 3 chunks indexed"] and admin.check(url)["ok"]
    change(url, "UPDATE chunk_search_data SET block = x'00' WHERE id > 10")  # no start looks into FTS5's own blocks
    assert "the index cannot be read" in admin.check(url)["findings"][0]
    (line,) = index()
    assert line.startswith("[note] lexical index: the index cannot be read") and line.endswith("written anew")
    assert index() == ["[ok] lexical index: 3 of 3 chunks indexed"]
    store = open_store(url)
    assert store.lexical.search(ESCOLA) == before
    store.close()


def test_a_file_of_no_bytes_is_a_store_that_nobody_has_written_yet(tmp_path: Path) -> None:
    """SQLite itself leaves one behind where a first start is killed before its first write."""
    path = tmp_path / "store.sqlite3"
    sqlite3.connect(path).execute("SELECT 1").connection.close()
    assert path.stat().st_size == 0
    store = open_store(f"sqlite:///{path}")
    add_document(store, "d1", [add_candidate(store)], ["escola rural"])
    assert len(store.lexical.search(ESCOLA)) == 1
    store.close()


@pytest.fixture
def twins(tmp_path: Path) -> Store:
    """Two candidates whose plans hold the same paragraph, with vectors."""
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    paragraph = "Ampliar as creches em tempo integral nos bairros."
    for number, name in enumerate(("d1", "d2")):
        candidate = add_candidate(store, f"25000{number}", ballot_name=f"PESSOA {number}")
        add_document(store, name, [candidate], [paragraph])
        with store.transaction() as tx:
            row = {**chunk_row(0, paragraph), "prepared": prepare("Plano", "", paragraph)}
            store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", name, [row])
            ids = [
                r[0]
                for r in tx.connection.execute(select(political_chunk.c.id).where(political_chunk.c.source_id == name))
            ]
            store.chunks.set_vectors(tx, [(id_, np.ones(3, dtype=np.float32)) for id_ in ids], "m", 3)
    return store


class Ones:
    def embed_query(self, text: str) -> np.ndarray:
        return np.ones(3, dtype=np.float32)


@pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid"])
def test_of_two_equal_paragraphs_the_other_still_answers_and_cites_itself(twins: Store, mode: str) -> None:
    service = RetrievalService(twins, load_settings({}, embedding_model="m", embedding_dimension=3), Ones())

    def cited() -> list[tuple[str, str]]:
        found = service.search("creches em tempo integral", mode=mode).results
        return [(evidence.source_id, evidence.content) for evidence in found]

    paragraph = "Ampliar as creches em tempo integral nos bairros."
    assert sorted(cited()) == [("d1", paragraph), ("d2", paragraph)]
    gone = twins.candidates.by_tse_id("250000")
    assert gone is not None
    with twins.transaction() as tx:
        twins.links.remove(tx, "GOVERNMENT_PROPOSAL", "d1", gone["id"])
    assert cited() == [("d2", paragraph)]
    (evidence,) = service.search("creches em tempo integral", mode=mode).results
    assert [one.ballot_name for one in evidence.candidates] == ["PESSOA 1"]


def test_a_search_in_an_undone_unit_leaves_nothing_behind(twins: Store) -> None:
    def nearest() -> list[float]:
        hits = twins.vectors.search(np.array([1, 0, 0], dtype=np.float32), "m", 3, SearchFilter(), 5)
        return [hit.similarity for hit in hits]

    assert nearest() == [0.57735, 0.57735]
    with pytest.raises(KeyError), twins.transaction() as tx:
        twins.chunks.set_vectors(tx, [(1, np.array([1, 0, 0], dtype=np.float32))], "m", 3)
        assert nearest()[0] == 1.0
        raise KeyError
    assert nearest() == [0.57735, 0.57735]


WRITER = """
import sys, numpy as np
from iris_assets.store import open_store
store = open_store(sys.argv[1])
with store.transaction() as tx:
    store.chunks.set_vectors(tx, [(1, np.array([1, 0, 0], dtype=np.float32))], "m", 3)
"""


def test_another_process_s_vectors_are_seen_by_the_next_question(twins: Store) -> None:
    question = np.array([1, 0, 0], dtype=np.float32)
    first = [hit.similarity for hit in twins.vectors.search(question, "m", 3, SearchFilter(), 5)]
    subprocess.run([sys.executable, "-c", WRITER, twins.url_safe], check=True)
    started = time.monotonic()
    then = [(hit.chunk_id, hit.similarity) for hit in twins.vectors.search(question, "m", 3, SearchFilter(), 5)]
    assert time.monotonic() - started < 1
    assert (first, then) == ([0.57735, 0.57735], [(1, 1.0), (2, 0.57735)])

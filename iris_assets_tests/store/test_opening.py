"""A store that opens verifies its full-text index, repairs it from the chunks, and a source removed leaves its twin."""

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from iris_assets.indexing.analyzer import prepare
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import Store, open_store
from iris_assets.store.schema import political_chunk
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets_tests.store.conftest import add_candidate, add_document, chunk_row

ESCOLA = LexicalQuery((("escola",),), filter=SearchFilter(states=("SP",)))
DAMAGES = (
    "DROP TABLE chunk_search",
    "DROP TABLE chunk_search_posting",
    "DROP TABLE chunk_search_state",
    "DELETE FROM chunk_search_tail WHERE chunk_id = 2",
    "DELETE FROM chunk_search_row WHERE chunk_id = 1",
    "UPDATE chunk_search_row SET signature = 7 WHERE chunk_id = 1",
    "DELETE FROM chunk_search WHERE rowid = 3",
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_written_anew_when_the_store_opens(tmp_path: Path, damage: str) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite3'}"
    store = open_store(url)
    add_document(store, "d1", [add_candidate(store)], ["escola rural", "escola tecnica", "estrada"])
    before = store.lexical.search(ESCOLA)
    store.close()
    with sqlite3.connect(tmp_path / "store.sqlite3") as connection:
        connection.execute(damage)
    connection.close()
    store = open_store(url)
    assert store.lexical.verify(deep=True).ok
    assert store.lexical.search(ESCOLA) == before
    assert len(before) == 2
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

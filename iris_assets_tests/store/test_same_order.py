"""Same question, same order: whatever the order of insertion, the process, the restart or Python's hash seed."""

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
from sqlalchemy import select

from iris_assets.indexing.analyzer import analyze_query, prepare
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import Store, open_store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.schema import political_chunk
from iris_assets_tests.store.conftest import add_candidate, chunk_row

WORDS = ("creche", "escola", "estrada", "hospital", "ponte", "vacina", "saude", "rural")
QUESTIONS = ("creche", "escola rural", "hospital ponte vacina", "saúde e estradas")
PER_DOCUMENT = 4


class Known:
    """The vector of a question, from its words: no endpoint is asked."""

    def embed_query(self, text: str) -> np.ndarray:
        return _vector(text)


def _vector(text: str) -> np.ndarray:
    counts = np.array([text.count(word[:4]) for word in WORDS], dtype=np.float32)
    return counts + np.float32(0.01)


def fill(path: str, seed: int) -> None:
    """Documents of four passages, many of them equal, stored in an order that the seed decides."""
    chance = random.Random(1)
    documents = [(f"d{n:03}", [" ".join(chance.choices(WORDS, k=5)) for _ in range(PER_DOCUMENT)]) for n in range(60)]
    documents += [(f"copy{n:03}", texts) for n, (_, texts) in enumerate(documents)]
    random.Random(seed).shuffle(documents)
    store = open_store(f"sqlite:///{path}")
    candidate = add_candidate(store)
    for name, texts in documents:
        rows = [{**chunk_row(i, text), "prepared": prepare("Plano", "", text)} for i, text in enumerate(texts)]
        with store.transaction() as tx:
            store.links.set(tx, "GOVERNMENT_PROPOSAL", name, candidate, "FILED_BY", "plano.pdf")
            store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", name, rows)
            c = political_chunk.c
            stored = tx.connection.execute(select(c.id, c.content).where(c.source_id == name)).all()
            store.chunks.set_vectors(tx, [(row[0], _vector(row[1])) for row in stored], "m", len(WORDS))
    store.close()


def orders(store: Store) -> list[str]:
    """What each search says to each question, as source and index."""
    settings = load_settings({}, embedding_model="m", embedding_dimension=len(WORDS))
    service = RetrievalService(store, settings, Known())
    lines = []
    for question in QUESTIONS:
        lexical = store.lexical.search(analyze_query(question).query())
        vector = store.vectors.search(_vector(question), "m", len(WORDS), SearchFilter(), 20)
        for name, ids in (("L", [hit.chunk_id for hit in lexical]), ("V", [hit.chunk_id for hit in vector])):
            rows = store.chunks.get(ids)
            lines.append(name + " ".join(f"{rows[id_]['source_id']}:{rows[id_]['chunk_index']}" for id_ in ids))
        found = service.search(question).results
        lines.append("H" + " ".join(f"{e.source_id}:{e.chunk_index}" for e in found))
    return lines


def test_one_order_for_all(tmp_path: Path) -> None:
    outputs = []
    for seed in range(3):
        path = str(tmp_path / f"{seed}.sqlite3")
        fill(path, seed)
        program = f"from iris_assets_tests.store.test_same_order import *; print('\\n'.join(orders(open_store('sqlite:///{path}'))))"
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(done.stdout.splitlines())
        store = open_store(f"sqlite:///{path}")  # another process than the one above, with the seed of this one
        assert orders(store) == outputs[-1]
        assert orders(store) == outputs[-1]
        store.close()
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(outputs[0]) == 3 * len(QUESTIONS)
    assert all(len(line.split()) == 20 for line in outputs[0] if line[0] in "LV")
    assert all(len(line.split()) == 8 for line in outputs[0] if line[0] == "H")

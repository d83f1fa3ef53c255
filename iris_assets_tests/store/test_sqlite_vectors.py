"""The resident matrix: exact, in step with every process's writes, stamps apart, sign bits as good as exact."""

from pathlib import Path

import numpy as np
import pytest

from iris_assets.errors import StoreError
from iris_assets.store import vector_matrix
from iris_assets.store.search import SearchFilter
from iris_assets.store.sqlite_vectors import SqliteVectorSearch
from iris_assets.store.vector_matrix import VectorMatrix
from iris_assets_tests.store.search_bench import Bench

ALL = SearchFilter()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "store.sqlite3")


def vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def found(search: SqliteVectorSearch, *values: float, restriction: SearchFilter = ALL, model: str = "m") -> list[int]:
    return [hit.chunk_id for hit in search.search(vector(*values), model, len(values), restriction, 10)]


def test_cosine_of_a_known_angle(bench: Bench) -> None:
    chunk = bench.add("1", "a", vector=vector(3, 4, 0))
    (hit,) = bench.vectors.search(vector(1, 0, 0), "m", 3, ALL, 5)
    assert (hit.chunk_id, hit.similarity) == (chunk, 0.6)


def test_writes_of_another_process_are_seen_by_the_next_search(bench: Bench) -> None:
    other = SqliteVectorSearch(bench.read)  # its own matrix, as in another process
    first = bench.add("1", "a", vector=vector(1, 0))
    assert found(other, 1, 0) == [first]
    second = bench.add("2", "b", vector=vector(1, 0.1))
    assert found(other, 1, 0) == [first, second]
    bench.set_vector(first, vector(0, 1))
    assert found(other, 1, 0) == [second, first]
    bench.remove(second)
    assert found(other, 1, 0) == [first]


def test_a_filter_restricts_before_scoring(bench: Bench) -> None:
    for number in range(40):
        bench.add(f"a{number}", "x", vector=vector(1, 0), tokens=["cand1"])
    mine = bench.add("b", "x", vector=vector(0, 1), tokens=["cand2"])
    assert found(bench.vectors, 1, 0, restriction=SearchFilter(candidate_ids=(2,))) == [mine]


def test_stamps_never_mix(bench: Bench) -> None:
    old = bench.add("1", "a", vector=vector(1, 0), model="old")
    new = bench.add("2", "b", vector=vector(0, 1), model="new")
    assert found(bench.vectors, 1, 0, model="old") == [old]
    assert found(bench.vectors, 1, 0, model="new") == [new]
    assert not bench.vectors.has("other", 2)
    bench.set_vector(old, vector(1, 0), model="new")
    assert found(bench.vectors, 1, 0, model="old") == []


def test_another_width_is_refused(bench: Bench) -> None:
    with pytest.raises(StoreError) as raised:
        bench.vectors.search(vector(1, 0), "m", 3, ALL, 5)
    assert raised.value.code == "VECTOR_DIMENSION"


def test_equal_vectors_follow_the_identity(bench: Bench) -> None:
    later = bench.add("b", "x", vector=vector(1, 0))
    earlier = bench.add("a", "x", vector=vector(1, 0))
    assert found(bench.vectors, 1, 0) == [earlier, later]


def test_sign_bits_find_what_the_exact_product_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    rows = random.standard_normal((4000, 256), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    questions = rows[:20] + 0.4 * random.standard_normal((20, 256), dtype=np.float32) / 16
    questions = (questions / np.linalg.norm(questions, axis=1, keepdims=True)).astype(np.float32)
    matrix = VectorMatrix(256)
    matrix.put(list(range(4000)), rows)
    exact = matrix.nearest(questions, 1)
    monkeypatch.setattr(vector_matrix, "CODES_FROM", 1000)
    coded = matrix.nearest(questions, 1)
    assert [int(ids[0]) for ids, _ in exact] == [int(ids[0]) for ids, _ in coded] == list(range(20))


def test_removal_keeps_ids_and_rows_together() -> None:
    matrix = VectorMatrix(2)
    matrix.put([7, 8, 9], np.array([[1, 0], [0, 1], [-1, 0]], dtype=np.float32))
    matrix.remove([7, 100])
    ((ids, scores),) = matrix.nearest(np.array([[-1, 0]], dtype=np.float32), 5)
    assert dict(zip(ids.tolist(), scores.tolist(), strict=True)) == {8: 0.0, 9: 1.0}

"""The resident matrix: exact, in step with every process's writes, stamps apart, sign bits as good as exact."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from iris_assets.errors import StoreError
from iris_assets.store.search import SearchFilter, vector_matrix
from iris_assets.store.search.vector_matrix import VectorMatrix
from iris_assets.store.sqlite.vectors import SqliteVectorSearch
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


def _clustered(random: np.random.Generator, count: int) -> np.ndarray:
    """Unit rows in groups of twenty about a centre, as passages of one document are."""
    rows = random.standard_normal((-(-count // 20), 256), dtype=np.float32).repeat(20, axis=0)[:count]
    rows = rows + random.standard_normal((count, 256), dtype=np.float32)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def _unstructured(random: np.random.Generator, count: int) -> np.ndarray:
    rows = random.standard_normal((count, 256), dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("generate", [_clustered, _unstructured])
def test_sign_bits_give_the_twenty_that_the_product_gives(
    monkeypatch: pytest.MonkeyPatch, generate: Callable[[np.random.Generator, int], np.ndarray]
) -> None:
    rows = generate(np.random.default_rng(9), 20_000)
    questions = rows[::1000]
    matrix = VectorMatrix(256)
    matrix.put(list(range(20_000)), rows)
    allowed = np.arange(0, 20_000, 2)
    exact = [_twenty(matrix, questions, None), _twenty(matrix, questions, allowed)]
    monkeypatch.setattr(vector_matrix, "CODES_FROM", 1000)
    monkeypatch.setattr(vector_matrix, "GATHERED", 1000)
    coded = [_twenty(matrix, questions, None), _twenty(matrix, questions, allowed)]
    assert coded == exact


def _twenty(matrix: VectorMatrix, questions: np.ndarray, allowed: np.ndarray | None) -> list[set[int]]:
    found = matrix.nearest(questions, 20, allowed)
    return [set(ids[np.argsort(-scores, kind="stable")[:20]].tolist()) for ids, scores in found]


def test_questions_in_a_batch_get_what_each_gets_alone(bench: Bench) -> None:
    rows = _clustered(np.random.default_rng(2), 60)
    for number, row in enumerate(rows):
        bench.add(f"{number:02}", "x", vector=row)
    together = bench.vectors.search_many(rows[:5], "m", 256, ALL, 10)
    alone = [bench.vectors.search(row, "m", 256, ALL, 10) for row in rows[:5].astype(np.float64)]
    assert [[hit.chunk_id for hit in hits] for hits in together] == [[hit.chunk_id for hit in hits] for hits in alone]
    assert [hits[0].similarity for hits in together] == [1.0] * 5


def test_rows_change_and_go_while_codes_are_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_matrix, "CODES_FROM", 1000)
    rows = _clustered(np.random.default_rng(4), 3000)
    matrix = VectorMatrix(256)
    matrix.put(list(range(3000)), rows)
    matrix.nearest(rows[:1], 1)
    matrix.put([5, 9000], rows[[7, 11]])  # 5 moves onto 7, 9000 is new
    matrix.remove([0, 2999, 7])
    left = {id_: rows[id_] for id_ in range(1, 2999) if id_ != 7} | {5: rows[7], 9000: rows[11]}
    for question in rows[:40]:
        ids, scores = matrix.nearest(question[None, :], 1)[0]
        best = max(float(row @ question) for row in left.values())
        assert scores.max() == pytest.approx(best, abs=1e-5)
        assert float(left[int(ids[scores.argmax()])] @ question) == pytest.approx(best, abs=1e-5)

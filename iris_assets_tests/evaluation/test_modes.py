"""Words, vectors and both side by side: the gate on hybrid, what a baseline belongs to, and a vanished endpoint."""

import zlib

import numpy as np
import pytest
from numpy.typing import NDArray

from iris_assets.answers.service import AnswerService
from iris_assets.evaluation.partition import evaluate_partition
from iris_assets.evaluation.questions import load_questions
from iris_assets.evaluation.runner import ModeResult, gate
from iris_assets.indexing.analyzer import analyze
from iris_assets.retrieval.service import RetrievalService
from iris_assets_tests.evaluation.conftest import World

DIMENSION = 64


class BagOfWords:
    """An encoder by hand: each stemmed word is one direction."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector = np.full(DIMENSION, 1e-3, dtype=np.float32)
        for word in analyze(text):
            vector[zlib.crc32(word.encode()) % DIMENSION] += 1
        return vector


@pytest.fixture
def with_vectors(world: World) -> AnswerService:
    settings = world.settings.model_copy(update={"embedding_model": "words", "embedding_dimension": DIMENSION})
    encoder = BagOfWords()
    rows = world.store.chunks.pending("words", DIMENSION)
    with world.store.transaction() as tx:
        vectors = [(row["id"], encoder.embed_query(row["content"])) for row in rows]
        world.store.chunks.set_vectors(tx, vectors, "words", DIMENSION)
    return AnswerService(world.store, settings, RetrievalService(world.store, settings, encoder))


def test_the_three_modes_are_measured_side_by_side(world: World, with_vectors: AnswerService) -> None:
    questions = load_questions(world.questions)
    done = evaluate_partition(with_vectors, world.store, questions, "SP", baseline=world.baseline, pin=True)
    assert list(done.figures["modes"]) == ["lexical", "vector", "hybrid"] and done.figures["mode"] == "hybrid"
    assert done.figures["modes"]["lexical"]["nDCG@10"] == 1.0
    assert done.figures["nDCG@10"] == done.figures["modes"]["hybrid"]["nDCG@10"]
    assert '"hybrid words 64"' in world.baseline.read_text(encoding="utf-8")


def test_evaluations_of_other_modes_are_not_compared(world: World, with_vectors: AnswerService) -> None:
    questions = load_questions(world.questions)
    evaluate_partition(with_vectors, world.store, questions, "SP", baseline=world.baseline, pin=True)
    lexical = world.evaluate()
    assert lexical.verdict.notes == ("there is no earlier evaluation to compare with",)
    again = evaluate_partition(with_vectors, world.store, questions, "SP", baseline=world.baseline)
    assert again.verdict.regressions == () and {one.difference for one in again.verdict.changes} == {0.0}


def _mode(name: str, value: float) -> ModeResult:
    return ModeResult(name, {"q": {"nDCG@10": value, "R@10": value}})


def test_hybrid_must_not_lose_to_its_better_leg() -> None:
    def legs(hybrid: float) -> dict[str, ModeResult]:
        return {m: _mode(m, v) for m, v in (("lexical", 0.6), ("vector", 0.8), ("hybrid", hybrid))}

    for as_good in (0.8, 0.8 - 1e-12, 0.81):
        assert gate(legs(as_good)) == []
    for worse in (0.7, 0.7999):
        assert gate(legs(worse)) == [
            f"hybrid nDCG@10 {worse:.4f} is below the better search alone (0.8000)",
            f"hybrid R@10 {worse:.4f} is below the better search alone (0.8000)",
        ]
    assert gate({"lexical": _mode("lexical", 0.1)}) == []

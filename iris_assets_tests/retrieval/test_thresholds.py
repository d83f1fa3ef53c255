"""What is no evidence: thresholds on raw signals, calibrated on vectors that a loopback server makes, and silence."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from iris_assets.errors import UsageError
from iris_assets.evaluation.calibration import OFF_TOPIC, calibrate
from iris_assets.indexing.analyzer import AnalyzedQuestion
from iris_assets.indexing.chunk_rows import embedded_text
from iris_assets.llm.embeddings import EmbeddingClient
from iris_assets.retrieval.fusion import Fused
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.thresholds import Thresholds, above, stored_thresholds
from iris_assets.settings import load_settings
from iris_assets_tests.flows.commands import iris_assets
from iris_assets_tests.llm.fake_openai import EMBEDDINGS, FakeOpenAI, fake_openai
from iris_assets_tests.retrieval.world import World

MODEL, DIMENSION = "words", 256
PAGES = ("Construir creches em tempo integral.", "Levar saneamento básico aos bairros.",
         "Valorizar os professores da rede.", "Renovar a frota de ônibus elétricos.")  # fmt: skip


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with fake_openai(DIMENSION) as fake:
        yield fake


@pytest.fixture
def full(world: World) -> World:
    world.size, world.overlap = 24, 0
    world.candidate("1", "ANA LIMA")
    for number, page in enumerate(PAGES):
        world.plan(f"plan{number}", ["1"], [page])
    return world


def embedded(world: World, server: FakeOpenAI) -> RetrievalService:
    client = EmbeddingClient(server.url, "k", MODEL, None, DIMENSION, attempts=1)
    rows = world.store.chunks.pending(MODEL, DIMENSION, limit=100)
    vectors = client.embed_documents([embedded_text(row["header"], row["content"]) for row in rows])
    with world.store.transaction() as tx:
        pairs = [(row["id"], vector) for row, vector in zip(rows, vectors, strict=True)]
        world.store.chunks.set_vectors(tx, pairs, MODEL, DIMENSION)
    return world.service(client, embedding_model=MODEL, embedding_dimension=DIMENSION)


@pytest.mark.parametrize("question", ["receita de sanduíche", "asdfgh", "O que Fulano Beltrano propõe sobre creches?"])
def test_off_topic_questions_find_nothing_with_vectors_and_a_calibrated_threshold(
    full: World, server: FakeOpenAI, question: str
) -> None:
    service = embedded(full, server)
    calibrate(service)
    assert service.retrieve(question).evidences == ()
    assert service.retrieve("creches em tempo integral").evidences[0].source_id == "plan0"


def test_the_threshold_is_written_where_retrieval_reads_it(full: World, server: FakeOpenAI) -> None:
    service = embedded(full, server)
    assert stored_thresholds(full.store, MODEL, DIMENSION) == Thresholds(similarity=None)
    found = calibrate(service)
    assert stored_thresholds(full.store, MODEL, DIMENSION).similarity == found["similarity"]
    assert stored_thresholds(full.store, "another", DIMENSION).similarity is None
    assert (found["model"], found["dimension"]) == (MODEL, DIMENSION)
    assert found["off_topic_p50"] <= found["off_topic_max"] < found["on_topic_p50"]


def test_the_threshold_stands_above_all_off_topic_questions(full: World, server: FakeOpenAI) -> None:
    service = embedded(full, server)
    threshold = calibrate(service)["similarity"]
    best = [
        service.search(question, mode="vector", top_k=1).results[0].vector_similarity or 0 for question in OFF_TOPIC
    ]
    assert max(best) < threshold


def test_without_vectors_calibration_says_what_to_do(full: World) -> None:
    with pytest.raises(UsageError) as raised:
        calibrate(full.service())
    assert raised.value.code == "VECTORS_MISSING"
    assert "iris-assets run" in (raised.value.hint or "")


def test_the_command_calibrates_and_the_threshold_stays_in_the_store(
    full: World, server: FakeOpenAI, tmp_path: Path
) -> None:
    embedded(full, server)
    done = iris_assets(
        "calibrate", "--data", tmp_path / "data", "--json", cwd=tmp_path,
        DATABASE_URL=f"sqlite:///{tmp_path / 'world.sqlite3'}", EMBEDDING_BASE_URL=server.url,
        EMBEDDING_MODEL=MODEL, EMBEDDING_DIMENSION=str(DIMENSION),
    )  # fmt: skip
    assert done.code == 0, done.err
    assert stored_thresholds(full.store, MODEL, DIMENSION).similarity == done.json["similarity"]


WORDS = ("creche", "sus", "escola")
ASKED = AnalyzedQuestion(tuple((word,) for word in WORDS), WORDS, WORDS, worth=(0.45, 0.3, 0.25))


def hit(number: int, matched: tuple[int, ...], similarity: float | None) -> Fused:
    return Fused(number, 1.0, matched=matched, vector_similarity=similarity)


HITS = [hit(1, (0, 1), None), hit(2, (1,), 0.9), hit(3, (1,), 0.2), hit(4, (), 0.5), hit(5, (0,), 0.1)]


def test_floors_look_at_raw_signals_and_never_at_the_fused_score() -> None:
    thresholds = Thresholds(weight=0.45, similarity=0.5)
    passed = [one.chunk_id for one in above(HITS, thresholds, ASKED)]
    assert passed == [1, 2, 4, 5]
    assert passed == [one.chunk_id for one in above([replace(one, score=0.0) for one in HITS], thresholds, ASKED)]


def test_raising_a_threshold_never_adds_a_hit() -> None:
    steps = [0.0, 0.2, 0.45, 0.6, 0.91]
    for fixed in steps:
        for raised in ([Thresholds(step, fixed) for step in steps], [Thresholds(fixed, step) for step in steps]):
            kept = [{one.chunk_id for one in above(HITS, thresholds, ASKED)} for thresholds in raised]
            assert all(later <= earlier for earlier, later in itertools.pairwise(kept))


def test_a_question_without_evidence_asks_no_model(full: World, server: FakeOpenAI) -> None:
    """Retrieval may embed the question once; nothing else is ever called for it."""
    service = embedded(full, server)
    calibrate(service)
    server.calls.clear()
    assert service.retrieve("receita de sanduíche").evidences == ()
    assert set(server.calls) <= {EMBEDDINGS}
    assert service.retrieve("Em quem devo votar?").refusal
    assert server.calls[EMBEDDINGS] <= 1


def test_only_weak_words_are_no_evidence(full: World) -> None:
    """`bairros` alone is one word of three: less than the share of the question's weight that counts."""
    assert full.service().retrieve("bairros com rinoceronte e hipopótamo").evidences == ()
    assert full.service().search("bairros com rinoceronte e hipopótamo").results


def test_settings_name_no_threshold() -> None:
    """The threshold is no constant of the code and no setting: it is found on the store, per model."""
    assert not [name for name in load_settings({}).model_dump() if "threshold" in name]

"""The question set of the bundled sample: it is chosen by itself and every expectation holds after `make run`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.evaluation.calibration import calibrate
from iris_assets.evaluation.choice import question_file_for
from iris_assets.evaluation.collections import embed
from iris_assets.evaluation.questions import load_questions
from iris_assets.evaluation.runner import evaluate_mode, gate
from iris_assets.llm.embeddings import embedding_client
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import Store, open_store
from iris_assets_tests.flows.commands import Done
from iris_assets_tests.llm.fake_openai import fake_openai


@pytest.fixture
def store(sample_run: tuple[Path, Done]) -> Iterator[Store]:
    store = open_store(f"sqlite:///{sample_run[0] / 'iris_assets.sqlite3'}")
    yield store
    store.close()


def test_the_sample_gets_its_own_questions(store: Store) -> None:
    assert question_file_for(store).name == "sample.yaml"


@pytest.mark.parametrize("partition", [None, "SP", "AC", "BR"])
def test_every_expectation_holds(store: Store, partition: str | None) -> None:
    asked = load_questions(question_file_for(store)).of_partition(partition)
    assert len(asked) >= 10
    result = evaluate_mode(RetrievalService(store, load_settings({})), asked, "lexical")
    assert result.wrong == {}
    assert result.figures["R@10"] == 1.0
    assert result.figures["nDCG@10"] >= 0.95
    assert result.figures["strategy_accuracy"] == 1.0
    assert result.figures["no_evidence_precision"] == 1.0
    assert result.figures.get("count_accuracy", 1.0) == 1.0


@pytest.mark.parametrize("calibrated", [False, True])
def test_both_searches_together_are_not_worse_than_the_better_one(
    sample_run: tuple[Path, Done], tmp_path: Path, calibrated: bool
) -> None:
    """The gate, without slack, over vectors of the words of each passage from a server on the loopback."""
    shutil.copytree(sample_run[0], tmp_path / "data")
    store = open_store(f"sqlite:///{tmp_path / 'data' / 'iris_assets.sqlite3'}")
    with fake_openai(256) as server:
        settings = load_settings(
            {}, embedding_base_url=server.url, embedding_model="words-passage", embedding_query_model="words-passage",
            embedding_dimension=256,
        )  # fmt: skip
        client = embedding_client(settings)
        embed(store, settings, client)
        service = RetrievalService(store, settings, client)
        if calibrated:
            calibrate(service)
        asked = load_questions(question_file_for(store)).questions
        modes = {mode: evaluate_mode(service, asked, mode) for mode in ("lexical", "vector", "hybrid")}
    store.close()
    assert modes["vector"].figures["nDCG@10"] > 0.3  # they say something
    assert gate(modes) == []
    assert modes["hybrid"].wrong == {} and modes["hybrid"].figures["R@10"] == 1.0


def test_the_set_covers_facts_counts_references_silence_and_injection() -> None:
    from iris_assets.evaluation import QUESTION_FOLDER

    asked = load_questions(QUESTION_FOLDER / "sample.yaml").questions
    tags = {tag for question in asked for tag in question.tags}
    assert tags >= {"plan", "bill", "count", "reference", "no-answer", "injection", "conversation", "each", "history"}
    assert len(asked) >= 25

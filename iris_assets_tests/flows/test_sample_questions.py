"""The question set of the bundled sample: it is chosen by itself and every expectation holds after `make run`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.evaluation.choice import question_file_for
from iris_assets.evaluation.questions import load_questions
from iris_assets.evaluation.runner import evaluate_mode
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import Store, open_store
from iris_assets_tests.flows.commands import Done


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


def test_the_set_covers_facts_counts_references_silence_and_injection() -> None:
    from iris_assets.evaluation import QUESTION_FOLDER

    asked = load_questions(QUESTION_FOLDER / "sample.yaml").questions
    tags = {tag for question in asked for tag in question.tags}
    assert tags >= {"plan", "bill", "count", "reference", "no-answer", "injection", "conversation", "each", "history"}
    assert len(asked) >= 25

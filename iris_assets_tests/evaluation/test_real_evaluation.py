"""The golden questions after a run over the offline copies: figures per UF, pinned baseline, outside recomputation."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from iris_assets.answers.service import AnswerService
from iris_assets.evaluation import baseline_file, default_question_file
from iris_assets.evaluation.collections import embed
from iris_assets.evaluation.partition import evaluate_partition
from iris_assets.evaluation.questions import load_questions
from iris_assets.evaluation.runner import evaluate_mode, gate
from iris_assets.indexing.analyzer import plain_words
from iris_assets.llm.embeddings import embedding_client
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import open_store
from iris_assets_tests.conftest import missing
from iris_assets_tests.evaluation.conftest import UFS
from iris_assets_tests.flows.commands import iris_assets
from iris_assets_tests.llm.fake_openai import fake_openai

pytestmark = [pytest.mark.real_data, pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def evaluated(data: Path) -> dict[str, Any]:
    done = iris_assets(
        "evaluate", "--uf", f"{UFS},RR", "--data", data, "--export", data / "trec", "--json", cwd=data, timeout=300
    )
    found: dict[str, Any] = done.json
    return found


def test_each_uf_has_its_questions_and_all_are_answered_as_expected(evaluated: dict[str, Any]) -> None:
    questions = load_questions(default_question_file())
    for uf, result in evaluated.items():
        assert result["questions"] == len(questions.of_partition(uf)) >= 10
        assert result["wrong"] == {}
        assert (result["strategy_accuracy"], result["no_evidence_precision"]) == (1.0, 1.0)
    for uf in UFS.split(","):
        assert evaluated[uf]["nDCG@10"] >= 0.95 and evaluated[uf]["R@10"] >= 0.95
        assert evaluated[uf]["answers_with_citation"] == 1.0
        assert evaluated[uf]["citation_validity"] == evaluated[uf]["citation_coverage"] == 1.0
    assert "nDCG@10" not in evaluated["RR"]  # no source of Roraima is asked for


def test_an_outside_tool_recomputes_the_figures(evaluated: dict[str, Any], data: Path) -> None:
    import ir_measures
    from ir_measures import RR, R, nDCG

    for uf in UFS.split(","):
        qrels = list(ir_measures.read_trec_qrels(str(data / "trec" / uf / "qrels.txt")))
        run = list(ir_measures.read_trec_run(str(data / "trec" / uf / "lexical.run")))
        for measure, value in ir_measures.calc_aggregate([nDCG @ 10, R @ 10, RR @ 10], qrels, run).items():
            assert value == pytest.approx(evaluated[uf][str(measure)], abs=1e-9)


def test_the_pinned_baseline_holds(evaluated: dict[str, Any]) -> None:
    for uf in UFS.split(","):
        assert evaluated[uf]["regressions"] == []
        if any("do not apply" in note for note in evaluated[uf]["notes"]):
            missing(f"the baseline of {uf} was pinned on other records: see docs/operations.md, then --pin")


def test_without_the_analyzer_the_evaluation_fails_with_the_numbers(evaluated: dict[str, Any], data: Path) -> None:
    settings = load_settings({}, iris_assets_data=data)
    store = open_store(settings.store_url)
    questions = default_question_file()
    try:
        service = AnswerService(store, settings, RetrievalService(store, settings, analyze=plain_words))
        done = evaluate_partition(service, store, load_questions(questions), "DF", baseline=baseline_file(questions))
    finally:
        store.close()
    assert any(text.startswith("nDCG@10 fell from ") for text in done.verdict.regressions)
    assert done.figures["nDCG@10"] < 0.8


def test_with_vectors_the_gate_holds_without_slack_in_the_weighting_of_the_benchmark(
    data: Path, tmp_path: Path
) -> None:
    """`convex 3:1` (docs/benchmarks.md), over vectors of the words of each passage from a server on the loopback."""
    shutil.copytree(data, tmp_path / "data", ignore=shutil.ignore_patterns("trec", "downloads"))
    with fake_openai(256) as server:
        settings = load_settings(
            {}, iris_assets_data=tmp_path / "data", embedding_base_url=server.url, embedding_model="words-passage",
            embedding_query_model="words-passage", embedding_dimension=256, fusion_weights="convex 3:1",
        )  # fmt: skip
        store, client = open_store(settings.store_url), embedding_client(settings)
        embed(store, settings, client)
        service = RetrievalService(store, settings, client)
        questions = load_questions(default_question_file()).questions
        modes = {mode: evaluate_mode(service, questions, mode) for mode in ("lexical", "vector", "hybrid")}
    store.close()
    assert modes["vector"].figures["nDCG@10"] > 0.2  # they say something
    assert gate(modes) == []
    assert modes["hybrid"].wrong == {} and modes["hybrid"].figures["nDCG@10"] == 1.0

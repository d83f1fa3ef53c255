"""Figures by hand: measures, means, groups, paired intervals, tables, TREC files, citations of an answer."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from iris_assets.answers.response import (
    AnswerResponse,
    PromptModel,
    RemovedModel,
    SourceModel,
    SpanModel,
    TimingsModel,
)
from iris_assets.evaluation.changes import changes, paired_interval
from iris_assets.evaluation.citations import citation_values
from iris_assets.evaluation.metrics import mean_metrics, metrics_by_question, write_trec
from iris_assets.evaluation.plot import plot_history
from iris_assets.evaluation.results import QuestionResult, group_figures, mean_figures
from iris_assets.evaluation.tables import change_table, figure_table

JUDGMENTS = {("a", "x"): 1, ("a", "y"): 1, ("b", "z"): 1, ("c", "w"): 1}
RANKINGS = {"a": ["q", "y", "x"], "b": ["n"]}


def test_each_question_has_its_figures_and_a_missing_ranking_counts_zero() -> None:
    each = metrics_by_question(JUDGMENTS, RANKINGS)
    # DCG of ranks 2 and 3 over the ideal of ranks 1 and 2: (0.6309 + 0.5) / (1 + 0.6309).
    assert each["a"] == pytest.approx({"nDCG@10": 0.69342, "R@10": 1.0, "RR@10": 0.5}, abs=1e-4)
    assert each["b"] == each["c"] == {"nDCG@10": 0.0, "R@10": 0.0, "RR@10": 0.0}
    assert mean_metrics(JUDGMENTS, RANKINGS) == pytest.approx(
        {"nDCG@10": 0.23114, "R@10": 1 / 3, "RR@10": 1 / 6}, abs=1e-4
    )
    assert mean_metrics({}, {}) == {}


def test_an_outside_tool_finds_the_same_figures_in_the_exported_files(tmp_path: Path) -> None:
    import ir_measures
    from ir_measures import RR, R, nDCG

    write_trec(tmp_path, "lexical", JUDGMENTS, RANKINGS)
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels.txt")))
    run = list(ir_measures.read_trec_run(str(tmp_path / "lexical.run")))
    found = ir_measures.calc_aggregate([nDCG @ 10, R @ 10, RR @ 10], qrels, run)
    assert {str(name): value for name, value in found.items()} == pytest.approx(mean_metrics(JUDGMENTS, RANKINGS))


def _result(key: str, value: float | None, digest: str = "d", groups: tuple[str, ...] = ()) -> QuestionResult:
    return QuestionResult(key, digest, groups, {} if value is None else {"R@10": value})


def test_means_are_over_the_questions_that_have_the_figure() -> None:
    assert mean_figures([{"a": 1.0, "b": 0.0}, {"a": 0.5}, {}]) == {"a": 0.75, "b": 0.0}
    found = group_figures([_result("1", 1.0, groups=("plan", "x")), _result("2", 0.0, groups=("plan",))])
    assert found == {"plan": {"questions": 2.0, "R@10": 0.5}, "x": {"questions": 1.0, "R@10": 1.0}}


def test_only_the_same_questions_are_compared() -> None:
    before = [_result("1", 1.0), _result("2", 1.0), _result("3", 1.0, "old"), _result("5", None)]
    after = [_result("1", 0.5), _result("2", 1.0), _result("3", 0.0, "new"), _result("4", 0.0), _result("5", 0.0)]
    (change,) = changes(before, after)
    assert (change.name, change.before, change.after, change.questions) == ("R@10", 1.0, 0.75, 2)
    assert change.difference == -0.25
    assert str(change) == ("R@10 fell from 1.000 to 0.750 (-0.250, 95 % between -0.500 and +0.000, 2 questions)")
    assert changes([], after) == []


def test_the_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few, many = paired_interval([-1.0, 0.0] * 5), paired_interval([-1.0, 0.0] * 200)
    assert few[0] < -0.5 < few[1] and many[0] < -0.5 < many[1]
    # The half-width of a mean of n such differences is about 1.96 · 0.5 / √n: 0.31 and 0.049.
    assert few[1] - few[0] == pytest.approx(0.6, abs=0.1)
    assert many[1] - many[0] == pytest.approx(0.098, abs=0.015)
    assert paired_interval([0.25] * 7) == (0.25, 0.25)
    assert paired_interval([-1.0, 0.0] * 5) == few


def test_a_result_comes_back_from_its_row() -> None:
    result = QuestionResult("q", "d", ("plan",), {"R@10": 0.5}, "no relevant source", "key", 2)
    assert QuestionResult.of_row(result.row()) == result


def test_tables_are_markdown_and_escape_what_would_act() -> None:
    assert figure_table("group", {"a|b": {"questions": 3.0, "R@10": 0.5}, "c": {"R@10": 1.0}}) == (
        "| group | questions | R@10 |\n| --- | --- | --- |\n| a\\|b | 3 | 0.500 |\n| c | – | 1.000 |"
    )
    (change,) = changes([_result("1", 1.0)], [_result("1", 0.0)])
    assert change_table([change]).splitlines()[2] == "| R@10 | 1.000 | 0.000 | -1.000 | -1.000 … -1.000 | 1 |"


@pytest.mark.parametrize("history", [[], [{"at": "x"}], [{"nDCG@10": 0.5}, {"nDCG@10": 1.0, "R@10": 0.2}]])
def test_the_plot_is_a_picture_whatever_the_history(history: list[dict[str, Any]]) -> None:
    assert plot_history(history, "SP").startswith(b"\x89PNG\r\n")


def _answer(text: str, *, generated: bool, removed: int = 0, **spans: tuple[int, int] | None) -> AnswerResponse:
    sources = [
        SourceModel(
            evidence_id=key, cited=span is not None, source_type="PROPOSITION", source_id="1", chunk_index=0, title="t",
            quote="Serão vinte creches até 2028.", span=SpanModel(start=span[0], end=span[1]) if span else None,
        )
        for key, span in spans.items()
    ]  # fmt: skip
    return AnswerResponse(
        answer_id="id", question="?", answer=text, generated=generated, sources=sources, citations=[],
        removed=[RemovedModel(text="x", reason="NO_CITATION", detail="x")] * removed, flagged=[], candidate=None,
        choices=[], intent="general", strategy="hybrid", prompt=PromptModel(name="p", version="1", hash="h"), model=None,
        timings=TimingsModel(), notices=[], as_of=date(2026, 8, 15), created_at=datetime(2026, 8, 15, tzinfo=UTC),
    )  # fmt: skip


def test_a_model_s_answer_is_measured_by_sentence() -> None:
    text = "O plano prevê creches [E1]. São vinte unidades. O prazo é 2028 [E2]. Há mais [E3]."
    answer = _answer(text, generated=True, removed=1, E1=(0, 19), E2=(0, 28), E3=None)
    # E3 was not cited by the gate, one sentence was removed: 2 of 4 citations hold; 2 of 4 sentences rest on one.
    assert citation_values(answer) == {"answers_with_citation": 1, "citation_validity": 0.5, "citation_coverage": 0.5}


def test_an_extract_must_show_the_words_of_its_span() -> None:
    text = "ANA — PRESIDENTE — PX/BR · 1\n- t: Serão vinte\ncreches"
    good = _answer("ANA — PRESIDENTE\n- t: Serão vinte creches… [E1]", generated=False, E1=(0, 19))
    assert citation_values(good) == {"answers_with_citation": 1, "citation_validity": 1, "citation_coverage": 1}
    other = _answer("- t: Serão trinta creches… [E1]", generated=False, E1=(0, 19))
    assert citation_values(other) == {"answers_with_citation": 1, "citation_validity": 0, "citation_coverage": 0}
    outside = _answer("- t: [E1]", generated=False, E1=(20, 99))
    assert citation_values(outside)["citation_validity"] == 0
    uncited = _answer(text, generated=False, E1=None)
    assert citation_values(uncited) == {"answers_with_citation": 0}


def test_an_answer_without_evidence_has_no_citation_figures() -> None:
    assert citation_values(_answer("Nada consta.", generated=False)) == {}

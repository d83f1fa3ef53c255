"""A question set run over the store: retrieval by words, vectors and both side by side, then the answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from iris_assets.evaluation import default_question_file
from iris_assets.evaluation.measures import measured, write_trec
from iris_assets.evaluation.questions import Question, QuestionSet, load_questions
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Evidence, Retrieval, Turn

GATE_TOLERANCE = 0.02  # hybrid may be this much below the better leg before the evaluation fails


class Answers(Protocol):
    """What the evaluation needs of the answer service."""

    @property
    def retrieval(self) -> RetrievalService: ...

    @property
    def ask(self) -> Callable[..., Any]: ...


@dataclass
class ModeResult:
    """Figures of one mode and what went wrong, by question id."""

    mode: str
    figures: dict[str, float] = field(default_factory=dict)
    rankings: dict[str, list[str]] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)


def evaluate_questions(
    service: Answers,
    questions: Path | None = None,
    *,
    partition: str | None = None,
    export: Path | None = None,
) -> dict[str, Any]:
    """Retrieval figures of each mode that can run, and citation figures of the answers.

    `failed` lists what breaks the gate (hybrid worse than its better leg); `wrong` names questions whose strategy,
    sources, count or silence was not as expected.
    """
    chosen = load_questions(questions or default_question_file())
    asked = chosen.of_partition(partition)
    modes = modes_of(service.retrieval)
    results = {mode: evaluate_mode(service.retrieval, asked, mode) for mode in modes}
    main = results[modes[-1]]
    if export is not None:
        for mode, result in results.items():
            write_trec(export, mode, judgments_of(asked), result.rankings)
    failed = gate(results)
    return {
        "question_set": chosen.name,
        "question_set_hash": chosen.hash,
        "questions": len(asked),
        "mode": main.mode,
        **main.figures,
        "modes": {mode: result.figures for mode, result in results.items()},
        "wrong": main.wrong,
        **_answers(service, asked),
        "failed": failed,
    }


def modes_of(service: RetrievalService) -> list[str]:
    """The modes that this store and configuration can run; the last is the one in use."""
    settings = service.settings
    has_vectors = service.embedder is not None and service.store.vectors.has(
        settings.embedding_model, settings.embedding_dimension
    )
    return ["lexical", "vector", "hybrid"] if has_vectors else ["lexical"]


def evaluate_mode(service: RetrievalService, questions: Sequence[Question], mode: str) -> ModeResult:
    """Recall, nDCG, RR, strategy accuracy and no-evidence precision of one mode."""
    result = ModeResult(mode)
    silent = [0, 0]
    strategies = [0, 0]
    counts = [0, 0]
    for question in questions:
        found = ask(service, question, mode)
        result.rankings[question.id] = ranking_of(question, found.evidences)
        _tally(strategies, found.strategy == question.strategy, result, question, f"strategy {found.strategy}")
        if question.no_evidence:
            _tally(silent, not found.evidences, result, question, f"{len(found.evidences)} evidences, none expected")
        if question.count is not None:
            got = [row.count for row in found.counts]
            got += [int(e.structured["count"]) for e in found.evidences if "count" in e.structured]
            _tally(counts, question.count in got, result, question, f"counts {got}, expected {question.count}")
        if question.relevant and not set(result.rankings[question.id][:10]) & {one.key for one in question.relevant}:
            result.wrong.setdefault(question.id, "no relevant source in the first ten")
    result.figures = measured(judgments_of(questions), result.rankings)
    for name, (right, all_) in (
        ("strategy_accuracy", strategies),
        ("no_evidence_precision", silent),
        ("count_accuracy", counts),
    ):
        if all_:
            result.figures[name] = right / all_
    return result


def ask(service: RetrievalService, question: Question, mode: str) -> Retrieval:
    """Retrieve for a question of a set, with its filters and history."""
    history = [Turn(turn.question, turn.candidate) for turn in question.history]
    return service.retrieve(
        question.question,
        candidate=question.candidate,
        filters=question.filters.restriction(),
        history=history,
        mode=mode,
    )


def ranking_of(question: Question, evidences: Sequence[Evidence]) -> list[str]:
    """Document names by the order of relevance (not the neutral order of display); a source counts once."""
    order = sorted(enumerate(evidences), key=lambda item: (-(item[1].rrf or 0.0), item[0]))
    names: dict[str, None] = {}
    for _, evidence in order:
        names.setdefault(_document_name(question, evidence))
    return list(names)


def judgments_of(questions: Sequence[Question]) -> dict[tuple[str, str], int]:
    """(question id, document name) → grade."""
    return {(question.id, one.key): one.grade for question in questions for one in question.relevant}


def gate(results: dict[str, ModeResult]) -> list[str]:
    """Where hybrid is worse than the better single search."""
    if "hybrid" not in results:
        return []
    failures = []
    for name in ("nDCG@10", "R@10"):
        best = max(results[mode].figures.get(name, 0.0) for mode in ("lexical", "vector"))
        hybrid = results["hybrid"].figures.get(name, 0.0)
        if hybrid < best - GATE_TOLERANCE:
            failures.append(f"hybrid {name} {hybrid:.3f} is below the better search alone ({best:.3f})")
    return failures


def _document_name(question: Question, evidence: Evidence) -> str:
    plain = f"{evidence.source_type}|{evidence.source_id}"
    for relevant in question.relevant:
        if relevant.key == plain:
            return plain
        same = relevant.source_type == evidence.source_type and relevant.source_id == evidence.source_id
        if same and relevant.page and _covers(evidence, relevant.page):
            return relevant.key
    return f"{plain}#{evidence.page_start}-{evidence.chunk_index}" if evidence.page_start else plain


def _covers(evidence: Evidence, page: int) -> bool:
    first = evidence.page_start
    return first is not None and first <= page <= (evidence.page_end or first)


def _tally(pair: list[int], right: bool, result: ModeResult, question: Question, text: str) -> None:
    pair[0] += right
    pair[1] += 1
    if not right:
        result.wrong.setdefault(question.id, text)


def _answers(service: Answers, questions: Sequence[Question]) -> dict[str, Any]:
    """How the answers cite: share with a citation among those with evidence, removed sentences, answers to silence."""
    cited = with_sources = removed = 0
    for question in questions:
        history = [Turn(turn.question, turn.candidate) for turn in question.history]
        answer = service.ask(
            question.question, candidate=question.candidate, filters=question.filters.restriction(), history=history
        )
        if answer.sources:
            with_sources += 1
            cited += any(source.cited for source in answer.sources)
        removed += len(answer.removed)
    share = cited / with_sources if with_sources else 1.0
    return {"answers": len(questions), "answers_with_citation": share, "removed_sentences": removed}


def set_of(file: Path | None) -> QuestionSet:
    """The question set of a file, or the default one."""
    return load_questions(file or default_question_file())

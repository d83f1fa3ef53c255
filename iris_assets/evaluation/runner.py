"""A question set run over the store: retrieval by words, vectors and both side by side, then the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from iris_assets.answers.fixed import NO_EVIDENCE_NOTICE
from iris_assets.answers.response import AnswerResponse
from iris_assets.evaluation.citations import citation_values, shows
from iris_assets.evaluation.metrics import metrics_by_question, write_trec
from iris_assets.evaluation.questions import Question, QuestionSet
from iris_assets.evaluation.results import QuestionResult, group_figures, mean_figures
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Evidence, Retrieval, Turn

# Means of the same values added in another order differ by this much: hybrid lower than its better leg by more is worse.
GATE_ROUNDING = 1e-9


class Answers(Protocol):
    """What the evaluation needs of the answer service."""

    @property
    def retrieval(self) -> RetrievalService: ...

    @property
    def ask(self) -> Callable[..., AnswerResponse]: ...


@dataclass
class ModeResult:
    """One mode: figures and rankings by question id, and what went wrong."""

    mode: str
    values: dict[str, dict[str, float]] = field(default_factory=dict)
    rankings: dict[str, list[str]] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def figures(self) -> dict[str, float]:
        """Means over the questions."""
        return mean_figures(self.values.values())


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All questions of one set in every mode that could run; `failed` is where hybrid lost to its better leg."""

    question_set: str
    question_set_hash: str
    mode: str
    modes: Mapping[str, Mapping[str, float]]
    results: tuple[QuestionResult, ...]
    failed: tuple[str, ...]

    @property
    def figures(self) -> dict[str, float]:
        """Means over the questions, in the mode in use."""
        return mean_figures(result.values for result in self.results)

    def as_json(self) -> dict[str, Any]:
        """The figures as they are stored, printed and shown; `wrong` names what was not as expected."""
        return {
            "question_set": self.question_set,
            "question_set_hash": self.question_set_hash,
            "questions": len(self.results),
            "mode": self.mode,
            **self.figures,
            "removed_sentences": sum(result.removed for result in self.results),
            "modes": {mode: dict(figures) for mode, figures in self.modes.items()},
            "groups": group_figures(self.results),
            "wrong": {result.key: result.wrong for result in self.results if result.wrong},
            "failed": list(self.failed),
        }


def evaluate_questions(
    service: Answers, chosen: QuestionSet, *, partition: str | None = None, export: Path | None = None
) -> Evaluation:
    """Retrieval of each mode that can run, then the answers, for the questions of `partition` (None: of all)."""
    asked = chosen.of_partition(partition)
    modes = {mode: evaluate_mode(service.retrieval, asked, mode) for mode in modes_of(service.retrieval)}
    main = list(modes.values())[-1]
    if export is not None:
        for mode, result in modes.items():
            write_trec(export, mode, judgments_of(asked), result.rankings)
    results = tuple(_answered(service, question, main) for question in asked)
    figures = {mode: result.figures for mode, result in modes.items()}
    return Evaluation(chosen.name, chosen.hash, main.mode, figures, results, tuple(gate(modes)))


def modes_of(service: RetrievalService) -> list[str]:
    """The modes that this store and configuration can run; the last is the one in use."""
    settings = service.settings
    has_vectors = service.embedder is not None and service.store.vectors.has(
        settings.embedding_model, settings.embedding_dimension
    )
    return ["lexical", "vector", "hybrid"] if has_vectors else ["lexical"]


def evaluate_mode(service: RetrievalService, questions: Sequence[Question], mode: str) -> ModeResult:
    """Recall, nDCG, RR, strategy accuracy, no-evidence precision and counts of one mode."""
    result = ModeResult(mode)
    for question in questions:
        found = ask(service, question, mode)
        result.rankings[question.id] = ranking_of(question, found.evidences)
        checks = _checks(question, found, result.rankings[question.id])
        result.values[question.id] = {name: float(right) for name, (right, _) in checks.items() if name}
        wrong = next((text for right, text in checks.values() if not right), None)
        if wrong:
            result.wrong[question.id] = wrong
    for key, values in metrics_by_question(judgments_of(questions), result.rankings).items():
        result.values[key] = {**values, **result.values[key]}
    return result


def ask(service: RetrievalService, question: Question, mode: str) -> Retrieval:
    """Retrieve for a question of a set, with its filters and history."""
    return service.retrieve(question.question, mode=mode, **_arguments(question))


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
        if hybrid < best - GATE_ROUNDING:
            failures.append(f"hybrid {name} {hybrid:.4f} is below the better search alone ({best:.4f})")
    return failures


def _checks(question: Question, found: Retrieval, ranking: Sequence[str]) -> dict[str, tuple[bool, str]]:
    """Figure → (as expected?, what was found instead); the nameless check only tells what went wrong."""
    checks = {"strategy_accuracy": (found.strategy == question.strategy, f"strategy {found.strategy}")}
    if question.no_evidence:
        number = len(found.evidences)
        checks["no_evidence_precision"] = (not number, f"{number} evidences, none expected")
    if question.count is not None:
        got = [row.count for row in found.counts]
        got += [int(e.structured["count"]) for e in found.evidences if "count" in e.structured]
        checks["count_accuracy"] = (question.count in got, f"counts {got}, expected {question.count}")
    if question.relevant:
        hit = bool(set(ranking[:10]) & {one.key for one in question.relevant})
        checks[""] = (hit, "no relevant source in the first ten")
    return checks


def _answered(service: Answers, question: Question, main: ModeResult) -> QuestionResult:
    """The retrieval figures of the mode in use with those of the answer, which the service stores under its key."""
    answer = service.ask(question.question, **_arguments(question), again=True)
    # A question with sources that is answered without any is a fall, not a question without citations.
    found = {} if NO_EVIDENCE_NOTICE in answer.notices else citation_values(answer)
    cited = found or ({"answers_with_citation": 0.0} if question.relevant else {})
    if question.shown:
        pages = {(one.source_id, one.page) for one in question.relevant}
        cited = {**cited, "sentence_shown": float(shows(answer, question.shown, pages))}
    return QuestionResult(
        question.id,
        question.digest,
        question.tags or (question.strategy,),
        {**main.values[question.id], **cited},
        main.wrong.get(question.id),
        answer.answer_id,
        len(answer.removed),
    )


def _arguments(question: Question) -> dict[str, Any]:
    history = [Turn(turn.question, turn.candidate) for turn in question.history]
    return {"candidate": question.candidate, "filters": question.filters.restriction(), "history": history}


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

"""The question set over one UF: measured, stored, and judged by its pinned baseline and the last good evaluation."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

from iris_assets.evaluation.baselines import WATCHED, Baseline, Measured, pin_baseline, read_baseline
from iris_assets.evaluation.changes import Change, changes
from iris_assets.evaluation.questions import QuestionSet
from iris_assets.evaluation.results import QuestionResult
from iris_assets.evaluation.runner import Answers, Evaluation, evaluate_questions
from iris_assets.store import Store
from iris_assets.store.inputs import EvaluationValues
from iris_assets.store.records import EvaluationRow

EVERYWHERE: Final = "ALL"  # the partition of an evaluation over all questions
HISTORY: Final = 30
KEPT_ANSWERS: Final = 5  # evaluations whose answers stay readable; the figures of all stay
SHOWN_WRONG: Final = 100
TOLERANCE: Final = 0.02


@dataclass(frozen=True, slots=True)
class LastGood:
    """The evaluation that this one is compared with."""

    run_key: str
    started_at: datetime
    same_corpus: bool
    results: tuple[QuestionResult, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`regressions` fail the evaluation; `warnings` are falls that another corpus may explain; `notes` say the rest."""

    regressions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def description(self) -> str:
        """All of it in one line, the worst first."""
        return "; ".join((*self.regressions, *self.warnings, *self.notes)) or "no figure fell"


@dataclass(frozen=True, slots=True)
class PartitionEvaluation:
    """What one evaluation of one UF found; `figures` as `Evaluation.as_json`, `history` oldest first, this one last."""

    partition: str
    run_key: str
    figures: dict[str, Any]
    verdict: Verdict
    history: list[dict[str, Any]] = field(default_factory=list)
    pinned: dict[str, float] | None = None


def evaluate_partition(
    service: Answers,
    store: Store,
    questions: QuestionSet,
    uf: str | None,
    *,
    baseline: Path,
    export: Path | None = None,
    pin: bool = False,
    allow_lower: bool = False,
) -> PartitionEvaluation:
    """Evaluate the questions of `uf` (None: all), store figures and answers, and judge them.

    A UF without questions of its own is evaluated on those that name none; its figures say how many. `pin` makes
    these figures the baseline and the evaluation a good one, whatever it was compared with; UsageError FLOOR_LOWERED
    when one would fall and `allow_lower` was not given.
    """
    partition = uf or EVERYWHERE
    started = datetime.now(UTC)
    corpus = store.evaluations.corpus_digest()
    done = evaluate_questions(service, questions, partition=uf, export=export)
    mode = _mode(service, done)
    measured = Measured(questions.name, partition, mode, corpus, questions.hash)
    if pin:
        pinned = pin_baseline(baseline, measured, done.figures, allow_lower=allow_lower)
        verdict = Verdict(notes=("these figures are the pinned baseline now",))
    else:
        pinned = None
        verdict = judge(done, read_baseline(baseline, measured), measured, last_good(store, measured))
    run_key = _save(service, store, done, measured, started, failed=bool(verdict.regressions))
    store.evaluations.forget_answers(questions.name, partition, keep=KEPT_ANSWERS)
    history = [_point(row) for row in reversed(store.evaluations.history(questions.name, partition, limit=HISTORY))]
    return PartitionEvaluation(partition, run_key, done.as_json(), verdict, history, pinned)


def judge(done: Evaluation, baseline: Baseline | None, measured: Measured, before: LastGood | None) -> Verdict:
    """Below the pinned baseline of the same corpus, or more than TOLERANCE below the last good evaluation: a regression.

    A fall since an evaluation of another corpus is a warning, since the records themselves may explain it.
    """
    found = list(done.failed)
    notes = []
    if not done.results:
        notes.append("no question of the set concerns this partition")
    if baseline is not None and baseline.hold_for(measured):
        found += baseline.broken_by(done.figures)
    elif baseline is not None:
        notes.append("the baseline was pinned on another corpus or question set and do not apply")
    if before is None:
        notes.append("there is no earlier evaluation to compare with")
        return Verdict(tuple(found), (), tuple(notes))
    changed = changes(before.results, done.results)
    fallen = [str(one) for one in changed if one.name in WATCHED and one.difference < -TOLERANCE]
    notes.append(f"compared with evaluation {before.run_key} of {before.started_at:%Y-%m-%d %H:%M}")
    if before.same_corpus:
        return Verdict((*found, *fallen), (), tuple(notes), tuple(changed))
    notes.append("the corpus is another than then")
    return Verdict(tuple(found), tuple(fallen), tuple(notes), tuple(changed))


def last_good(store: Store, measured: Measured) -> LastGood | None:
    """The newest evaluation without a regression, of the same set, partition and mode; a red one is never the measure."""
    for row in store.evaluations.history(measured.question_set, measured.partition, limit=HISTORY):
        figures = row["figures_json"] or {}
        if row["status"] == "SUCCESS" and figures.get("measured_mode") == measured.mode:
            answers = store.evaluations.answers(row["id"])
            same = row["corpus_hash"] == measured.corpus_hash
            return LastGood(row["run_key"], row["started_at"], same, tuple(map(QuestionResult.of_row, answers)))
    return None


def _mode(service: Answers, done: Evaluation) -> str:
    if done.mode == "lexical":
        return done.mode
    settings = service.retrieval.settings
    return f"{done.mode} {settings.embedding_model} {settings.embedding_dimension}"


def _save(
    service: Answers, store: Store, done: Evaluation, measured: Measured, started: datetime, *, failed: bool
) -> str:
    settings = service.retrieval.settings
    figures = done.as_json()
    wrong = dict(islice(figures["wrong"].items(), SHOWN_WRONG))
    run: EvaluationValues = {
        "run_partition": measured.partition,
        "question_set": measured.question_set,
        "question_set_hash": measured.question_set_hash,
        "corpus_hash": measured.corpus_hash,
        "embedding_model": settings.embedding_model,
        "embedding_dimension": settings.embedding_dimension,
        "status": "FAILED" if failed else "SUCCESS",
        "figures_json": {**figures, "wrong": wrong, "measured_mode": measured.mode},
        "started_at": started,
        "finished_at": datetime.now(UTC),
    }
    return store.evaluations.save(run, [result.row() for result in done.results])


def _point(row: EvaluationRow) -> dict[str, Any]:
    figures = row["figures_json"] or {}
    return {"at": row["started_at"].isoformat(), **{k: v for k, v in figures.items() if isinstance(v, int | float)}}

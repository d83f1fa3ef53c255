"""The question set over one UF: figures and answers stored, compared with floors and with the last evaluation."""

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from iris_assets.evaluation.questions import load_questions
from iris_assets.evaluation.regression import read_floors, regressions
from iris_assets.evaluation.runner import Answers, evaluate_questions
from iris_assets.store import Store

HISTORY: Final = 30


@dataclass(frozen=True, slots=True)
class PartitionEvaluation:
    """What one evaluation of one UF found."""

    run_key: str
    figures: dict[str, Any]
    regressions: list[str]
    history: list[dict[str, Any]] = field(default_factory=list)  # oldest first, this one included


def evaluate_uf(
    service: Answers, store: Store, questions: Path, uf: str, floors: Path, export: Path
) -> PartitionEvaluation:
    """Evaluate `uf`, store the EvaluationRun and judge it.

    A UF without questions of its own is evaluated on those that name no partition; its figures say how many.
    """
    question_set = load_questions(questions)
    corpus = corpus_hash(store, uf)
    started = datetime.now(UTC)
    figures = evaluate_questions(service, questions, partition=uf, export=export)
    last = store.evaluations.latest(question_set.name, uf)
    found = [
        *regressions(
            figures, read_floors(floors, corpus, figures["mode"]), _comparable(last, corpus, question_set.hash)
        ),
        *figures.get("failed", []),
    ]
    settings = service.retrieval.settings
    run_key = store.evaluations.save(
        {
            "run_partition": uf,
            "question_set": question_set.name,
            "question_set_hash": question_set.hash,
            "corpus_hash": corpus,
            "embedding_model": settings.embedding_model,
            "embedding_dimension": settings.embedding_dimension,
            "status": "FAILED" if found else "SUCCESS",
            "figures_json": figures,
            "started_at": started,
            "finished_at": datetime.now(UTC),
        },
        [],
    )
    history = [_point(row) for row in reversed(store.evaluations.history(question_set.name, uf, limit=HISTORY))]
    return PartitionEvaluation(run_key, figures, found, history)


def corpus_hash(store: Store, uf: str) -> str:
    """SHA-256 over the identity and size of every indexed source of the UF."""
    lines = [f"{kind}|{source}|{count}" for (kind, source), count in sorted(store.chunks.sources(uf).items())]
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def _comparable(last: dict[str, Any] | None, corpus: str, questions_hash: str) -> dict[str, Any] | None:
    # Another corpus or another set gives other figures without anything being worse.
    if last is None or last["corpus_hash"] != corpus or last["question_set_hash"] != questions_hash:
        return None
    figures: dict[str, Any] = last["figures_json"]
    return figures


def _point(row: dict[str, Any]) -> dict[str, Any]:
    figures = row["figures_json"] or {}
    return {"at": row["started_at"].isoformat(), **{k: v for k, v in figures.items() if isinstance(v, int | float)}}

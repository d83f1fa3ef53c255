"""Evaluation runs with their figures and the answers they were measured on."""

import hashlib
import uuid
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Select, delete, select

from iris_assets.store.engine import Row, Tx
from iris_assets.store.inputs import EvaluationAnswerValues, EvaluationValues
from iris_assets.store.records import EvaluationAnswerRow, EvaluationRow, EvaluationWithAnswers
from iris_assets.store.tables.rows import Repository, batches, fetch, fetch_one, insert_rows, select_rows, update_rows
from iris_assets.store.tables.schema import answer, answer_evidence, evaluation_answer, evaluation_run, political_chunk
from iris_assets.store.tables.values import normalised

ANSWERS_A_UNIT: Final = 20  # with at most 25 evidences each: under 500 rows of a table


class Evaluations(Repository):
    """EvaluationRun and EvaluationAnswer."""

    def save(self, run: EvaluationValues, answers: Sequence[EvaluationAnswerValues]) -> str:
        """Store one evaluation with its answers in one transaction; its run key (made here when it has none)."""
        key = str(run.get("run_key") or uuid.uuid4())
        row = normalised(evaluation_run, {**run, "run_key": key})
        with self._access.transaction() as tx:
            insert_rows(tx, evaluation_run, ("run_key",), [row])
            statement = select(evaluation_run.c.id).where(evaluation_run.c.run_key == key)
            run_id = tx.connection.execute(statement).scalar_one()
            rows = [normalised(evaluation_answer, {**answer, "evaluation_id": run_id}) for answer in answers]
            insert_rows(tx, evaluation_answer, ("evaluation_id", "question_key"), rows)
        return key

    def latest(self, question_set: str, partition: str) -> EvaluationWithAnswers | None:
        """The newest evaluation of a question set for a partition, with its `answers`."""
        with self._access.snapshot() as tx:
            row = fetch_one(tx, self._of(question_set, partition).limit(1))
            if row is not None:
                row["answers"] = _answers(tx, row["id"])
            return row

    def history(self, question_set: str, partition: str, limit: int = 50) -> list[EvaluationRow]:
        """The newest evaluations first, without their answers."""
        with self._access.snapshot() as tx:
            return fetch(tx, self._of(question_set, partition).limit(limit))

    def answers(self, evaluation_id: int) -> list[EvaluationAnswerRow]:
        """What one evaluation measured, question by question."""
        with self._access.snapshot() as tx:
            return _answers(tx, evaluation_id)

    def forget_answers(self, question_set: str, partition: str, *, keep: int) -> int:
        """Delete the texts and evidences behind all but the newest `keep` evaluations; how many answers went.

        Their figures stay. Answers that people asked for are no evaluation's and are never touched.
        """
        c = evaluation_answer.c
        statement = (
            select(c.id.label("id"), c.evaluation_id.label("run_id"), c.answer_key.label("answer_key"))
            .join(evaluation_run, evaluation_run.c.id == c.evaluation_id)
            .where(evaluation_run.c.question_set == question_set, evaluation_run.c.run_partition == partition)
            .where(c.answer_key.is_not(None))
            .order_by(evaluation_run.c.started_at.desc(), evaluation_run.c.id.desc(), c.id)
        )
        with self._access.snapshot() as tx:
            rows = fetch(tx, statement)
        kept = list(dict.fromkeys(row["run_id"] for row in rows))[:keep]
        old = [row for row in rows if row["run_id"] not in kept]
        for part in batches(old, ANSWERS_A_UNIT):
            with self._access.transaction() as tx:
                _forget(tx, part)
        return len(old)

    def corpus_digest(self) -> str:
        """SHA-256 over the identity and content of every chunk: what any search ranges over.

        Independent of row ids and order, so that two stores of the same records agree.
        """
        c = political_chunk.c
        total = 0
        with self._access.snapshot() as tx:
            for row in tx.connection.execute(select(c.source_type, c.source_id, c.chunk_index, c.content_hash)):
                total += int.from_bytes(hashlib.sha256("|".join(map(str, row)).encode()).digest(), "big")
        return hashlib.sha256(str(total).encode()).hexdigest()

    @staticmethod
    def _of(question_set: str, partition: str) -> Select[Any]:
        return (
            select_rows(evaluation_run)
            .where(evaluation_run.c.question_set == question_set, evaluation_run.c.run_partition == partition)
            .order_by(evaluation_run.c.started_at.desc(), evaluation_run.c.id.desc())
        )


def _answers(tx: Tx, evaluation_id: int) -> list[EvaluationAnswerRow]:
    statement = select_rows(evaluation_answer).where(evaluation_answer.c.evaluation_id == evaluation_id)
    return fetch(tx, statement.order_by(evaluation_answer.c.id))


def _forget(tx: Tx, rows: Sequence[Row]) -> None:
    keys = [row["answer_key"] for row in rows]
    ids = list(tx.connection.execute(select(answer.c.id).where(answer.c.answer_key.in_(keys))).scalars())
    if ids:
        tx.connection.execute(delete(answer_evidence).where(answer_evidence.c.answer_id.in_(ids)))
        tx.connection.execute(delete(answer).where(answer.c.id.in_(ids)))
    update_rows(tx, evaluation_answer, {row["id"]: {"answer_key": None} for row in rows})

"""Evaluation runs with their figures and the answers they were measured on."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, select

from iris_assets.store.engine import Row, RowMapping, Tx
from iris_assets.store.rows import Repository, fetch, fetch_one, insert_rows, select_rows
from iris_assets.store.schema import evaluation_answer, evaluation_run
from iris_assets.store.values import normalised


class Evaluations(Repository):
    """EvaluationRun and EvaluationAnswer."""

    def save(self, run: RowMapping, answers: Sequence[RowMapping]) -> str:
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

    def latest(self, question_set: str, partition: str) -> Row | None:
        """The newest evaluation of a question set for a partition, with its `answers`."""
        with self._access.snapshot() as tx:
            row = fetch_one(tx, self._of(question_set, partition).limit(1))
            return None if row is None else self._with_answers(tx, row)

    def history(self, question_set: str, partition: str, limit: int = 50) -> list[Row]:
        """The newest evaluations first, without their answers."""
        with self._access.snapshot() as tx:
            return fetch(tx, self._of(question_set, partition).limit(limit))

    @staticmethod
    def _of(question_set: str, partition: str) -> Select[Any]:
        return (
            select_rows(evaluation_run)
            .where(evaluation_run.c.question_set == question_set, evaluation_run.c.run_partition == partition)
            .order_by(evaluation_run.c.started_at.desc(), evaluation_run.c.id.desc())
        )

    @staticmethod
    def _with_answers(tx: Tx, row: Row) -> Row:
        statement = select_rows(evaluation_answer).where(evaluation_answer.c.evaluation_id == row["id"])
        row["answers"] = fetch(tx, statement.order_by(evaluation_answer.c.id))
        return row

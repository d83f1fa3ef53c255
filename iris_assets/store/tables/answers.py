"""Answers as they were first given, so that the same permalink always shows the same text and evidence."""

import uuid
from collections.abc import Sequence

from sqlalchemy import select

from iris_assets.store.inputs import AnswerValues, EvidenceValues
from iris_assets.store.records import AnswerWithEvidences
from iris_assets.store.tables.rows import Repository, fetch, fetch_one, insert_rows, select_rows
from iris_assets.store.tables.schema import answer as answer_table
from iris_assets.store.tables.schema import answer_evidence
from iris_assets.store.tables.values import normalised


class Answers(Repository):
    """Answer and AnswerEvidence."""

    def save(self, answer: AnswerValues, evidences: Sequence[EvidenceValues]) -> str:
        """Store an answer with its evidences in one transaction; its key (made here when the answer has none)."""
        key = str(answer.get("answer_key") or uuid.uuid4())
        row = normalised(answer_table, {**answer, "answer_key": key})
        with self._access.transaction() as tx:
            insert_rows(tx, answer_table, ("answer_key",), [row])
            statement = select(answer_table.c.id).where(answer_table.c.answer_key == key)
            answer_id = tx.connection.execute(statement).scalar_one()
            rows = [normalised(answer_evidence, {**evidence, "answer_id": answer_id}) for evidence in evidences]
            insert_rows(tx, answer_evidence, ("answer_id", "evidence_key"), rows)
        return key

    def get(self, answer_key: str) -> AnswerWithEvidences | None:
        """The stored answer with `evidences` in their order (E1, E2, …)."""
        with self._access.snapshot() as tx:
            row: AnswerWithEvidences | None = fetch_one(
                tx, select_rows(answer_table).where(answer_table.c.answer_key == answer_key)
            )
            if row is None:
                return None
            statement = select_rows(answer_evidence).where(answer_evidence.c.answer_id == row["id"])
            row["evidences"] = fetch(tx, statement.order_by(answer_evidence.c.id))
        return row

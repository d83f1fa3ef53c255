"""Answers as they were first given, so that the same permalink always shows the same text and evidence."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, delete, or_, select, update

from iris_assets.store.inputs import AnswerValues, EvidenceValues
from iris_assets.store.records import AnswerRow, AnswerWithEvidences
from iris_assets.store.tables.rows import Repository, batches, fetch, fetch_one, insert_rows, select_rows
from iris_assets.store.tables.schema import answer as answer_table
from iris_assets.store.tables.schema import answer_evidence
from iris_assets.store.tables.values import normalised

FORGOTTEN_AT_ONCE = 20  # answers of a transaction: each has up to two dozen evidences


class Answers(Repository):
    """Answer and AnswerEvidence."""

    def save(self, answer: AnswerValues, evidences: Sequence[EvidenceValues], wait: float | None = None) -> str:
        """Store an answer with its evidences in one transaction; its key (made here when the answer has none).

        Other writers are waited for at most `wait` seconds, then StoreError STORE_BUSY is raised.
        """
        key = str(answer.get("answer_key") or uuid.uuid4())
        row = normalised(answer_table, {**answer, "answer_key": key})
        with self._access.transaction(wait) as tx:
            insert_rows(tx, answer_table, ("answer_key",), [row])
            statement = select(answer_table.c.id).where(answer_table.c.answer_key == key)
            answer_id = tx.connection.execute(statement).scalar_one()
            rows = [normalised(answer_evidence, {**evidence, "answer_id": answer_id}) for evidence in evidences]
            insert_rows(tx, answer_evidence, ("answer_id", "evidence_key"), rows)
        return key

    def find(self, answer_key: str) -> AnswerRow | None:
        """The stored answer without its evidences."""
        with self._access.snapshot() as tx:
            return fetch_one(tx, select_rows(answer_table).where(answer_table.c.answer_key == answer_key))

    def opened(self, answer_key: str, wait: float | None = None) -> None:
        """Note that an answer was asked for again: it is forgotten later."""
        statement = update(answer_table).where(answer_table.c.answer_key == answer_key)
        with self._access.transaction(wait) as tx:
            tx.connection.execute(statement.values(opened_at=tx.now))

    def forget(self, before: datetime, limit: int = FORGOTTEN_AT_ONCE) -> int:
        """Delete at most `limit` answers that were neither given nor opened since `before`, oldest first; how many."""
        c = answer_table.c
        unopened = or_(c.opened_at < before, and_(c.opened_at.is_(None), c.created_at < before))
        with self._access.transaction() as tx:
            ids = [row[0] for row in tx.connection.execute(select(c.id).where(unopened).order_by(c.id).limit(limit))]
            for part in batches(ids, tx.engine.limits.listed):
                tx.connection.execute(delete(answer_evidence).where(answer_evidence.c.answer_id.in_(part)))
                tx.connection.execute(delete(answer_table).where(answer_table.c.id.in_(part)))
        return len(ids)

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

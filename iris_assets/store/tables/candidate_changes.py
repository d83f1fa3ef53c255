"""What the court corrected in the candidacies of a partition: one row a field and run, never rewritten."""

from collections.abc import Collection, Sequence
from datetime import datetime

from iris_assets.store.engine import Tx
from iris_assets.store.inputs import ChangeValues
from iris_assets.store.records import ChangeRow
from iris_assets.store.tables.rows import Repository, fetch, insert_rows, select_rows
from iris_assets.store.tables.schema import candidate, candidate_change

KEY = ("tse_id", "election_year", "field", "run_key")


class CandidateChanges(Repository):
    """CandidateChange."""

    def add(self, tx: Tx, rows: Sequence[ChangeValues]) -> None:
        """In the transaction that stores the corrected candidates; the time is that of the transaction."""
        insert_rows(tx, candidate_change, KEY, [{**row, "changed_at": tx.now} for row in rows])

    def since(
        self, moment: datetime | None = None, *, states: Collection[str] = (), election_year: int | None = None
    ) -> list[ChangeRow]:
        """Corrections from `moment` on, oldest first; the UF is the one that the candidate has now."""
        statement = select_rows(candidate_change)
        if moment is not None:
            statement = statement.where(candidate_change.c.changed_at >= moment)
        if election_year is not None:
            statement = statement.where(candidate_change.c.election_year == election_year)
        if states:
            statement = statement.join(
                candidate,
                (candidate.c.tse_id == candidate_change.c.tse_id)
                & (candidate.c.election_year == candidate_change.c.election_year),
            ).where(candidate.c.state.in_(list(states)))
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(candidate_change.c.changed_at, candidate_change.c.id))

    def of_candidate(self, tse_id: str, election_year: int) -> list[ChangeRow]:
        """The corrections of one candidacy, newest first."""
        statement = select_rows(candidate_change).where(
            candidate_change.c.tse_id == tse_id, candidate_change.c.election_year == election_year
        )
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(candidate_change.c.changed_at.desc(), candidate_change.c.id.desc()))

"""The evidence behind each identity decision: every deputy considered for a candidate, with its score."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, select

from iris_assets.store.engine import Tx
from iris_assets.store.inputs import MatchValues
from iris_assets.store.records import MatchRow, ReviewCase
from iris_assets.store.tables.candidates import NEUTRAL_ORDER
from iris_assets.store.tables.rows import Outcome, Repository, batches, fetch, fetch_in, select_rows, upsert
from iris_assets.store.tables.schema import candidate, match_evidence


class Matches(Repository):
    """MatchEvidence."""

    def replace(self, tx: Tx, candidate_id: int, rows: Sequence[MatchValues]) -> list[Outcome]:
        """The deputies considered now (camara_deputy_id, score, outcome, evidence_json); others of before go."""
        new = [{**row, "candidate_id": candidate_id} for row in rows]
        outcomes = upsert(tx, match_evidence, ("candidate_id", "camara_deputy_id"), new)
        kept = {row["camara_deputy_id"] for row in rows}
        statement = select(match_evidence.c.id, match_evidence.c.camara_deputy_id).where(
            match_evidence.c.candidate_id == candidate_id
        )
        gone = [row[0] for row in tx.connection.execute(statement) if row[1] not in kept]
        for part in batches(gone, tx.engine.limits.listed):
            tx.connection.execute(delete(match_evidence).where(match_evidence.c.id.in_(part)))
        return outcomes

    def of_candidates(self, tx: Tx, candidate_ids: Collection[int]) -> dict[int, list[MatchRow]]:
        """candidate → its evidence, for candidates that have some."""
        found: dict[int, list[MatchRow]] = {}
        for row in fetch_in(tx, select_rows(match_evidence), match_evidence.c.candidate_id, candidate_ids):
            found.setdefault(row["candidate_id"], []).append(row)
        return found

    def of_candidate(self, candidate_id: int) -> list[MatchRow]:
        """The evidence of one candidate, best score first."""
        statement = select_rows(match_evidence).where(match_evidence.c.candidate_id == candidate_id)
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(match_evidence.c.score.desc(), match_evidence.c.camara_deputy_id))

    def review_cases(self, *, states: Collection[str] = (), election_year: int | None = None) -> list[ReviewCase]:
        """Candidates in REVIEW by ballot name, each with `considered`: its evidence rows, best first."""
        statement = select_rows(candidate).where(candidate.c.match_status == "REVIEW")
        if states:
            statement = statement.where(candidate.c.state.in_(list(states)))
        if election_year is not None:
            statement = statement.where(candidate.c.election_year == election_year)
        with self._access.snapshot() as tx:
            cases = fetch(tx, statement.order_by(*NEUTRAL_ORDER))
            ids = [case["id"] for case in cases]
            evidence = fetch_in(tx, select_rows(match_evidence), match_evidence.c.candidate_id, ids)
        evidence.sort(key=lambda row: (-row["score"], row["camara_deputy_id"]))
        for case in cases:
            case["considered"] = [row for row in evidence if row["candidate_id"] == case["id"]]
        return cases

    def suggested(self) -> list[MatchRow]:
        """Evidence rows that only propose a pair (outcome SUGGESTED), by candidate, best score first."""
        statement = select_rows(match_evidence).where(match_evidence.c.outcome == "SUGGESTED")
        order = (match_evidence.c.candidate_id, match_evidence.c.score.desc(), match_evidence.c.camara_deputy_id)
        with self._access.snapshot() as tx:
            return fetch(tx, statement.order_by(*order))

    def counts(self, *, states: Collection[str] = (), election_year: int | None = None) -> dict[str, int]:
        """MATCHED, REVIEW and UNMATCHED candidates; those not compared yet are not counted."""
        statement = (
            select(candidate.c.match_status, func.count())
            .where(candidate.c.match_status.is_not(None))
            .group_by(candidate.c.match_status)
        )
        if states:
            statement = statement.where(candidate.c.state.in_(list(states)))
        if election_year is not None:
            statement = statement.where(candidate.c.election_year == election_year)
        with self._access.snapshot() as tx:
            found = {row[0]: int(row[1]) for row in tx.connection.execute(statement)}
        return {status: found.get(status, 0) for status in ("MATCHED", "REVIEW", "UNMATCHED")}

"""What a partition's identity decisions leave in the store: status, evidence of every pair, links that end."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from iris_assets.identity.matching import Considered, MatchDecision
from iris_assets.identity.suggestions import Suggestion
from iris_assets.ingest.camara_decisions import Decisions
from iris_assets.ingest.camara_deputies import STAGE
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.ingest.reporting import StageRun
from iris_assets.store import Tx, in_units
from iris_assets.store.inputs import MatchValues
from iris_assets.store.records import CandidateRow
from iris_assets.words.source_kinds import POLITICAL_HISTORY, PROPOSITION

CODE_VERSION: Final = "2"
MATCHED: Final = "MATCHED"
SUGGESTED: Final = "SUGGESTED"
COMPARED: Final = ("camara_deputy_id", "score", "outcome", "evidence_json")


def write_identities(
    context: IngestContext,
    run: StageRun,
    uf: str,
    own: Sequence[CandidateRow],
    decisions: Decisions,
    suggestions: Iterable[Suggestion],
    *,
    full_refresh: bool,
) -> None:
    """Status and evidence, as many candidates a transaction as fit; an unchanged outcome of the whole partition writes nothing."""
    store = context.store
    evidence = {row["id"]: _evidence_rows(decisions[row["id"]]) for row in own}
    for suggestion in suggestions:
        _add_suggestion(evidence[int(suggestion.candidate_key)], suggestion)
    unit = f"identity:{context.settings.ingest_election_year}:{uf}"
    rows = [(row["id"], _outcome(decisions[row["id"]]), evidence[row["id"]]) for row in own]
    key = input_fingerprint(version=CODE_VERSION, rows=rows)
    state = store.state.get(STAGE, unit)
    lost = any(row["match_status"] is None or _differs(row, decisions[row["id"]]) for row in own)
    if state is not None and state.consumed_key == key and not lost and not full_refresh:
        return
    for row in own:
        if row["camara_deputy_id"] is not None and row["camara_deputy_id"] != decisions[row["id"]].deputy_id:
            _unlink(context, run, row["id"])
    with store.snapshot() as tx:
        stored = store.matches.of_candidates(tx, [row["id"] for row in own])
    most = context.store.limits.transaction_rows
    for part in in_units(own, lambda row: 1 + len(stored.get(row["id"], ())) + len(evidence[row["id"]]), most):
        with store.transaction() as tx:
            for row in part:
                _write_status(context, run, tx, row, decisions[row["id"]])
                if not _same_evidence(stored.get(row["id"], ()), evidence[row["id"]]):
                    store.matches.replace(tx, row["id"], evidence[row["id"]])
    with store.transaction() as tx:
        store.state.put(tx, STAGE, unit, key)


def _write_status(context: IngestContext, run: StageRun, tx: Tx, row: CandidateRow, decision: MatchDecision) -> None:
    if _differs(row, decision):
        context.store.candidates.set_match(tx, row["id"], *_outcome(decision))
        run.report.work["matches_written"] += 1


def _unlink(context: IngestContext, run: StageRun, candidate_id: int) -> None:
    """A candidate who is no longer this deputy loses the links; the deputy's history stays, unlinked.

    Before the status is written: a break leaves the old status, by which the next run goes on.
    """
    links = context.store.links
    retired = 0
    for link in links.of_candidate(candidate_id):
        if link["source_type"] == PROPOSITION:
            retired += links.withdraw(PROPOSITION, link["source_id"], candidate_id)
        elif link["source_type"] == POLITICAL_HISTORY:
            links.withdraw(POLITICAL_HISTORY, link["source_id"], candidate_id, keep_source=True)
    run.report.figures["bills_retired"] = run.report.figures.get("bills_retired", 0) + retired


def _outcome(decision: MatchDecision) -> tuple[str, float, int | None]:
    return decision.status, float(decision.confidence), decision.deputy_id


def _differs(row: CandidateRow, decision: MatchDecision) -> bool:
    return (row["match_status"], row["match_confidence"], row["camara_deputy_id"]) != _outcome(decision)


def _same_evidence(stored: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> bool:
    one, other = ([tuple(row[name] for name in COMPARED) for row in rows] for rows in (stored, new))
    return sorted(one, key=lambda row: row[0]) == sorted(other, key=lambda row: row[0])


def _evidence_rows(decision: MatchDecision) -> list[MatchValues]:
    return [_evidence_row(decision, item, place == 0) for place, item in enumerate(decision.considered)]


def _evidence_row(decision: MatchDecision, item: Considered, best: bool) -> MatchValues:
    # A pair that would be MATCHED by its points is a REVIEW pair when the decision is doubt.
    outcome = decision.status if item.outcome == MATCHED and decision.status != MATCHED else item.outcome
    told = {
        "evidence": [
            {"name": e.name, "points": e.points, "candidate": e.candidate_value, "deputy": e.deputy_value}
            for e in item.score.evidence
        ],
        "explanation": item.explanation,
        "conflicts": list(item.conflicts),
    }
    if best:
        told["decision"] = decision.explanation[:2000]
        told["contradictions"] = list(decision.contradictions)
    return {
        "camara_deputy_id": item.deputy_id,
        "score": float(item.score.points),
        "outcome": outcome,
        "evidence_json": told,
    }


def _add_suggestion(rows: list[MatchValues], suggestion: Suggestion) -> None:
    told = {"explanation": suggestion.explanation, "similarity": round(suggestion.similarity, 1)}
    for row in rows:
        if row["camara_deputy_id"] == suggestion.deputy_id:
            row["outcome"] = SUGGESTED
            row["evidence_json"] = {**row["evidence_json"], "suggestion": told}
            return
    rows.append(
        {
            "camara_deputy_id": suggestion.deputy_id,
            "score": float(suggestion.points),
            "outcome": SUGGESTED,
            "evidence_json": {"evidence": [], "explanation": suggestion.explanation, "suggestion": told},
        }
    )

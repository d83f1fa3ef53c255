"""What a partition's identity decisions leave in the store: status, evidence of every pair, links that end."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from iris_assets.identity.matching import Considered, MatchDecision
from iris_assets.identity.suggestions import Suggestion
from iris_assets.ingest.camara_decisions import Decisions
from iris_assets.ingest.camara_deputies import STAGE
from iris_assets.ingest.consumption import consumed_key
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.store import Tx

CODE_VERSION: Final = "2"
CANDIDATES_PER_UNIT: Final = 200
MATCHED: Final = "MATCHED"
SUGGESTED: Final = "SUGGESTED"
BILL: Final = "PROPOSITION"
HISTORY: Final = "POLITICAL_HISTORY"
COMPARED: Final = ("camara_deputy_id", "score", "outcome", "evidence_json")


def write_identities(
    context: IngestContext,
    run: StageRun,
    uf: str,
    own: Sequence[Mapping[str, Any]],
    decisions: Decisions,
    suggestions: Iterable[Suggestion],
    *,
    full_refresh: bool,
) -> None:
    """Status and evidence, 200 candidates a transaction; an unchanged outcome of the whole partition writes nothing."""
    store = context.store
    evidence = {row["id"]: _evidence_rows(decisions[row["id"]]) for row in own}
    for suggestion in suggestions:
        _add_suggestion(evidence[int(suggestion.candidate_key)], suggestion)
    unit = f"identity:{context.settings.ingest_election_year}:{uf}"
    rows = [(row["id"], _outcome(decisions[row["id"]]), evidence[row["id"]]) for row in own]
    key = consumed_key(version=CODE_VERSION, rows=rows)
    state = store.state.get(STAGE, unit)
    lost = any(row["match_status"] is None or _differs(row, decisions[row["id"]]) for row in own)
    if state is not None and state.consumed_key == key and not lost and not full_refresh:
        return
    for start in range(0, len(own), CANDIDATES_PER_UNIT):
        part = own[start : start + CANDIDATES_PER_UNIT]
        with store.transaction() as tx:
            stored = store.matches.of_candidates(tx, [row["id"] for row in part])
            for row in part:
                _write_status(context, run, tx, row, decisions[row["id"]])
                if not _same_evidence(stored.get(row["id"], ()), evidence[row["id"]]):
                    store.matches.replace(tx, row["id"], evidence[row["id"]])
    with store.transaction() as tx:
        store.state.put(tx, STAGE, unit, key)


def _write_status(
    context: IngestContext, run: StageRun, tx: Tx, row: Mapping[str, Any], decision: MatchDecision
) -> None:
    if row["camara_deputy_id"] is not None and row["camara_deputy_id"] != decision.deputy_id:
        _unlink(context, run, tx, row["id"])
    if _differs(row, decision):
        context.store.candidates.set_match(tx, row["id"], *_outcome(decision))
        run.report.work["matches_written"] += 1


def _unlink(context: IngestContext, run: StageRun, tx: Tx, candidate_id: int) -> None:
    """A candidate who is no longer this deputy loses the links; the deputy's history stays, unlinked."""
    links = context.store.links
    for link in links.of_candidate(candidate_id):
        if link["source_type"] == BILL:
            run.report.figures["bills_retired"] = run.report.figures.get("bills_retired", 0) + links.remove(
                tx, BILL, link["source_id"], candidate_id
            )
        elif link["source_type"] == HISTORY:
            links.remove(tx, HISTORY, link["source_id"], candidate_id, keep_source=True)


def _outcome(decision: MatchDecision) -> tuple[str, float, int | None]:
    return decision.status, float(decision.confidence), decision.deputy_id


def _differs(row: Mapping[str, Any], decision: MatchDecision) -> bool:
    return (row["match_status"], row["match_confidence"], row["camara_deputy_id"]) != _outcome(decision)


def _same_evidence(stored: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> bool:
    one, other = ([tuple(row[name] for name in COMPARED) for row in rows] for rows in (stored, new))
    return sorted(one, key=lambda row: row[0]) == sorted(other, key=lambda row: row[0])


def _evidence_rows(decision: MatchDecision) -> list[dict[str, Any]]:
    return [_evidence_row(decision, item, place == 0) for place, item in enumerate(decision.considered)]


def _evidence_row(decision: MatchDecision, item: Considered, best: bool) -> dict[str, Any]:
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


def _add_suggestion(rows: list[dict[str, Any]], suggestion: Suggestion) -> None:
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

"""Who the candidates of one partition are in the Câmara: decided over the whole election, written for the partition."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from iris_assets.identity.evidence import CandidateIdentity
from iris_assets.identity.matching import Considered, DeputyIndex, MatchDecision, Override, match_candidates
from iris_assets.identity.overrides import FILE_NAME, OverrideFile, load_overrides
from iris_assets.identity.suggestions import Suggestion, suggest
from iris_assets.ingest.camara_deputies import STAGE, DeputyBook
from iris_assets.ingest.consumption import consumed_key
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.store import Tx

CODE_VERSION: Final = "1"
CACHE: Final = "camara-decisions"
COLUMNS: Final = (
    "id", "tse_id", "election_year", "name", "ballot_name", "state", "party", "office",
    "match_status", "match_confidence", "camara_deputy_id",
)  # fmt: skip
CANDIDATES_PER_UNIT: Final = 200
MATCHED: Final = "MATCHED"
SUGGESTED: Final = "SUGGESTED"
BILL: Final = "PROPOSITION"
HISTORY: Final = "POLITICAL_HISTORY"


@dataclass(frozen=True, slots=True)
class Matched:
    """A candidate of the partition who is a deputy."""

    candidate_id: int
    tse_id: str
    deputy_id: int


@dataclass(frozen=True, slots=True)
class Identified:
    """The partition's matched candidates in TseId order, and every deputy matched anywhere in this election."""

    matched: tuple[Matched, ...]
    matched_deputies: frozenset[int]


def identify(context: IngestContext, run: StageRun, uf: str, book: DeputyBook, *, full_refresh: bool) -> Identified:
    """Match, store status and evidence of the partition's candidates, and report REVIEW cases and new matches.

    Raises ConfigurationError OVERRIDES_INVALID when overrides.json is broken.
    """
    settings = context.settings
    overrides = load_overrides(settings.iris_assets_data / FILE_NAME)
    run.report.notes.extend(overrides.ignored)
    rows = context.store.candidates.list(
        election_year=settings.ingest_election_year, offices=settings.ingest_offices, columns=COLUMNS
    )
    own = [row for row in rows if row["state"] == uf]
    people = {row["id"]: _identity(row) for row in rows}
    book.learn_parties(run, _considered_ids(own, people, book, overrides))
    decisions = _decided(context, list(people.values()), book.index, overrides.overrides)
    _report(run, book, own, decisions)
    _write(context, run, uf, own, people, decisions, book, full_refresh)
    return _identified(own, decisions)


@dataclass(frozen=True, slots=True)
class _Decided:
    """Decisions of this process with everything that they were made of: the next partition compares the same people."""

    people: Sequence[CandidateIdentity]
    index: DeputyIndex
    overrides: Sequence[Override]
    decisions: Mapping[int, MatchDecision]


def _decided(
    context: IngestContext, people: Sequence[CandidateIdentity], index: DeputyIndex, overrides: Sequence[Override]
) -> Mapping[int, MatchDecision]:
    """One decision per row id; made anew when a candidate, a deputy or an override is not what it was."""
    known: _Decided | None = context.caches.get(CACHE)
    if known is None or known.index is not index or known.people != people or known.overrides != overrides:
        decisions = {int(item.candidate_key): item for item in match_candidates(people, index, overrides)}
        context.caches[CACHE] = known = _Decided(people, index, overrides, decisions)
    return known.decisions


def _identity(row: Mapping[str, Any]) -> CandidateIdentity:
    return CandidateIdentity(
        row["id"], row["tse_id"], row["election_year"], row["name"], row["ballot_name"], row["state"], row["party"]
    )


def _considered_ids(
    own: Sequence[Mapping[str, Any]],
    people: Mapping[int, CandidateIdentity],
    book: DeputyBook,
    overrides: OverrideFile,
) -> set[int]:
    found = {d.deputy_id for row in own for d in book.index.sharing_a_name(people[row["id"]])}
    chosen = {override.tse_id: override.deputy_id for override in overrides.overrides}
    found |= {chosen[row["tse_id"]] for row in own if row["tse_id"] in chosen}
    return found & book.index.by_id.keys()


def _identified(own: Sequence[Mapping[str, Any]], decisions: Mapping[int, MatchDecision]) -> Identified:
    matched = tuple(
        Matched(row["id"], row["tse_id"], deputy)
        for row in own
        if (deputy := decisions[row["id"]].deputy_id) is not None
    )
    everywhere = frozenset(d.deputy_id for d in decisions.values() if d.deputy_id is not None)
    return Identified(tuple(sorted(matched, key=lambda item: item.tse_id)), everywhere)


# -- writing -------------------------------------------------------------------------------------------------------


def _write(
    context: IngestContext,
    run: StageRun,
    uf: str,
    own: Sequence[Mapping[str, Any]],
    people: Mapping[int, CandidateIdentity],
    decisions: Mapping[int, MatchDecision],
    book: DeputyBook,
    full_refresh: bool,
) -> None:
    """Status and evidence, 200 candidates a transaction; an unchanged outcome of the whole partition writes nothing."""
    store = context.store
    evidence = {row["id"]: _evidence_rows(decisions[row["id"]]) for row in own}
    unit = f"identity:{context.settings.ingest_election_year}:{uf}"
    key = consumed_key(
        version=CODE_VERSION,
        deputies=book.digest(),
        rows=[(str(people[row["id"]]), _outcome(decisions[row["id"]]), evidence[row["id"]]) for row in own],
    )
    state = store.state.get(STAGE, unit)
    lost = [row for row in own if row["match_status"] is None or _differs(row, decisions[row["id"]])]
    if state is not None and state.consumed_key == key and not lost and not full_refresh:
        run.report.figures["suggestions"] = state.detail["suggestions"]
        return
    suggestions = suggest(
        [people[row["id"]] for row in own], [decisions[row["id"]] for row in own], book.index.by_id.values()
    )
    for suggestion in suggestions:
        _add_suggestion(evidence[int(suggestion.candidate_key)], suggestion)
    run.report.figures["suggestions"] = len(suggestions)
    for start in range(0, len(own), CANDIDATES_PER_UNIT):
        with store.transaction() as tx:
            for row in own[start : start + CANDIDATES_PER_UNIT]:
                _write_one(context, run, tx, row, decisions[row["id"]], evidence[row["id"]])
    with store.transaction() as tx:
        store.state.put(tx, STAGE, unit, key, {"suggestions": len(suggestions)})


def _write_one(
    context: IngestContext,
    run: StageRun,
    tx: Tx,
    row: Mapping[str, Any],
    decision: MatchDecision,
    evidence: list[dict[str, Any]],
) -> None:
    if row["camara_deputy_id"] is not None and row["camara_deputy_id"] != decision.deputy_id:
        _unlink(context, run, tx, row["id"])
    if _differs(row, decision):
        context.store.candidates.set_match(tx, row["id"], *_outcome(decision))
        run.report.work["matches_written"] += 1
    if evidence or row["match_status"] is not None:
        context.store.matches.replace(tx, row["id"], evidence)


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


# -- reporting -----------------------------------------------------------------------------------------------------


def _report(
    run: StageRun,
    book: DeputyBook,
    own: Sequence[Mapping[str, Any]],
    decisions: Mapping[int, MatchDecision],
) -> None:
    counts = Counter(decisions[row["id"]].status for row in own)
    run.report.figures.update(matched=counts[MATCHED], review=counts["REVIEW"], unmatched=counts["UNMATCHED"])
    run.report.tables["review"] = [
        line
        for row in own
        if decisions[row["id"]].status == "REVIEW"
        for line in _lines(row, decisions[row["id"]], book)
    ]
    run.report.tables["new_matches"] = [
        _lines(row, decisions[row["id"]], book)[0]
        for row in own
        if decisions[row["id"]].status == MATCHED and row["camara_deputy_id"] != decisions[row["id"]].deputy_id
    ]
    for row in own:
        for contradiction in decisions[row["id"]].contradictions:
            run.report.notes.append(f"OVERRIDE_CONTRADICTED: {row['tse_id']}: {contradiction}")


def _lines(row: Mapping[str, Any], decision: MatchDecision, book: DeputyBook) -> list[dict[str, Any]]:
    """One table line per deputy considered, or one without a deputy (an override to nobody)."""
    person = {"tse_id": row["tse_id"], "ballot_name": row["ballot_name"] or row["name"], "office": row["office"]}
    lines = [
        {
            **person,
            "deputy": item.deputy_id,
            "deputy_name": book.name(item.deputy_id),
            "points": item.score.points,
            "explanation": item.explanation,
        }
        for item in decision.considered
    ]
    return lines or [
        {**person, "deputy": 0, "deputy_name": "", "points": decision.confidence, "explanation": decision.explanation}
    ]


__all__ = ["BILL", "HISTORY", "Identified", "Matched", "identify"]

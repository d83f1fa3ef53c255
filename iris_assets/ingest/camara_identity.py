"""Who the candidates of one partition are in the Câmara: decided over the whole election, written for the partition."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from iris_assets.identity.evidence import CandidateIdentity
from iris_assets.identity.matching import MatchDecision
from iris_assets.identity.overrides import FILE_NAME, OverrideFile, load_overrides
from iris_assets.identity.suggestions import suggest
from iris_assets.ingest.camara_decisions import Decisions, decide
from iris_assets.ingest.camara_deputies import DeputyBook
from iris_assets.ingest.camara_evidence import MATCHED, write_identities
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.store.records import CandidateRow

COLUMNS: Final = (
    "id", "tse_id", "election_year", "name", "ballot_name", "state", "party", "office",
    "match_status", "match_confidence", "camara_deputy_id",
)  # fmt: skip


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
    run.report.notes.extend(_without_object(context, overrides, book))
    decisions = decide(context, people, book.index, overrides.every)
    _report(run, book, own, decisions)
    ids = [row["id"] for row in own]
    rejected = {(override.tse_id, override.deputy_id) for override in overrides.rejections}
    suggestions = [
        item
        for item in suggest((people[n] for n in ids), (decisions[n] for n in ids), book.near)
        if (people[int(item.candidate_key)].tse_id, item.deputy_id) not in rejected
    ]
    run.report.figures["suggestions"] = len(suggestions)
    write_identities(context, run, uf, own, decisions, suggestions, full_refresh=full_refresh)
    return _identified(own, decisions)


def _without_object(context: IngestContext, overrides: OverrideFile, book: DeputyBook) -> list[str]:
    """Decisions that no longer fit: about a candidate or a deputy that the records do not know."""
    store = context.store
    lost = [o for o in overrides.every if store.candidates.by_tse_id(o.tse_id) is None]
    notes = [f"OVERRIDE_WITHOUT_CANDIDATE: {o.tse_id}: no such candidate is stored" for o in lost]
    unknown = [o for o in overrides.rejections if o.deputy_id not in book.index.by_id]
    return notes + [f"OVERRIDE_WITHOUT_DEPUTY: {o.tse_id}: the Câmara lists no deputy {o.deputy_id}" for o in unknown]


def _identity(row: CandidateRow) -> CandidateIdentity:
    return CandidateIdentity(
        row["id"], row["tse_id"], row["election_year"], row["name"], row["ballot_name"], row["state"], row["party"]
    )


def _considered_ids(
    own: Sequence[CandidateRow],
    people: Mapping[int, CandidateIdentity],
    book: DeputyBook,
    overrides: OverrideFile,
) -> set[int]:
    found = {d.deputy_id for row in own for d in book.index.sharing_a_name(people[row["id"]])}
    chosen = {override.tse_id: override.deputy_id for override in overrides.overrides}
    found |= {chosen[row["tse_id"]] for row in own if row["tse_id"] in chosen}
    return found & book.index.by_id.keys()


def _identified(own: Sequence[CandidateRow], decisions: Decisions) -> Identified:
    matched = tuple(
        Matched(row["id"], row["tse_id"], deputy)
        for row in own
        if (deputy := decisions[row["id"]].deputy_id) is not None
    )
    everywhere = frozenset(d.deputy_id for d in decisions.values() if d.deputy_id is not None)
    return Identified(tuple(sorted(matched, key=lambda item: item.tse_id)), everywhere)


def _report(
    run: StageRun,
    book: DeputyBook,
    own: Sequence[CandidateRow],
    decisions: Decisions,
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


def _lines(row: CandidateRow, decision: MatchDecision, book: DeputyBook) -> list[dict[str, Any]]:
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

"""Why a candidate has no evidence: absence in a plan is told from absence of the plan, and that from our not having it."""

from collections.abc import Iterable, Sequence

from iris_assets.retrieval.types import CandidateRef, Evidence, LookupEntry
from iris_assets.store import Store
from iris_assets.store.records import DocumentRow
from iris_assets.words.offices import by_name
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

STAGE = "proposals"  # whose state tells which archives were read


def absences(store: Store, people: Iterable[CandidateRef], evidences: Sequence[Evidence]) -> tuple[LookupEntry, ...]:
    """Those of `people` without evidence, each with the reason, in their order."""
    shown = {candidate.id for evidence in evidences for candidate in evidence.candidates}
    return tuple(absence(store, candidate) for candidate in people if candidate.id not in shown)


def absence(store: Store, candidate: CandidateRef) -> LookupEntry:
    """What is known of the plan of a candidate of whom nothing was found."""
    documents = store.documents.of_candidate(candidate.id)
    if not documents:
        return _without_plan(store, candidate)
    readable = [row for row in documents if row["text_status"] not in ("EMPTY", "FAILED")]
    if not readable:
        return LookupEntry(candidate, "not_readable")
    unread = sum(int((row["quality_json"] or {}).get("pages_without_text_count", 0)) for row in documents)
    return LookupEntry(candidate, "not_addressed", unread=unread)


def _without_plan(store: Store, candidate: CandidateRef) -> LookupEntry:
    office = by_name().get(candidate.office)
    if office is not None and not office.plan:
        return LookupEntry(candidate, "files_none")
    plans = _plans_beside(store, candidate)
    if not plans and not _was_read(store, candidate):
        return LookupEntry(candidate, "not_collected")
    days = [row["source_collected_at"].date() for row in plans if row["source_collected_at"]]
    return LookupEntry(candidate, "no_plan", archive_day=max(days, default=None))


def _was_read(store: Store, candidate: CandidateRef) -> bool:
    """Whether the archive of plans of the candidate's election and UF was read to its end."""
    units = (unit.rpartition(":") for unit in store.state.all(STAGE))
    return any(uf == candidate.state and str(candidate.year) in dataset for dataset, _, uf in units)


def _plans_beside(store: Store, candidate: CandidateRef) -> list[DocumentRow]:
    """The plans of the same election and UF: they came out of the archive that holds none of this candidate."""
    hashes = [document_hash for _, document_hash in store.links.of_partition(candidate.state, GOVERNMENT_PROPOSAL)]
    rows = store.documents.without_text(hashes).values()
    return [row for row in rows if row["election_year"] == candidate.year]

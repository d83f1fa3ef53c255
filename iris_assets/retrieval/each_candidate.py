"""What every candidate's plan says on a topic: a look-up without a model, paged by ballot name."""

from collections.abc import Callable
from dataclasses import replace

from iris_assets.question.people import PLAN_OFFICES
from iris_assets.retrieval.absence import absence
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.reference_notices import filter_text
from iris_assets.retrieval.types import CandidateLookup, CandidateRef, Evidence, LookupEntry
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

PAGE_SIZE = 20
MOST_LISTED = 2 * PAGE_SIZE  # candidates of no named UF or party
NO_TOPIC_NOTICE = notice("NO_TOPIC")

BestOf = Callable[[CandidateRef], Evidence | None]


def nobody_in(scope: SearchFilter) -> str:
    """What is said where no candidature is left."""
    filters = filter_text(replace(scope, source_types=()))
    return f"Nenhuma candidatura registrada neste recorte{f' ({filters})' if filters else ''}."


def looked_up(store: Store, topic: str, scope: SearchFilter, page: int, best_of: BestOf) -> CandidateLookup:
    """One page of entries; `best_of` gives the best evidence of a candidate's plan, or None below the threshold."""
    people = candidates_in_scope(store, scope)
    pages = max(1, -(-len(people) // PAGE_SIZE))
    page = min(max(page, 1), pages)
    shown = people[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    entries = tuple(_entry(store, candidate, best_of) for candidate in shown)
    return CandidateLookup(topic, page, pages, len(people), entries)


def candidates_in_scope(store: Store, scope: SearchFilter) -> list[CandidateRef]:
    """Candidates by ballot name; of the offices that file plans when the filter names no office and there are any.

    Where these are many and no UF or party is named: those with a plan, and for president whoever runs.
    """
    rows = store.candidates.within(scope)
    if not scope.offices:
        rows = [row for row in rows if row["office"] in PLAN_OFFICES] or rows
        if len(rows) > MOST_LISTED and not (scope.states or scope.parties or scope.candidate_ids):
            owners = set(store.links.owners((GOVERNMENT_PROPOSAL,), scope))
            rows = [row for row in rows if row["id"] in owners or row["office"] == "PRESIDENTE"] or rows
    return by_ballot_name(candidate_ref(row) for row in rows)


def _entry(store: Store, candidate: CandidateRef, best_of: BestOf) -> LookupEntry:
    evidence = best_of(candidate)
    return LookupEntry(candidate, "found", evidence) if evidence else absence(store, candidate)

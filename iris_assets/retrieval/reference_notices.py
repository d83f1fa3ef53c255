"""What a reader is told of references that are no evidence: outside the filters, somebody else's, without a candidate."""

from collections.abc import Sequence

from iris_assets.question.references import MOST_REFERENCES
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store.records import BillRow
from iris_assets.store.search import SearchFilter
from iris_assets.words.messages import notice

UNKNOWN = notice("REFERENCE_UNKNOWN")
UNKNOWN_MANY = notice("REFERENCES_UNKNOWN")
UNKNOWN_APART = 5
OUTSIDE = notice("REFERENCE_OUTSIDE_FILTERS")
OTHERS = notice("REFERENCE_OF_OTHERS")
PAGE_WHOSE = notice("PAGE_WHOSE")
PAGE_MISSING = notice("PAGE_MISSING")
PAGES = notice("PAGES_OF_PLAN")
LEFT_OUT = notice("REFERENCES_LEFT_OUT")
AUTHORS_SHOWN = 3


def unknown(references: Sequence[str]) -> list[str]:
    """What no record has: one sentence each, or one for all of a long list."""
    if len(references) <= UNKNOWN_APART:
        return [UNKNOWN.format(reference=reference) for reference in references]
    return [UNKNOWN_MANY.format(references=", ".join(references))]


def outside_filters(reference: str, scope: SearchFilter) -> str:
    """A record exists and the filter excludes it."""
    filters = filter_text(scope)
    return OUTSIDE.format(reference=reference, filters=f" ({filters})" if filters else "")


def belongs_to(reference: str, bill: BillRow, owners: Sequence[CandidateRef], asked: Sequence[CandidateRef]) -> str:
    """Whose a bill is, when it is of none of the candidates asked for."""
    names = [author["name"] for author in bill["authors"]] or [owner.ballot_name or owner.name for owner in owners]
    shown = ", ".join(names[:AUTHORS_SHOWN]) or "autoria não registrada"
    more = len(names) - AUTHORS_SHOWN
    authors = f"{shown} e mais {more}" if more > 0 else shown
    people = ", ".join(one.ballot_name or one.name for one in asked)
    return OTHERS.format(reference=reference, authors=authors, asked=people)


def page_without_candidate(reference: str) -> str:
    """A page of a plan, nobody knows whose."""
    return PAGE_WHOSE.format(reference=reference)


def page_missing(reference: str, candidate: CandidateRef) -> str:
    """A page that one of several plans does not have."""
    return PAGE_MISSING.format(reference=reference, candidate=candidate.ballot_name or candidate.name)


def pages_of_plan(candidate: CandidateRef, count: int) -> str:
    """How many pages a plan has of which one was asked for that it does not have."""
    return PAGES.format(candidate=candidate.ballot_name or candidate.name, count=count)


def left_out(count: int) -> str:
    """More references than are looked up; `count` are the others."""
    return LEFT_OUT.format(count=count + MOST_REFERENCES, shown=MOST_REFERENCES)


def filter_text(scope: SearchFilter) -> str:
    """A filter in words, without the row ids of candidates: `UF: DF; partido: PT`."""
    parts = (
        ("candidatura", "outra" if scope.candidate_ids else ""),
        ("UF", ", ".join(scope.states)),
        ("partido", ", ".join(scope.parties)),
        ("cargo", ", ".join(scope.offices)),
        ("eleição", ", ".join(map(str, scope.years))),
        ("tipo de fonte", ", ".join(scope.source_types)),
    )
    return "; ".join(f"{name}: {value}" for name, value in parts if value)

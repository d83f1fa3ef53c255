"""Questions for a list of candidatures that the registry gives whole: who runs, who was elected, substitutes, by filters."""

import re
from dataclasses import dataclass, replace
from typing import Final

from iris_assets.question.clauses import Asking, table
from iris_assets.question.countables import untold
from iris_assets.question.model import shipped
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.people import PLAN_OFFICES
from iris_assets.question.standing import ELECTED, standing_text
from iris_assets.question.wishes import MISREAD, Asked, Wish, listed
from iris_assets.retrieval.absence import absence
from iris_assets.retrieval.count_evidence import limits
from iris_assets.retrieval.counting import (
    LIST_COLUMNS,
    NO_RESULTS,
    asking,
    bears,
    in_election,
    quoted,
    undecided,
    without,
)
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.types import CandidateRef
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

LISTED: Final = 20  # entries of one page
ALL_LISTED: Final = notice("ALL_LISTED")
PAGE_LISTED: Final = notice("PAGE_LISTED")
NONE_LISTED: Final = notice("NONE_LISTED")
NONE_OF: Final = notice("NONE_OF")
LEFT_OUT: Final = notice("LIST_WITHOUT")
NOT_LISTED: Final = notice("NOT_LISTED")
NOT_COLLECTED: Final = notice("NOT_COLLECTED")
OTHER_KINDS: Final = frozenset({"count", "quotation", "bill_reference", "page", "topics"})


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the candidatures asked for, by ballot name; `said` is how many there are and of what, or why none.

    `among` are the candidatures of which none is meant.
    """

    said: str
    people: tuple[CandidateRef, ...] = ()
    pages: int = 1
    among: Wish | None = None


def listing(parsed: ParsedQuery, scope: SearchFilter, index: NameIndex, store: Store, page: int) -> Listing | None:
    """The list that a question asks for within `scope`; None when it asks for anything else, or for more than a list."""
    if parsed.folded.startswith("O QUE ") or parsed.references.references or parsed.intent in OTHER_KINDS:
        return None
    registry = parsed.intent == "registry"
    if not registry and not re.search(rf"\b(?:{table()['lists']})\b", parsed.folded):
        return None
    asked = listed(
        parsed, scope, Asking(shipped().asking, shipped().asking, index.ballot_word) if registry else asking(index)
    )
    out = asked.wishes[0].but.candidate_ids if asked.wishes else ()
    if not parsed.people.is_empty and not out:
        return None
    return _unlisted(parsed, asked) if not asked.wishes else _listed(asked.wishes[0], parsed, index, store, page)


def _unlisted(parsed: ParsedQuery, asked: Asked) -> Listing | None:
    """Why there is no list, where one is certainly asked for; None for a question that is searched."""
    if parsed.intent != "registry":
        return None
    if said := untold(parsed.folded):
        return Listing(said)
    of_table = parsed.is_sure and not parsed.topic and not parsed.scope.is_empty and MISREAD not in asked.unread
    return Listing(NOT_LISTED.format(words=quoted(asked.unread))) if of_table else None


def _listed(wish: Wish, parsed: ParsedQuery, index: NameIndex, store: Store, page: int) -> Listing | None:
    is_restricted = bool(wish.numbers or wish.ballot_words) or wish.standing != Standing() or wish.has_plan is not None
    if not is_restricted and wish.but.is_empty and parsed.scope.is_empty:
        return None
    if not is_restricted and _asks_in_office(wish, parsed):
        wish = replace(wish, standing=Standing(ELECTED))
    wish = in_election(wish, index, store)
    wish = replace(wish, scope=without(wish.scope, wish.but, index))
    if undecided(store, wish.scope, wish.standing):
        return Listing(NO_RESULTS.format(limits=limits(replace(wish, standing=Standing()))), among=_among(wish))
    if wish.has_plan is not None:
        return _by_plan(wish, store, page)
    people = [candidate_ref(row) for row in store.candidates.within(wish.scope, wish.standing, LIST_COLUMNS)]
    if not people and (count := store.candidates.count(wish.scope, Standing())):
        standing = "; ".join(f"{name}: {value}" for name, value in standing_text(wish.standing) if value)
        of_all = limits(replace(wish, standing=Standing()))
        return Listing(NONE_OF.format(count=count, limits=of_all, standing=standing), among=_among(wish))
    out = wish.but.candidate_ids
    people = [one for one in people if one.id not in out and bears(one, wish)]
    people = [one for one in people if not wish.numbers or one.number in wish.numbers]
    found = _page(people, wish, page)
    names = ", ".join(one.ballot_name or one.name for one in parsed.people.candidates if one.id in out)
    return replace(found, said=f"{found.said} {LEFT_OUT.format(names=names)}".strip()) if out else found


def _asks_in_office(wish: Wish, parsed: ParsedQuery) -> bool:
    """Whether a question asks who holds an office, of whom the registry tells who was elected to it."""
    runs = re.search(table()["candidacy"], parsed.folded)
    tagged = " ".join("#" if tag == "OFFICE" else form for form, tag in parsed.words)
    aims = re.search(r"\b(?:PARA|PRA|PRO|A|AO|AOS)(?: [OA])? #", tagged)
    holds = re.search(table()["in_office"], parsed.folded)
    return bool(wish.scope.offices and holds) and not (runs or aims)


def _by_plan(wish: Wish, store: Store, page: int) -> Listing:
    """Who has a plan, or who surely filed none: where no archive of plans was read, nothing is said."""
    scope = wish.scope if wish.scope.offices else replace(wish.scope, offices=PLAN_OFFICES)
    people = [candidate_ref(row) for row in store.candidates.within(scope, wish.standing, LIST_COLUMNS)]
    owners = set(store.links.owners((GOVERNMENT_PROPOSAL,), scope))
    if wish.has_plan:
        return _page([one for one in people if one.id in owners], wish, page)
    status = {one: absence(store, one).status for one in people if one.id not in owners}
    found = _page([one for one, why in status.items() if why in ("no_plan", "files_none")], wish, page)
    unknown = sum(why == "not_collected" for why in status.values())
    return replace(found, said=f"{found.said} {NOT_COLLECTED.format(count=unknown)}") if unknown else found


def _among(wish: Wish) -> Wish:
    """The candidatures of the same elections, offices, parties and UFs."""
    return Wish("candidates", wish.scope, indexed_elections=wish.indexed_elections)


def _page(people: list[CandidateRef], wish: Wish, page: int) -> Listing:
    if not people:
        return Listing(NONE_LISTED.format(limits=limits(wish)), among=_among(wish))
    pages = -(-len(people) // LISTED)
    page = min(max(page, 1), pages)
    first = (page - 1) * LISTED
    shown = tuple(by_ballot_name(people)[first : first + LISTED])
    if len(people) == 1:
        return Listing("", shown)
    said = ALL_LISTED if pages == 1 else PAGE_LISTED
    values = {"count": len(people), "limits": limits(wish), "page": page, "pages": pages}
    return Listing(said.format(first=first + 1, last=first + len(shown), **values), shown, pages)

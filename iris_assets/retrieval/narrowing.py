"""What the question itself says of whose records are meant, made a filter; and the list of records when no topic is left."""

from dataclasses import dataclass, replace

from iris_assets.question.groups import Group
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.people import PLAN_OFFICES
from iris_assets.question.restrictions import united
from iris_assets.question.wishes import Wish
from iris_assets.retrieval.count_evidence import limits
from iris_assets.retrieval.counting import NO_RESULTS, in_election, undecided, without
from iris_assets.retrieval.coverage import sampled
from iris_assets.retrieval.evidence import EvidenceBuilder
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.planning import PER_CANDIDATE
from iris_assets.retrieval.reference_notices import filter_text
from iris_assets.retrieval.types import Evidence
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.words.messages import notice

NARROWED_NOTICE = notice("NARROWED")
LISTED_NOTICE = notice("LISTED")
NATIONAL_NOTICE = notice("NATIONAL")
NO_ELECTION = notice("NO_ELECTION")
GROUP_NOTICE = notice("GROUP")
LEFT_OUT = notice("ANSWER_WITHOUT")
NEWEST_NOTICE = notice("NEWEST")


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The filter with what the question names; `notices` say so. None for a scope that nothing can satisfy."""

    scope: SearchFilter | None
    notices: tuple[str, ...] = ()


def narrowed(parsed: ParsedQuery, scope: SearchFilter, index: NameIndex) -> Narrowed:
    """The caller's filter and the question's UFs, parties, offices and election, both."""
    own = parsed.scope
    if parsed.intent in ("every_candidate", "comparison") and own.offices == ("PRESIDENTE",):
        own = replace(own, states=())  # a candidate for president belongs to no UF
    if parsed.intent in ("bills", "topics", "history") and "CANDIDAT" not in parsed.folded:
        own = replace(own, offices=())  # whoever acts in the Câmara is a deputy, whatever the candidature is for
    own = replace(
        own,
        states=() if scope.states else own.states,
        parties=() if scope.parties else own.parties,
        offices=() if scope.offices else own.offices,
    )
    merged = replace(
        scope,
        states=scope.states or own.states,
        parties=scope.parties or own.parties,
        offices=scope.offices or own.offices,
    )
    shown = replace(own, years=())
    notices = () if shown.is_empty else (NARROWED_NOTICE.format(filters=filter_text(shown)),)
    return of_election(merged, parsed, index, notices)


def of_election(scope: SearchFilter, parsed: ParsedQuery, index: NameIndex, notices: tuple[str, ...] = ()) -> Narrowed:
    """The scope in the election of the question; without one in the newest that holds it."""
    known = index.years
    if parsed.years and not scope.years:
        asked = tuple(year for year in parsed.years if year in known)
        if not asked:
            text = NO_ELECTION.format(years=_listed(parsed.years), known=_listed(known) or "nenhuma")
            return Narrowed(None, (text,))
        return Narrowed(replace(scope, years=asked), notices)
    if scope.years or len(known) < 2 or scope.candidate_ids:
        return Narrowed(scope, notices)
    newest = index.newest_year(scope)
    return Narrowed(replace(scope, years=(newest,)), (*notices, NEWEST_NOTICE.format(year=newest)))


def of_group(group: Group, parsed: ParsedQuery, scope: SearchFilter, index: NameIndex, store: Store) -> Narrowed:
    """The candidatures of a group as ids, in the newest election that tells of it; what the group is, is said."""
    own = united(scope, replace(parsed.scope, years=parsed.years))
    if own is None or group.is_everybody:
        return Narrowed(scope)
    wish = in_election(Wish("candidates", own, standing=group.standing, but=group.but), index, store)
    if undecided(store, wish.scope, wish.standing):
        return Narrowed(None, (NO_RESULTS.format(limits=limits(replace(wish, standing=Standing()))),))
    within = without(wish.scope, wish.but, index)
    within = within if within.offices else replace(within, offices=PLAN_OFFICES)
    out = {one.id for one in group.people}
    ids = tuple(row["id"] for row in store.candidates.within(within, wish.standing, ("id",)) if row["id"] not in out)
    names = ", ".join(one.ballot_name or one.name for one in group.people)
    notices = (
        GROUP_NOTICE.format(count=len(ids), limits=limits(wish)),
        *([LEFT_OUT.format(names=names)] if names else []),
    )
    return Narrowed(replace(scope, candidate_ids=ids) if ids else None, notices)


def national(scope: SearchFilter, index: NameIndex) -> tuple[SearchFilter, tuple[str, ...]]:
    """Parties compared without office or UF: their candidates for president, where there are any."""
    if scope.offices or scope.states or not scope.parties:
        return scope, ()
    found = replace(scope, offices=("PRESIDENTE",))
    return (found, (NATIONAL_NOTICE,)) if index.within(found) else (replace(scope, offices=PLAN_OFFICES), ())


def listed(store: Store, builder: EvidenceBuilder, scope: SearchFilter, limit: int) -> tuple[list[Evidence], list[str]]:
    """Records of everybody in scope, a few of each by ballot name, and the notice that says how many people have any."""
    people = by_ballot_name(builder.candidates(store.links.owners(scope.source_types, scope)).values())
    quota = PER_CANDIDATE if len(people) > 1 else limit
    found: dict[tuple[str, str, int], Evidence] = {}
    for candidate in people:
        if len(found) >= limit:
            break
        rows = store.chunks.of_candidate(candidate.id, scope.source_types)
        for evidence in builder.from_rows(sampled(rows, quota)):
            found.setdefault(evidence.key, evidence)
    return list(found.values())[:limit], [LISTED_NOTICE.format(count=len(people))] if people else []


def _listed(years: "tuple[int, ...] | list[int]") -> str:
    return ", ".join(map(str, years))

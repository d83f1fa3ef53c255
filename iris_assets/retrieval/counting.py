"""Exact counts by SQL of what a question was understood to restrict; without full understanding there is no count."""

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from iris_assets.indexing.analyzer import analyze
from iris_assets.question.clauses import Asking
from iris_assets.question.countables import counted
from iris_assets.question.model import shipped
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.people import PLAN_OFFICES
from iris_assets.question.standing import ELECTED, LOST
from iris_assets.question.wishes import DEPUTY, MISREAD, Asked, Wish, counts
from iris_assets.retrieval.absence import absence
from iris_assets.retrieval.count_evidence import (
    aggregate,
    count_evidence,
    elections_text,
    group_evidence,
    limits,
    topic_evidence,
    without_topics,
)
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.lookup import within
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.types import CandidateRef, CountRow, Evidence, Intent
from iris_assets.store import Store
from iris_assets.store.records import CandidateCount
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.store.tables.counts import BillsAsked
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, OFFICIAL_TYPES, POLITICAL_HISTORY, PROPOSITION
from iris_assets.words.text import fold

FIRST_GROUPS = notice("FIRST_GROUPS")
NO_BILLS = notice("NO_BILLS")
NO_EXACT_COUNT = notice("NO_EXACT_COUNT")
NO_OFFICE = notice("NO_OFFICE")
NO_RESULTS = notice("NO_RESULTS")
UNREAD = notice("COLUMN_UNKNOWN_TO_RECORDS")
# Where to look when there is no exact count of a noun.
NEAREST: dict[str, tuple[tuple[str, ...], Intent]] = {
    "bills": ((PROPOSITION,), "bills"),
    "authors": ((PROPOSITION,), "bills"),
    "topics": ((PROPOSITION,), "bills"),
    "plans": ((GOVERNMENT_PROPOSAL,), "plan"),
    "mandates": ((POLITICAL_HISTORY,), "history"),
}
GROUPABLE = {
    "candidates": ("party", "state", "office", "round_result", "registration_status", "election_year"),
    "bills": ("type", "year", "topic"),
}
OF_ELECTION = ("candidates", "plans", "parties")
# The restrictions of which an answer also tells each value's own number.
NOBODY = ("-",)  # a value that no record has
SEVERAL = ("parties", "states", "offices")
MOST_VALUES = 12
NOT_ASKED_ONE_BY_ONE = {*ELECTED, *LOST, *DEPUTY}  # "eleitos", "deputados": no zero of one of them is told
MOST_NAMED = 13
LIST_COLUMNS = (
    "id", "tse_id", "name", "ballot_name", "party", "office", "state", "election_year", "candidate_number",
    "electoral_unit",
)  # fmt: skip
RECORDS_BEHIND = {"mandates": POLITICAL_HISTORY, "plans": GOVERNMENT_PROPOSAL}


@dataclass(frozen=True, slots=True)
class Counted:
    """Exact rows, the evidence that shows them, and what the reader must know besides."""

    rows: tuple[CountRow, ...]
    evidences: tuple[Evidence, ...]
    notices: tuple[str, ...] = ()


class Counter:
    """Counts over one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.pending = ""  # that an election has no result yet, where one was asked for

    def asked(
        self, parsed: ParsedQuery, scope: SearchFilter, index: NameIndex, candidates: Sequence[CandidateRef]
    ) -> Asked:
        """What the question counts; nothing when a restriction of it is not understood or not in the store."""
        chosen = {candidate.id for candidate in candidates}
        if not {candidate.id for candidate in parsed.people.candidates} <= chosen:
            return Asked()  # the question names somebody else than the selected candidate
        if any(one.kind not in ("tse_id", "ballot") for one in parsed.references.references):
            return Asked()  # a bill or a page: the number would not be about it
        parsed = replace(parsed, people=replace(parsed.people, candidates=tuple(candidates)))
        found = counts(parsed, scope, asking(index), self._topic_name)
        known = [self._known(wish, index, candidates) for wish in found.wishes]
        return replace(found, wishes=tuple(wish for wish in known if wish is not None) if all(known) else ())

    def _known(self, wish: Wish, index: NameIndex, candidates: Sequence[CandidateRef]) -> Wish | None:
        """The wish in the newest election where none is named; None when the store has no record that tells."""
        if candidates and (
            wish.noun in ("candidates", "parties")
            or not all(within(one, replace(wish.scope, candidate_ids=())) for one in candidates)
        ):
            return None  # what the question says of a candidate is not so: it asks for something else
        if wish.noun in OF_ELECTION and not candidates and wish.by != "election_year":
            wish = in_election(wish, index, self._store)
        if len(wish.scope.years) > 1:
            wish = replace(wish, indexed_elections=tuple(year for year in index.years if year in wish.scope.years))
        if wish.by is not None and wish.by not in GROUPABLE.get(wish.noun, ()):
            return None
        wish = self._without(wish, index)
        if wish.has_plan is False and not self._all_collected(wish):
            return None
        if undecided(self._store, wish.scope, wish.standing):
            self.pending = NO_RESULTS.format(limits=limits(replace(wish, standing=Standing())))
            return None
        elsewhere = wish.standing != Standing() and not set(wish.scope.offices) <= {*index.offices, *DEPUTY}
        if elsewhere:
            self.pending = NO_OFFICE.format(limits=limits(replace(wish, standing=Standing())))
        return None if elsewhere else wish

    def _all_collected(self, wish: Wish) -> bool:
        """Whether it is known of all candidatures whether a plan was filed."""
        people = self._counted_people(replace(wish, has_plan=None))
        owners = self._plan_owners(wish)
        asked = bool(wish.scope.offices) and set(wish.scope.offices) <= set(PLAN_OFFICES)
        return asked and all(one.id in owners or absence(self._store, one).status != "not_collected" for one in people)

    def _plan_owners(self, wish: Wish) -> set[int]:
        return set(self._store.links.owners((GOVERNMENT_PROPOSAL,), wish.scope))

    def _counted_people(self, wish: Wish) -> list[CandidateRef]:
        """The candidatures that the wish leaves, by ballot name."""
        people = [candidate_ref(one) for one in self._store.candidates.within(wish.scope, wish.standing, LIST_COLUMNS)]
        if wish.numbers:
            people = [one for one in people if one.number in wish.numbers]
        if wish.ballot_words:
            people = [one for one in people if bears(one, wish)]
        if wish.has_plan is not None:
            owners = self._plan_owners(wish)
            people = [one for one in people if (one.id in owners) == wish.has_plan]
        return by_ballot_name(people)

    def _without(self, wish: Wish, index: NameIndex) -> Wish:
        """What is left out as what is left: all other values that the records have."""
        if wish.but_types:
            known = wish.types or tuple(sorted(self._store.camara.bill_groups("type")))
            wish = replace(wish, types=tuple(name for name in known if name not in wish.but_types))
        return replace(wish, scope=without(wish.scope, wish.but, index))

    def _topic_name(self, left: Sequence[str]) -> str | None:
        """The one topic of the Câmara's list whose name holds all of these words."""
        wanted = set(analyze(" ".join(left)))
        names = [row["name"] for row in self._store.camara.topic_counts()]
        fitting = [name for name in names if wanted <= set(analyze(name))]
        exact = [name for name in fitting if wanted == set(analyze(name))]
        chosen = exact or fitting
        return chosen[0] if len(chosen) == 1 else None

    def topics(self, wish: Wish, candidates: Sequence[CandidateRef], limit: int) -> Counted:
        """Bills per topic, grouped by candidate: of exactly these, or of the first `limit` in scope by ballot name."""
        by_candidate: dict[int, list[CandidateCount]] = {}
        scope = _of(wish.scope, candidates)
        for row in self._store.camara.topic_counts_by_candidate(scope, _bills(wish)):
            by_candidate.setdefault(row["candidate_id"], []).append(row)
        people = list(candidates) or [
            candidate_ref(row) for row in self._store.candidates.by_ids(by_candidate).values()
        ]
        shown = by_ballot_name(people)[: None if candidates else limit]
        notices = [FIRST_GROUPS.format(count=len(people), shown=len(shown))] if len(shown) < len(people) else []
        rows, evidences, without = [], [], []
        for candidate in shown:
            own = [CountRow(row["name"], row["count"], candidate) for row in by_candidate.get(candidate.id, ())]
            count = 0 if own else self._store.camara.proposition_count(_of(wish.scope, [candidate]), _bills(wish))
            rows += own
            if own:
                evidences.append(topic_evidence(candidate, own, wish))
            elif count:
                evidences.append(without_topics(candidate, count, wish))
            else:
                without.append(candidate.ballot_name or candidate.name)
        if without:
            notices.append(NO_BILLS.format(names=", ".join(without)))
        return Counted(tuple(rows), tuple(evidences), tuple(notices))

    def table(self, wish: Wish, candidates: Sequence[CandidateRef]) -> Counted:
        """One row for each value of the column that the wish groups by."""
        scope = _of(wish.scope, candidates)
        if wish.noun == "candidates":
            tally = Tally(self._store.candidates.values(str(wish.by), scope, wish.standing))
        elif wish.by == "topic":
            tally = Tally({row["name"]: row["count"] for row in self._store.camara.topic_counts(scope, _bills(wish))})
        else:
            tally = self._bills_by(wish, scope)
        rows = [CountRow(name, count) for name, count in sorted(tally.items(), key=lambda item: (-item[1], item[0]))]
        return Counted(tuple(rows), (group_evidence(rows, wish),))

    def _bills_by(self, wish: Wish, scope: SearchFilter) -> "Tally[str]":
        return Tally(self._store.camara.bill_groups("type" if wish.by == "type" else "year", scope, _bills(wish)))

    def number(self, wish: Wish, candidates: Sequence[CandidateRef]) -> Counted:
        """How many records the wish leaves; one row per candidate that is named or selected."""
        rows = [CountRow(counted(wish.noun, 2), self._count(wish, [one]), one) for one in candidates]
        rows = rows or [CountRow(counted(wish.noun, 2), self._count(wish))]
        absent = self._absent(wish) if not any(row.count for row in rows) else ""
        parts = () if candidates else tuple(self._parts(wish))
        evidences = (count_evidence(row, wish, absent, parts, self._members(row, wish)) for row in rows)
        return Counted(tuple(rows), tuple(evidences))

    def _members(self, row: CountRow, wish: Wish) -> list[str]:
        """Who or what is counted, where these are few: a number that can be checked."""
        scope = _of(wish.scope, [row.candidate] if row.candidate else ())
        if not 0 < row.count <= MOST_NAMED:
            return []
        if wish.noun == "bills":
            return self._store.camara.bill_titles(scope, _bills(wish))
        if wish.noun != "candidates":
            return []
        return [f"{one.ballot_name or one.name} ({one.party}/{one.state})" for one in self._counted_people(wish)]

    def _parts(self, wish: Wish) -> Iterator[CountRow]:
        """The own number of each value where the wish names several of one kind."""
        ways = [
            [(str(value), replace(wish, scope=replace(wish.scope, **{name: (value,)}))) for value in values]
            for name in SEVERAL
            if len(values := getattr(wish.scope, name)) > 1 and not getattr(wish.but, name, ())
        ]
        if len(years := wish.indexed_elections) > 1:
            ways.append([(str(year), replace(wish, scope=replace(wish.scope, years=(year,)))) for year in years])
        results = wish.standing.results if len(wish.standing.results) > 1 else ()
        ways.append([(one, replace(wish, standing=replace(wish.standing, results=(one,)))) for one in results])
        if not wish.but_types and len(wish.types) > 1:
            ways.append([(one, replace(wish, types=(one,))) for one in wish.types])
        for way in ways:
            rows = [CountRow(name, self._count(only)) for name, only in way[:MOST_VALUES]]
            told = [row for row in rows if row.count or row.name not in NOT_ASKED_ONE_BY_ONE]
            yield from told if len(told) > 1 and len(way) <= MOST_VALUES else ()

    def _absent(self, wish: Wish) -> str:
        """The one restriction that leaves no record of this kind in the store: a zero then speaks of the index alone."""
        years, states = SearchFilter(years=wish.scope.years), SearchFilter(states=wish.scope.states)
        parties = SearchFilter(parties=wish.scope.parties)
        alone = (
            ("eleição", elections_text(wish), Wish(wish.noun, years)),
            ("UF", ", ".join(wish.scope.states), Wish(wish.noun, states)),
            ("partido", ", ".join(wish.scope.parties), Wish(wish.noun, parties)),
            ("cargo", ", ".join(wish.scope.offices), Wish(wish.noun, SearchFilter(offices=wish.scope.offices))),
            ("ano", wish.years.label, Wish(wish.noun, SearchFilter(), years=wish.years)),
        )
        found = (f"{name}: {value}" for name, value, only in alone if value and not self._count(only))
        return next(found, "")

    def authors_of(self, evidences: Sequence[Evidence]) -> list[Evidence]:
        """The exact number of stored authors of each looked-up bill."""
        bills = {e.source_id: e for e in reversed(evidences) if e.source_type == PROPOSITION}
        found = []
        for source_id, evidence in reversed(bills.items()):
            count = self._store.camara.bill_author_count(int(source_id))
            text = f"Contagem exata nos registros guardados: {count} {counted('authors', count)} de {evidence.title}."
            details = {"count": count, "counted": "authors", "exact": True}
            title = f"Contagem de autores de {evidence.title}"
            found.append(aggregate(source_id, title, text, details, evidence.candidates))
        return found

    def _count(self, wish: Wish, candidates: Sequence[CandidateRef] = ()) -> int:
        camara, scope = self._store.camara, _of(wish.scope, candidates)
        if wish.noun == "parties":
            return len(self._store.candidates.values("party", scope, wish.standing))
        if wish.noun == "candidates" and (wish.numbers or wish.ballot_words or wish.has_plan is not None):
            return len(self._counted_people(replace(wish, scope=scope)))
        if wish.noun == "candidates":
            return self._store.candidates.count(scope, wish.standing)
        if wish.noun in RECORDS_BEHIND:
            return camara.source_count(RECORDS_BEHIND[wish.noun], scope)
        if wish.noun == "authors":
            return len(camara.author_counts(scope, _bills(wish)))
        if wish.noun == "topics":
            return len(camara.topic_counts(scope, _bills(wish)))
        return camara.proposition_count(scope, _bills(wish))


def _of(scope: SearchFilter, candidates: Sequence[CandidateRef]) -> SearchFilter:
    return replace(scope, candidate_ids=tuple(one.id for one in candidates)) if candidates else scope


def _bills(wish: Wish) -> BillsAsked:
    return BillsAsked(wish.types, wish.years.listed, wish.topic)


def undecided(store: Store, scope: SearchFilter, standing: Standing) -> bool:
    """Whether a result is asked for where candidatures are stored and none has one yet."""
    if not standing.results and standing.last_round is None:
        return False
    candidates = store.candidates
    return not candidates.count(scope, Standing(decided=True)) and bool(candidates.count(scope, Standing()))


def bears(candidate: CandidateRef, wish: Wish) -> bool:
    """Whether one of the words asked for stands in the ballot name."""
    return not wish.ballot_words or not set(wish.ballot_words).isdisjoint(
        fold(candidate.ballot_name or candidate.name).split()
    )


def in_election(wish: Wish, index: NameIndex, store: Store) -> Wish:
    """The wish in the newest election that holds its scope, where it names none; that has results, where these are asked."""
    if wish.scope.years or not index.years:
        return wish
    newest = index.newest_year(wish.scope)
    earlier = sorted({one.year for one in index.within(wish.scope)} - {newest}, reverse=True)
    ways = (replace(wish, scope=replace(wish.scope, years=(year,))) for year in (newest, *earlier))
    first = next(ways)
    return next((one for one in (first, *ways) if not undecided(store, one.scope, one.standing)), first)


def without(scope: SearchFilter, out: SearchFilter, index: NameIndex) -> SearchFilter:
    """The scope with all values of the records but those left `out`."""
    return replace(
        scope,
        states=_others(scope.states, out.states, index.states),
        parties=_others(scope.parties, out.parties, index.parties),
        offices=_others(scope.offices, out.offices, index.offices),
    )


def _others(asked: tuple[str, ...], out: tuple[str, ...], known: Sequence[str]) -> tuple[str, ...]:
    return tuple(value for value in asked or known if value not in out) or NOBODY if out else asked


def asking(index: NameIndex) -> Asking:
    """The words that restrict no count, as the phrases of the reader use them."""
    return Asking(shipped().frame, shipped().asking, index.ballot_word)


def not_counted(unread: Sequence[str]) -> str:
    """Why there is no count: the words that no column tells, where it is them."""
    words = quoted(unread)
    return NO_EXACT_COUNT.format(unread=UNREAD.format(words=words) if words else "")


def quoted(unread: Sequence[str]) -> str:
    """The words that no column tells, in quotation marks."""
    return ", ".join(f"“{word.lower()}”" for word in dict.fromkeys(unread) if word != MISREAD)


def nearest(noun: str) -> tuple[tuple[str, ...], Intent]:
    """Source types and intent of what comes nearest to a count that there is not."""
    return NEAREST.get(noun, (OFFICIAL_TYPES, "general"))

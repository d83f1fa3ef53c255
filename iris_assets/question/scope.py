"""What a question restricts the records to: party, UF, office, election; read from its words, each taken once."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from iris_assets.question.parties import take_parties
from iris_assets.question.places import take_states
from iris_assets.question.unread import Unread
from iris_assets.question.years import YearsNamed, take_years
from iris_assets.store.search import SearchFilter
from iris_assets.words.offices import Office, office_groups, offices
from iris_assets.words.text import fold, word_set

DEPUTIES = ("DEPUTADO DISTRITAL", "DEPUTADO ESTADUAL", "DEPUTADO FEDERAL")
# "do governo" is the office only where somebody runs for it.
RUN_FOR_GOVERNMENT = r"(?:AO|DO|PELO|PARA O|DISPUTAM O|DISPUTARAM O) (?P<it>GOVERNO(?: D[OE] ESTADO)?)(?! FEDERAL)"


@cache
def office_phrases() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(pattern, the offices it names) of every form of words/, the longest form first; vices before their heads."""
    named: list[tuple[str, tuple[str, ...], Office | None]]
    named = [(fold(form), (office.name,), office) for office in offices() for form in (*office.persons, *office.seat)]
    named += [(fold(form), group.offices, None) for group in office_groups() for form in group.forms]
    seats = ("GOVERNO", "CANDIDAT", "CONCORRE", "DISPUTA")  # these hold words that say more than the office
    kept = [one for one in named if not one[0].startswith(seats)]
    ordered = sorted(kept, key=lambda one: (-len(one[0]), one[0]))
    return (
        *((form + _unless(office), names) for form, names, office in ordered),
        (RUN_FOR_GOVERNMENT, ("GOVERNADOR",)),
    )


def _unless(office: Office | None) -> str:
    others = "|".join(map(fold, office.unless_before)) if office else ""
    return rf"(?! (?:{others})\b)" if others else ""


LISTING = word_set("E OU A O AS OS AO AOS DE DO DA DOS DAS EM NO NA NOS NAS PARA PELO PELA")


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """The restrictions that a question names, each sorted; empty: none.

    `scattered`: values of one kind do not stand in one list ("do PT assinados pelo PL"): they are no alternatives.
    """

    parties: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    offices: tuple[str, ...] = ()
    years: YearsNamed = field(default_factory=YearsNamed)
    scattered: bool = False


def take_scope(unread: Unread, parties: Collection[str]) -> QuestionScope:
    """The restrictions of a question; their words are taken. `parties`: siglas as the records in scope spell them."""
    before = unread.taken
    years = take_years(unread)
    after_years = unread.taken
    states = take_states(unread)
    after_states = unread.taken
    named = take_parties(unread, parties)
    after_parties = unread.taken
    named_offices = take_offices(unread)
    steps = (before, after_years, after_states, after_parties, unread.taken)
    kinds = [after - earlier for earlier, after in pairwise(steps)]
    return QuestionScope(named, states, named_offices, years, any(is_scattered(unread, kind) for kind in kinds))


def is_scattered(unread: Unread, places: Collection[int], also: Collection[str] = ()) -> bool:
    """Whether more than the words of a list (or those in `also`) stands between the words at these places.

    Where they are a list each `ou` in it is taken: it offers alternatives of one kind, and no others.
    """
    inside = [place for first, last in pairwise(sorted(places)) for place in range(first + 1, last)]
    scattered = any(unread.form(place) not in LISTING and unread.form(place) not in also for place in inside)
    for place in inside:
        if unread.form(place) == "OU" and not scattered:
            unread.take_at(place)
    return scattered


def take_offices(unread: Unread) -> tuple[str, ...]:
    """The offices that the question names; `deputado` alone is each kind of deputy."""
    found: set[str] = set()
    for pattern, names in office_phrases():
        if unread.take(pattern):
            found |= set(names)
    return tuple(sorted(found))


def narrowed(question: str, scope: SearchFilter, parties: Collection[str]) -> SearchFilter:
    """The filter with the office, UF, party and election that the question itself names (where the caller set none)."""
    named = take_scope(Unread(question), parties)
    return replace(
        scope,
        offices=scope.offices or named.offices,
        states=scope.states or named.states,
        parties=scope.parties or named.parties,
        years=scope.years or named.years.elections.listed,
    )

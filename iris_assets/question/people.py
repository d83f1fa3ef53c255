"""Whom a question names: tagged words looked up among the candidates, misspelt ones near to them, homonyms by context."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from iris_assets.question.name_index import PARTICLES, NameIndex
from iris_assets.retrieval.types import CandidateRef
from iris_assets.words.order import NeutralKey
from iris_assets.words.text import word_set

MAX_OPTIONS: Final = 20
MOST_SPELLINGS: Final = 24  # of one misspelt name that are looked up
JOINING: Final = word_set("E OU X VS VERSUS CONTRA COM")
SHORTEST_GLUED: Final = 5  # letters
PLAN_OFFICES: Final = ("PRESIDENTE", "GOVERNADOR", "PREFEITO")  # the offices whose candidates file a plan
BESIDE_NAMES: Final = word_set(
    """CANDIDATO CANDIDATA DEPUTADO DEPUTADA GOVERNADOR GOVERNADORA PRESIDENTE SENADOR SENADORA PREFEITO PREFEITA
    VEREADOR VEREADORA MINISTRO MINISTRA FEDERAL ESTADUAL DISTRITAL EX VICE DR DRA PROF PROFESSOR PROFESSORA DOUTOR
    DOUTORA SR SRA SEU DONA O A OS AS DE DA DO DAS DOS E"""
)

Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the question says of the people it names: homonyms who fit it come first."""

    states: Collection[str] = ()
    parties: Collection[str] = ()
    offices: Collection[str] = ()
    years: Collection[int] = ()
    numbers: Collection[int] = ()
    with_plan: bool = False
    with_bills: bool = False


@dataclass(frozen=True, slots=True)
class People:
    """`candidates`: one per name; `ambiguous`: for each name that several fit, those; `unknown`: names of nobody here.

    `spelled` tells what a misspelt name, or one of several, was taken for. All names are folded words.
    """

    candidates: tuple[CandidateRef, ...] = ()
    ambiguous: tuple[tuple[str, tuple[CandidateRef, ...]], ...] = ()
    unknown: tuple[str, ...] = ()
    spelled: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.candidates or self.ambiguous or self.unknown)


@dataclass
class _Found:
    people: list[list[CandidateRef]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    spelled: list[tuple[str, str]] = field(default_factory=list)


def find_people(names: Iterable[Run], index: NameIndex, wanted: Wanted) -> People:
    """The candidates behind tagged names (folded words each)."""
    found = _Found()
    for name in dict.fromkeys(filter(None, names)):
        _look_up(name, index, found, wanted.years)
    groups = [
        _fitting(group, index, wanted, by_source=not index.names_at(tuple(name.split()), 0).get(len(name.split())))
        for name, group in zip(found.names, found.people, strict=True)
    ]
    told = [group[0] for group in groups if len(group) == 1]
    groups = [_beside(group, told) if len(group) > 1 else group for group in groups]
    chosen = {group[0].id: group[0] for group in groups if len(group) == 1}
    settled = zip(found.names, found.people, groups, strict=True)
    found.spelled += [(name, group[0].label) for name, before, group in settled if len(group) == 1 < len(before)]
    open_ones = {
        name: tuple(sorted(group, key=_neutral)[:MAX_OPTIONS])
        for name, group in zip(found.names, groups, strict=True)
        if len(group) > 1 and not chosen.keys() & {one.id for one in group}
    }
    people = tuple(sorted(chosen.values(), key=_neutral))
    return People(people, tuple(open_ones.items()), tuple(dict.fromkeys(found.unknown)), tuple(found.spelled))


def is_somebody(name: Run, index: NameIndex) -> bool:
    """Whether a name, misspelt or not, is borne by anybody."""
    if len(name) > 1 and JOINING & set(name[1:-1]):
        return True  # several names, looked up one by one
    return bool(_found_parts(name, index))


def _found_parts(name: Run, index: NameIndex) -> list[tuple[Run, set[int]]]:
    whole = next((run for run in (name, _core(name)) if run and index.bearers(run)), None)
    spelled = whole or _spelled(name, index)
    ids = index.bearers(spelled) if spelled else set()
    return [(spelled, ids)] if ids else _bearers_of_parts(name, index)


def _neutral(candidate: CandidateRef) -> NeutralKey:
    return candidate.neutral_key


def _look_up(name: Run, index: NameIndex, found: _Found, years: Collection[int]) -> None:
    parts = _found_parts(name, index)
    if not parts and JOINING & set(name[1:-1]):
        at = next(at for at in range(1, len(name) - 1) if name[at] in JOINING)
        for part in (name[:at], name[at + 1 :]):
            _look_up(part, index, found, years)
        return
    if not parts:
        if not all(index.is_ordinary(word) for word in _core(name)):
            found.unknown.append(" ".join(_core(name)))
        return
    elections: list[tuple[int, ...]] = [(year,) for year in years] or [()]
    for (part, ids), year in product(parts, elections):  # of several elections one each
        people = index.newest(ids, year)
        if not people:
            found.unknown.append(f"{' '.join(part)} ({', '.join(map(str, year))})")
            continue
        found.people.append(people)
        found.names.append(" ".join(part))
    read = [word for part, _ in parts for word in part]
    if not set(read) <= set(name):
        found.spelled.append((" ".join(name), " ".join(read)))


def _core(name: Run) -> Run:
    """A name without titles and particles at its ends."""
    start, end = 0, len(name)
    while start < end and name[start] in BESIDE_NAMES:
        start += 1
    while end > start and name[end - 1] in BESIDE_NAMES:
        end -= 1
    return name[start:end] or name


def _bearers_of_parts(name: Run, index: NameIndex) -> list[tuple[Run, set[int]]]:
    """The name as one, or as two side by side of which one is whole ("lula bolsonaro"); nothing when it is nobody's."""
    for whole in dict.fromkeys((name, _core(name))):
        if whole and (ids := index.bearers(whole)):
            return [(whole, ids)]
    core = _core(name)
    for end in range(len(core) - 1, 0, -1):
        parts = [(part, index.bearers(part)) for part in (core[:end], core[end:])]
        whole_ones = [part for part, _ in parts if index.names_at(part, 0).get(len(part))]
        if whole_ones and all(ids for _, ids in parts):
            return parts
    return []


def _spelled(name: Run, index: NameIndex) -> Run:
    """The name with misspelt words as the nearest ones that together are somebody's; first those that nobody bears."""
    core = _core(name)
    for every_word in (False, True) if len(core) > 1 else (False,):
        for spelling in _spellings(core, index, every_word):
            if spelling != core and index.bearers(spelling):
                return spelling
    cuts = [
        (*core[:at], word[:cut], word[cut:], *core[at + 1 :]) for at, word in enumerate(core) for cut in _cuts(word)
    ]
    return next((parts for parts in cuts if index.bearers(parts)), _spellings(core, index, False)[0])


def _cuts(word: str) -> Iterable[int]:
    """Where a word may be two that were glued: `DAVILA` is D AVILA."""
    return (cut for cut in (1, *range(3, len(word) - 2)) if len(word) > SHORTEST_GLUED)


def _spellings(core: Run, index: NameIndex, every_word: bool) -> list[Run]:
    spellings: list[Run] = [()]
    for word in core:
        known = word in PARTICLES or index.is_name_word(word)
        near = [] if known and not every_word else index.near(word, held_too=every_word)
        options = dict.fromkeys([*([word] if known or not near else []), *near])
        spellings = [(*before, option) for before in spellings for option in options][:MOST_SPELLINGS]
    return spellings


def _fitting(group: list[CandidateRef], index: NameIndex, wanted: Wanted, *, by_source: bool) -> list[CandidateRef]:
    """The homonyms that the question's own words leave, each wish only where it leaves anybody.

    `by_source`: who has a plan or bills comes first. It does not choose among people who bear the whole name asked for.
    """
    wishes: list[Callable[[CandidateRef], bool]] = [
        lambda one: not wanted.states or one.state in wanted.states,
        lambda one: not wanted.offices or one.office in wanted.offices,
        lambda one: not wanted.parties or one.party in wanted.parties,
        lambda one: not wanted.numbers or one.number in wanted.numbers,
    ]
    if by_source:
        wishes.append(lambda one: not wanted.with_plan or one.office in PLAN_OFFICES)
        wishes.append(lambda one: not wanted.with_bills or one.id in index.deputies)
    for wish in wishes:
        group = [one for one in group if wish(one)] or group
    return group


def _beside(group: list[CandidateRef], told: Sequence[CandidateRef]) -> list[CandidateRef]:
    """Homonyms beside names that are clear: those of the same election, office and UF come first."""
    if not told:
        return group
    offices, states = {one.office for one in told}, {one.state for one in told}
    same_office = [one for one in group if one.office in offices]
    return [one for one in same_office if one.state in states] or same_office or group

"""What lists know of the words of a question, whatever their context: parties, places, offices, kinds of bills, years."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from iris_assets.question.tokens import Token, quotations, within
from iris_assets.ufs import NATIONAL, UF_NAMES
from iris_assets.words.bill_kinds import acronyms
from iris_assets.words.offices import office_forms
from iris_assets.words.parties import party_forms
from iris_assets.words.text import fold

Value = TypeVar("Value")
Phrases = Mapping[str, Mapping[tuple[str, ...], Value]]  # first word → words of the whole phrase → value
STATE_FORMS: Final = {fold(name): uf for uf, name in UF_NAMES.items() if uf != NATIONAL}
YEAR: Final = re.compile(r"(?:19|20)\d\d")


def phrases(forms: Mapping[str, Value]) -> Phrases[Value]:
    """An index of folded phrases by their first word."""
    found: dict[str, dict[tuple[str, ...], Value]] = {}
    for form, value in forms.items():
        words = tuple(form.split())
        if words:
            found.setdefault(words[0], {})[words] = value
    return found


def runs(tokens: Sequence[Token], index: Phrases[Value]) -> list[tuple[int, int, Value]]:
    """(start, end, value) of the longest phrases of an index in the words, left to right."""
    forms, at = [token.form for token in tokens], 0
    found: list[tuple[int, int, Value]] = []
    while at < len(forms):
        fitting = [words for words in index.get(forms[at], ()) if tuple(forms[at : at + len(words)]) == words]
        words = max(fitting, key=len, default=())
        if words:
            found.append((at, at + len(words), index[forms[at]][words]))
        at += len(words) or 1
    return found


@lru_cache(maxsize=1)
def party_phrases() -> Phrases[str]:
    """The spellings of parties → acronym."""
    return phrases(party_forms())


@lru_cache(maxsize=1)
def office_phrases() -> Phrases[tuple[str, ...]]:
    """The forms of offices → the offices they may mean."""
    return phrases({**office_forms(), **MORE_OFFICES})


# How a question alone names an office: "quem tentou o governo do Acre", "na disputa pelo Planalto".
MORE_OFFICES: Final = {"GOVERNO": ("GOVERNADOR",), "PLANALTO": ("PRESIDENTE",)}
STATES: Final = phrases(STATE_FORMS)
SIGLAS: Final = frozenset(UF_NAMES) - {NATIONAL}


def slots_of(question: str, tokens: Sequence[Token], names: str = "") -> list[frozenset[str]]:
    """For each word what it may be; `names` is one sign a word (`NameIndex.signs`), a point where nobody bears it."""
    found: list[set[str]] = [set() for _ in tokens]
    for start, end, _ in runs(tokens, party_phrases()):
        _mark(found, range(start, end), f"PARTY{min(end - start, 2)}")
    for start, end, _ in runs(tokens, STATES):
        _mark(found, range(start, end), "UF")
    for start, end, _ in runs(tokens, office_phrases()):
        _mark(found, range(start, end), "OFFICE")
    for quoted in quotations(question):
        _mark(found, within(tokens, quoted), "Q")
    for at, token in enumerate(tokens):
        found[at] |= _alone(question, token)
        if at < len(names) and names[at] != ".":
            found[at].add(f"NAME{names[at]}")
    return [frozenset(marks) for marks in found]


def _alone(question: str, token: Token) -> set[str]:
    marks = set()
    if token.form.isdigit():
        marks.add("YEAR" if YEAR.fullmatch(token.form) else f"D{min(len(token.form), 6)}")
    elif token.form in SIGLAS:
        marks.add("SIGLA" if token.raw.isupper() else "sigla")
    if token.form in acronyms():
        marks.add("KIND")
    if "/" in question[max(token.start - 1, 0) : token.start]:
        marks.add("/")
    return marks


def _mark(found: list[set[str]], places: Iterable[int], mark: str) -> None:
    for place in places:
        found[place].add(mark)

"""Quantities without figures ("o dobro", "um terço") and what a number counts ("120 creches")."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from iris_assets.grounding.normalise import content_stems
from iris_assets.grounding.numbers import PERCENT, PLAIN, Number

# Words of one meaning, and the percentage that says the same.
_PORTIONS = (
    (re.compile(r"\bmetades?\b"), 50),
    (re.compile(r"\b(?:um terco|terca parte)\b"), None),
    (re.compile(r"\bdois tercos\b"), None),
    (re.compile(r"\b(?:um quarto d[aeo]s?|quarta parte)\b"), 25),
    (re.compile(r"\btres quartos d[aeo]s?\b"), 75),
    (re.compile(r"\b(?:um quinto d[aeo]s?|quinta parte)\b"), 20),
    (re.compile(r"\bum decimo d[aeo]s?\b"), 10),
    (re.compile(r"\b(?:dobr(?:o|a|ar|ara|arao|aria|amos|aremos|ando|ou|ada|ado)|duplic\w+)\b"), 100),
    (re.compile(r"\b(?:triplo|triplic\w+)\b"), 200),
    (re.compile(r"\b(?:quadrupl\w+)\b"), 300),
    (re.compile(r"\bduzias?\b"), None),
    (re.compile(r"\bdezenas\b"), None),
    (re.compile(r"\bcentenas\b"), None),
    (re.compile(r"\bmilhares\b"), None),
)
_NEXT_WORDS = re.compile(r"(?: [a-z-]+){0,5}")


@dataclass(frozen=True, slots=True)
class Portion:
    """A quantity in words; `percent` is what says the same in figures."""

    text: str
    pattern: re.Pattern[str]
    percent: int | None

    def occurs(self, folded: str, numbers: Iterable[tuple[Decimal, str]]) -> bool:
        """Whether a text says it, in these words or as a percentage."""
        said = self.percent is not None and (Decimal(self.percent).normalize(), PERCENT) in numbers
        return said or self.pattern.search(folded) is not None


def find_portions(folded: str) -> list[Portion]:
    """Quantities in words of accent-free lower-case text."""
    return [Portion(found[0], pattern, percent) for pattern, percent in _PORTIONS if (found := pattern.search(folded))]


@dataclass(frozen=True, slots=True)
class Counted:
    """A plain number with the stems of the words right after it, the first of them apart."""

    value: Decimal
    noun: str
    near: frozenset[str]


def find_counted(folded: str, numbers: Sequence[Number]) -> list[Counted]:
    """What the plain numbers of a text count; years count nothing."""
    found = []
    for number in numbers:
        values = [value for value, kind in number.readings if kind == PLAIN]
        if values and not 1900 <= min(values) <= 2100:
            words = _NEXT_WORDS.match(folded, number.end)
            stems = [stem for word in (words[0] if words else "").split() for stem in content_stems(word)]
            found.append(Counted(min(values), stems[0] if stems else "", frozenset(stems)))
    return found


def counts_something_else(said: Counted, written: Sequence[Counted]) -> bool:
    """Whether the passages count these things with another number, and other things with this number."""
    same_number = [one for one in written if one.value == said.value]
    apart = all(one.noun and said.noun not in one.near for one in same_number)
    return (
        bool(said.noun and same_number)
        and apart
        and any(one.noun == said.noun and one.value != said.value for one in written)
    )

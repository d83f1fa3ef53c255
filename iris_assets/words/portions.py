"""Quantities without figures: "o dobro", "um terço", "dezenas"."""

import re
from collections.abc import Container
from dataclasses import dataclass
from decimal import Decimal

from iris_assets.words.numbers import PERCENT

# Words of one meaning, and the percentages that say the same.
_PORTIONS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"\bmetades?\b|\b1/2\b|\b(?:um|uma|1) em cada (?:dois|duas|2)\b"), ("50",)),
    (re.compile(r"\b(?:um terco|terca parte|1/3|(?:um|uma|1) em cada (?:tres|3))\b"), ("33", "33.3", "33.33")),
    (re.compile(r"\b(?:dois tercos|2/3)\b"), ("66", "66.6", "66.7", "67")),
    (re.compile(r"\b(?:um quarto d[aeo]s?|quarta parte|1/4|(?:um|uma|1) em cada (?:quatro|4))\b"), ("25",)),
    (re.compile(r"\b(?:tres quartos d[aeo]s?|3/4)\b"), ("75",)),
    (re.compile(r"\b(?:um quinto d[aeo]s?|quinta parte|1/5|(?:um|uma|1) em cada (?:cinco|5))\b"), ("20",)),
    (re.compile(r"\b(?:um decimo d[aeo]s?|1/10|(?:um|uma|1) em cada (?:dez|10))\b"), ("10",)),
    (
        re.compile(
            r"\b(?:dobr(?:o|a|ar|ara|arao|aria|amos|aremos|ando|ou|ada|ado)|duplic\w+|duas vezes (?:mais|maior))\b"
        ),
        ("100",),
    ),
    (re.compile(r"\b(?:triplo|triplic\w+|tres vezes (?:mais|maior))\b"), ("200",)),
    (re.compile(r"\b(?:quadrupl\w+|quatro vezes (?:mais|maior))\b"), ("300",)),
    (re.compile(r"\bduzias?\b"), ()),
    (re.compile(r"\bdezenas\b"), ()),
    (re.compile(r"\bcentenas\b"), ()),
    (re.compile(r"\bmilhares\b"), ()),
)


_ANY = re.compile("|".join(pattern.pattern for pattern, _ in _PORTIONS))


@dataclass(frozen=True, slots=True)
class Portion:
    """A quantity in words at a place of a text; `percents` are what says the same in figures."""

    text: str
    pattern: re.Pattern[str]
    percents: tuple[str, ...]
    start: int
    end: int

    def occurs(self, folded: str, numbers: Container[tuple[Decimal, str]]) -> bool:
        """Whether a text says it, in these words or as a percentage."""
        said = any((Decimal(percent).normalize(), PERCENT) in numbers for percent in self.percents)
        return said or self.pattern.search(folded) is not None


def find_portions(folded: str) -> list[Portion]:
    """Quantities in words of accent-free lower-case text."""
    if not _ANY.search(folded):
        return []
    found = ((pattern.search(folded), pattern, percents) for pattern, percents in _PORTIONS)
    return [Portion(one[0], pattern, percents, *one.span()) for one, pattern, percents in found if one]


def in_words(percent: Decimal, folded: str) -> bool:
    """Whether a text says a percentage in words: 25 for "um quarto"."""
    return any(percent in map(Decimal, percents) and pattern.search(folded) for pattern, percents in _PORTIONS)

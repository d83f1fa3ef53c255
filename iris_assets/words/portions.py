"""Quantities without figures: "o dobro", "um terço", "dezenas"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from iris_assets.words.numbers import PERCENT

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


def in_words(percent: Decimal, folded: str) -> bool:
    """Whether a text says a percentage in words: 25 for "um quarto"."""
    return any(said == percent and pattern.search(folded) for pattern, said in _PORTIONS)

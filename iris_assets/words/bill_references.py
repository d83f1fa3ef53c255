"""References to bills and laws as (type, number, year); PL 5/2023 is never PLP 5/2023."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from iris_assets.words.bill_kinds import acronyms, bill_kinds, by_acronym, kind_of, spelled_out
from iris_assets.words.text import either

# What people cite without a year; any other kind is one only with it ("pra 300 famílias", "proposta 3").
_KNOWN_BARE = frozenset(
    ["PL", "PLP", "PLV", "PEC", "PDL", "MPV", "PRC", "RIC", "REQ", "INC", "LEI", "LC", "EC", "DL", "DECRETO"]
)
_SHORT = sorted(
    {*acronyms(), *(kind.acronym for kind in bill_kinds() if kind.norm)}, key=lambda name: (-len(name), name)
)
_TYPE = (
    rf"(?P<type>{either(pattern for pattern, _ in spelled_out())}"
    rf"|{either(re.escape(name.lower()) for name in _SHORT)})"
)
_REFERENCE = re.compile(
    rf"(?<![\w]){_TYPE}(?:s|\.)?[ -]?(?:\([a-z]{{2,4}}\) ?)?(?:n(?:\.?[ºo°]|\.|umero)?\.? ?)?"
    r"(?P<number>\d{1,3}(?:\.\d{3})+|\d{1,6})(?!\d|[,.]\d)(?:(?:/| de |, de |-)(?P<year>\d{4}|\d{2})(?![\d/]))?"
)
_BARE = re.compile(r"(?<![\w/.,-])(?P<number>\d{1,3}(?:\.\d{3})+|\d{1,6})/(?P<year>(?:19|20)\d{2})(?![\d/])")


@dataclass(frozen=True, slots=True)
class FoundBill:
    """A reference in a text; `kind` is None for a bare `1234/2023`, `year` None when the text gives none."""

    text: str
    kind: str | None
    number: int
    year: int | None
    start: int
    end: int

    def agrees(self, other: "FoundBill") -> bool:
        """Whether `other` is the same bill as far as both say (an unsaid kind or year does not contradict)."""
        return (
            self.number == other.number
            and (self.kind is None or other.kind is None or self.kind == other.kind)
            and (self.year is None or self.year == other.year)
        )


def find_bills(folded: str) -> list[FoundBill]:
    """References in accent-free lower-case text; bare `number/year` too when its number is no month."""
    read = (_read(match, _kind(match["type"])) for match in _REFERENCE.finditer(folded))
    typed = [bill for bill in read if bill.year is not None or bill.kind in _KNOWN_BARE]
    bare = [
        _read(match, None)
        for match in _BARE.finditer(folded)
        if int(match["number"].replace(".", "")) > 12 and not any(b.start <= match.start() < b.end for b in typed)
    ]
    return sorted(typed + bare, key=lambda bill: bill.start)


def bill_of_record(record: Mapping[str, Any]) -> list[FoundBill]:
    """The reference in structured data with `type`, `number`, `year`."""
    kind, number = record.get("type"), record.get("number")
    if not isinstance(kind, str) or not str(number or "").isdigit():
        return []
    year = record.get("year")
    return [FoundBill("", _canonical(kind), int(str(number)), int(year) if year else None, 0, 0)]


@lru_cache(maxsize=4096)
def _kind(name: str) -> str:
    kind = kind_of(name)
    return kind.acronym if kind else name.upper()


def _canonical(acronym: str) -> str:
    kind = by_acronym().get(acronym.upper())
    return kind.acronym if kind else acronym.upper()


def _read(match: re.Match[str], kind: str | None) -> FoundBill:
    year = int(match["year"]) if match["year"] else None
    if year is not None and year < 100:
        year += 2000 if year < 50 else 1900
    return FoundBill(match[0], kind, int(match["number"].replace(".", "")), year, match.start(), match.end())

"""What a passage supports: its numbers, dates, bill references, words and whose it is, read once for many sentences."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from iris_assets.grounding.bills import FoundBill, bill_of_record, find_bills
from iris_assets.grounding.dates import FoundDate, find_dates
from iris_assets.grounding.normalise import clean, comparable, content_stems, fold, without_emphasis
from iris_assets.grounding.numbers import MONEY, PLAIN, Number, find_codes, find_numbers
from iris_assets.grounding.quantities import Counted, find_counted
from iris_assets.grounding.sentences import pieces

_BARRIER = "\n\n§\n\n"  # keeps quotations from running over the border of two fields
_TECHNICAL = (
    "hash",
    "token",
    "offset",
    "span",
    "index",
    "checksum",
    "embedding",
    "chunk",
    "score",
    "resource",
    "file",
    "camaraid",
    "deputyid",
)
_AMOUNTS = ("year", "number", "count", "total")
_PAGE_BEFORE = re.compile(r"\b(?:p|pp|pag|pags|paginas?)\.? ?$")
_BALLOT_BEFORE = re.compile(r"(?:\bnumero(?: de urna| na urna)?|\bn[ºo°]\.?|\burna|·) ?$")
# The unit of a table's column stands in its head, not at its numbers.
_MONEY_HEAD = re.compile(
    r"r\$(?! ?\d)|(?<!\d )(?<!mil )(?<!milhoes )(?<!de )\breais\b|\bvalor(?:es)? (?:em|total|unitario|\()"
)
_PARTY_IN_LABEL = re.compile(r"\b([A-Z][A-ZÇÃ]{1,14})/[A-Z]{2}\b")
_IN_SCALE = re.compile(r"(?:em|r\$|\() ?(?:mil|milhoes|bilhoes)\b")


@dataclass(frozen=True, slots=True)
class Owner:
    """A candidate whose record an evidence is; `names` are the ways an answer may call them, the display name first."""

    key: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class GateEvidence:
    """One evidence as the gate sees it. `text` is exactly the citable passage; `facts` are structured data and ids."""

    evidence_id: str
    text: str
    title: str = ""
    source_type: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    owners: tuple[Owner, ...] = ()
    url: str = ""
    pages: frozenset[int] = frozenset()
    ballot_numbers: frozenset[int] = frozenset()

    @cached_property
    def passage(self) -> str:
        """The citable passage, cleaned; spans count its characters."""
        return clean(self.text)

    @cached_property
    def pieces(self) -> tuple[tuple[tuple[int, int], frozenset[str], frozenset[Decimal]], ...]:
        """(span, word stems, number values) of each sentence of the passage."""
        found = []
        for start, end in pieces(self.passage):
            piece = fold(comparable(self.passage[start:end]).text)
            values = frozenset(value for number in find_numbers(piece) for value, _ in number.readings)
            found.append(((start, end), content_stems(piece), values))
        return tuple(found)

    @cached_property
    def everything(self) -> str:
        """Passage, title and facts as one original text."""
        return _BARRIER.join((self.passage, clean(self.title), clean(" \n ".join(_values(self.facts)))))

    @cached_property
    def comparable_text(self) -> str:
        return comparable(without_emphasis(self.everything)).text

    @cached_property
    def folded(self) -> str:
        return fold(self.comparable_text)

    @cached_property
    def stems(self) -> frozenset[str]:
        return content_stems(self.folded)

    @cached_property
    def numbers(self) -> frozenset[tuple[Any, str]]:
        """(value, kind) of every number, years of dates and parts of references too."""
        found = {reading for number in find_numbers(self._without_full_dates) for reading in number.readings}
        years = {(reading, PLAIN) for date in self.dates if (reading := date.year) is not None}
        return frozenset(found) | frozenset(years) | self._numbers_between_blanks

    @cached_property
    def counted(self) -> tuple[Counted, ...]:
        """What the plain numbers of the passage count."""
        return tuple(find_counted(self._without_full_dates, find_numbers(self._without_full_dates)))

    @cached_property
    def _numbers_between_blanks(self) -> frozenset[tuple[Any, str]]:
        """A table row `20 300` is 20 and 300 as well as 20300."""
        apart = re.sub(r"(?<=\d) (?=\d{3})", " ; ", self._without_full_dates)
        return frozenset(reading for number in find_numbers(apart) for reading in number.readings)

    @cached_property
    def _without_full_dates(self) -> str:
        """A date's day and month are no amounts."""
        text = self.folded
        for date in self.dates:
            if date.day is not None and date.month is not None:
                text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
        return text

    @cached_property
    def dates(self) -> tuple[FoundDate, ...]:
        return tuple(find_dates(self.folded))

    @cached_property
    def bills(self) -> tuple[FoundBill, ...]:
        return tuple(find_bills(self.folded)) + tuple(bill_of_record(self.facts))

    @cached_property
    def labelled_parties(self) -> frozenset[str]:
        """Parties written as in labels: `PARTY/UF`."""
        return frozenset(_PARTY_IN_LABEL.findall(self.everything))

    @cached_property
    def _has_money_head(self) -> bool:
        return _MONEY_HEAD.search(self.folded) is not None

    @cached_property
    def codes(self) -> frozenset[str]:
        return frozenset(code for code, _ in find_codes(self.folded))

    def has_number(self, number: Number, of_money: bool = False) -> bool:
        """Whether any reading of `number` occurs here; per cent only as per cent, money only as money.

        `of_money`: the sentence speaks of money, so that it may leave out the `R$`.
        """
        return any(self._has(value, kind, of_money) for value, kind in number.readings) or self._has_in_scale(number)

    def _has(self, value: Any, kind: str, of_money: bool = False) -> bool:
        if (value, kind) in self.numbers:
            return True
        if kind == MONEY:
            return (value, PLAIN) in self.numbers and self._has_money_head
        return kind == PLAIN and of_money and (value, MONEY) in self.numbers

    def _has_in_scale(self, number: Number) -> bool:
        """`1,5 milhão` in a table whose head says "em milhões"."""
        digits = re.match(r"(?:r\$ ?)?([\d.,]+) ?(?:mil|mi|bi|milhao|milhoes|bilhao|bilhoes)$", number.text)
        if not digits or not _IN_SCALE.search(self.folded):
            return False
        plain = {value for number in find_numbers(digits[1]) for value, _ in number.readings}
        return any((value, kind) in self.numbers for value in plain for kind in (PLAIN, MONEY))

    def has_labelled(self, number: Number, before: str) -> bool:
        """A page or ballot number counts only where the words before it say that it is one."""
        values = {value for value, _ in number.readings}
        pages, ballots = set(map(Decimal, self.pages)), set(map(Decimal, self.ballot_numbers))
        return bool(
            (_PAGE_BEFORE.search(before) and values & pages) or (_BALLOT_BEFORE.search(before) and values & ballots)
        )

    def has_date(self, date: FoundDate) -> bool:
        """Whether a date here says all that `date` says; day and month may stand apart from the year."""
        if any(date.agrees(own) for own in self.dates):
            return True
        if date.month is None:
            return any(own.day == date.day for own in self.dates) or any(value == date.day for value, _ in self.numbers)
        apart = any(own.year is None and (own.day, own.month) == (date.day, date.month) for own in self.dates)
        return apart and date.day is not None and any(value == date.year for value, _ in self.numbers)

    def has_bill(self, bill: FoundBill) -> bool:
        return any(bill.agrees(own) for own in self.bills)

    def has_quotation(self, parts: Iterable[str]) -> bool:
        """Whether the parts of a quotation (cut at ellipses) occur in this order."""
        position = 0
        for part in parts:
            found = self.comparable_text.find(part, position)
            if found < 0:
                return False
            position = found + len(part)
        return True

    def mentions(self, name: str) -> bool:
        """Whether a folded name occurs as whole words."""
        # The plain search is what keeps many names over long passages cheap.
        return name in self.folded and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.folded) is not None


def _values(value: Any, key: str = "") -> list[str]:
    """All readable values of nested facts; technical fields (hashes, offsets) support nothing."""
    if any(part in key.lower() for part in _TECHNICAL):
        return []
    if isinstance(value, Mapping):
        return [text for name, inner in value.items() for text in _values(inner, str(name))]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in _values(inner, key)]
    if value is None or isinstance(value, bool):
        return []
    if isinstance(value, str):
        return [value]
    # Bare integers are mostly orders and identifiers: those support no amount.
    return [str(value)] if any(part in key.lower() for part in _AMOUNTS) or not isinstance(value, int | float) else []

"""Dates in Portuguese text as (year, month, day) with None for what is not said: 15/08/2026 = 15 de agosto de 2026."""

import re
from dataclasses import dataclass

from iris_assets.words.numbers import WORD, parse_words

_MONTHS = (
    "janeiro",
    "fevereiro",
    "marco",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
_MONTH_NUMBER = {name: i for i, name in enumerate(_MONTHS, 1)} | {name[:3]: i for i, name in enumerate(_MONTHS, 1)}
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)}|(?:{'|'.join(name[:3] for name in _MONTHS)})(?:\.|\b))"
_DAY = r"(?P<day>\d{1,2})"

_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\d/.-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)",
        r"(?<![\d/.-])(?P<day>\d{1,2})[º°]?(?P<sep>[/.-])(?P<month>\d{1,2})(?P=sep)(?P<year>\d{4}|\d{2})(?![\d/])",
        rf"(?<!\d){_DAY}(?:º|°|o)? (?:de )?{_MONTH},? (?:de |do ano de )?(?P<year>\d{{4}})(?!\d)",
        rf"(?<!\d){_DAY}(?:º|°|o)? de {_MONTH}",
        rf"\b{_MONTH}(?: de |/| )(?P<year>\d{{4}})(?!\d)",
        r"(?<![\d/.,-])(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d{2})(?![\d/])",
        r"(?<![\d/.,-])(?P<day>\d{2})/(?P<month>0[1-9]|1[0-2])(?![\d/])",
        r"\bdia (?P<day>\d{1,2})(?!\d)",
        rf"(?<!rio de )\b(?P<name>{'|'.join(name for name in _MONTHS if name != 'marco')})\b",
        r"(?:\b(?:em|ate|desde|mes de) )(?P<name>marco)\b(?! (?:legal|regul|tempor|civil|zero))",
    )
)
_ANY = re.compile(rf"\d|{'|'.join(_MONTHS)}|\bdia\b")  # what every date has
_SPELLED_DAY = re.compile(rf"\b(?P<words>primeiro|{WORD}(?: e {WORD})?)(?= de {_MONTH})")
_SPELLED_YEAR = re.compile(
    rf"(?P<before>\b{_MONTH} de )(?P<words>(?:dois mil|mil novecentos)\b(?: e {WORD}(?: e {WORD})?)?)"
)


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date of a text; parts that the text does not say are None."""

    text: str
    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    def agrees(self, other: "FoundDate") -> bool:
        """Whether `other` says everything that this one says, with the same values."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine is None or mine == theirs for mine, theirs in pairs)


def find_dates(folded: str) -> list[FoundDate]:
    """Dates in accent-free lower-case text, the most complete reading of each place, in order."""
    if not _ANY.search(folded):
        return []
    found: list[FoundDate] = []
    text, spelled = _in_figures(folded)
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            date = _read(match, spelled)
            if date and all(date.end <= other.start or date.start >= other.end for other in found):
                found.append(date)
    return sorted(found, key=lambda date: date.start)


def _in_figures(folded: str) -> tuple[str, list[tuple[int, int]]]:
    """`trinta e um de maio de dois mil e dez` → `31 de maio de 2010`, padded so that every position stays.

    Also the spans of what was spelled out.
    """
    spans = [match.span("words") for pattern in (_SPELLED_DAY, _SPELLED_YEAR) for match in pattern.finditer(folded)]
    days = _SPELLED_DAY.sub(lambda match: _figures(match["words"]).rjust(len(match[0])), folded)
    return _SPELLED_YEAR.sub(lambda m: m["before"] + _figures(m["words"]).ljust(len(m["words"])), days), spans


def _figures(words: str) -> str:
    value = 1 if words == "primeiro" else parse_words(words)
    return str(value) if value is not None and len(str(value)) <= len(words) else words


def _read(match: re.Match[str], spelled: list[tuple[int, int]]) -> FoundDate | None:
    parts = match.groupdict()
    month = _MONTH_NUMBER[parts["name"].rstrip(".")] if parts.get("name") else _int(parts.get("month"))
    year, day = _year(_int(parts.get("year"))), _int(parts.get("day"))
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    touched = [match.span(), *(span for span in spelled if span[0] < match.end() and match.start() < span[1])]
    start, end = min(span[0] for span in touched), max(span[1] for span in touched)
    return FoundDate(" ".join(match[0].split()), year, month, day, start, end)


def _int(text: str | None) -> int | None:
    return int(text) if text else None


def _year(year: int | None) -> int | None:
    """`26` → 2026, `98` → 1998."""
    if year is None or year >= 100:
        return year
    return 2000 + year if year < 50 else 1900 + year

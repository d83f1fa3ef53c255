"""Explicit references in a question: bills, Câmara and TSE ids, ballot numbers with office, pages of a plan."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from iris_assets.question.ballots import find_ballots
from iris_assets.question.bill_types import BILL_TYPES, type_of, type_pattern, without_dots, without_plurals
from iris_assets.words.text import fold_for_index

__all__ = ["BILL_TYPES", "FoundReferences", "Reference", "find_references", "full_year"]

Kind = Literal["bill", "camara_id", "tse_id", "ballot", "page"]
HoldsType = Callable[[str], bool]

MOST_REFERENCES: Final = 30  # of one question; `FoundReferences.left_out` counts the others
MOST_UNLISTED: Final = 8  # words of one question that are asked of the store
NO_KINDS: Final = frozenset({"A", "ATE", "DE", "DO", "E", "EM", "NA", "NO", "O"})
NUMBER = r"(\d{1,3}(?:\.\d{3})+|\d{1,6})(?![\d.]*\d)"
ORDINAL = r"(?:(?:de\s+)?n(?:o|os|º|°|\.º|\.o|umeros?)?\.?\s*|#)?"
AND = r"(?:\s*(?:,|;)\s*(?:(?:e|ou)\s+)?|\s+(?:e|ou)\s+)"
ARTICLE = r"(?:(?:[oa]s?|d[oa]s?|n[oa]s?)\s+)?"
TO = r"(?:\s*-\s*|\s+(?:a|ate)\s+)"
DATE = r",?\s+de\s+\d{1,2}º?\s+de\s+[a-z]+\s+de\s+"
SAID = r",?\s+(?:(?:tod|amb)[oa]s\s+)?(?:de|do ano de|apresentad[oa]s?\s+em)\s+"
YEAR = re.compile(
    rf"(?:(?:{DATE}|\s*/\s*|\s*-\s*(?!\d+\s*/)|{SAID})(?P<year>\d{{4}}|\d{{2}}|0)(?!\d)"
    r"|\s+\(?(?P<bare>(?:19|20)\d\d)\b\)?(?!\s*/))"
)
FIRST_NUMBER = re.compile(rf"\.?\s*[-:]?\s*{ORDINAL}{NUMBER}")
NEXT_NUMBER = re.compile(rf"{AND}{ARTICLE}{ORDINAL}{NUMBER}")
JOINED = re.compile(rf"{AND}{ARTICLE}")
LAST_OF_RANGE = re.compile(rf"{TO}{ARTICLE}{ORDINAL}{NUMBER}")
# A party in front of a kind ("deputados do PL e PEC 45/2019") is not one of the kinds.
PARTY_BEFORE = re.compile(
    r"(?:partido|pelo|(?:deputad|candidat|senador|parlamentar|bancada|lider|eleit|filiad)\w*\s+(?:d[oa]|pel[oa]|a[o]?))"
    r"\s*(?:d[oa]\s+)?$"
)
UNLISTED = re.compile(
    rf"(?<![\w/.-])([a-z]{{2,10}})\s*[-:]?\s*{ORDINAL}{NUMBER}(?:\s*/\s*|\s+de\s+)(?:\d{{4}}|0)(?!\d)"
)
CAMARA_ID = re.compile(
    r"(?:\bid(?:s|entificador(?:es)?)?|\bcamara\s?id|\bidproposicao|\bproposic(?:ao|oes))"
    rf"(?:\s+(?:da|na|de|do|no|e|numeros?|camara|proposic(?:ao|oes)|ids?))*\s*[:=nº#./]*\s*"
    rf"(\d{{5,9}}(?![\d/])(?:{AND}\d{{5,9}}(?![\d/]))*)"
)
TSE_ID = re.compile(
    r"(?:\b(?:sq(?:[_ ]candidat[oa])?|sequencial|id(?:entificador)?(?:\s+(?:do|no)\s+tse)?|tse)\s*[:=nº#.]*\s*)?"
    r"(?<![\d./-])(\d{11,13})(?![\d/])"
)
NOT_COUNTED = r"(?!\s+(?!d[oa]s\b|n[oa]s\b|mas\b)[a-z]{3,}s\b|\s+(?:mil|por cento)\b|\s*%)"  # "página 3 e 2 propostas"
PAGE_NUMBER = r"\d{1,4}(?![\d/])"
PAGE = re.compile(
    rf"(?P<between>\bentre\s+as\s+)?(?:\bpaginas?|(?P<short>\bp(?:p|ags?|gs?)?\.?))\s*(?:de\s+)?"
    rf"(?:n(?:º|o|umero)\.?\s*)?(?P<list>{PAGE_NUMBER}(?:(?:{AND}|{TO}|\s+a\s+)(?:as?\s+)?(?:paginas?\s+)?{PAGE_NUMBER}{NOT_COUNTED})*)"
)
PLAN_WORD = re.compile(r"\b(?:plano|programa|proposta|diretriz|documento)")


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference; `text` is how it is shown. Unused parts are empty or 0.

    bill: type, number, year; camara_id, tse_id: identifier; ballot: number, office, state (empty: any); page: number.
    """

    kind: Kind
    text: str
    type: str = ""
    number: int = 0
    year: int = 0
    identifier: str = ""
    office: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class FoundReferences:
    """References in the order of the question, once each, and the folded question without them.

    `left_out` counts those beyond MOST_REFERENCES, which are not looked up.
    """

    references: tuple[Reference, ...]
    rest: str
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Span:
    """References that stand at one place of the text; `more` counts those of a range that were not written out."""

    start: int
    end: int
    references: tuple[Reference, ...]
    more: int = 0


def find_references(question: str, holds: HoldsType | None = None) -> FoundReferences:
    """All references of a question. `holds` says whether a kind of bill that is not on the list has records."""
    text = without_dots(fold_for_index(without_plurals(question)))
    found = [*_bills(text, _unlisted(text, holds)), *_ids(text), *_pages(text)]
    for start, end, numbers, office, state in find_ballots(text):
        where = f"/{state}" if state else ""
        references = (
            Reference("ballot", f"{office} {n}{where}", number=n, office=office, state=state) for n in numbers
        )
        found.append(_Span(start, end, tuple(references)))
    return _without_overlaps(text, found)


def _unlisted(text: str, holds: HoldsType | None) -> tuple[str, ...]:
    """Kinds beyond the list that the question writes like a reference and the store holds."""
    if holds is None:
        return ()
    words = {match[1].upper() for match in UNLISTED.finditer(text)} - BILL_TYPES - NO_KINDS
    return tuple(word for word in sorted(words)[:MOST_UNLISTED] if holds(word))


@lru_cache(maxsize=32)
def _type_patterns(more: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    one = type_pattern(more)
    return re.compile(one), re.compile(rf"(?<![\w/.-]){one}(?:(?:{AND}|\s*/\s*){ARTICLE}{one})*")


def _bills(text: str, more: tuple[str, ...]) -> Iterator[_Span]:
    one, several = _type_patterns(more)
    position = 0
    # Kinds with numbers whose year a following kind may bring: "PL 460, PLP 461 e PEC 403 de 2023".
    undated: list[tuple[list[str], tuple[int, ...]]] = []
    first = last = 0  # where they stand
    while (match := several.search(text, position)) is not None:
        kinds, start = _kinds(text, match, one, more)
        numbers = _numbers(text, match.end())
        position = max(numbers.end, match.end())
        if not (undated and JOINED.fullmatch(text[last:start])):
            undated, first = [], start
        if numbers.found:
            year = numbers.found[0][1]
            earlier = [_of_kinds(some, [(value, year) for value in values]) for some, values in undated]
            references = [reference for some in (*earlier, _of_kinds(kinds, numbers.found)) for reference in some]
            yield _Span(first, numbers.end, tuple(references), numbers.left_out * len(kinds))
            undated = []
        elif numbers.waiting:
            undated.append((kinds, numbers.waiting))
            last = numbers.end


def _kinds(text: str, match: re.Match[str], one: re.Pattern[str], more: tuple[str, ...]) -> tuple[list[str], int]:
    """The kinds that stand together, and where the first of them begins."""
    kinds = [type_of(kind, more) for kind in one.findall(match[0])]
    if len(kinds) > 1 and PARTY_BEFORE.search(text[: match.start()]):
        return kinds[1:], next(found.start() for found in one.finditer(text, match.start() + 1))
    return kinds, match.start()


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The list behind a kind: (number, year) pairs, numbers still without a year, where it ends, what is left out."""

    found: tuple[tuple[int, int], ...]
    waiting: tuple[int, ...]
    end: int
    left_out: int


def _of_kinds(kinds: Iterable[str], numbers: Iterable[tuple[int, int]]) -> Iterator[Reference]:
    pairs = list(numbers)
    return (_bill(kind, *pair) for kind in dict.fromkeys(kinds) for pair in pairs)


def _numbers(text: str, position: int) -> _Numbers:
    """A number without a year has that of the next one with a year ("460, 461 e 403 de 2023")."""
    found: list[tuple[int, int]] = []
    waiting: list[tuple[int, int]] = []  # (first, last) without a year yet
    left_out, end = 0, position
    number = FIRST_NUMBER.match(text, position)
    while number is not None:
        first = last = _value(number[1])
        position = number.end()
        year = YEAR.match(text, position)
        upper = LAST_OF_RANGE.match(text, year.end() if year else position)
        upper_year = YEAR.match(text, upper.end()) if upper else None
        if upper and upper_year and (year is None or _year(year) == _year(upper_year)):
            last, year = _value(upper[1]), upper_year
        waiting.append((min(first, last), max(first, last)))
        if year is not None:
            position = end = year.end()
            for low, high in waiting:
                found += [(value, _year(year)) for value in range(low, min(high, low + MOST_REFERENCES - 1) + 1)]
                left_out += max(0, high - low + 1 - MOST_REFERENCES)
            waiting = []
        number = NEXT_NUMBER.match(text, position)
    if not found:
        end = position
    return _Numbers(tuple(found), tuple(low for low, _ in waiting), end, left_out)


def _year(match: re.Match[str]) -> int:
    return full_year(match["year"] or match["bare"])


def _value(number: str) -> int:
    return int(number.replace(".", ""))


def _bill(kind: str, number: int, year: int) -> Reference:
    return Reference("bill", f"{kind} {number}/{year}", type=kind, number=number, year=year)


def full_year(text: str) -> int:
    """`23` → 2023, `98` → 1998, `2023` → 2023; `0` is what the Câmara writes for an unknown year."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year


def _ids(text: str) -> Iterator[_Span]:
    for match in CAMARA_ID.finditer(text):
        ids = re.findall(r"\d+", match[1])
        yield _Span(*match.span(), tuple(Reference("camara_id", f"id da Câmara {id_}", identifier=id_) for id_ in ids))
    for match in TSE_ID.finditer(text):
        yield _Span(*match.span(), (Reference("tse_id", f"id do TSE {match[1]}", identifier=match[1]),))


def _pages(text: str) -> Iterator[_Span]:
    for match in PAGE.finditer(text):
        if match["short"] and not PLAN_WORD.search(text):
            continue
        pages, left_out = _page_numbers(match["list"], between=bool(match["between"]))
        yield _Span(*match.span(), tuple(Reference("page", f"página {n}", number=n) for n in pages), left_out)


def _page_numbers(written: str, *, between: bool) -> tuple[list[int], int]:
    """`3, 5 e 7` → 3, 5, 7; `3 a 5` → 3, 4, 5; and how many of a long range are left out."""
    pages: list[int] = []
    left_out = 0
    for part in re.finditer(r"(\d+)(?:\s*(?:-|\ba\b|\bate\b)\D*(\d+))?", written):
        first, last = sorted((int(part[1]), int(part[2] or part[1])))
        pages += range(first, min(last, first + MOST_REFERENCES - 1) + 1)
        left_out += max(0, last - first + 1 - MOST_REFERENCES)
    if between and len(pages) == 2:
        return _page_numbers(f"{pages[0]}-{pages[1]}", between=False)
    return pages, left_out


def _without_overlaps(text: str, found: Iterable[_Span]) -> FoundReferences:
    kept: dict[Reference, None] = {}
    rest, position, left_out = [], 0, 0
    for span in sorted(found, key=lambda span: (span.start, -span.end)):
        if span.start < position:
            continue
        kept.update(dict.fromkeys(span.references))
        rest.append(text[position : span.start])
        position = span.end
        left_out += span.more
    rest.append(text[position:])
    left_out += max(0, len(kept) - MOST_REFERENCES)
    return FoundReferences(tuple(kept)[:MOST_REFERENCES], " ".join(rest), left_out)

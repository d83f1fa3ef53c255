"""Header and footer lines that stand on most pages: found, and left out after their first page."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

MOST_EDGE_LINES: Final = 3
FEWEST_PAGES: Final = 4
SHARE: Final = 0.5
STEADY_SHARE: Final = 0.8
SHORT_PAGE: Final = 3
STEPS: Final = (0, 1, 2)  # a number that stays, goes with the page, or with the two printed pages of a spread
DIGITS: Final = re.compile(r"\d+")
PAGE_NUMBER: Final = re.compile(r"\W*(?:p[áa]g(?:ina)?\W*)?\d+(?:\s*(?:de|/|\||-)\s*\d+)?\W*", re.IGNORECASE)
LONGEST_LINE: Final = 200


def repeated_lines(pages: Sequence[tuple[int, str]]) -> dict[str, int]:
    """{line with # for every number: pages that have it at an edge}, for lines on more than half of the pages.

    Only the outer lines of a page count, at most three and at most a third of it at either end, and only in
    documents of four pages with text or more. Numbers may stay or go with the page (a page number); a line whose
    numbers do neither says something else on every page and is no header.
    """
    with_text = [(number, text) for number, text in pages if text.strip()]
    if len(with_text) < FEWEST_PAGES:
        return {}
    found: dict[str, dict[int, tuple[int, ...]]] = defaultdict(dict)
    for number, text in with_text:
        for line in _edges(text.split("\n")):
            found[shape(line)].setdefault(number, tuple(int(digits) for digits in DIGITS.findall(line)))
    return {
        line: len(numbers)
        for line, numbers in sorted(found.items())
        if len(numbers) > SHARE * len(with_text) and _steady(numbers)
    }


def strip_repeated_lines(pages: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The (page number, text) pairs with each repeated header or footer line on its first page only.

    A page that would lose all of its text that way comes out empty; page numbers stay.
    """
    repeated = repeated_lines(pages)
    seen: set[str] = set()
    result = []
    for number, text in pages:
        result.append((number, _without(text, repeated, seen) if repeated else text))
    return result


def shape(line: str) -> str:
    """A line with its numbers made equal, by which lines of different pages are compared."""
    return DIGITS.sub("#", " ".join(line.split()))


def _steady(numbers: dict[int, tuple[int, ...]]) -> bool:
    """Whether each number of a line is the same on nearly all pages or counts with them."""
    for place in zip(*numbers.values(), strict=True):
        shares = (Counter(value - step * page for page, value in zip(numbers, place, strict=True)) for step in STEPS)
        if max(share.most_common(1)[0][1] for share in shares) < STEADY_SHARE * len(numbers):
            return False
    return True


def _edges(lines: list[str]) -> list[str]:
    return [lines[index] for index in sorted(_edge_indexes(lines)) if len(lines[index]) <= LONGEST_LINE]


def _edge_indexes(lines: list[str]) -> set[int]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    depth = min(MOST_EDGE_LINES, max(1, len(filled) // 3))
    return {*filled[:depth], *filled[-depth:]}


def _without(text: str, repeated: dict[str, int], seen: set[str]) -> str:
    """The text without what `seen` has shown; on a page of few lines "Proposta 7" may be what the page is about."""
    lines = text.split("\n")
    short = sum(bool(line.strip()) for line in lines) <= SHORT_PAGE
    dropped = set()
    new = set()
    for index in _edge_indexes(lines):
        line = " ".join(lines[index].split())
        kind = shape(line)
        if kind in repeated:
            says_nothing_new = line in seen or not short or PAGE_NUMBER.fullmatch(line) is not None
            if kind in seen and says_nothing_new:
                dropped.add(index)
            new |= {kind, line}
    seen |= new
    return "\n".join(line for index, line in enumerate(lines) if index not in dropped).strip("\n")

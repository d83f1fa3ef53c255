"""Header and footer lines that stand on most pages: found, and left out after their first page."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

EDGE_LINES: Final = 3
FEWEST_PAGES: Final = 4
SHARE: Final = 0.5
DIGITS: Final = re.compile(r"\d+")
LONGEST_LINE: Final = 200


def repeated_lines(pages: Sequence[tuple[int, str]]) -> dict[str, int]:
    """{line with # for every number: pages that have it at an edge}, for lines on more than half of the pages.

    Only the first and last three non-empty lines of a page count, and only in documents of four pages with text
    or more. A number that changes from page to page (a page number) does not make the line another one.
    """
    with_text = [text for _, text in pages if text.strip()]
    if len(with_text) < FEWEST_PAGES:
        return {}
    counts: Counter[str] = Counter()
    for text in with_text:
        counts.update({shape(line) for line in _edges(text.split("\n"))})
    return {line: number for line, number in sorted(counts.items()) if number > SHARE * len(with_text)}


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


def _edges(lines: list[str]) -> list[str]:
    return [lines[index] for index in sorted(_edge_indexes(lines)) if len(lines[index]) <= LONGEST_LINE]


def _edge_indexes(lines: list[str]) -> set[int]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return {*filled[:EDGE_LINES], *filled[-EDGE_LINES:]}


def _without(text: str, repeated: dict[str, int], seen: set[str]) -> str:
    lines = text.split("\n")
    dropped = set()
    new = set()
    for index in _edge_indexes(lines):
        kind = shape(lines[index])
        if kind in repeated:
            if kind in seen:
                dropped.add(index)
            new.add(kind)
    seen |= new
    return "\n".join(line for index, line in enumerate(lines) if index not in dropped).strip("\n")

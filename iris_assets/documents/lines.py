"""The lines of a text as its pages were set: where each lies, what stands apart, how wide its page's lines are."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_LINE: Final = re.compile(r"[^\n]*\S[^\n]*")


@dataclass(frozen=True, slots=True)
class Line:
    """`apart`: an empty line stands before it on its page; `opens`: it is the page's first; `width`: characters of a
    long line of the same page.
    """

    text: str
    start: int
    end: int
    apart: bool
    opens: bool
    width: int


def lines_of(text: str, page_offsets: Sequence[int]) -> list[Line]:
    """The lines that have text, in order; `page_offsets` are where the pages begin, ascending."""
    found = [(match[0].strip(), *match.span()) for match in _LINE.finditer(text)]
    places = [bisect_right(page_offsets, start) for _, start, _ in found]
    lengths: dict[int, list[int]] = {}
    for place, (line, _, _) in zip(places, found, strict=True):
        lengths.setdefault(place, []).append(len(line))
    widths = {place: sorted(values)[int(0.9 * (len(values) - 1))] for place, values in lengths.items()}
    lines = []
    for index, (line, start, end) in enumerate(found):
        same_page = index > 0 and places[index - 1] == places[index]
        apart = same_page and text.count("\n", found[index - 1][2], start) > 1
        left = start + len(text[start:end]) - len(text[start:end].lstrip())
        lines.append(Line(line, left, left + len(line), apart, not same_page, widths[places[index]]))
    return lines

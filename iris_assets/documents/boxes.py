"""Where words stand on a page: a quote's letters found among the page's letters, as boxes line by line."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

Box = tuple[float, float, float, float]  # left, bottom, right, top

FEWEST_LETTERS: Final = 20  # of a quote's part that goes on over the page's end


@dataclass(frozen=True, slots=True)
class Letter:
    """A character of a page and its box; what is drawn as one ligature comes as one letter of several characters."""

    text: str
    box: Box


def quote_boxes(letters: Sequence[Letter], quote: str) -> list[Box]:
    """One box a line for every part of the quote (parts are apart by `…`); blanks, hyphens and accents do not count."""
    folded, places = [], []
    for place, letter in enumerate(letters):
        for char in _folded(letter.text):
            folded.append(char)
            places.append(place)
    page = "".join(folded)
    spans = [span for part in quote.split("…") if (span := _find(page, _folded(part))) is not None]
    return [box for start, end in spans for box in _lines([letters[place].box for place in places[start:end]])]


def as_shown(share: Box, rotation: int = 0) -> list[float]:
    """Shares of the unrotated page, from its lower left corner → of the page as it is shown, from its upper left one."""
    left, bottom, right, top = share
    shown = {
        0: (left, 1 - top, right, 1 - bottom),
        90: (bottom, left, top, right),
        180: (1 - right, bottom, 1 - left, top),
        270: (1 - top, 1 - right, 1 - bottom, 1 - left),
    }[rotation % 360]
    return [round(min(max(value, 0.0), 1.0), 4) for value in shown]


def _find(page: str, part: str) -> tuple[int, int] | None:
    """Where a part stands: whole, or the longest beginning or end of it that stands on this page."""
    if not part:
        return None
    if (whole := page.find(part)) >= 0:
        return whole, whole + len(part)
    beginning = _longest(len(part), lambda length: part[:length] in page)
    end = _longest(len(part), lambda length: part[-length:] in page)
    if max(beginning, end) < min(FEWEST_LETTERS, len(part)):
        return None
    found = part[:beginning] if beginning >= end else part[-end:]
    start = page.find(found)
    return start, start + len(found)


def _longest(most: int, holds: Callable[[int], bool]) -> int:
    """The largest length that holds, of those where every shorter one holds too."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in decomposed if char.isalnum())


def _lines(boxes: Sequence[Box]) -> list[Box]:
    """Boxes of one line joined: a letter left of the one before, or above or below it, begins another line."""
    lines: list[Box] = []
    for left, bottom, right, top in boxes:
        if lines:
            before = lines[-1]
            middle = (bottom + top) / 2
            if before[1] <= middle <= before[3] and left >= before[0]:
                lines[-1] = before[0], min(before[1], bottom), max(before[2], right), max(before[3], top)
                continue
        lines.append((left, bottom, right, top))
    return lines

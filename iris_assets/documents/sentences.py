"""Where the sentences of a running text begin and end, line breaks inside them notwithstanding."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from iris_assets.words.lexicon import data_lines
from iris_assets.words.text import word_set

Span = tuple[int, int]

LONGEST: Final = 600  # characters; a longer sentence is cut between the parts that semicolons separate
_END: Final = re.compile(r"(?:\.{3}|[.!?…])[\"”»'’)\]]*(?=\s)")
_PART: Final = re.compile(r";(?=\s)")
_OPENING: Final = " \t\n\"“«'‘([–—-"
_NEAR: Final = 24  # characters before a full stop that tell an abbreviation
_WORD: Final = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")
# Words that end a sentence more often than they are cut: "e com.", "etc. O governo".
_ENDING: Final = word_set("etc com no nos num set mar sec sem")


def sentence_spans(text: str, start: int, end: int) -> list[Span]:
    """Spans of the sentences in `text[start:end]`, blanks at their ends left out; together they hold every word."""
    found: list[Span] = []
    for first, last in _cut(text, start, end, _ends(text, start, end)):
        if last - first > LONGEST:
            found += _cut(text, first, last, [match.end() for match in _PART.finditer(text, first, last)])
        else:
            found.append((first, last))
    return found


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    for match in _END.finditer(text, start, end):
        if _starts_anew(text, match.end(), end) and not _is_abbreviation(text, match.start(), start):
            yield match.end()


def _cut(text: str, start: int, end: int, borders: Iterator[int] | list[int]) -> list[Span]:
    spans = []
    for border in (*borders, end):
        piece = text[start:border]
        if piece.strip():
            spans.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
        start = border
    return spans


def _starts_anew(text: str, position: int, end: int) -> bool:
    """Whether what follows looks like a new sentence: not a small letter."""
    following = text[position : min(position + 40, end)].lstrip(_OPENING)
    return not following or not following[0].islower()


def _is_abbreviation(text: str, stop: int, start: int) -> bool:
    if text[stop] != ".":
        return False
    word = _WORD.search(text, max(stop - _NEAR, start), stop)
    if word is None:
        return False
    token = word[0]
    if token.isdigit():
        # The number of an item at the head of its block, or of one within a sentence: "em ordem: 1. creches".
        before = text[start : word.start()].rstrip()
        return not before or before[-1] in ":;("
    return (len(token) == 1 and token.isupper()) or token.lower() in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    listed = next(line for line in data_lines("names.txt") if line.startswith("abbreviations:"))
    return frozenset(listed.split()[1:]) - _ENDING

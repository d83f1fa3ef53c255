"""Letters that a font does not map to Unicode: marked glyph by glyph, repaired where the document's words tell which."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

FIRST: Final = 0xF0000  # a private plane: no document brings these characters along with a meaning
MOST: Final = 0xFFFD
MARK: Final = re.compile("[\U000f0000-\U000ffffd]")
MARKED_WORD: Final = re.compile("[^\\W\\d_]*(?:[\U000f0000-\U000ffffd][^\\W\\d_]*)+")
WORD: Final = re.compile(r"[^\W\d_]+")
LOST: Final = "\ufffd"
# What fonts draw as one glyph, longest first; a single letter comes last.
LIGATURES: Final = ("ffi", "ffl", "tti", "fi", "fl", "ff", "ti", "tt", "ft", "fj")
LETTERS: Final = tuple("abcdefghijlmnopqrstuvxzáâãàçéêíóôõú")
FEWEST_WORDS: Final = 2  # a single letter is taken when so many words of the document speak for it


class Glyphs:
    """One mark for each glyph of a font, the same wherever it stands in the document."""

    def __init__(self) -> None:
        self._marks: dict[tuple[str, int], str] = {}

    def mark(self, font: str, code: int) -> str:
        known = len(self._marks)
        return self._marks.setdefault((font, code), chr(FIRST + min(known, MOST)))


def mend_unmapped(pages: Sequence[str], counts: Counter[str]) -> tuple[list[str], list[int]]:
    """The pages with every mark replaced: by letters where words of the document decide, else by U+FFFD.

    Also how many each page had. Counted as `unmapped_glyphs`, of these `unmapped_glyphs_repaired`.
    """
    found = [len(MARK.findall(page)) for page in pages]
    if not any(found):
        return list(pages), found
    meanings = _meanings(pages)
    counts["unmapped_glyphs"] += sum(found)

    def letters(match: re.Match[str]) -> str:
        counts["unmapped_glyphs_repaired"] += match[0] in meanings
        return meanings.get(match[0], LOST)

    return [MARK.sub(letters, page) for page in pages], found


def _meanings(pages: Sequence[str]) -> dict[str, str]:
    known = {word.lower() for page in pages for word in WORD.findall(MARKED_WORD.sub(" ", page))}
    broken = {word for page in pages for word in MARKED_WORD.findall(page)}
    meanings: dict[str, str] = {}
    # Glyphs of many words first: what they mean helps to read words that hold two of them.
    marks = Counter(mark for word in broken for mark in set(MARK.findall(word)))
    for mark, _ in marks.most_common():
        words = [_replaced(word, meanings) for word in broken if mark in word]
        meaning = _meaning(mark, [word for word in words if set(MARK.findall(word)) == {mark}], known)
        if meaning:
            meanings[mark] = meaning
    return meanings


def _replaced(word: str, meanings: dict[str, str]) -> str:
    return MARK.sub(lambda match: meanings.get(match[0], match[0]), word)


def _meaning(mark: str, words: Sequence[str], known: set[str]) -> str:
    """The letters that make known words of the most of `words`; empty when none or two do as well."""
    for candidates, fewest in ((LIGATURES, 1), (LETTERS, FEWEST_WORDS)):
        ranked = sorted(_scores(mark, candidates, words, known), reverse=True)
        if ranked and ranked[0][0] >= fewest and (len(ranked) == 1 or ranked[0][0] > ranked[1][0]):
            return ranked[0][1]
    return ""


def _scores(mark: str, candidates: Sequence[str], words: Sequence[str], known: set[str]) -> Iterator[tuple[int, str]]:
    for letters in candidates:
        score = sum(len(word) > 1 and word.replace(mark, letters).lower() in known for word in words)
        if score:
            yield score, letters

"""Text by Unicode alone: words, shingles, sentences, comparison keys and damage of the encoding."""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Final

from iris_assets.words.press import press_words
from iris_assets.words.text import Translation

SENTENCE_ENDS: Final = frozenset(".!?…。！？।؟")
CLOSERS: Final = frozenset("\"'”’»)]}")
SHINGLE: Final = 4
SHORT_FORMS: Final = frozenset(word.capitalize() for word in press_words().short)
LONGEST_SHORT_FORM: Final = 12


def _word_part(character: str) -> str:
    return character if character.isalnum() or character == "_" else " "


def _visible(character: str) -> str:
    if character.isspace():
        return " "
    return "" if unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co") else character


_WORDS: Final = Translation(_word_part)
_VISIBLE: Final = Translation(_visible)


def words(text: str) -> list[str]:
    """Runs of letters, digits and underscores, in order."""
    return text.translate(_WORDS).split()


def one_line(text: str) -> str:
    """Every run of white space one space, zero-width and control characters gone, composed (NFC)."""
    return " ".join(unicodedata.normalize("NFC", text.translate(_VISIBLE)).split())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """All runs of four words as a multiset; a shorter text is one shingle, an empty one none."""
    found = words(text)
    if not found:
        return Counter()
    if len(found) < SHINGLE:
        return Counter([tuple(found)])
    return Counter(tuple(found[i : i + SHINGLE]) for i in range(len(found) - SHINGLE + 1))


def jaccard(left: Counter[tuple[str, ...]], right: Counter[tuple[str, ...]]) -> float:
    """Shared part of two multisets, 0 to 1; two empty ones share nothing."""
    union = (left | right).total()
    return (left & right).total() / union if union else 0.0


def sentences(text: str) -> Iterator[str]:
    """Sentences in order: a final mark, its closing quotes, white space and then no lower-case letter.

    A title's full stop (`Dra.`, `Dep.`) and an initial's end none.
    """
    start, position = 0, 0
    while position < len(text):
        if text[position] not in SENTENCE_ENDS or _abbreviates(text, start, position):
            position += 1
            continue
        end = position + 1
        while end < len(text) and (text[end] in SENTENCE_ENDS or text[end] in CLOSERS):
            end += 1
        if _begins(text, end):
            yield text[start:end].strip()
            start = end
        position = end
    if text[start:].strip():
        yield text[start:].strip()


def _abbreviates(text: str, start: int, position: int) -> bool:
    if text[position] != ".":
        return False
    word = text[max(start, position - LONGEST_SHORT_FORM) : position].rpartition(" ")[2]
    word = word.lstrip("".join(CLOSERS) + "([{“‘«")
    return (len(word) == 1 and word.isupper()) or word.replace("ª", "a") in SHORT_FORMS


def _begins(text: str, position: int) -> bool:
    rest = text[position : position + 8].lstrip()
    return position >= len(text) or (text[position].isspace() and (not rest or not rest[0].islower()))


def undamaged(text: str) -> str:
    """UTF-8 read as Windows-1252 turned back (`Ã§` → `ç`), when the whole text proves to be that; else unchanged."""
    if not any(lead in text for lead in ("Ã", "Â", "â€")):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
    return text

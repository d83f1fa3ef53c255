"""Text by Unicode alone: words, shingles, sentences, comparison keys and damage of the encoding."""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Final

SENTENCE_ENDS: Final = frozenset(".!?…。！？।؟")
CLOSERS: Final = frozenset("\"'”’»)]}")
SHINGLE: Final = 4


class _WordMap(dict[int, str]):
    """Translates what is not part of a word into a space, learnt character by character."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kept = character if character.isalnum() or character == "_" else " "
        self[code] = kept
        return kept


_WORDS: Final = _WordMap()


def words(text: str) -> list[str]:
    """Runs of letters, digits and underscores, in order."""
    return text.translate(_WORDS).split()


def fold(text: str) -> str:
    """The comparison key: compatibility forms joined, accents dropped, lower case, words with one space between."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(words("".join(c for c in decomposed if not unicodedata.combining(c))))


def one_line(text: str) -> str:
    """Every run of white space one space, zero-width and control characters gone, composed (NFC)."""
    kept = "".join(c if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cn", "Co") else "" for c in text)
    return " ".join(unicodedata.normalize("NFC", kept).split())


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
    """Sentences in order: a final mark, its closing quotes, white space and then no lower-case letter."""
    start, position = 0, 0
    while position < len(text):
        if text[position] not in SENTENCE_ENDS:
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

"""Question text made comparable: NFKD, no marks, upper case, words apart by one blank."""

import re
import unicodedata

WORD = re.compile(r"(?:[^\W\d_]\.){2,}[^\W\d_]?(?![^\W_])|[^\W_]+")  # `S.U.S.` is one word


def normalised(text: str) -> str:
    """`Síntese das propostas, já!` → `SINTESE DAS PROPOSTAS JA`."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"[^A-Z0-9]+", " ", plain.upper()).strip()


def words(text: str) -> list[str]:
    """The normalised words of a text."""
    return normalised(text).split()


def word_set(text: str) -> frozenset[str]:
    """A set of words written as one text."""
    return frozenset(text.split())

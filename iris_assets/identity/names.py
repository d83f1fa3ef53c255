"""The one form in which names are compared; what is stored and shown keeps its accents and case."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_OTHER: Final = re.compile(r"[^A-Z0-9]+")


@lru_cache(maxsize=1 << 15)  # every partition compares the same deputies and candidates again
def normalise_name(text: str | None) -> str:
    """NFKD without marks, upper case, every run outside A–Z 0–9 to one blank, trimmed: `D'Ávila ` → `D AVILA`.

    None and text without a letter or digit give "", which equals nothing (see `same_name`).
    """
    if not text:
        return ""
    plain = text if text.isascii() else _without_marks(text)
    return _OTHER.sub(" ", plain.upper()).strip()


def _without_marks(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def same_name(one: str | None, other: str | None) -> bool:
    """Equal in the compared form; an unknown name never equals another unknown name."""
    left = normalise_name(one)
    return bool(left) and left == normalise_name(other)

"""The one fold of text, and the few others that differ from it on purpose.

`fold` compares names, labels and questions. The others exist because something else must stay:

* `fold_in_place` keeps every position, so that a match can be shown in the original;
* `fold_for_index` keeps punctuation and `º`, which tokens are made of;
* `fold_to_token` keeps nothing but a–z and 0–9: one word for any engine;
* `fold_any_script` keeps the letters of every script, for pages from anywhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

# Only these compatibility characters are opened: NFKC would turn `nº` into `no` and `1º` into `1o`.
LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_INDEXED: Final = str.maketrans(
    {
        **LIGATURES,
        "æ": "ae", "œ": "oe", "ß": "ss", "’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'",
        "‐": "-", "‑": "-", "–": "-", "−": "-", "°": "º", "⁄": "/",
        "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\ufeff": None, "\x00": None,
    }
)  # fmt: skip
WORD: Final = re.compile(r"(?:[^\W\d_]\.){2,}[^\W\d_]?(?![^\W_])|[^\W_]+")  # `S.U.S.` is one word
_NOT_A_WORD: Final = re.compile(r"[^A-Z0-9]+")
_NOT_A_TOKEN: Final = re.compile(r"[^a-z0-9]")


@lru_cache(maxsize=1 << 15)  # the same names are compared again and again
def fold(text: str) -> str:
    """NFKD without marks, upper case, every run outside A–Z 0–9 one blank: `D'Ávila, já!` → `D AVILA JA`."""
    plain = text if text.isascii() else _without_marks(unicodedata.normalize("NFKD", text))
    return _NOT_A_WORD.sub(" ", plain.upper()).strip()


def words(text: str) -> list[str]:
    """The folded words of a text."""
    return fold(text).split()


def word_set(text: str) -> frozenset[str]:
    """A set of words written as one text."""
    return frozenset(text.split())


def either(patterns: Iterable[str]) -> str:
    """A pattern that matches what the first fitting of `patterns` matches, grouped by their first letter for speed.

    Each pattern begins with a literal letter; of those with one first letter the order counts.
    """
    groups: dict[str, list[str]] = {}
    for pattern in patterns:
        groups.setdefault(pattern[0], []).append(pattern[1:])
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in groups.items())


def fold_in_place(text: str) -> str:
    """Lower case without marks, one character per character of the NFC form."""
    return unicodedata.normalize("NFC", text).translate(_IN_PLACE)


def fold_for_index(text: str) -> str:
    """Lower case without marks, ligatures opened, hyphens and apostrophes made one; `º` and `ª` stay."""
    text = unicodedata.normalize("NFC", text).translate(_INDEXED).casefold().translate(_INDEXED)
    return unicodedata.normalize("NFC", _without_marks(unicodedata.normalize("NFD", text)))


def fold_to_token(text: str) -> str:
    """a–z and 0–9 alone: `office` + `DEPUTADO FEDERAL` → `officedeputadofederal`."""
    return _NOT_A_TOKEN.sub("", unicodedata.normalize("NFKD", text).casefold())


def fold_any_script(text: str) -> str:
    """Lower case without marks, words of any script with one blank between."""
    return " ".join(unicodedata.normalize("NFKD", text.casefold()).translate(_ANY_SCRIPT).split())


class Translation(dict[int, str]):
    """A table for `str.translate` that decides each character once, when it first comes."""

    def __init__(self, decide: Callable[[str], str]) -> None:
        super().__init__()
        self._decide = decide

    def __missing__(self, code: int) -> str:
        self[code] = decided = self._decide(chr(code))
        return decided


def _without_marks(decomposed: str) -> str:
    return decomposed.translate(_MARKS)


def _base_in_place(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char


def _base_or_blank(char: str) -> str:
    if unicodedata.combining(char):
        return ""
    return char if char.isalnum() or char == "_" else " "


_IN_PLACE: Final = Translation(_base_in_place)
_MARKS: Final = Translation(lambda char: "" if unicodedata.combining(char) else char)
_ANY_SCRIPT: Final = Translation(_base_or_blank)

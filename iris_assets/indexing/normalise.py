"""Source text made plain before it is cut: one kind of newline and blank, no control characters, NFC."""

import re
import unicodedata
from typing import Final

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff]+")
_NEWLINES: Final = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_LINE_ENDS: Final = re.compile(r" ?\n ?")
_EMPTY_LINES: Final = re.compile(r"\n{3,}")


def normalise_text(text: str) -> str:
    """The text in NFC, its blanks collapsed to one, at most one empty line in a row, trimmed.

    Surrogate pairs are joined, lone surrogates and control and zero-width characters dropped. Applying it twice
    changes nothing.
    """
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    text = _CONTROLS.sub("", _NEWLINES.sub("\n", text))
    text = _EMPTY_LINES.sub("\n\n", _LINE_ENDS.sub("\n", _BLANKS.sub(" ", text)))
    return unicodedata.normalize("NFC", text).strip()


def one_line(text: str | None) -> str:
    """The text as one line: every run of blanks and newlines is one blank."""
    return " ".join(normalise_text(text).split()) if text else ""

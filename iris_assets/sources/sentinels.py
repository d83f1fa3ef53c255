"""The court's ways of writing "nothing": one place that knows every spelling, case and trailing # aside."""

from typing import Final, Literal

Missing = Literal["null", "not existing then", "not disclosed"]

_TEXTS: Final[dict[str, Missing]] = {
    "": "null",
    "#NULO": "null",
    "#NE": "not existing then",
    "NÃO DIVULGÁVEL": "not disclosed",
    "NÃO DIVULGAVEL": "not disclosed",
    "NAO DIVULGAVEL": "not disclosed",
}
_FIRST: Final = frozenset({"", "#", "N", "n"})  # what a sentinel begins with: few names need a closer look
_NUMBERS: Final[dict[str, Missing]] = {"-1": "null", "-3": "not existing then", "-4": "not disclosed"}


def missing(value: str, *, number: bool = False) -> Missing | None:
    """Why a field says nothing, or None when it holds a value. `number` also knows -1, -3 and -4."""
    text = value.strip()
    if number and text in _NUMBERS:
        return _NUMBERS[text]
    return _TEXTS.get(text.upper().rstrip("#"))


def text_or_none(value: str) -> str | None:
    """The text with outer blanks gone and inner runs of blanks made one; None for a sentinel."""
    text = " ".join(value.split())
    return None if text[:1] in _FIRST and text.upper().rstrip("#") in _TEXTS else text


def number_or_none(value: str) -> int | None:
    """The whole number in a text field, None for a sentinel; ValueError for anything else."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return int(text)
    if missing(text, number=True):
        return None
    if not (text.isascii() and text.removeprefix("-").isdigit()):
        raise ValueError("not a number")
    return int(text)

"""A document as pages of text, and the one text with `[Página N]` markers that is stored."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

TextStatus = Literal["OK", "PARTIAL", "EMPTY", "OCR"]
MARKER: Final = re.compile(r"^\[Página (\d+)\]$", re.MULTILINE)
# A line of a document that looks like our marker is kept readable, but is no marker: a zero-width joiner inside.
LOOKALIKE: Final = re.compile(r"^\[Página (?=\d+\]$)", re.MULTILINE)
NEUTRALISED: Final = "[Página\u2060 "


@dataclass(frozen=True, slots=True)
class Page:
    """One physical page (counted from 1): its printed label when it has another one, and its clean text.

    `unmapped`: letters that its fonts do not map to Unicode; `lost` of them stand in the text as U+FFFD.
    """

    number: int
    text: str
    label: str | None = None
    ocr: bool = False
    error: str | None = None
    unmapped: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """Every page of a PDF, the engine that read it, a report on the text's quality, and a status."""

    pages: tuple[Page, ...]
    engine: str
    status: TextStatus
    quality: dict[str, Any] = field(default_factory=dict)


def text_status(pages: Sequence[Page]) -> TextStatus:
    """EMPTY without any text, OCR when recognition filled every gap, else OK.

    PARTIAL with some pages without text, or with letters that no font maps and nobody recognised.
    """
    with_text = [page for page in pages if page.text.strip()]
    if not with_text:
        return "EMPTY"
    if any(page.unmapped for page in with_text):
        return "PARTIAL"
    if any(page.ocr for page in with_text) and len(with_text) == len(pages):
        return "OCR"
    return "OK" if len(with_text) == len(pages) else "PARTIAL"


def raw_text(pages: Sequence[Page]) -> str:
    """The stored text: each non-empty page after its marker, pages apart by a blank line."""
    blocks = [f"[Página {page.number}]\n{LOOKALIKE.sub(NEUTRALISED, page.text)}" for page in pages if page.text.strip()]
    return "\n\n".join(blocks)


def pages_of(text: str) -> list[tuple[int, str]]:
    """`raw_text` undone: (page number, text) in order."""
    marks = list(MARKER.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)][1:]
    return [
        (int(mark[1]), text[mark.end() + 1 : end].removesuffix("\n\n").replace(NEUTRALISED, "[Página "))
        for mark, end in zip(marks, ends, strict=True)
    ]

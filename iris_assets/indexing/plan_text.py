"""The text of a government plan as it is searched and quoted: one text over all pages, with its structure."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from iris_assets.documents import pages_of, strip_repeated_lines
from iris_assets.documents.structure import Structure
from iris_assets.indexing.normalise import normalise_text

PAGE_BREAK: Final = "\n\n"


@lru_cache(maxsize=128)  # some 20 ms of work each; the plans of an election are asked for again and again
def plan_text(raw_text: str) -> Structure:
    """The stored text of a document → what its chunks are cut from (their spans count its characters)."""
    return joined_pages(strip_repeated_lines(pages_of(raw_text)))


def joined_pages(pages: Sequence[tuple[int, str]]) -> Structure:
    """(physical number, text) of the pages as one text, joined by an empty line; a page without text is left out."""
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    offset = 0
    for number, raw in pages:
        text = normalise_text(raw)
        if text:
            marks.append((offset, number))
            parts.append(text)
            offset += len(text) + len(PAGE_BREAK)
    return Structure(PAGE_BREAK.join(parts), marks)

"""A recognised page as it is kept: Tesseract's table of words (TSV), from which come its text and where each word stands."""

from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from iris_assets.documents.boxes import Letter

RECOGNISED: Final = "ocr"  # the folder below the data folder
RESOLUTION_DPI: Final = 200  # reads running text as well as 300 and large headings better, in less time (measured)
CACHE_VERSION: Final = f"por-{RESOLUTION_DPI}"
PAGE_LEVEL, WORD_LEVEL = "1", "5"


class Row(NamedTuple):
    """A line of the table; left, top, width and height are pixels from the upper left of the picture."""

    level: str
    page: str
    block: str
    paragraph: str
    line: str
    word: str
    left: str
    top: str
    width: str
    height: str
    confidence: str
    text: str


def recognised_file(folder: Path, document_hash: str, number: int) -> Path:
    """Where the table of a page (from 1) of a document is kept."""
    return folder / document_hash / f"{number}.{CACHE_VERSION}.tsv"


def recognised_text(table: str) -> str:
    """The text as Tesseract itself writes it: its lines, paragraphs apart by an empty line."""
    words = [row for row in _rows(table) if row.level == WORD_LEVEL]
    paragraphs = groupby(words, lambda row: (row.block, row.paragraph))
    return "\n\n".join("\n".join(_lines(list(rows))) for _, rows in paragraphs)


def recognised_words(table: str) -> list[Letter]:
    """Each word with its box in shares of the page, from its lower left corner; a word is as small as a box gets."""
    rows = _rows(table)
    page = next((row for row in rows if row.level == PAGE_LEVEL), None)
    if page is None:
        return []
    across, down = max(float(page.width), 1.0), max(float(page.height), 1.0)
    return [_word(row, across, down) for row in rows if row.level == WORD_LEVEL]


def _word(row: Row, across: float, down: float) -> Letter:
    left, top, width, height = (float(value) for value in (row.left, row.top, row.width, row.height))
    return Letter(row.text, (left / across, 1 - (top + height) / down, (left + width) / across, 1 - top / down))


def _lines(rows: list[Row]) -> list[str]:
    return [" ".join(row.text for row in words) for _, words in groupby(rows, lambda row: row.line)]


def _rows(table: str) -> list[Row]:
    """The lines of the table without its head; a line of another form is left out."""
    fields = (line.split("\t") for line in table.split("\n"))
    return [Row(*line) for line in fields if len(line) == len(Row._fields) and line[0].isdigit()]

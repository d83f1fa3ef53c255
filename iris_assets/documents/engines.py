"""Which engine reads what: PDFium first, pypdf where PDFium fails or finds nothing."""

from collections import Counter
from typing import Any, Final, Literal

from iris_assets.documents.cleaning import clean_document
from iris_assets.documents.faults import UnreadablePdf
from iris_assets.documents.pdfium_engine import read_with_pdfium
from iris_assets.documents.pypdf_engine import read_with_pypdf
from iris_assets.documents.second_opinion import doubted_pages
from iris_assets.documents.unmapped import LOST, mend_unmapped

MAX_CHARACTERS: Final = 30_000_000
SAMPLED_SHARE: Final = 0.2  # of that, for the pages that both engines read
SECOND_SHARE: Final = 0.6  # of the processor time that a file may take

Engine = Literal["any", "pypdf"]


def read_pdf(data: bytes, seconds: float, engine: Engine = "any") -> dict[str, Any]:
    """{"engine", "pages": [{"text", "label", "error"}], "counts"} with clean text; raises UnreadablePdf.

    `seconds` is the processor time that the file may take; the second engine keeps to a share of it.
    """
    if not data.strip():
        raise UnreadablePdf("PDF_EMPTY_FILE", "the file has no content")
    budget = seconds * SECOND_SHARE
    found = read_with_pypdf(data, budget) if engine == "pypdf" else _read_with_both(data, budget)
    pages = found["pages"]
    if all(page["error"] for page in pages):
        raise UnreadablePdf(_common_code(pages), f"no page can be read: {pages[0]['error']}")
    if sum(len(page["text"]) for page in pages) > MAX_CHARACTERS:
        raise UnreadablePdf("PDF_TOO_LARGE", f"more than {MAX_CHARACTERS} characters")
    counts = Counter({name: number for name, number in found["counts"].items() if number})
    mended, unmapped = mend_unmapped([page["text"] for page in pages], counts)
    texts, cleaned_away = clean_document(mended, found["engine"])
    counts.update(cleaned_away)
    cleaned = [
        {**page, "text": text, "unmapped": glyphs, "lost": text.count(LOST) if glyphs else 0}
        for page, text, glyphs in zip(pages, texts, unmapped, strict=True)
    ]
    doubted = doubted_pages(data, cleaned, budget * SAMPLED_SHARE) if found["engine"] == "pdfium" else {}
    return {"engine": found["engine"], "pages": cleaned, "counts": dict(counts), "doubted": doubted}


def _common_code(pages: list[dict[str, Any]]) -> str:
    codes = {page["error"] for page in pages}
    return codes.pop() if codes in ({"PDF_TIMEOUT"}, {"PDF_MEMORY"}) else "PDF_MALFORMED"


def _read_with_both(data: bytes, budget: float) -> dict[str, Any]:
    try:
        found = read_with_pdfium(data)
    except UnreadablePdf as error:
        if error.code == "PDF_TOO_LARGE":
            raise
        return _second_reading(data, budget, error)
    # Pages that hold only images are known to have no text; the others get a second opinion when no page has any.
    doubtful = [index for index, page in enumerate(found["pages"]) if page["error"]]
    if not any(page["text"].strip() for page in found["pages"]):
        doubtful = [index for index, page in enumerate(found["pages"]) if not page.pop("blank")]
    return _mended(found, data, budget, doubtful) if doubtful else found


def _second_reading(data: bytes, budget: float, first: UnreadablePdf) -> dict[str, Any]:
    try:
        return read_with_pypdf(data, budget)
    except UnreadablePdf as second:
        # "A password is needed" tells more than "malformed", whoever said it.
        raise (first if first.code != "PDF_MALFORMED" else second) from None


def _mended(found: dict[str, Any], data: bytes, budget: float, doubtful: list[int]) -> dict[str, Any]:
    """PDFium's pages with pypdf's where that one has text; the engine is named by who gave the text."""
    try:
        second = read_with_pypdf(data, budget, frozenset(doubtful))["pages"]
    except (UnreadablePdf, MemoryError):
        return found
    if len(second) != len(found["pages"]):
        # pypdf leaves broken pages out: its second page need not be ours.
        return found
    better = {index: second[index] for index in doubtful if second[index]["text"].strip()}
    if not better:
        return found
    pages = [better.get(index, page) for index, page in enumerate(found["pages"])]
    by_pdfium = any(page["text"].strip() for index, page in enumerate(pages) if index not in better)
    return {**found, "pages": pages, "engine": "pdfium+pypdf" if by_pdfium else "pypdf"}

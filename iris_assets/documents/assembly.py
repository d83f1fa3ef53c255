"""What the worker read → pages, recognised pages, quality report, status."""

from collections import Counter
from typing import Any, Final

from iris_assets.documents.cleaning import clean_page
from iris_assets.documents.faults import printable
from iris_assets.documents.ocr import Recogniser, ocr_available
from iris_assets.documents.pages import ExtractedDocument, Page, text_status
from iris_assets.documents.process import Worker
from iris_assets.documents.repeated import repeated_lines
from iris_assets.errors import DocumentError

# The report is kept in one column of bounded size.
MOST_PAGES_NAMED: Final = 500
MOST_ERRORS_NAMED: Final = 40
MOST_LINES_NAMED: Final = 12


def assemble(data: bytes, worker: Worker, recogniser: Recogniser | None) -> ExtractedDocument:
    """Read `data` in `worker`; with a recogniser (and Tesseract) also the pages without text."""
    answer = worker.read(data)
    counts: Counter[str] = Counter(answer["counts"])
    pages = [_page(number, raw) for number, raw in enumerate(answer["pages"], 1)]
    ocr = "off" if recogniser is None else "available" if ocr_available() else "not installed"
    if recogniser is not None and ocr_available():
        recognised = recogniser.recognise(data, worker, [page.number for page in pages if not page.text or page.lost])
        pages = [_recognised(page, recognised.get(page.number), counts) for page in pages]
    quality = _quality(pages, counts)
    if answer["doubted"]:
        quality["second_engine_word_recall"] = answer["doubted"]
    if quality["pages_without_text"] or any(page.ocr or page.lost for page in pages):
        quality["ocr"] = ocr
    if not answer["memory_limited"]:
        quality["memory_limit"] = "not supported by this system"
    return ExtractedDocument(tuple(pages), answer["engine"], text_status(pages), quality)


def _page(number: int, raw: dict[str, Any]) -> Page:
    label = printable(raw["label"] or "")[:40].strip()
    return Page(
        number,
        raw["text"],
        label if label != str(number) and label else None,
        error=raw["error"],
        unmapped=raw["unmapped"],
        lost=raw["lost"],
    )


def _recognised(page: Page, outcome: str | DocumentError | None, counts: Counter[str]) -> Page:
    if outcome is None:
        return page
    if page.lost and (isinstance(outcome, DocumentError) or not outcome.strip()):
        return page  # what the fonts do tell is more than nothing
    if isinstance(outcome, DocumentError):
        return Page(page.number, "", page.label, error=f"OCR: {outcome.code}")
    text = clean_page(outcome, counts)
    return Page(page.number, text, page.label, ocr=bool(text), error=page.error)


def _quality(pages: list[Page], counts: Counter[str]) -> dict[str, Any]:
    without = [page.number for page in pages if not page.text]
    errors = {str(page.number): page.error for page in pages if page.error}
    repeated = repeated_lines([(page.number, page.text) for page in pages])
    return {
        **{name: number for name, number in sorted(counts.items()) if number},
        "pages": len(pages),
        "characters": sum(len(page.text) for page in pages),
        "pages_without_text": without[:MOST_PAGES_NAMED],
        "pages_without_text_count": len(without),
        "page_errors": dict(list(errors.items())[:MOST_ERRORS_NAMED]),
        "page_error_count": len(errors),
        "pages_with_unmapped_glyphs": [page.number for page in pages if page.unmapped][:MOST_PAGES_NAMED],
        "pages_with_lost_letters": [page.number for page in pages if page.lost][:MOST_PAGES_NAMED],
        "repeated_lines": dict(list(repeated.items())[:MOST_LINES_NAMED]),
    }

"""What the worker read → cleaned pages, recognised pages, quality report, status."""

from collections import Counter
from typing import Any

from iris_assets.documents.cleaning import clean_page
from iris_assets.documents.ocr import ocr_available, recognise
from iris_assets.documents.pages import ExtractedDocument, Page, text_status


def assemble(data: bytes, answer: dict[str, Any], *, ocr: bool) -> ExtractedDocument:
    """Clean every page; with `ocr` recognise the pages without text."""
    counts: Counter[str] = Counter(split_ligatures_joined=answer.get("split_ligatures_joined", 0))
    pages = [_page(number, raw, clean_page(raw["text"], counts)) for number, raw in enumerate(answer["pages"], 1)]
    if ocr and ocr_available():
        recognised = recognise(data, [page.number for page in pages if not page.text])
        pages = [_recognised(page, recognised.get(page.number), counts) for page in pages]
    quality: dict[str, Any] = {name: number for name, number in sorted(counts.items()) if number}
    quality["pages_without_text"] = [page.number for page in pages if not page.text]
    quality["page_errors"] = {str(page.number): page.error for page in pages if page.error}
    return ExtractedDocument(tuple(pages), answer["engine"], text_status(pages), quality)


def _page(number: int, raw: dict[str, Any], text: str) -> Page:
    label = raw["label"] if raw["label"] and raw["label"] != str(number) else None
    return Page(number, text, label, error=raw["error"])


def _recognised(page: Page, text: str | None, counts: Counter[str]) -> Page:
    if not text or not text.strip():
        return page
    return Page(page.number, clean_page(text, counts), page.label, ocr=True, error=page.error)

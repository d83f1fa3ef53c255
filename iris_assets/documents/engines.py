"""The two PDF engines, run inside the worker process only: PDFium first, pypdf as second opinion."""

import io
import re
from typing import Any, Final

MAX_PAGES: Final = 5000
SPLIT_LIGATURE: Final = re.compile(r"\b([^\W\d_]*(?:ff|fi|fl)) ([^\W\d_]+)")
LIGATURE_OVERLAP_PT: Final = 0.5


class UnreadablePdf(Exception):
    """The engine cannot open the file; `code` is the DocumentError code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def read_pdf(data: bytes) -> dict[str, Any]:
    """{"engine", "pages": [{"text", "label", "error"}]}; PDFium first, pypdf when PDFium fails or finds no text."""
    if not data.strip():
        raise UnreadablePdf("PDF_EMPTY_FILE", "the file has no content")
    try:
        found = _pdfium(data)
    except UnreadablePdf as error:
        if error.code == "PDF_ENCRYPTED":
            raise
        return _pypdf(data)
    if any(page["text"].strip() for page in found["pages"]):
        return found
    try:
        second = _pypdf(data)
    except UnreadablePdf:
        return found
    return second if any(page["text"].strip() for page in second["pages"]) else found


def _pdfium(data: bytes) -> dict[str, Any]:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        code = "PDF_ENCRYPTED" if "password" in str(error).lower() else "PDF_MALFORMED"
        raise UnreadablePdf(code, str(error)) from None
    try:
        count = len(document)
        if count == 0:
            raise UnreadablePdf("PDF_NO_PAGES", "the file has no pages")
        if count > MAX_PAGES:
            raise UnreadablePdf("PDF_TOO_LARGE", f"{count} pages")
        pages = [_pdfium_page(document, index) for index in range(count)]
        joined = sum(page.pop("joined", 0) for page in pages)
        return {"engine": "pdfium", "pages": pages, "split_ligatures_joined": joined}
    finally:
        document.close()


def _pdfium_page(document: Any, index: int) -> dict[str, Any]:
    import pypdfium2 as pdfium

    try:
        page = document[index]
        # A rotated page gives its lines in another order.
        page.set_rotation(0)
        text_page = page.get_textpage()
        text, joined = _join_split_ligatures(text_page, text_page.get_text_bounded())
        label = document.get_page_label(index) or None
        text_page.close()
        page.close()
    except pdfium.PdfiumError as error:
        return {"text": "", "label": None, "error": str(error)}
    return {"text": text, "label": label, "error": None, "joined": joined}


def _join_split_ligatures(text_page: Any, text: str) -> tuple[str, int]:
    """Take out the blanks that stand inside a word behind a ligature ("desafi os").

    Such a blank begins left of the ligature's right edge, a real one behind it. A pair of word halves is joined
    only when every occurrence on the page has such a blank.
    """
    pairs: dict[str, list[bool]] = {}
    everything = text_page.get_text_range()
    for found in SPLIT_LIGATURE.finditer(everything):
        pairs.setdefault(found[0], []).append(_is_stray(text_page, found.end(1)))
    joined = 0
    for pair, stray in pairs.items():
        if all(stray):
            text = text.replace(pair, pair.replace(" ", ""))
            joined += len(stray)
    return text, joined


def _is_stray(text_page: Any, blank_index: int) -> bool:
    import pypdfium2.raw as pdfium_c

    index = pdfium_c.FPDFText_GetCharIndexFromTextIndex(text_page, blank_index)
    if index < 1:
        return False
    right_edge = text_page.get_charbox(index - 1)[2]
    blank_left = text_page.get_charbox(index)[0]
    return bool(blank_left < right_edge - LIGATURE_OVERLAP_PT)


def _pypdf(data: bytes) -> dict[str, Any]:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadablePdf("PDF_ENCRYPTED", "a password is needed")
        count = len(reader.pages)
        labels = reader.page_labels
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError, IndexError) as error:
        raise UnreadablePdf("PDF_MALFORMED", f"{type(error).__name__}: {error}"[:300]) from None
    if count == 0:
        raise UnreadablePdf("PDF_NO_PAGES", "the file has no pages")
    if count > MAX_PAGES:
        raise UnreadablePdf("PDF_TOO_LARGE", f"{count} pages")
    return {"engine": "pypdf", "pages": [_pypdf_page(reader, index, labels) for index in range(count)]}


def _pypdf_page(reader: Any, index: int, labels: list[str]) -> dict[str, Any]:
    from pypdf.errors import PyPdfError

    try:
        text = reader.pages[index].extract_text()
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError, IndexError) as error:
        return {"text": "", "label": None, "error": f"{type(error).__name__}: {error}"[:300]}
    return {"text": text, "label": labels[index] if index < len(labels) else None, "error": None}

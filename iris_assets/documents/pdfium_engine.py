"""PDFium, the first engine; it is native code and runs inside the worker process only."""

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any, Final

from iris_assets.documents.boxes import Letter, as_shown, quote_boxes
from iris_assets.documents.faults import UnreadablePdf, printable
from iris_assets.documents.glued import part_glued
from iris_assets.documents.pdfium_text import page_text
from iris_assets.documents.unmapped import Glyphs

MAX_PAGES: Final = 5000
MAX_PIXELS: Final = 40_000_000  # ten A4 pages at 200 DPI
OBJECT_DEPTH: Final = 8
MOST_OBJECTS: Final = 500
PAGE_OBJECT_TEXT: Final = 1  # FPDF_PAGEOBJ_TEXT
SPLIT_LIGATURE: Final = re.compile(r"\b([^\W\d_]*(?:ff|fi|fl)) ([^\W\d_]+)")
LIGATURE_ENDS: Final = ("ff ", "fi ", "fl ")
LIGATURE_OVERLAP_PT: Final = 0.5


def read_with_pdfium(data: bytes) -> dict[str, Any]:
    """{"engine", "pages": [{"text", "label", "error", "blank"}], "counts"}; raises UnreadablePdf.

    `blank` tells that a page has content and none of it is text: another engine cannot find any either.
    """
    document = _open(data)
    try:
        count = len(document)
        if count == 0:
            raise UnreadablePdf("PDF_NO_PAGES", "the file has no pages")
        if count > MAX_PAGES:
            raise UnreadablePdf("PDF_TOO_LARGE", f"{count} pages, at most {MAX_PAGES}")
        counts: dict[str, int] = {"attachments": document.count_attachments()}
        glyphs = Glyphs()
        pages = [_page(document, index, glyphs, counts) for index in range(count)]
        part_glued(document, pages, counts)
        return {"engine": "pdfium", "pages": pages, "counts": counts}
    finally:
        document.close()


def find_boxes(data: bytes, number: int, quote: str) -> dict[str, Any]:
    """{"boxes": [[left, top, right, bottom]]}: where a quote stands on page `number`, in shares of the page as shown."""
    document = _open(data)
    try:
        page = document[number - 1]
        rotation = page.get_rotation()
        page.set_rotation(0)  # a rotated page gives its lines in another order
        text_page = page.get_textpage()
        found = quote_boxes(list(_letters(text_page)), quote)
        left, bottom, right, top = page.get_cropbox()
        size = max(right - left, 1.0), max(top - bottom, 1.0)
        shares = [((a - left) / size[0], (b - bottom) / size[1], (c - left) / size[0], (d - bottom) / size[1])
                  for a, b, c, d in found]  # fmt: skip
        return {"boxes": [as_shown(share, rotation) for share in shares]}
    finally:
        document.close()


def _letters(text_page: Any) -> Iterator[Letter]:
    import pypdfium2.raw as pdfium_c

    for index in range(text_page.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(text_page, index)
        if 0x20 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
            yield Letter(chr(code), text_page.get_charbox(index, loose=True))


def render_page(data: bytes, number: int, resolution: int, most_pixels: int = MAX_PIXELS) -> dict[str, Any]:
    """{"width", "height", "pixels"}: page `number` (from 1) in 8-bit grey at `resolution` DPI, less when it is huge."""
    document = _open(data)
    try:
        page = document[number - 1]
        width, height = page.get_size()
        scale = resolution / 72
        area = max(width * height, 1.0) * scale * scale
        bitmap = page.render(scale=scale * min(1.0, math.sqrt(most_pixels / area)), grayscale=True)
        rows = memoryview(bitmap.buffer).cast("B")
        pixels = b"".join(
            bytes(rows[y * bitmap.stride : y * bitmap.stride + bitmap.width]) for y in range(bitmap.height)
        )
        return {"width": bitmap.width, "height": bitmap.height, "pixels": pixels}
    finally:
        document.close()


def _open(data: bytes) -> Any:
    import pypdfium2 as pdfium

    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        code = "PDF_ENCRYPTED" if "password" in str(error).lower() else "PDF_MALFORMED"
        raise UnreadablePdf(code, str(error)) from None


def _page(document: Any, index: int, glyphs: Glyphs, counts: dict[str, int]) -> dict[str, Any]:
    import pypdfium2 as pdfium

    try:
        page = document[index]
        # A rotated page gives its lines in another order.
        page.set_rotation(0)
        text_page = page.get_textpage()
        # Bounded by the visible box: a cut spread would give the facing page's text too.
        text = _join_split_ligatures(text_page, page_text(text_page, glyphs, counts), counts)
        blank = not text.strip() and _has_other_content_only(page)
        label = document.get_page_label(index) or None
        text_page.close()
        page.close()
    except pdfium.PdfiumError as error:
        return {"text": "", "label": None, "error": printable(str(error)), "blank": False}
    return {"text": text, "label": label, "error": None, "blank": blank}


def _has_other_content_only(page: Any) -> bool:
    """Whether the page shows something and nothing of it is text (judged by its first objects)."""
    kinds = set(itertools.islice(_object_kinds(page), MOST_OBJECTS))
    return bool(kinds) and PAGE_OBJECT_TEXT not in kinds


def _object_kinds(page: Any) -> Iterator[int]:
    import pypdfium2.raw as pdfium_c

    # The raw calls: wrapping each of the objects costs more than loading the page.
    forms = []
    for index in range(pdfium_c.FPDFPage_CountObjects(page)):
        item = pdfium_c.FPDFPage_GetObject(page, index)
        kind = pdfium_c.FPDFPageObj_GetType(item)
        if kind == pdfium_c.FPDF_PAGEOBJ_FORM:
            forms.append((item, 1))
        yield kind
    while forms:
        form, depth = forms.pop()
        for index in range(pdfium_c.FPDFFormObj_CountObjects(form)):
            item = pdfium_c.FPDFFormObj_GetObject(form, index)
            kind = pdfium_c.FPDFPageObj_GetType(item)
            if kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < OBJECT_DEPTH:
                forms.append((item, depth + 1))
            yield kind


def _join_split_ligatures(text_page: Any, text: str, counts: dict[str, int]) -> str:
    """Take out the blanks that stand inside a word behind a ligature ("desafi os").

    Such a blank begins left of the ligature's right edge, a real one behind it. A pair of word halves is joined
    only when every occurrence on the page has such a blank.
    """
    if not any(end in text for end in LIGATURE_ENDS):
        return text
    pairs: dict[str, bool] = {}
    everything = text_page.get_text_range()
    for found in SPLIT_LIGATURE.finditer(everything):
        pairs[found[0]] = pairs.get(found[0], True) and _is_stray(text_page, everything, found.end(1))

    def mend(found: re.Match[str]) -> str:
        if not pairs.get(found[0], False):
            return found[0]
        counts["split_ligatures_joined"] = counts.get("split_ligatures_joined", 0) + 1
        return found[1] + found[2]

    return SPLIT_LIGATURE.sub(mend, text)


def _is_stray(text_page: Any, everything: str, blank_index: int) -> bool:
    import pypdfium2.raw as pdfium_c

    # PDFium counts UTF-16 units.
    units = len(everything[:blank_index].encode("utf-16-le", "surrogatepass")) // 2
    index = pdfium_c.FPDFText_GetCharIndexFromTextIndex(text_page, units)
    if index < 1:
        return False
    right_edge = text_page.get_charbox(index - 1)[2]
    blank_left = text_page.get_charbox(index)[0]
    return bool(blank_left < right_edge - LIGATURE_OVERLAP_PT)

"""The text of a PDFium page without silent losses: narrow spaces restored, letters without a Unicode mapping marked."""

import ctypes
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from iris_assets.documents.unmapped import Glyphs

HYPHEN: Final = "\x02"  # how PDFium's bounded text writes a hyphen at a line's end
RANGE_HYPHEN: Final = "\ufffe"  # and its range text
NAMELESS: Final = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")
REPLACEMENT: Final = 0xFFFD
FONT_NAME_BYTES: Final = 128


def page_text(text_page: Any, glyphs: Glyphs, counts: dict[str, int]) -> str:
    """The text inside the visible box, a private mark (see Glyphs) in place of each letter that has no mapping."""
    everything = text_page.get_text_range()
    if _loses_letters(text_page, everything):
        return "".join(_characters(text_page, glyphs))
    bounded = str(text_page.get_text_bounded())
    return _with_narrow_spaces(bounded, everything.replace(RANGE_HYPHEN, HYPHEN), counts)


def _loses_letters(text_page: Any, everything: str) -> bool:
    """Whether some character came as a control, as U+FFFD, as a hyphen that is none, or not at all."""
    import pypdfium2.raw as pdfium_c

    if NAMELESS.search(everything) or _units(everything) != text_page.count_chars():
        return True
    hyphens = (match.start() for match in re.finditer(RANGE_HYPHEN, everything))
    places = (pdfium_c.FPDFText_GetCharIndexFromTextIndex(text_page, _units(everything[:place])) for place in hyphens)
    return any(pdfium_c.FPDFText_IsHyphen(text_page, place) != 1 for place in places)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _characters(text_page: Any, glyphs: Glyphs) -> Iterator[str]:
    """Each character of the page that stands in its visible box."""
    import pypdfium2.raw as pdfium_c

    inside = _inside(text_page)
    for index in range(text_page.count_chars()):
        code = pdfium_c.FPDFText_GetUnicode(text_page, index)
        if not inside(index):
            continue
        if pdfium_c.FPDFText_IsHyphen(text_page, index) == 1:
            yield HYPHEN
        elif code in (0, REPLACEMENT) or pdfium_c.FPDFText_HasUnicodeMapError(text_page, index) == 1:
            yield glyphs.mark(_font_name(text_page, index), code)
        else:
            yield chr(code)


def _inside(text_page: Any) -> Callable[[int], bool]:
    import pypdfium2.raw as pdfium_c

    left, bottom, right, top = text_page.page.get_bbox()

    def inside(index: int) -> bool:
        if pdfium_c.FPDFText_IsGenerated(text_page, index) == 1:
            return True
        x0, y0, x1, y1 = text_page.get_charbox(index)
        return bool(left <= (x0 + x1) / 2 <= right and bottom <= (y0 + y1) / 2 <= top)

    return inside


def _font_name(text_page: Any, index: int) -> str:
    import pypdfium2.raw as pdfium_c

    name, flags = ctypes.create_string_buffer(FONT_NAME_BYTES), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(text_page, index, name, FONT_NAME_BYTES, flags)
    return name.value.decode("utf-8", "replace")


def _with_narrow_spaces(bounded: str, everything: str, counts: dict[str, int]) -> str:
    """`bounded` with the spaces between letters that only `everything` has: PDFium leaves narrow ones out of a box.

    Nothing is restored where something stands outside the box: then the two are not the same text.
    """
    if "".join(bounded.split()) != "".join(everything.split()) or len(bounded) >= len(everything):
        return bounded
    pieces: list[str] = []
    at = start = 0
    for place, char in enumerate(everything):
        while at < len(bounded) and bounded[at].isspace() and not char.isspace():
            at += 1
        if not char.isspace():
            at += 1
        elif at < len(bounded) and not bounded[at].isspace() and not bounded[max(0, at - 1)].isspace():
            # A superscript's space before a full stop is none that a reader would write.
            if at and bounded[at].isalnum() and bounded[at - 1].isalnum() and everything[place - 1] == bounded[at - 1]:
                pieces += [bounded[start:at], " "]
                start = at
                counts["narrow_spaces_restored"] = counts.get("narrow_spaces_restored", 0) + 1
        elif at < len(bounded) and bounded[at].isspace():
            at += 1
    return "".join([*pieces, bounded[start:]])

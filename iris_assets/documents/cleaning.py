"""Page text as an engine gives it → text as a reader expects it; what was mended is counted.

Everything happens before offsets are computed: nobody downstream sees the removed characters.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from iris_assets.documents.hyphens import BREAK, join_broken_words, mark_line_hyphens
from iris_assets.personal import mask_personal
from iris_assets.words.text import LIGATURES

ANY_LIGATURE: Final = re.compile("[\ufb00-\ufb06]")
SPLIT_LIGATURE: Final = re.compile("([\ufb00-\ufb06]) {1,2}(?=[a-zà-öø-ÿ])")
WHOLE_LIGATURE: Final = re.compile("[\ufb00-\ufb06](?=[a-zà-öø-ÿ])")
LINE_BREAKS: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]")
ACCENT: Final = re.compile("[\u0300-\u036f]")
SURROGATE: Final = re.compile("[\ud800-\udfff]")
LOOSE_ACCENT: Final = re.compile(r"([^\W\d_])[ ]?([\u0300-\u036f])")
# LaTeX's old fonts put the accent as a character of its own before its letter: "educa¸c˜ao".
LEADING_ACCENT: Final = re.compile(r"[´`ˆ˜¨¸](?<=[^\W\d_].)[A-Za-z\u0131]")
LEADING_ACCENT_ANYWHERE: Final = re.compile(r"([´`ˆ˜¨¸])([A-Za-z\u0131])")
COMBINING: Final = {"´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "¨": "\u0308"}
ACCENTED: Final = frozenset("áéíóúàâêôãõçüñÁÉÍÓÚÀÂÊÔÃÕÇÜÑèìòùîûäëïöÈÌÒÙÎÛÄËÏÖ")
OTHER_BLANK: Final = r"\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
# Only where there is something to change: single spaces are most of a text.
BLANKS: Final = re.compile(rf"(?:  | ?[{OTHER_BLANK}])[ {OTHER_BLANK}]*")
# U+2060 is among them: in stored text it marks a line that only looks like a page marker.
ZERO_WIDTH: Final = re.compile("[\u200b-\u200d\u2060\ufeff]")
PRIVATE_USE: Final = re.compile("[\ue000-\uf8ff]")
# Bullets of the symbol fonts that word processors use.
SYMBOLS: Final = str.maketrans(
    {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0a8": "▫", "\uf02d": "-"}
)


def clean_document(texts: Sequence[str], engine: str = "") -> tuple[list[str], Counter[str]]:
    """Clean the pages of one document; returns them and what was mended, by name.

    Words broken at a line's end are judged by the words of the whole document. With `engine` "pdfium" U+0002 is
    what PDFium writes for such a break; from elsewhere it is a control character like any other.
    """
    counts: Counter[str] = Counter()
    breaks = engine.startswith("pdfium")
    split = _splits_ligatures(texts)
    pages = [_clean_characters(text, counts, breaks=breaks, split_ligatures=split) for text in texts]
    pages = [mask_personal(_tidy(page), counts) for page in join_broken_words(pages, counts)]
    counts["replacement_characters"] = sum(page.count("\ufffd") for page in pages)
    counts["private_use_characters"] = sum(len(PRIVATE_USE.findall(page)) for page in pages)
    return pages, +counts


def clean_page(text: str, counts: Counter[str]) -> str:
    """Clean one page by itself and add to `counts` what was mended."""
    pages, found = clean_document([text])
    counts.update(found)
    return pages[0]


def _clean_characters(text: str, counts: Counter[str], *, breaks: bool, split_ligatures: bool) -> str:
    text = LINE_BREAKS.sub("\n", _rejoin_surrogates(text, counts))
    # Removed piece by piece: BREAK itself is a noncharacter that no document may bring along.
    pieces = text.split("\x02") if breaks else [text]
    text = BREAK.join(_counted(CONTROLS, "", piece, counts, "controls_removed") for piece in pieces)
    text = _counted(ZERO_WIDTH, "", text, counts, "zero_width_removed")
    if PRIVATE_USE.search(text):
        text = text.translate(SYMBOLS)
    if split_ligatures:
        text = _counted(SPLIT_LIGATURE, r"\1", text, counts, "split_ligatures_joined")
    text = ANY_LIGATURE.sub(lambda found: _letters(found[0], counts), text)
    text = _compose(text, counts)
    text = mark_line_hyphens(text)
    return text.replace("\u00ad", "")


def _tidy(text: str) -> str:
    lines = [line.strip() for line in BLANKS.sub(" ", text).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _splits_ligatures(texts: Sequence[str]) -> bool:
    """Whether the engine left a blank behind the ligatures of this document: it does so nearly always or never.

    No Portuguese word ends in one, so that a blank behind most of them is no end of a word.
    """
    split = sum(len(SPLIT_LIGATURE.findall(text)) for text in texts)
    return split > sum(len(WHOLE_LIGATURE.findall(text)) for text in texts)


def _letters(ligature: str, counts: Counter[str]) -> str:
    counts["ligatures_joined"] += 1
    return LIGATURES[ligature]


def _rejoin_surrogates(text: str, counts: Counter[str]) -> str:
    if not (before := len(SURROGATE.findall(text))):
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    counts["surrogates_mended"] += before
    return joined


def _compose(text: str, counts: Counter[str]) -> str:
    if text.isascii():
        return text
    if LEADING_ACCENT.search(text):
        # Only a page with accents inside words is of that kind; elsewhere a lone accent may be a quotation mark.
        text = LEADING_ACCENT_ANYWHERE.sub(lambda match: _accented(match, counts), text)
    if ACCENT.search(text):
        text = _counted(LOOSE_ACCENT, r"\1\2", text, counts, "accents_composed")
    return unicodedata.normalize("NFC", text)


def _accented(match: re.Match[str], counts: Counter[str]) -> str:
    letter = "i" if match[2] == "\u0131" else match[2]
    composed = unicodedata.normalize("NFC", letter + COMBINING[match[1]])
    if composed not in ACCENTED:
        return match[0]
    counts["accents_composed"] += 1
    return composed


def _counted(pattern: re.Pattern[str], replacement: str, text: str, counts: Counter[str], name: str) -> str:
    text, number = pattern.subn(replacement, text)
    counts[name] += number
    return text

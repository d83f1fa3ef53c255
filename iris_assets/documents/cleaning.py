"""Page text as an engine gives it → text as a reader expects it; what was mended is counted."""

import re
import unicodedata
from collections import Counter
from typing import Final

LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
CONTROLS: Final = re.compile(r"[\x00-\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
# PDFium writes U+0002 for a hyphen that breaks a word at the end of a line.
BREAK_HYPHEN: Final = re.compile(r"\x02\s*")
LINE_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\n[ \t]*(?=[a-zà-öø-ÿ])")
LOOSE_ACCENT: Final = re.compile(r"(\w)[ ]?([\u0300-\u036f])")
SPACING_ACCENTS: Final = str.maketrans(
    {"´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "¨": "\u0308"}
)
BLANKS: Final = re.compile(r"[ \t\u00a0\u2000-\u200a\u202f]+")
ZERO_WIDTH: Final = re.compile(r"[\u200b-\u200d\ufeff]")


def clean_page(text: str, counts: Counter[str]) -> str:
    """Clean one page and add to `counts` what was mended."""
    text = _rejoin_surrogates(text, counts)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _counted(BREAK_HYPHEN, "", text, counts, "hyphenations_joined")
    text = _counted(CONTROLS, "", text, counts, "controls_removed")
    text = _counted(ZERO_WIDTH, "", text, counts, "zero_width_removed")
    for ligature, letters in LIGATURES.items():
        counts["ligatures_joined"] += text.count(ligature)
        text = text.replace(ligature, letters)
    text = _compose(text, counts)
    text = _counted(LINE_HYPHEN, "", text, counts, "hyphenations_joined")
    text = text.replace("\u00ad", "")
    lines = [BLANKS.sub(" ", line).strip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _rejoin_surrogates(text: str, counts: Counter[str]) -> str:
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    counts["surrogates_mended"] += 1
    return joined


def _compose(text: str, counts: Counter[str]) -> str:
    composed = unicodedata.normalize("NFC", LOOSE_ACCENT.sub(r"\1\2", text))
    counts["accents_composed"] += max(0, len(text) - len(composed))
    return composed


def _counted(pattern: re.Pattern[str], replacement: str, text: str, counts: Counter[str], name: str) -> str:
    text, number = pattern.subn(replacement, text)
    counts[name] += number
    return text

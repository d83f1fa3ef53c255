"""One comparable form for answers and passages (case, dashes, quotes, blanks), with the way back to the original."""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

# Only these compatibility characters are folded: NFKC would turn `nº` into `no` and `1º` into `1o`.
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
DASHES = "‐‑‒–—―−﹣－"
DOUBLE_QUOTES = "“”„‟«»‹›＂″❝❞〝〞〟「」『』"
SINGLE_QUOTES = "‘’‚‛′`´"
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FRACTIONS = {"½": ",5", "¼": ",25", "¾": ",75", "⅓": " um terco", "⅔": " dois tercos", "⅕": ",2"}
# What comes out with another length: words cut by a line end (or what stood at one), runs of blanks, ligatures, fractions, superscripts.
_SPECIAL = re.compile(
    rf"(?<=[^\W\d_])-\s+(?=[a-zà-ÿ])|\s{{2,}}|[{''.join(LIGATURES)}…½¼¾⅓⅔⅕¹²³⁰⁴-⁹]|{INVISIBLE.pattern}|{CONTROLS.pattern}"
)
_SAME = {
    **dict.fromkeys(DASHES, "-"),
    **dict.fromkeys(DOUBLE_QUOTES, '"'),
    **dict.fromkeys(SINGLE_QUOTES, "'"),
    "％": "%",
}


@dataclass(frozen=True, slots=True)
class Comparable:
    """`text` in comparable form; `shifts` say how far each part of it lies from the NFC original."""

    text: str
    starts: tuple[int, ...]
    shifts: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the NFC original that `text[start:end]` came from."""
        return self._original(start), self._original(end - 1) + 1

    def position(self, original: int) -> int:
        """Where a character of the original stands in `text` (the next one when it was left out)."""
        index = bisect_right(self.starts, original, key=lambda start: start + self._shift(start)) - 1
        following = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
        return min(original - self.shifts[index], following)

    def _original(self, position: int) -> int:
        return position + self._shift(position)

    def _shift(self, position: int) -> int:
        return self.shifts[bisect_right(self.starts, position) - 1]


def clean(text: str) -> str:
    """NFC without control, invisible and unpaired surrogate characters; line ends are `\\n`."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return INVISIBLE.sub("", CONTROLS.sub("", unicodedata.normalize("NFC", text)))


def comparable(text: str) -> Comparable:
    """Lower case, plain dashes, quotes and digits, single blanks, words joined that a line end had cut."""
    nfc = unicodedata.normalize("NFC", text)
    parts: list[str] = []
    starts, shifts = [0], [0]
    position = length = 0
    for found in _SPECIAL.finditer(nfc):
        piece = nfc[position : found.start()] + _opened(found[0])
        parts.append(piece)
        length += len(piece)
        position = found.end()
        if position - length != shifts[-1]:
            starts.append(length)
            shifts.append(position - length)
    parts.append(nfc[position:])
    return Comparable("".join(parts).translate(_PLAIN), tuple(starts), tuple(shifts))


def _opened(found: str) -> str:
    if found.isspace():
        return " "
    if found in LIGATURES:
        return LIGATURES[found]
    if found == "…":
        return "..."
    if found in _FRACTIONS:
        return _FRACTIONS[found]
    digit = unicodedata.digit(found, None) if len(found) == 1 else None
    return "" if digit is None else f" {digit}"


class _Plain(dict[int, str]):
    """Code point → comparable character, filled as characters come up."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        lower = " " if char.isspace() else str(digit) if digit is not None else char.lower()
        self[code] = _SAME.get(char) or (lower if len(lower) == 1 else char)
        return self[code]


_PLAIN = _Plain()


def without_emphasis(text: str) -> str:
    """Without Markdown's emphasis; doubled ticks are quotation marks (positions stay)."""
    return re.sub(r"[*_`]", " ", re.sub(r"``|''|´´", '" ', text))


def fold(text: str) -> str:
    """Lower case without marks, one character per character of the NFC form (so that positions stay)."""
    return unicodedata.normalize("NFC", text).translate(_FOLDED)


class _Folding(dict[int, str]):
    """Code point → folded character, filled as characters come up."""

    def __missing__(self, code: int) -> str:
        base = unicodedata.normalize("NFD", chr(code))[0].lower()
        self[code] = base if len(base) == 1 else chr(code)
        return self[code]


_FOLDED = _Folding()

"""One comparable form for answers and passages (case, dashes, quotes, blanks), with the way back to the original."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from iris_assets.grounding.numbers import NUMBER_WORDS
from iris_assets.grounding.vocabulary import STOP_WORDS

# Only these compatibility characters are folded: NFKC would turn `nº` into `no` and `1º` into `1o`.
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_EMPTY = STOP_WORDS | NUMBER_WORDS
DASHES = "‐‑‒–—―−﹣－"
DOUBLE_QUOTES = "“”„‟«»‹›＂″❝❞〝〞〟「」『』"
SINGLE_QUOTES = "‘’‚‛′`´"
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HYPHENATED = re.compile(r"(?<=[^\W\d_])-\s*\n\s*(?=[a-zà-ÿ])")
_SAME = {
    **dict.fromkeys(DASHES, "-"),
    **dict.fromkeys(DOUBLE_QUOTES, '"'),
    **dict.fromkeys(SINGLE_QUOTES, "'"),
    "…": "...",
    "％": "%",
}


@dataclass(frozen=True, slots=True)
class Comparable:
    """`text` in comparable form; `offsets[i]` is where its i-th character came from in the NFC original."""

    text: str
    offsets: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the NFC original that `text[start:end]` came from."""
        return self.offsets[start], self.offsets[end - 1] + 1


def clean(text: str) -> str:
    """NFC without control, invisible and unpaired surrogate characters; line ends are `\\n`."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return INVISIBLE.sub("", CONTROLS.sub("", unicodedata.normalize("NFC", text)))


def comparable(text: str) -> Comparable:
    """Lower case, plain dashes and quotes, single blanks, words joined that a line end had cut."""
    nfc = unicodedata.normalize("NFC", text)
    dropped = {i for found in _HYPHENATED.finditer(nfc) for i in range(*found.span())}
    chars: list[str] = []
    offsets: list[int] = []
    for index, char in enumerate(nfc):
        piece = "" if index in dropped else _comparable_piece(char)
        if not piece or (piece == " " and chars and chars[-1] == " "):
            continue
        chars.extend(piece)
        offsets.extend([index] * len(piece))
    return Comparable("".join(chars), tuple(offsets))


@lru_cache(maxsize=4096)
def _comparable_piece(char: str) -> str:
    if INVISIBLE.match(char) or CONTROLS.match(char):
        return ""
    return " " if char.isspace() else _SAME.get(char) or LIGATURES.get(char) or char.lower()


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


def content_stems(text: str) -> frozenset[str]:
    """Stems (first six letters, no plural) of the words that carry meaning; digits are not words."""
    words = re.findall(r"[a-z]{3,}", fold(text))
    return frozenset(word.rstrip("s")[:6] for word in words if word not in _EMPTY)

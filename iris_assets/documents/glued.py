"""Words that stand glued because a PDF moves by less than a space: parted where the gap shows and the words are known."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any, Final

WORD: Final = re.compile(r"[^\W\d_]+")
SHORTEST: Final = 4
SINGLE: Final = frozenset("aeoàé")
GAP: Final = 0.09  # of the height of a line, about a tenth of its type size; letters of one word stand closer


def part_glued(document: Any, pages: Sequence[dict[str, Any]], counts: dict[str, int]) -> None:
    """Part the glued words in the pages' texts; counted as `glued_words_parted`.

    A word is suspected when it begins and ends with words that are more frequent in the document; where its letters
    stand apart decides.
    """
    words = Counter(word.lower() for page in pages for word in WORD.findall(page["text"]))
    for index, page in enumerate(pages):
        suspects = {word for word in set(WORD.findall(page["text"])) if _may_be_glued(word.lower(), words)}
        if suspects:
            page["text"] = _parted(page["text"], _partings(document[index], suspects, words), counts)


def _may_be_glued(word: str, words: Counter[str]) -> bool:
    if len(word) < SHORTEST:
        return False
    own, ends = words[word], range(1, len(word))
    first = next((end for end in ends if _known(word[:end], words, own)), None)
    return first is not None and any(_known(word[start:], words, own) for start in range(first, len(word)))


def _known(piece: str, words: Counter[str], least: int = 0) -> bool:
    return (len(piece) > 1 or piece in SINGLE) and words[piece] > least


def _partings(page: Any, suspects: set[str], words: Counter[str]) -> dict[str, str]:
    """word → its parts with blanks, for words that stand apart wherever they stand on the page."""
    page.set_rotation(0)
    text_page = page.get_textpage()
    everything = text_page.get_text_range()
    found: dict[str, set[str]] = {}
    for match in WORD.finditer(everything):
        if match[0] in suspects:
            found.setdefault(match[0], set()).add(" ".join(_pieces(text_page, everything, match)))
    text_page.close()
    page.close()
    return {
        word: next(iter(parted))
        for word, parted in found.items()
        if len(parted) == 1 and word not in parted and all(_known(p, words) for p in next(iter(parted)).lower().split())
    }


def _pieces(text_page: Any, everything: str, match: re.Match[str]) -> list[str]:
    import pypdfium2.raw as pdfium_c

    units = len(everything[: match.start()].encode("utf-16-le", "surrogatepass")) // 2
    first = pdfium_c.FPDFText_GetCharIndexFromTextIndex(text_page, units)
    boxes = [text_page.get_charbox(first + place, loose=True) for place in range(len(match[0]))]
    gaps = [right[0] - left[2] for left, right in itertools.pairwise(boxes)]
    least = median(gaps) + GAP * max(box[3] - box[1] for box in boxes)
    cuts = [0, *(place for place, gap in enumerate(gaps, 1) if gap > least), len(match[0])]
    return [match[0][start:end] for start, end in itertools.pairwise(cuts)]


def _parted(text: str, partings: dict[str, str], counts: dict[str, int]) -> str:
    def part(match: re.Match[str]) -> str:
        if match[0] not in partings:
            return match[0]
        counts["glued_words_parted"] = counts.get("glued_words_parted", 0) + 1
        return partings[match[0]]

    return WORD.sub(part, text) if partings else text

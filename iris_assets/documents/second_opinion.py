"""A second engine reads a few pages of a plan: how many of its words the first one found too."""

import re
from collections.abc import Sequence
from typing import Any, Final

from iris_assets.documents.faults import UnreadablePdf
from iris_assets.documents.pypdf_engine import read_with_pypdf
from iris_assets.words.text import LIGATURES

SHARES: Final = (0.5, 0.75)  # of the document, where the sampled pages stand
SECONDS: Final = 2.0
FEWEST_CHARACTERS: Final = 200
LEAST_RECALL: Final = 0.995
WORD: Final = re.compile(r"[^\W\d_]{4,}")
# Where words are broken or apart is judged by the whole document, which the second engine does not read: only their
# letters are compared.
NOT_A_LETTER: Final = re.compile(r"[\W\d_]+")


def doubted_pages(data: bytes, pages: Sequence[dict[str, Any]], seconds: float) -> dict[str, float]:
    """Page number → share of the second engine's words that its text has, for sampled pages where some are missing."""
    sampled = {int(len(pages) * share) for share in SHARES}
    sampled = {index for index in sampled if len(pages[index]["text"]) >= FEWEST_CHARACTERS}
    if not sampled:
        return {}
    try:
        second = read_with_pypdf(data, min(SECONDS, seconds), sampled)["pages"]
    except (UnreadablePdf, MemoryError):
        return {}
    if len(second) != len(pages):  # it leaves broken pages out: its second page need not be ours
        return {}
    recalls = {index: _recall(pages[index]["text"], second[index]["text"]) for index in sorted(sampled)}
    return {str(index + 1): round(recall, 4) for index, recall in recalls.items() if recall < LEAST_RECALL}


def _recall(ours: str, theirs: str) -> float:
    letters = "".join(NOT_A_LETTER.split(_plain(ours)))
    wanted = WORD.findall(_plain(theirs))
    return sum(word in letters for word in wanted) / len(wanted) if wanted else 1.0


def _plain(text: str) -> str:
    for ligature, letters in LIGATURES.items():
        text = text.replace(ligature, letters)
    return text.lower()

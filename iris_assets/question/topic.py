"""What a question is about, once names, references, its scope and the words of asking are taken away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from iris_assets.indexing.analyzer import fold
from iris_assets.question import asking
from iris_assets.question.scope_words import Scoped, take_scope_phrases
from iris_assets.question.unread import TAKEN, Unread
from iris_assets.retrieval.text import word_set

LAW_ALONE = word_set("LEI A O DA DE DO DAS DOS")
KEPT_SIGNS = re.compile(r"[^$%]+")


@dataclass(frozen=True, slots=True)
class Topic:
    """`text`: what is asked about; `scope`: the question's words on whose records are meant."""

    text: str
    scope: str = ""


def topic_of(rest: str, names: Sequence[Sequence[str]] = (), scoped: Scoped | None = None) -> Topic:
    """The topic in a question without its references (folded).

    `names`: the recognised names as the question spells them, normalised; without `scoped` no scope is read.
    """
    unread = Unread(fold(rest))
    scope = take_scope_phrases(unread, names, scoped)
    for phrase in asking.PHRASES:
        unread.take(phrase)
    unread.take_words(asking.WORDS)
    if set(unread.left) <= LAW_ALONE:  # "lei da Ana" asks for her bills; of a law with a name the word stays
        unread.take_words(LAW_ALONE)
    return Topic(_untaken(unread), scope)


def _untaken(unread: Unread) -> str:
    """The words that nobody took; those written as one (`covid-19`, `1.500,00`) stay so."""
    text, before = "", -1
    for place in range(len(unread)):
        if unread.form(place) != TAKEN:
            gap = unread.gaps[place]
            glued = place == before + 1 and not re.search(r"\s", gap)
            text += (gap if glued else KEPT_SIGNS.sub(" ", gap) or " ") + unread.raw[place]
            before = place
    return text.strip()

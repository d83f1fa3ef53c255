"""A question as words with their places: plain form, spelling, what stands between them, and what is put in quotes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from iris_assets.words.text import fold

WORD = re.compile(r"[^\W_]+(?:\.(?=[^\W_]\.)[^\W_])*")
QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]{3,})[\"“”«»]|(?<!\w)['‘]([^'’]{8,})['’](?!\w)")
ASIDE = re.compile(r"\[[^\]]*\]?|<[^>]*>?|\{[^}]*\}?")  # what poses as a source, an order or markup: nobody's question
SENTENCE = re.compile(r"(?:[^.!?;:\n-]|\.(?=\w)|-(?!-))+[.!?;:]*")
FEWEST_WORDS = 3  # of a sentence that asks something by itself
MOST_WORDS = 400  # of a question that are tagged; the rest of a longer text is read as frame


@dataclass(frozen=True, slots=True)
class Token:
    """One word: `raw` as written, `form` folded to capitals without accents, and its place in the question."""

    raw: str
    form: str
    start: int
    end: int


def spoken(question: str) -> str:
    """The question with what stands in square, angle or curly brackets blanked out, unless nothing else is left."""
    outside = ASIDE.sub(lambda aside: " " * len(aside[0]), question)
    return outside if len(WORD.findall(outside)) > 1 else question


def tokenise(question: str) -> list[Token]:
    """The words of a question in order."""
    return [Token(m[0], fold(m[0]).replace(" ", ""), *m.span()) for m in WORD.finditer(question)]


def asking_sentence(question: str) -> str | None:
    """The one sentence of several that asks: the only one with a question mark, else the last; None where there is none."""
    sentences = [part.strip() for part in SENTENCE.findall(question) if WORD.search(part)]
    asking = [part for part in sentences if part.endswith("?")]
    found = asking[0] if len(asking) == 1 else sentences[-1] if sentences and not asking else ""
    return found if len(sentences) > 1 and len(WORD.findall(found)) >= FEWEST_WORDS else None


def quotations(question: str) -> list[tuple[int, int]]:
    """(start, end) of the texts in quotation marks, the marks left out; at least two words each."""
    spans = [match.span(1) if match[1] else match.span(2) for match in QUOTED.finditer(question)]
    return [(start, end) for start, end in spans if len(WORD.findall(question[start:end])) > 1]


def within(tokens: Sequence[Token], span: tuple[int, int]) -> range:
    """The positions of the words inside a stretch of the question."""
    inside = [at for at, token in enumerate(tokens) if span[0] <= token.start and token.end <= span[1]]
    return range(inside[0], inside[-1] + 1) if inside else range(0)

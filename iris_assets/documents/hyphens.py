"""Words broken at the end of a line: joined, unless the hyphen belongs to the word ("defendê-lo", "bem-estar")."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

# A private stand-in for "a hyphen at the end of a line", out of the range of what documents may hold (noncharacter).
BREAK: Final = "\ufdd0"
LETTER: Final = r"[^\W\d_]"
# The character first and what stands before it second: looking back from every position is slow.
LINE_HYPHEN: Final = re.compile(rf"[-\u2010\u00ad](?<={LETTER}.)[ \t]*\n[ \t]*(?=[a-zà-öø-ÿ])")
LONGEST_WORD: Final = 60
TAIL: Final = re.compile(rf"(?:{LETTER}|-)*\Z")
HEAD: Final = re.compile(rf"{LETTER}*")
WORD: Final = re.compile(r"\w+(?:-\w+)*")
# Beginnings that keep their hyphen, except in the words that merely begin with the same syllable.
FREE_PREFIXES: Final = frozenset({"pós", "pré", "pró", "recém", "além", "aquém", "não", "vice", "afro", "bem"})
ONE_WORD: Final = re.compile(r"pró(?:pri|xi|te|ce|di)|pré(?:di|vi)|pós(?:tu|te)|vicej|afroux")
# Pronouns follow a verb: "defendê-lo", "tornar-se".
VERB_AND_PRONOUN: Final = re.compile(r".*(?:[áêéíôóúi]-l[oa]s?|(?:[aei]r|[ae]m|[eio]u)-se)")
SHORTEST_WORD: Final = 3
CLEAR_CASES: Final = 3
# So many different words hold some broken one in one piece too, when the document breaks words at all.
TELLING_WORDS: Final = 2000


def mark_line_hyphens(text: str) -> str:
    """A hyphen (or soft hyphen) at the end of a line, before a lower-case letter, becomes BREAK; the line goes on."""
    return LINE_HYPHEN.sub(BREAK, text)


def join_broken_words(pages: Sequence[str], counts: Counter[str]) -> list[str]:
    """Decide every BREAK of the pages; joined ones are counted as `hyphenations_joined`.

    A word that the document has elsewhere in one piece, or with its hyphen, decides. What stays open follows the
    clear cases: a document that breaks words is one that breaks this word, one that never does keeps its hyphens.
    """
    if not any(BREAK in page for page in pages):
        return list(pages)
    split = [page.split(BREAK) for page in pages]
    broken = [_halves(left, right) for pieces in split for left, right in pairwise(pieces)]
    words = {word for pieces in split for word in _whole_words(pieces)}
    verdicts = [_verdict(left, right, words) for left, right in broken]
    together, apart = verdicts.count(True), verdicts.count(False)
    never_breaks = apart >= CLEAR_CASES and not together and len(words) >= TELLING_WORDS
    hyphens = []
    for (left, right), verdict in zip(broken, verdicts, strict=True):
        likely = not never_breaks and (together > apart or not _both_words(left, right, words))
        joined = likely if verdict is None else verdict
        counts["hyphenations_joined" if joined else "hyphens_kept"] += 1
        hyphens.append("" if joined else "-")
    return _rebuilt(split, iter(hyphens))


def _rebuilt(split: Sequence[Sequence[str]], hyphens: Iterator[str]) -> list[str]:
    return [
        pieces[0] + "".join(next(hyphens) + piece.lstrip() for piece in pieces[1:]) if pieces else ""
        for pieces in split
    ]


def _halves(left: str, right: str) -> tuple[str, str]:
    tail = TAIL.search(left[-LONGEST_WORD:])
    head = HEAD.match(right.lstrip()[:LONGEST_WORD])
    return (tail[0] if tail else ""), (head[0] if head else "")


def _whole_words(pieces: Sequence[str]) -> Iterator[str]:
    """The words of a page in lower case, without the halves at its breaks."""
    for index, piece in enumerate(pieces):
        text = piece.lower()
        if index:
            text = text.lstrip()
            text = text[len(HEAD.match(text[:LONGEST_WORD])[0]) :]  # type: ignore[index]
        if index < len(pieces) - 1:
            text = text[: len(text) - len(TAIL.search(text[-LONGEST_WORD:])[0])]  # type: ignore[index]
        yield from WORD.findall(text)


def _verdict(left: str, right: str, words: set[str]) -> bool | None:
    """True: one word; False: the hyphen belongs there; None: the document does not tell."""
    if not left or not right or not right[0].islower():
        return False
    left, right = left.lower(), right.lower()
    stem = left.rsplit("-", 1)[-1]
    if f"{left}-{right}" in words or VERB_AND_PRONOUN.fullmatch(f"{stem}-{right}"):
        return False
    if left + right in words:
        return True
    if stem in FREE_PREFIXES and not ONE_WORD.match(stem + right):
        return False
    return None


def _both_words(left: str, right: str, words: set[str]) -> bool:
    stem = left.lower().rsplit("-", 1)[-1]
    return stem in words and right.lower() in words and len(stem) >= SHORTEST_WORD

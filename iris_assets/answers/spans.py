"""Where in a passage a sentence rests: the quotation itself, else the passage's sentence that shares most with it."""

import re

from iris_assets.answers.claims import Sentence
from iris_assets.answers.evidence import GateEvidence
from iris_assets.answers.normalise import clean, comparable, content_stems, fold
from iris_assets.answers.numbers import find_numbers
from iris_assets.answers.sentences import split_sentences

Span = tuple[int, int]
_LONGEST = 600


def supporting_span(sentence: Sentence, evidence: GateEvidence) -> Span:
    """(start, end) in the evidence's cleaned passage, in characters; never empty unless the passage is."""
    passage = clean(evidence.text)
    return _quotation_span(sentence, passage) or _best_window(sentence, passage)


def _quotation_span(sentence: Sentence, passage: str) -> Span | None:
    view = comparable(passage)
    for _, parts in sentence.quotations():
        start = view.text.find(parts[0])
        end = view.text.find(parts[-1], start) + len(parts[-1]) if start >= 0 else -1
        if start >= 0 and end > start:
            return view.original_span(start, end)
    return None


def _best_window(sentence: Sentence, passage: str) -> Span:
    wanted_stems = content_stems(sentence.folded)
    wanted_numbers = {value for number in sentence.numbers for value, _ in number.readings}
    best, best_score = (0, min(len(passage), _LONGEST)), 0.0
    for start, end in pieces(passage):
        piece = fold(comparable(passage[start:end]).text)
        numbers = {value for number in find_numbers(piece) for value, _ in number.readings}
        score = len(wanted_stems & content_stems(piece)) + 3.0 * len(wanted_numbers & numbers) - (end - start) / 10_000
        if score > best_score:
            best, best_score = (start, end), score
    return best


def pieces(passage: str) -> list[Span]:
    """Spans of the sentences of a passage, none longer than the longest that is worth highlighting."""
    spans: list[Span] = []
    position = 0
    for paragraph in re.split(r"(?<=\n)\s*\n|(?<=[;:])\n", passage):
        for sentence in split_sentences(paragraph):
            start = passage.find(sentence, position)
            if start < 0:
                continue
            end = start + len(sentence)
            spans += [(at, min(at + _LONGEST, end)) for at in range(start, end, _LONGEST)]
            position = end
    return spans

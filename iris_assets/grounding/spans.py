"""Where in a passage a sentence rests: the quotation itself, else the passage's sentence that shares most with it."""

from iris_assets.grounding.claims import Sentence
from iris_assets.grounding.evidence import GateEvidence
from iris_assets.grounding.normalise import Comparable, comparable, content_stems
from iris_assets.grounding.sentences import LONGEST_PIECE

Span = tuple[int, int]


def supporting_span(sentence: Sentence, evidence: GateEvidence) -> Span:
    """(start, end) in the evidence's cleaned passage, in characters; never empty unless the passage is."""
    return _quotation_span(sentence, evidence.passage) or _best_window(sentence, evidence)


def _quotation_span(sentence: Sentence, passage: str) -> Span | None:
    quotations = list(sentence.quotations())
    view = comparable(passage) if quotations else Comparable("", (0,), (0,))
    for _, parts in quotations:
        start = view.text.find(parts[0])
        end = view.text.find(parts[-1], start) + len(parts[-1]) if start >= 0 else -1
        if start >= 0 and end > start:
            return view.original_span(start, end)
    return None


def _best_window(sentence: Sentence, evidence: GateEvidence) -> Span:
    wanted_stems = content_stems(sentence.folded)
    wanted_numbers = {value for number in sentence.numbers for value, _ in number.readings}
    best, best_score = (0, min(len(evidence.passage), LONGEST_PIECE)), 0.0
    for (start, end), stems, numbers in evidence.pieces:
        score = len(wanted_stems & stems) + 3.0 * len(wanted_numbers & numbers) - (end - start) / 10_000
        if score > best_score:
            best, best_score = (start, end), score
    return best

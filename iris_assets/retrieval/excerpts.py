"""What of a source is shown: whole sentences and items that hold the topic's words, with their pages and heading.

A span of the source's text is all that an excerpt is; `shown` turns it into quote, pages and heading for everybody.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from iris_assets.documents.sentences import Span
from iris_assets.documents.structure import Structure
from iris_assets.indexing.analyzer import AnalyzedQuestion, analyze_query, prepare
from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.words.text import fold, fold_in_place

LONGEST = 400  # characters of an excerpt; one sentence may be longer
SHORT = 180  # characters of an excerpt that its heading, or the next sentence, helps to understand
LONGEST_HEADING = 120
SHORTEST_BEGINNING = 5  # letters
LEAST_SHARE = 0.67  # of what the best quote of the same candidate holds of the question
LEAST_OF_ALL = 0.55  # of what the best quote of anybody holds
WHOLE = 0.99  # of a part of the question
LEAST_HELD, LEAST_OF_MANY = 0.2, 0.35  # of the question, where one person's texts are asked about and where many are
OMITTED = " … "
_ENDS = ".!?…:;\"”»'’)]"
_DEMONSTRATIVE = re.compile(
    r"(?:n?[ie]ss[aeo]s?|n?est[ae]s?|isto|d?el[ae]s?|(?:por|para|al[ée]m|com) (?:isso|disso|tanto)|dess[ae] (?:forma|modo)"
    r"|assim|tais|tal|tamb[ée]m|ali[áa]s)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """Spans of a source's text as a reader gets them; `pages` are the first and last one (None: no pages)."""

    spans: tuple[Span, ...] = ()
    quote: str = ""
    heading: str = ""
    pages: tuple[int, int] | None = None


def shown(source: Structure, spans: Sequence[Span]) -> Shown:
    """Quote, pages and heading of spans of `source`, in the order of the text; spans that touch are one."""
    joined = _joined(source, sorted(spans))
    if not joined:
        return Shown()
    quote = OMITTED.join(source.one_line(span) for span in joined)
    return Shown(joined, quote, _heading(source, joined), source.pages(joined[0][0], joined[-1][1]))


def best_spans(
    source: Structure, passage: Span, question: AnalyzedQuestion, taken: frozenset[Span] = frozenset()
) -> tuple[Span, ...]:
    """The sentences that touch `passage` and hold most of the question's terms, best few; () where none holds any.

    Sentences in `taken` were shown before.
    """
    units = _units(source, passage, taken)
    scores = {unit: score for unit in units if (score := _held_by(source, unit, question))}
    # What a footnote or a page's end cuts in two is shown only where nothing else holds nearly as much.
    least = LEAST_SHARE * max(scores.values(), default=0)
    whole = [unit for unit in scores if scores[unit] >= least and _is_whole(source, unit)] or list(scores)
    top = max((scores[unit] for unit in whole), default=0)
    return _filled(source, [unit for unit in whole if scores[unit] == top], taken)


def opening_spans(source: Structure, passage: Span, taken: frozenset[Span] = frozenset()) -> tuple[Span, ...]:
    """The first sentences of the blocks that begin within `passage`: what a sample of a document shows.

    Headings, and lists as long as a page, come only where there is nothing else.
    """
    units = _units(source, passage, taken)
    begun = [unit for unit in units if source.blocks[source.block_at(unit[0])].start >= passage[0]]
    telling = [unit for unit in begun or units if _tells(source, unit)]
    return _filled(source, telling or begun or units, taken)


def _tells(source: Structure, unit: Span) -> bool:
    is_text = source.blocks[source.block_at(unit[0])].kind != "heading" and _is_whole(source, unit)
    return is_text and unit[1] - unit[0] <= 2 * LONGEST


def sentences_at(source: Structure, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The whole sentences that hold these spans."""
    return tuple(dict.fromkeys(unit for span in spans for _, unit in source.around(*span)))


def holding_words(source: Structure, place: Span, quote: str) -> tuple[Span, ...]:
    """The whole sentences of a place in which a quotation stands, letter by letter (blanks and marks do not count)."""
    letters = [(char, at) for at in range(*place) for char in fold(source.text[at]) if char.isalnum()]
    wanted = "".join(char for char in fold(quote) if char.isalnum())
    start = "".join(char for char, _ in letters).find(wanted)
    if not wanted or start < 0:
        return ()
    return sentences_at(source, [(letters[start][1], letters[start + len(wanted) - 1][1] + 1)])


def mentioning(question: AnalyzedQuestion, source: Structure, _place: Span) -> tuple[Span, ...]:
    """The first sentence with a word for each of the question's that begins as it does ("cultural" for "cultura").

    What the index does not join: looked for before a plan is said not to treat a theme.
    """
    beginnings = [rf"\b{re.escape(word[:-1] if len(word) > SHORTEST_BEGINNING else word)}" for word in question.words]
    if not beginnings:
        return ()
    folded = folded_text(source.text)
    for found in re.finditer(max(beginnings, key=len), folded):
        for sentence in sentences_at(source, [found.span()]):
            if all(re.search(beginning, folded[slice(*sentence)]) for beginning in beginnings):
                return _filled(source, [sentence], frozenset())
    return ()


def held(text: str, question: AnalyzedQuestion) -> float:
    """How much of the question a text holds, of 1: what its terms are worth, in another form two thirds of it.

    "Saudáveis" shares the stem of "saúde" and is about food: a sentence with the word itself goes before it.
    """
    terms, words = _terms(text)
    worth = question.worth or (1.0,) * len(question.terms)
    return sum(
        value * (2 + any(_is_near(word, other) for other in words)) / 3
        for forms, word, value in zip(question.terms, question.words, worth, strict=True)
        if any(form in terms for form in forms)
    ) / (sum(worth) or 1.0)


def _held_by(source: Structure, unit: Span, question: AnalyzedQuestion) -> float:
    """What a sentence holds of the question, and half of what its heading, shown with it, adds."""
    text = source.text[slice(*unit)]
    own, heading = held(text, question), _heading(source, [unit])
    return own + (held(f"{heading} {text}", question) - own) / 2 if own and heading else own


def best_held(quote: str, question: AnalyzedQuestion) -> float:
    """What the best part of a quote holds."""
    return max(held(part, question) for part in quote.split(OMITTED))


def holds_topic(quote: str, topic: str) -> bool:
    """Whether a quote holds a word of a topic; of none it may be anything."""
    wanted = analyze_query(topic)
    return not wanted.terms or best_held(quote, wanted) > 0


def nearest_of_each(evidences: Sequence[Evidence], question: AnalyzedQuestion, *, many: bool = False) -> list[Evidence]:
    """The evidences without those quotes that hold much less of the question than another one, first of the same owners.

    What was found by its meaning, and what is a record, stays.
    """
    scores = [best_held(one.quote, question) if one.quote and one.lexical_rank else None for one in evidences]
    best: dict[tuple[CandidateRef, ...], float] = {}
    for one, score in zip(evidences, scores, strict=True):
        best[one.candidates] = max(best.get(one.candidates, 0), score or 0)
    least = max(LEAST_OF_ALL * max(best.values(), default=0), LEAST_OF_MANY if many else LEAST_HELD)
    near = [
        score is None or score >= max(LEAST_SHARE * best[one.candidates], least)
        for one, score in zip(evidences, scores, strict=True)
    ]
    told: dict[tuple[CandidateRef, ...], set[int]] = {}
    for one, kept in zip(evidences, near, strict=True):
        if kept:
            told.setdefault(one.candidates, set()).update(_parts_held(one.quote, question))
    for at, one in enumerate(evidences):  # the first that tells a part of the subject which no other does
        parts = set() if near[at] else _parts_held(one.quote, question) - told.get(one.candidates, set())
        if parts:
            near[at] = True
            told.setdefault(one.candidates, set()).update(parts)
    return [one for one, kept in zip(evidences, near, strict=True) if kept]


def _parts_held(quote: str, question: AnalyzedQuestion) -> set[int]:
    """The parts of a subject of several that a quote holds whole."""
    terms, _ = _terms(quote)
    shares = question.shares([at for at, forms in enumerate(question.terms) if any(form in terms for form in forms)])
    return {part for part, share in shares.items() if share >= WHOLE} if len(shares) > 1 else set()


@lru_cache(maxsize=64)
def folded_text(text: str) -> str:
    """A whole text folded letter by letter: the same plans are looked through for one question after another."""
    return fold_in_place(text)


@lru_cache(maxsize=50_000)
def _terms(text: str) -> tuple[frozenset[str], frozenset[str]]:
    prepared = prepare(None, None, text)
    return prepared.terms, frozenset(prepared.exact.split())


def _is_near(word: str, other: str) -> bool:
    shared = max(min(len(word), 4), len(word) - 2)
    return word[:shared] == other[:shared] and abs(len(word) - len(other)) <= 2


def _units(source: Structure, passage: Span, taken: frozenset[Span]) -> list[Span]:
    """The sentences that touch a passage, footnotes and those shown before left out."""
    around = source.around(*passage)
    return [unit for index, unit in around if unit not in taken and source.blocks[index].kind != "note"]


def _is_whole(source: Structure, unit: Span) -> bool:
    """Whether a sentence reads as one and stands on one page."""
    pages, index = source.pages(*unit), source.block_at(unit[0])
    if pages and pages[0] != pages[1]:
        return False
    reads = not source.text[unit[0]].islower() and source.text[unit[1] - 1] in _ENDS
    return reads or source.blocks[index].kind != "paragraph"


def _filled(source: Structure, wanted: Sequence[Span], taken: frozenset[Span]) -> tuple[Span, ...]:
    """The first wanted sentences of one page, as many as there is room for, and what they need to be understood."""
    chosen: list[Span] = []
    for unit in wanted:
        same_page = not chosen or source.pages(*unit) == source.pages(*chosen[0])
        if chosen and (not same_page or _length(chosen) + unit[1] - unit[0] > LONGEST):
            break
        chosen.append(unit)
    for unit in list(chosen):
        beside = [_before(source, unit)] if _leans_back(source, unit) else []
        leans = _leans_on_next(source, unit)
        beside += [_after(source, unit, 3 if leans else 1)] if leans or _length(chosen) < SHORT else []
        room = 2 * LONGEST if leans else LONGEST
        chosen += [
            one for one in beside if one and one not in chosen and one not in taken and _length([*chosen, one]) <= room
        ]
    return tuple(sorted(chosen))


def _before(source: Structure, unit: Span) -> Span | None:
    """The sentence before one, in its block."""
    sentences = source.sentences(source.block_at(unit[0]))
    return next((one for one in reversed(sentences) if one[1] <= unit[0]), None)


def _after(source: Structure, unit: Span, blocks: int) -> Span | None:
    """The sentence after one, on its page and within so many blocks, its own the first."""
    pages, first = source.pages(*unit), source.block_at(unit[0])
    for index in range(first, min(first + blocks, len(source.blocks))):
        for one in source.sentences(index):
            if one[0] >= unit[1] and source.blocks[index].kind != "note":
                return one if source.pages(*one) == pages else None
    return None


def _leans_back(source: Structure, unit: Span) -> bool:
    """A sentence that speaks of the one before it in its block."""
    begins = source.blocks[source.block_at(unit[0])].start == unit[0]
    return not begins and _DEMONSTRATIVE.match(source.text, unit[0]) is not None


def _leans_on_next(source: Structure, unit: Span) -> bool:
    """A heading or a lead-in says little without what it leads to."""
    heads = source.blocks[source.block_at(unit[0])].kind == "heading"
    return heads or source.text[unit[1] - 1] == ":"


def _length(spans: Sequence[Span]) -> int:
    return sum(end - start for start, end in spans)


def _joined(source: Structure, spans: Sequence[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for span in spans:
        if merged and not source.text[merged[-1][1] : span[0]].strip():
            merged[-1] = (merged[-1][0], max(span[1], merged[-1][1]))
        else:
            merged.append(span)
    assert all(left[1] <= right[0] for left, right in pairwise(merged))
    return tuple(merged)


def _heading(source: Structure, spans: Sequence[Span]) -> str:
    """The heading above a quote that begins with a short item or paragraph, unless the quote holds it."""
    index, (start, end) = source.block_at(spans[0][0]), spans[0]
    if index < 0 or end - start > SHORT or source.blocks[index].kind == "heading":
        return ""
    above = source.heading_of(index)
    heading = source.one_line((above.start, above.end)) if above else ""
    return heading if len(heading) <= LONGEST_HEADING else ""

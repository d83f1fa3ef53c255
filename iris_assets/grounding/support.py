"""Which one or two adjacent sentences of one evidence bear a claim, and which of their words answer which of its words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from iris_assets.grounding.reading import Reading
from iris_assets.words.lexicon import Word, root

_PAIR = 1.2  # how much better two sentences must bear a claim than the best one of them
_POOR = 0.5  # a part of which less is borne looks for a support of its own
_GAIN = 1.0  # what a support of its own must add
_NUMBER = 1.5


@dataclass(frozen=True, slots=True)
class Support:
    """Segments `first` to `last` of the evidence with this index."""

    evidence: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Place:
    """A token of an evidence's reading."""

    evidence: int
    token: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """The supports of a claim, the main one first, and the place that answers each of its tokens."""

    supports: tuple[Support, ...]
    places: Mapping[int, Place]


def align(claim: Reading, wanted: Sequence[int], passages: Sequence[Reading]) -> Alignment:
    """Support for the tokens `wanted` of a claim among the passages of its cited evidences."""
    main = _best(claim, wanted, passages)
    if main is None:
        return Alignment((), {})
    places = _answers(claim, wanted, main, passages)
    supports = [main]
    for part in parts(claim, wanted):
        missing = [token for token in part if token not in places]
        if weight(claim, missing) <= _POOR * weight(claim, part):
            continue
        own = _best(claim, part, passages)
        found = _answers(claim, part, own, passages) if own else {}
        if own and weight(claim, found) >= weight(claim, [token for token in part if token in places]) + _GAIN:
            supports.append(own)
            places.update(found)
    return Alignment(tuple(dict.fromkeys(supports)), places)


def parts(claim: Reading, wanted: Iterable[int]) -> list[list[int]]:
    """The tokens by the clauses and list members that they stand in."""
    joined = claim.joints
    return [list(group) for _, group in groupby(wanted, key=lambda index: joined[index])]


def _best(claim: Reading, wanted: Sequence[int], passages: Sequence[Reading]) -> Support | None:
    best: tuple[float, Support] | None = None
    for number, passage in enumerate(passages):
        scores = _segment_scores(claim, wanted, passage)
        for segment, found in scores.items():
            single = sum(found.values())
            candidates = [(single, Support(number, segment, segment))]
            if following := scores.get(segment + 1):
                pair = sum((found | following).values())
                candidates.append((pair / _PAIR, Support(number, segment, segment + 1)))
            top = max(candidates, key=lambda item: item[0])
            if best is None or top[0] > best[0]:
                best = top
    return best[1] if best else None


def _segment_scores(claim: Reading, wanted: Sequence[int], passage: Reading) -> dict[int, dict[int, float]]:
    """Segment → claim token (numbers after them) → what it is worth there; rare words are worth more."""
    scores: dict[int, dict[int, float]] = {}
    for token in wanted:
        word = claim.tokens[token].word
        segments = {passage.segment_of[place] for key in word.keys for place in passage.places.get(key, ())}
        worth = word.weight * (1 + 2 / (1 + len(segments)))
        for segment in segments:
            scores.setdefault(segment, {})[token] = worth
    for index, number in enumerate(claim.numbers):
        if not wanted or not wanted[0] <= claim.token_at(number.start) <= wanted[-1] + 1:
            continue
        for segment in passage.segments_with(number):
            scores.setdefault(segment, {})[len(claim.tokens) + index] = _NUMBER
    return scores


def _answers(claim: Reading, wanted: Sequence[int], support: Support, passages: Sequence[Reading]) -> dict[int, Place]:
    """The nearest place of the support for each token that has one."""
    passage = passages[support.evidence]
    first, after = passage.segments[support.first][0], passage.segments[support.last][1]
    places: dict[int, Place] = {}
    last = first
    for token in wanted:
        own = claim.tokens[token].word
        found = [
            (_far_from(own, passage.tokens[place].word), abs(place - last - 1), place)
            for key in own.keys
            for place in passage.places.get(key, ())
            if first <= place < after
        ]
        if found:
            last = min(found)[2]
            places[token] = Place(support.evidence, last)
    return places


def _far_from(own: Word, theirs: Word) -> int:
    """0 for one form, 1 for derivations, 2 for synonyms and words that a prefix denies."""
    return 0 if own.form == theirs.form else 1 if root(own.form) == root(theirs.form) else 2


def weight(claim: Reading, tokens: Iterable[int]) -> float:
    """How much of what a claim says these tokens say."""
    return sum(claim.tokens[token].word.weight for token in tokens)

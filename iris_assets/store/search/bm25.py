"""Our own BM25 over the few chunks that an engine found: parameters, fields, exact forms and nearness of our choice."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from iris_assets.store.search import LexicalHit, LexicalQuery, PreparedText

COMMON_SHARE: Final = 0.10  # a term in more chunks than this does not open a search for some of the terms


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """Parameters of the ranking; chosen by the ablation of docs/benchmarks.md, not by taste."""

    k1: float = 0.9
    b: float = 0.4
    title: float = 2.0
    header: float = 1.0
    exact: float = 0.2
    proximity: float = 0.3
    phrase: float = 1.0


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """What BM25 needs to know of the whole index: rows, mean length in terms, rows per term."""

    rows: int
    mean_length: float
    frequency: Mapping[str, int]

    def count(self, alternatives: tuple[str, ...]) -> int:
        """Rows that hold a term, at most: its most frequent alternative counts, a phrase by its rarest word."""
        counts = [min(self.frequency.get(word, 0) for word in term.split()) for term in alternatives if term]
        return min(max(counts, default=0), self.rows)

    def idf(self, alternatives: tuple[str, ...]) -> float:
        """Inverse document frequency of a term."""
        df = self.count(alternatives)
        return math.log(1 + (self.rows - df + 0.5) / (df + 0.5))


def opening_terms(terms: Sequence[tuple[str, ...]], statistics: CorpusStatistics) -> Sequence[tuple[str, ...]]:
    """Terms rare enough to look for alone; the two rarest of those that occur when all are common."""
    known = [term for term in terms if statistics.count(term)]
    rare = [term for term in known if statistics.count(term) <= COMMON_SHARE * statistics.rows]
    return rare or sorted(known, key=lambda term: (-statistics.idf(term), term))[:2] or terms[:1]


def worth(terms: Sequence[tuple[str, ...]], weights: Sequence[float], statistics: CorpusStatistics) -> list[float]:
    """What each term counts: how rare it is, by its weight in the question."""
    idfs = [statistics.idf(alternatives) for alternatives in terms]
    return [idf * weight for idf, weight in zip(idfs, weights, strict=True)] if weights else idfs


def rescore(
    query: LexicalQuery,
    texts: Mapping[int, PreparedText],
    statistics: CorpusStatistics,
    weights: RankingWeights,
) -> list[LexicalHit]:
    """One hit per text that shares a term with the query, in no particular order."""
    idfs = worth(query.terms, query.weights, statistics)
    total = sum(idfs) or 1.0
    hits = []
    for chunk_id, text in texts.items():
        fields = _Fields(text)
        counts = [fields.count(alternatives, weights) for alternatives in query.terms]
        matched = tuple(index for index, count in enumerate(counts) if count)
        if not matched:
            continue
        norm = weights.k1 * (1 - weights.b + weights.b * fields.length / (statistics.mean_length or 1.0))
        score = sum(idf * _saturated(count, norm, weights.k1) for idf, count in zip(idfs, counts, strict=True))
        if weights.exact:
            score += weights.exact * sum(
                idf * _saturated(fields.exact_count(term), norm, weights.k1)
                for idf, term in zip(idfs, query.exact_terms, strict=False)
                if term
            )
        score += weights.phrase * sum(_weight(phrase, statistics) for phrase in query.phrases if fields.holds(phrase))
        if weights.proximity and len(matched) > 1:
            score += weights.proximity * _nearness(query, fields, idfs, matched)
        hits.append(LexicalHit(chunk_id, score, matched, sum(idfs[index] for index in matched) / total))
    return hits


def _weight(phrase: tuple[str, ...], statistics: CorpusStatistics) -> float:
    return sum(statistics.idf((word,)) for word in phrase)


def _saturated(count: float, norm: float, k1: float) -> float:
    return count * (k1 + 1) / (count + norm) if count else 0.0


class _Fields:
    """A prepared text whose terms can be counted by plain substring search (C speed, no splitting)."""

    def __init__(self, text: PreparedText) -> None:
        self.title, self.header, self.body = _spaced(text.title), _spaced(text.header), _spaced(text.body)
        self.exact = _spaced(text.exact)
        self.length = sum(field.count(" ") + 1 for field in (text.title, text.header, text.body) if field)

    def count(self, alternatives: tuple[str, ...], weights: RankingWeights) -> float:
        total = 0.0
        for term in alternatives:
            needle = _spaced(term)
            total += self.body.count(needle)
            if needle in self.title:
                total += weights.title
            if needle in self.header:
                total += weights.header
        return total

    def holds(self, phrase: tuple[str, ...]) -> bool:
        """Whether a field holds these words side by side."""
        needle = _spaced(" ".join(phrase))
        return needle in self.body or needle in self.title or needle in self.header

    def exact_count(self, term: str) -> int:
        return self.exact.count(_spaced(term))

    def offsets(self, alternatives: tuple[str, ...]) -> list[int]:
        """Where the term stands in the body, in characters."""
        found = []
        for term in alternatives:
            needle, start = _spaced(term), 0
            while (start := self.body.find(needle, start)) >= 0:
                found.append(start)
                start += len(needle)
        return sorted(found)


def _spaced(text: str) -> str:
    """Each word between blanks of its own, so that two equal neighbours are found as two."""
    return f" {text.replace(' ', '  ')} "


def _nearness(query: LexicalQuery, fields: _Fields, idfs: list[float], matched: tuple[int, ...]) -> float:
    """Bonus for neighbouring query terms that stand near each other: full when adjacent, gone at about eight words."""
    bonus = 0.0
    offsets = {index: fields.offsets(query.terms[index]) for index in matched}
    for left, right in itertools.pairwise(matched):
        gap = _smallest_gap(offsets[left], offsets[right])
        if gap is not None:
            words = max(gap / MEAN_WORD, 1.0)
            bonus += min(idfs[left], idfs[right]) / words if words <= NEAR_WORDS else 0.0
    return bonus


MEAN_WORD = 9.0  # characters of a stemmed Portuguese word and its blanks, about
NEAR_WORDS = 8.0


def _smallest_gap(left: list[int], right: list[int]) -> int | None:
    """The smallest distance between a value of either sorted list."""
    best: int | None = None
    i = j = 0
    while i < len(left) and j < len(right):
        gap = abs(left[i] - right[j])
        best = gap if best is None or gap < best else best
        if left[i] < right[j]:
            i += 1
        else:
            j += 1
    return best

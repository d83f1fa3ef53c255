"""Ranked lists put together: weighted reciprocal ranks, or a convex combination of scaled scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RRF_CONSTANT = 60


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk with what each search said of it; absent values mean that the search did not find it."""

    chunk_id: int
    score: float
    lexical_rank: int | None = None
    lexical_score: float | None = None
    matched: tuple[int, ...] = ()
    vector_rank: int | None = None
    vector_similarity: float | None = None


def fused_scores(
    lexical: Mapping[int, float], vector: Mapping[int, float], weights: tuple[float, float], *, by_scores: bool
) -> dict[int, float]:
    """Chunk id → fused score of two rankings (chunk id → score, best first); `by_scores` mixes scores, not ranks."""
    return convex(lexical, vector, weights) if by_scores else reciprocal_ranks([*lexical], [*vector], weights)


def reciprocal_ranks(
    lexical: Sequence[int], vector: Sequence[int], weights: tuple[float, float] = (1.0, 1.0)
) -> dict[int, float]:
    """Chunk id → Σ weight / (60 + rank) over the lists that hold it (ranks from 1)."""
    scores: dict[int, float] = {}
    for weight, ranking in zip(weights, (lexical, vector), strict=True):
        for rank, chunk_id in enumerate(ranking, 1):
            scores[chunk_id] = scores.get(chunk_id, 0.0) + weight / (RRF_CONSTANT + rank)
    return scores


def convex(
    lexical: Mapping[int, float], vector: Mapping[int, float], weights: tuple[float, float] = (1.0, 1.0)
) -> dict[int, float]:
    """Chunk id → weighted mean of the two scores, each scaled to [0, 1] by the best and worst of its list."""
    total = sum(weights) or 1.0
    scores: dict[int, float] = {}
    for weight, found in zip(weights, (lexical, vector), strict=True):
        for chunk_id, value in _scaled(found).items():
            scores[chunk_id] = scores.get(chunk_id, 0.0) + weight / total * value
    return scores


def _scaled(scores: Mapping[int, float]) -> dict[int, float]:
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    width = high - low
    return {key: (value - low) / width if width else 1.0 for key, value in scores.items()}

"""Even samples of a whole document, for summaries."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def sampled(items: Sequence[T], limit: int) -> list[T]:
    """All items, or `limit` of them at positions round(i·(n−1)/(limit−1)): 101 items, 5 wanted → 0, 25, 50, 75, 100."""
    if limit < 1:
        return []
    if len(items) <= limit:
        return list(items)
    if limit == 1:
        return [items[0]]
    # Half up: Python's round() would send 0.5 to the even neighbour.
    positions = [(2 * i * (len(items) - 1) + limit - 1) // (2 * (limit - 1)) for i in range(limit)]
    return [items[position] for position in positions]

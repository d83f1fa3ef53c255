"""Neutral selection among several candidates: one place for each before anybody has a second one."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, TypeVar

from iris_assets.retrieval.types import CandidateRef

MOST_CANDIDATES = 20  # that one answer shows, one place each, whatever the places of an answer are


class Owned(Protocol):
    """A passage or an evidence."""

    @property
    def candidates(self) -> tuple[CandidateRef, ...]: ...


T = TypeVar("T", bound=Owned)


def in_rounds(items: Sequence[T], per_candidate: int, total: int, among: Collection[int] | None = None) -> list[T]:
    """The items that have a place, in their order: rounds of one place for each candidate, best items first.

    At most `per_candidate` for each and `total` in all, but everybody's first place up to MOST_CANDIDATES; a later round
    for which there is no room is left out whole. What several candidates own counts for each of them (of those
    `among`), and has a place only where all have one left.
    """
    owners = [_owners(item, among) for item in items]
    places = max(total, min(MOST_CANDIDATES, len(set().union(*owners))))
    counts: Counter[int] = Counter()
    kept: list[int] = []
    for most in range(1, per_candidate + 1):
        round_: list[int] = []
        for index, own in enumerate(owners):
            if index not in kept and all(counts[id_] < most for id_ in own):
                counts.update(own)
                round_.append(index)
        if most > 1 and len(kept) + len(round_) > places:
            break
        kept += round_[: places - len(kept)]
    return [items[index] for index in sorted(kept)]


def _owners(item: Owned, among: Collection[int] | None) -> set[int]:
    ids: Iterable[int] = (candidate.id for candidate in item.candidates)
    return {id_ for id_ in ids if among is None or id_ in among}

"""Neutral selection among several candidates: the same quota for each, shown by ballot name and never by score."""

from collections import Counter
from collections.abc import Sequence

from iris_assets.retrieval.evidence import Passage
from iris_assets.retrieval.types import CandidateRef

ORDER_NOTICE = (
    "As candidaturas aparecem em ordem alfabética do nome de urna, com a mesma quota máxima de evidências para cada uma; "
    "a ordem não indica preferência."
)

NOTHING_OF = "Nenhuma evidência acima do limite de relevância de: {names}."


def limited(passages: Sequence[Passage], per_candidate: int, total: int) -> list[Passage]:
    """At most `per_candidate` passages of each candidate and `total` in all, in the given order.

    A bill of several candidates counts for each of them, and is left out when one of them has no place any more.
    """
    counts: Counter[int] = Counter()
    kept = []
    for passage in passages:
        owners = [candidate.id for candidate in passage.candidates]
        if any(counts[id_] >= per_candidate for id_ in owners):
            continue
        counts.update(owners)
        kept.append(passage)
        if len(kept) == total:
            break
    return kept


def shared_fairly(own: Sequence[tuple[CandidateRef, Sequence[Passage]]], quota: int) -> list[Passage]:
    """At most `quota` passages of each candidate, the best first; one of several candidates counts for each of them."""
    counts: Counter[int] = Counter()
    kept: dict[int, Passage] = {}
    asked = {candidate.id for candidate, _ in own}
    for place in range(max((len(passages) for _, passages in own), default=0)):
        for _, passages in own:
            passage = passages[place] if place < len(passages) else None
            if passage is None or passage.hit.chunk_id in kept:
                continue
            owners = {candidate.id for candidate in passage.candidates} & asked
            if all(counts[id_] < quota for id_ in owners):
                counts.update(owners)
                kept[passage.hit.chunk_id] = passage
    ids = (passage.hit.chunk_id for _, passages in own for passage in passages)
    return [kept[id_] for id_ in dict.fromkeys(ids) if id_ in kept]

"""Neutral selection among several candidates: the same quota for each, shown by ballot name and never by score."""

from collections import Counter
from collections.abc import Sequence

from iris_assets.retrieval.evidence import Passage, neutral_order
from iris_assets.retrieval.types import CandidateRef, Evidence

ORDER_NOTICE = (
    "As candidaturas aparecem em ordem alfabética do nome de urna, com a mesma quota de evidências para cada uma; "
    "a ordem não indica preferência."
)


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


def in_neutral_order(evidences: Sequence[Evidence]) -> list[Evidence]:
    """Evidences grouped by their (first) candidate's ballot name; within a candidate the order stays."""
    none = ("", "", 0)
    return sorted(evidences, key=lambda e: neutral_order(e.candidates[0]) if e.candidates else none)


def candidates_of(evidences: Sequence[Evidence]) -> list[CandidateRef]:
    """The different candidates of the evidences, by ballot name."""
    found = {candidate.id: candidate for evidence in evidences for candidate in evidence.candidates}
    return sorted(found.values(), key=neutral_order)

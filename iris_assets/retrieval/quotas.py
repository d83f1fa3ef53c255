"""Neutral selection among several candidates: the same quota for each, shown by ballot name and never by score."""

from collections.abc import Sequence

from iris_assets.retrieval.evidence import neutral_order
from iris_assets.retrieval.types import CandidateRef, Evidence

ORDER_NOTICE = (
    "As candidaturas aparecem em ordem alfabética do nome de urna, com a mesma quota de evidências para cada uma; "
    "a ordem não indica preferência."
)


def limited(evidences: Sequence[Evidence], per_candidate: int, total: int) -> list[Evidence]:
    """At most `per_candidate` evidences of each candidate and `total` in all, in the given order."""
    counts: dict[int, int] = {}
    kept = []
    for evidence in evidences:
        owners = [candidate.id for candidate in evidence.candidates]
        if owners and all(counts.get(id_, 0) >= per_candidate for id_ in owners):
            continue
        for id_ in owners:
            counts[id_] = counts.get(id_, 0) + 1
        kept.append(evidence)
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

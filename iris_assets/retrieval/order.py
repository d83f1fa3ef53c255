"""The published neutral order: candidates by ballot name, whatever any score says."""

from collections.abc import Iterable, Sequence

from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.words.messages import notice

ORDER_NOTICE = notice("ORDER")


def by_ballot_name(candidates: Iterable[CandidateRef]) -> list[CandidateRef]:
    """Each candidate once, in neutral order."""
    return sorted({(c.tse_id, c.year): c for c in candidates}.values(), key=lambda c: c.neutral_key)


def grouped(evidences: Sequence[Evidence]) -> list[tuple[tuple[CandidateRef, ...], list[Evidence]]]:
    """Evidences by the candidates they concern, groups in neutral order (those of nobody last), inner order kept."""
    groups: dict[tuple[CandidateRef, ...], list[Evidence]] = {}
    for evidence in evidences:
        groups.setdefault(tuple(by_ballot_name(evidence.candidates)), []).append(evidence)
    return sorted(groups.items(), key=lambda item: (not item[0], [c.neutral_key for c in item[0]]))


def in_neutral_order(evidences: Sequence[Evidence]) -> list[Evidence]:
    """Evidences group after group."""
    return [evidence for _, group in grouped(evidences) for evidence in group]


def several_candidates(evidences: Sequence[Evidence]) -> bool:
    return len({(c.tse_id, c.year) for evidence in evidences for c in evidence.candidates}) > 1

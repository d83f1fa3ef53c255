"""A score told in words, for the people who decide the REVIEW cases."""

from collections.abc import Sequence
from typing import Final

from iris_assets.identity.evidence import LABELS, Evidence, Score

UNKNOWN: Final = "desconhecido"


def explain(score: Score, conflicts: Sequence[str] = ()) -> str:
    """`nome civil igual (60); UF diferente: SP ≠ PI; …`: every comparison, then what speaks against the pair."""
    told = [_told(item) for item in score.evidence]
    return "; ".join([*told, *(f"atenção: {conflict}" for conflict in conflicts)])


def conflicts_of(score: Score) -> list[str]:
    """What speaks against one pair. Another party or birth place does not; another UF under the same name does."""
    values = {item.name: item for item in score.evidence}
    found = []
    if score.holds("civil_name") and _differs(values["state"]):
        item = values["state"]
        found.append(
            f"mesmo nome civil em outra UF (candidatura: {item.candidate_value}; último mandato: {item.deputy_value}): "
            "pode ser homônimo"
        )
    if score.holds("ballot_name") and _differs(values["civil_name"]):
        found.append("nome de urna igual com nome civil diferente: pode ser homônimo ou mudança de nome")
    return found


def _differs(item: Evidence) -> bool:
    return not item.points and bool(item.candidate_value) and bool(item.deputy_value)


def _told(item: Evidence) -> str:
    label = LABELS[item.name]
    if item.name == "override":
        return f"{label} ({item.points}): {item.candidate_value}"
    if item.points:
        return f"{label} igual ({item.points}): {item.deputy_value}"
    if not item.candidate_value or not item.deputy_value:
        return f"{label} não comparável (0): {item.candidate_value or UNKNOWN} / {item.deputy_value or UNKNOWN}"
    return f"{label} diferente (0): {item.candidate_value} ≠ {item.deputy_value}"

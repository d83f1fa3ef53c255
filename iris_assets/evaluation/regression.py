"""One evaluation against the pinned floors and against the last one of the same set; re-pinning never lowers silently."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import UsageError

TOLERANCE: Final = 0.02
WATCHED: Final = (
    "nDCG@10",
    "R@10",
    "RR@10",
    "strategy_accuracy",
    "no_evidence_precision",
    "count_accuracy",
    "answers_with_citation",
)


def regressions(
    figures: Mapping[str, Any],
    floors: Mapping[str, float],
    last: Mapping[str, Any] | None,
    tolerance: float = TOLERANCE,
) -> list[str]:
    """What fell: below a pinned floor at all, or below the last evaluation by more than `tolerance`."""
    found = []
    for name in WATCHED:
        value = figures.get(name)
        if not isinstance(value, int | float):
            continue
        if name in floors and value < floors[name] - 1e-9:
            found.append(f"{name} {value:.3f} is below its pinned floor {floors[name]:.3f}")
        before = (last or {}).get(name)
        if isinstance(before, int | float) and value < before - tolerance:
            found.append(f"{name} fell from {before:.3f} to {value:.3f}")
    return found


def read_floors(file: Path, corpus_hash: str, mode: str) -> dict[str, float]:
    """The floors pinned for this corpus and mode; none for another corpus, since its figures are not comparable."""
    if not file.is_file():
        return {}
    entry = json.loads(file.read_text(encoding="utf-8")).get(_key(corpus_hash, mode))
    return {} if entry is None else {str(name): float(value) for name, value in entry.items()}


def pin_floors(
    file: Path, corpus_hash: str, mode: str, figures: Mapping[str, Any], *, allow_lower: bool = False
) -> dict[str, float]:
    """Pin today's figures as floors; UsageError FLOOR_LOWERED when one would fall and `allow_lower` is not given."""
    old = read_floors(file, corpus_hash, mode)
    new = {name: round(float(figures[name]), 4) for name in WATCHED if isinstance(figures.get(name), int | float)}
    lowered = [f"{name} {old[name]} → {new[name]}" for name in new if new[name] < old.get(name, 0.0) - 1e-9]
    if lowered and not allow_lower:
        raise UsageError(
            "FLOOR_LOWERED", f"floors would fall: {', '.join(lowered)}", hint="say --allow-lower to mean it"
        )
    everything = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    everything[_key(corpus_hash, mode)] = new
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(everything, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return new


def _key(corpus_hash: str, mode: str) -> str:
    return f"{corpus_hash}:{mode}"

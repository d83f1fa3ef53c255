"""The pinned baseline: figures that an evaluation of a known corpus must not fall below; never lowered silently."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import UsageError
from iris_assets.files import write_atomically

WATCHED: Final = (
    "nDCG@10",
    "R@10",
    "RR@10",
    "strategy_accuracy",
    "no_evidence_precision",
    "count_accuracy",
    "answers_with_citation",
    "citation_validity",
    "citation_coverage",
    "sentence_shown",
)
ROUNDING: Final = 1e-4  # pinned figures have four decimals


@dataclass(frozen=True, slots=True)
class Measured:
    """What figures were measured on: they can be compared with a baseline of the same four only."""

    question_set: str
    partition: str
    mode: str  # `lexical`, or the mode and the embedding model
    corpus_hash: str
    question_set_hash: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """An entry of the file: the corpus and the questions that it was pinned on, and the figures."""

    corpus_hash: str
    question_set_hash: str
    figures: dict[str, float]

    def hold_for(self, measured: Measured) -> bool:
        """Whether this baseline was pinned on the same corpus and questions."""
        return (self.corpus_hash, self.question_set_hash) == (measured.corpus_hash, measured.question_set_hash)

    def broken_by(self, figures: Mapping[str, Any]) -> list[str]:
        """What lies below the baseline, with both numbers; a figure that is missing is below it as well."""
        found = []
        for name, pinned in self.figures.items():
            value = figures.get(name)
            if value is None:
                found.append(f"{name} was not measured, the baseline is {pinned:.3f}")
            elif value < pinned - ROUNDING:
                found.append(f"{name} {value:.3f} is below the baseline {pinned:.3f}")
        return found


def read_baseline(file: Path, measured: Measured) -> Baseline | None:
    """The baseline of a question set, partition and mode; UsageError FLOORS_INVALID for a file that is none."""
    entry = _tree(file).get(measured.question_set, {}).get(measured.partition, {}).get(measured.mode)
    if entry is None:
        return None
    try:
        baseline = Baseline(**entry)
        baseline.figures.update({name: float(value) for name, value in baseline.figures.items()})
    except (TypeError, ValueError, AttributeError) as error:
        raise _invalid(file, str(error)) from None
    return baseline


def pin_baseline(
    file: Path, measured: Measured, figures: Mapping[str, Any], *, allow_lower: bool = False
) -> dict[str, float]:
    """Pin `figures` as the baseline of what they were measured on; returns them.

    UsageError FLOOR_LOWERED, with the numbers, when a figure of it would fall or go and `allow_lower` was not given: also
    when the corpus or the questions changed.
    """
    old = read_baseline(file, measured)
    new = {name: round(float(figures[name]), 4) for name in WATCHED if isinstance(figures.get(name), int | float)}
    lowered = [
        f"{name} {pinned:.4f} → {new.get(name, 'none')}"
        for name, pinned in (old.figures if old else {}).items()
        if new.get(name, -1.0) < pinned - ROUNDING / 2
    ]
    if lowered and not allow_lower:
        raise UsageError(
            "FLOOR_LOWERED", f"the baseline would fall: {', '.join(lowered)}", hint="say --allow-lower to mean it"
        )
    tree = _tree(file)
    modes = tree.setdefault(measured.question_set, {}).setdefault(measured.partition, {})
    modes[measured.mode] = asdict(Baseline(measured.corpus_hash, measured.question_set_hash, new))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, f"{json.dumps(tree, indent=1, sort_keys=True)}\n".encode())
    except OSError as error:
        raise UsageError("FLOORS_UNWRITABLE", f"{file}: {error.strerror}", hint="name another file: --floors") from None
    return new


def _tree(file: Path) -> dict[str, Any]:
    try:
        tree = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except (ValueError, RecursionError) as error:
        raise _invalid(file, str(error)) from None
    except OSError as error:
        raise _invalid(file, error.strerror or "cannot be read") from None
    if not isinstance(tree, dict) or not all(_two_deep(entry) for entry in tree.values()):
        raise _invalid(file, "it is no tree of question set, partition and mode")
    return tree


def _two_deep(entry: Any) -> bool:
    return isinstance(entry, dict) and all(isinstance(value, dict) for value in entry.values())


def _invalid(file: Path, problem: str) -> UsageError:
    return UsageError("FLOORS_INVALID", f"{file.name}: {problem}", hint="pin anew: iris-assets evaluate --pin")

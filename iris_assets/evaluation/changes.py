"""Two evaluations of the same questions: what changed, with paired bootstrap intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from iris_assets.evaluation.results import QuestionResult

RESAMPLES: Final = 2000
CONFIDENCE: Final = 0.95
SEED: Final = 7  # the same two evaluations always give the same interval


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and now over the same questions; `low` and `high` bound the change at 95 % confidence."""

    name: str
    before: float
    after: float
    low: float
    high: float
    questions: int

    @property
    def difference(self) -> float:
        return self.after - self.before

    def __str__(self) -> str:
        word = "fell" if self.difference < 0 else "went"
        return (
            f"{self.name} {word} from {self.before:.3f} to {self.after:.3f} "
            f"({self.difference:+.3f}, 95 % between {self.low:+.3f} and {self.high:+.3f}, {self.questions} questions)"
        )


def changes(before: Sequence[QuestionResult], after: Sequence[QuestionResult]) -> list[Change]:
    """Every figure that both evaluations have, over the questions whose definition is the same in both."""
    earlier = {(result.key, result.digest): result.values for result in before}
    pairs = [(earlier[key], one.values) for one in after if (key := (one.key, one.digest)) in earlier]
    names = dict.fromkeys(name for _, values in pairs for name in values)
    found = []
    for name in names:
        both = [(old[name], new[name]) for old, new in pairs if name in old and name in new]
        if both:
            found.append(_change(name, both))
    return found


def paired_interval(differences: Sequence[float]) -> tuple[float, float]:
    """Bounds of the mean difference at 95 % confidence, by resampling the questions."""
    import numpy as np

    values = np.asarray(differences, dtype=np.float64)
    picks = np.random.default_rng(SEED).integers(0, len(values), size=(RESAMPLES, len(values)))
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(values[picks].mean(axis=1), [tail, 1 - tail])
    return float(low), float(high)


def _change(name: str, both: Sequence[tuple[float, float]]) -> Change:
    before = sum(old for old, _ in both) / len(both)
    after = sum(new for _, new in both) / len(both)
    return Change(name, before, after, *paired_interval([new - old for old, new in both]), len(both))

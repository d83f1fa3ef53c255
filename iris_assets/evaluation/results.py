"""What was measured of one question, how it is stored, and the figures that many questions give together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from iris_assets.store.inputs import EvaluationAnswerValues
from iris_assets.store.records import EvaluationAnswerRow

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question of an evaluation.

    `digest` is that of its definition: only equal ones are compared. `values` are between 0 and 1, by figure name; a
    figure that says nothing of this question is absent. `removed` counts sentences that the citation verifier took out.
    """

    key: str
    digest: str
    groups: tuple[str, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    wrong: str | None = None
    answer_key: str | None = None
    removed: int = 0

    def row(self) -> EvaluationAnswerValues:
        """As EvaluationAnswer keeps it."""
        figures = {
            "digest": self.digest,
            "groups": list(self.groups),
            "values": dict(self.values),
            "wrong": self.wrong,
            "removed": self.removed,
        }
        return {"question_key": self.key, "answer_key": self.answer_key, "figures_json": figures}

    @classmethod
    def of_row(cls, row: EvaluationAnswerRow) -> "QuestionResult":
        """The result behind a row of EvaluationAnswer."""
        stored = row["figures_json"] or {}
        return cls(
            row["question_key"],
            str(stored.get("digest", "")),
            tuple(stored.get("groups", ())),
            {str(name): float(value) for name, value in stored.get("values", {}).items()},
            stored.get("wrong"),
            row["answer_key"],
            int(stored.get("removed", 0)),
        )


def mean_figures(values: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Figure → mean over the questions that have it, in the order of first appearance."""
    import pandas as pd

    return _means(pd.DataFrame(list(values)))


def group_figures(results: Sequence[QuestionResult]) -> dict[str, dict[str, float]]:
    """Group → `questions` and the figures of its questions; a question may be of several groups."""
    import pandas as pd

    frame = pd.DataFrame([{"group": group, **result.values} for result in results for group in result.groups])
    if frame.empty:
        return {}
    return {
        str(group): {"questions": float(len(members)), **_means(members.drop(columns="group"))}
        for group, members in frame.groupby("group")
    }


def _means(frame: "pd.DataFrame") -> dict[str, float]:
    return {str(name): float(mean) for name, mean in frame.mean().dropna().items()}

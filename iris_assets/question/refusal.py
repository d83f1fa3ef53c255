"""Questions that are refused before any model call: whom to vote for, best and worst, predictions, rankings, labels, campaign.

The text is fixed: the electoral court's Res. 23.610/2019 forbids to rank, recommend or favour candidates even when asked.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from iris_assets.words.messages import notice

REFUSE_FROM: Final = 0.38  # summed chance of the kinds of refusal
REFUSE_SENTENCE_FROM: Final = 0.75  # of one sentence alone, where the whole question may ask for the same
POSSIBLE: Final = 0.15  # chance of the whole question
REFUSAL_TEXT = notice("REFUSAL")


def refused(question: Mapping[str, float], sentences: Iterable[Mapping[str, float]] = ()) -> str | None:
    """The kind of a refused question by the chances of its intents, and by those of each of its sentences."""
    if _chance(question) < POSSIBLE:
        return None  # "confere aí pra mim" alone could be anything
    readings = [(question, REFUSE_FROM), *((sentence, REFUSE_SENTENCE_FROM) for sentence in sentences)]
    for chances, least in readings:
        if _chance(chances) >= least:
            return max(filter(_is_refusal, chances), key=lambda name: chances[name]).partition(":")[2]
    return None


def _is_refusal(intent: str) -> bool:
    return intent.startswith("refuse:")


def _chance(chances: Mapping[str, float]) -> float:
    return sum(chance for name, chance in chances.items() if _is_refusal(name))

"""Measures how questions are read: intents, refusals, names and tags over labelled phrases, and evidence kept when reworded."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import yaml

from iris_assets.question.model import ReaderModel, shipped
from iris_assets.question.refusal import REFUSE_FROM
from iris_assets.retrieval.service import RetrievalService
from iris_assets.training.phrases import Phrase, read_phrases
from iris_assets.training.reader import train

BINS: Final = 10
REWORDINGS: Final = "rewordings.yaml"


@dataclass(frozen=True, slots=True)
class Judged:
    """One phrase as a model read it: its tags, the most likely intent with its chance, and the chance of a refusal."""

    phrase: Phrase
    tags: list[str]
    intent: str
    chance: float
    refusal: float

    @property
    def is_refused(self) -> bool:
        return self.refusal >= REFUSE_FROM

    @property
    def should_refuse(self) -> bool:
        return self.phrase.intent.startswith("refuse")


def evaluate_reading(file: Path, retrieval: RetrievalService | None = None) -> dict[str, Any]:
    """The shipped reader over a file of labelled phrases; with a store also the evidence that rewordings keep."""
    measured = figures(judged(shipped(), read_phrases([file])))
    return measured if retrieval is None else {**measured, "rewordings": kept_evidence(retrieval)}


def cross_validated(phrases: Sequence[Phrase], writers: Iterable[str]) -> dict[str, Any]:
    """The figures of models that never saw a phrase of the writer they are measured on."""
    found = {
        writer: judged(train([one for one in phrases if one.writer != writer]), _of(phrases, writer))
        for writer in writers
    }
    every = [one for some in found.values() for one in some]
    return {**figures(every), "writers": {name: figures(some)["intent_accuracy"] for name, some in found.items()}}


def _of(phrases: Sequence[Phrase], writer: str) -> list[Phrase]:
    return [one for one in phrases if one.writer == writer and one.tags]


def judged(model: ReaderModel, phrases: Iterable[Phrase]) -> list[Judged]:
    """The phrases as a model reads them."""
    return [_judged(model, phrase) for phrase in phrases]


def _judged(model: ReaderModel, phrase: Phrase) -> Judged:
    tags, _ = model.tag(phrase.tokens, phrase.slots)
    chances = model.chances(phrase.tokens, tags)
    intent, chance = next(iter(chances.items()))
    refusal = sum(value for name, value in chances.items() if name.startswith("refuse"))
    return Judged(phrase, tags, intent, chance, refusal)


def figures(found: Sequence[Judged]) -> dict[str, Any]:
    """Accuracies, recall and false alarms of refusals, names, the calibration curve and the commonest confusions."""
    wanted = [one for one in found if one.should_refuse]
    others = [one for one in found if not one.should_refuse]
    named = [one for one in found if "PERSON" in one.phrase.tags]
    words = [(got, right) for one in found for got, right in zip(one.tags, one.phrase.tags, strict=True)]
    mixed = Counter((one.phrase.intent, one.intent) for one in found if one.intent != one.phrase.intent)
    return {
        "phrases": len(found),
        "intent_accuracy": _share(one.intent == one.phrase.intent for one in found),
        "refusal_recall": _share(one.is_refused for one in wanted),
        "false_refusals": _share(one.is_refused for one in others),
        "name_accuracy": _share(_people(one.tags) == _people(one.phrase.tags) for one in named),
        "tag_accuracy": _share(got == right for got, right in words),
        "calibration": _curve(found),
        "confusions": [
            {"right": right, "read": read, "count": count} for (right, read), count in mixed.most_common(12)
        ],
    }


def _people(tags: Sequence[str]) -> list[int]:
    return [at for at, tag in enumerate(tags) if tag == "PERSON"]


def _curve(found: Sequence[Judged]) -> list[dict[str, float]]:
    """By tenths of the chance: how often the most likely intent was right."""
    bins: dict[int, list[Judged]] = {}
    for one in found:
        bins.setdefault(min(int(one.chance * BINS), BINS - 1), []).append(one)
    return [
        {
            "chance": round(sum(one.chance for one in some) / len(some), 3),
            "right": _share(one.intent == one.phrase.intent for one in some),
            "phrases": len(some),
        }
        for _, some in sorted(bins.items())
    ]


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else 0.0


def kept_evidence(
    retrieval: RetrievalService, subjects: Sequence[dict[str, str]] = (), rewordings: Sequence[str] = ()
) -> dict[str, Any]:
    """How much of a plain question's evidence its rewordings still find, over the subjects that are found at all."""
    data = yaml.safe_load((files("iris_assets.evaluation") / REWORDINGS).read_text(encoding="utf-8"))
    subjects, rewordings = subjects or data["subjects"], rewordings or data["rewordings"]
    kept, lost = [], []
    for subject in subjects:
        plain = _keys(retrieval, data["plain"].format(**subject))
        for wording in rewordings if plain else ():
            question = wording.format(**subject)
            share = len(plain & _keys(retrieval, question)) / len(plain)
            kept.append(share)
            lost += [question] if share < 1 else []
    return {"cases": len(kept), "kept": round(sum(kept) / len(kept), 4) if kept else 0.0, "lost": lost}


def _keys(retrieval: RetrievalService, question: str) -> set[tuple[str, str, int]]:
    return {one.key for one in retrieval.retrieve(question).evidences}

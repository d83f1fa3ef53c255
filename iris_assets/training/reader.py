"""From labelled phrases to the reader's shipped weights: the tagger, then the classifier of intents on its tags."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from iris_assets.question.features import BUCKETS, Indexes, question_features
from iris_assets.question.model import FILE, INTENTS, ReaderModel, Weights
from iris_assets.training.phrases import PHRASES, Phrase, Uses, frame_words, read_phrases, subjects_alone, untold
from iris_assets.training.tagger import train_tagger

INTENT_ROUNDS, FOLDS = 14, 3
RATE, SMOOTHING = 0.5, 0.05
TEMPERATURES: Final = np.arange(0.4, 2.6, 0.1)


def train(phrases: Sequence[Phrase]) -> ReaderModel:
    """The weights that the phrases teach; the same phrases give the same weights."""
    frame = frame_words(phrases)
    phrases = untold([*phrases, *subjects_alone(phrases)])
    uses, folds = Uses(phrases), _folds(phrases)
    parts = [_held_out(phrases, folds, fold) for fold in range(FOLDS)]
    seen = {at: tags for part in parts for at, tags in part.items()}
    rows = [question_features(phrase.tokens, seen[at]) for at, phrase in enumerate(phrases)]
    wanted = np.array([INTENTS.index(phrase.intent) for phrase in phrases])
    tags, steps = train_tagger(phrases)
    intents = train_intents(rows, wanted)
    return ReaderModel(tags, steps, intents, _temperature(rows, wanted, folds), uses.without(None), frame)


def _folds(phrases: Sequence[Phrase]) -> list[int]:
    writers = sorted({phrase.writer for phrase in phrases})
    if len(writers) < FOLDS:
        return [at % FOLDS for at in range(len(phrases))]
    return [writers.index(phrase.writer) % FOLDS for phrase in phrases]


def _held_out(phrases: Sequence[Phrase], folds: Sequence[int], fold: int) -> dict[int, list[str]]:
    """Tags of one fold by a tagger that has not seen it: what the classifier will meet."""
    inside = [phrase for phrase, own in zip(phrases, folds, strict=True) if own != fold]
    model = ReaderModel(*train_tagger(inside), np.zeros((1, 1), np.float32), uses=Uses(inside).without(None))
    return {at: model.tag(phrase.tokens, phrase.slots)[0] for at, phrase in enumerate(phrases) if folds[at] == fold}


def train_intents(rows: Sequence[Indexes], wanted: "np.ndarray[Any, Any]") -> Weights:
    """Multinomial regression by adaptive steps, the weights averaged over the last half of the rounds."""
    weights = np.zeros((BUCKETS, len(INTENTS)), np.float32)
    squares, total, kept = np.full_like(weights, 1e-2), np.zeros_like(weights), 0
    order = np.random.RandomState(7)
    for number in range(INTENT_ROUNDS):
        for at in order.permutation(len(rows)):
            row = rows[at]
            scores = weights[row].sum(0) / np.sqrt(len(row))
            chances = np.exp(scores - scores.max())
            error = chances / chances.sum() - SMOOTHING / len(INTENTS)
            error[wanted[at]] -= 1 - SMOOTHING
            step = (error / np.sqrt(len(row))).astype(np.float32)
            squares[row] += step**2
            weights[row] -= RATE * step / np.sqrt(squares[row])
        if number >= INTENT_ROUNDS // 2:
            total += weights
            kept += 1
    return (total / kept).astype(np.float32)


def _temperature(rows: Sequence[Indexes], wanted: "np.ndarray[Any, Any]", folds: Sequence[int]) -> float:
    """What makes the chances of unseen writers' phrases true: the least loss over held-out folds."""
    scores = np.zeros((len(rows), len(INTENTS)))
    for fold in range(FOLDS):
        inside = [at for at, own in enumerate(folds) if own != fold]
        weights = train_intents([rows[at] for at in inside], wanted[inside])
        for at, own in enumerate(folds):
            if own == fold:
                scores[at] = weights[rows[at]].sum(0) / np.sqrt(len(rows[at]))
    return float(min(TEMPERATURES, key=lambda value: _loss(scores / value, wanted)))


def _loss(scores: "np.ndarray[Any, Any]", wanted: "np.ndarray[Any, Any]") -> float:
    top = scores.max(1, keepdims=True)
    return float((np.log(np.exp(scores - top).sum(1)) + top[:, 0] - scores[np.arange(len(wanted)), wanted]).mean())


def main() -> None:
    """Train on every file of phrases and write the shipped model."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--phrases", type=Path, default=PHRASES)
    parser.add_argument("--out", type=Path, default=PHRASES.parent / FILE)
    chosen = parser.parse_args()
    phrases = read_phrases(sorted(chosen.phrases.glob("*.jsonl")))
    chosen.out.write_bytes(train(phrases).dump())
    print(f"{len(phrases)} phrases -> {chosen.out.name}, {chosen.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Trains the tagger of words: a linear-chain conditional random field by adaptive steps over batches of phrases."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iris_assets.question.features import BUCKETS, Indexes, word_features
from iris_assets.question.model import TAGS, Weights, forward_backward, possible, word_scores
from iris_assets.training.phrases import Phrase, Uses, in_case, without_names

ROUNDS, BATCH, RATE, SMALLEST = 6, 32, 0.15, 1e-2
AS_WRITTEN, LOWER, UPPER = 0.6, 0.25, 0.15  # how often a round takes a phrase in which case
UNTOLD = ("FRAME", "TOPIC")  # what a word may be whose tag the labels do not tell
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Example:
    """One phrase in each case: the buckets of its words; which tags they may have, and which the labels leave."""

    rows: tuple[list[Indexes], ...]
    allowed: NDArray[np.bool_]
    told: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.told)


@dataclass(frozen=True)
class _Batch:
    """Some examples side by side: their words' buckets one after the other, tags and places filled up to one length."""

    rows: list[Indexes]
    places: NDArray[np.bool_]  # (phrases, length): where there is a word
    allowed: NDArray[np.bool_]
    told: NDArray[np.bool_]


def train_tagger(phrases: Sequence[Phrase]) -> tuple[Weights, Weights]:
    """Weights of words and of steps, averaged over the last half of the rounds."""
    examples = _examples(phrases)
    weights, steps = np.zeros((BUCKETS, len(TAGS)), np.float32), np.zeros((len(TAGS) + 1, len(TAGS)), np.float32)
    squares, step_squares = np.full_like(weights, SMALLEST), np.full_like(steps, SMALLEST)
    total, step_total = np.zeros_like(weights), np.zeros_like(steps)
    order = np.random.RandomState(7)
    for number in range(ROUNDS):
        for batch in _batches(examples, order):
            touched, slope, step_slope = _slopes(batch, weights, steps)
            squares[touched] += slope**2
            weights[touched] -= RATE * slope / np.sqrt(squares[touched])
            step_squares += step_slope**2
            steps -= RATE * step_slope / np.sqrt(step_squares)
        if number >= ROUNDS // 2:
            total += weights
            step_total += steps
    kept = np.float32(ROUNDS - ROUNDS // 2)
    return (total / kept).astype(np.float32), (step_total / kept).astype(np.float32)


def _examples(phrases: Sequence[Phrase]) -> list[_Example]:
    uses = Uses(phrases)
    labelled = [phrase for phrase in phrases if phrase.tags]
    found = []
    for phrase in (*labelled, *without_names(labelled)):
        known = uses.without(phrase.writer)
        cases = (phrase, in_case(phrase, upper=False), in_case(phrase, upper=True))
        rows = tuple(word_features(case.tokens, case.slots, known) for case in cases)
        told = np.array([[tag == own or (not own and tag in UNTOLD) for tag in TAGS] for own in phrase.tags])
        found.append(_Example(rows, possible(phrase.tokens, phrase.slots) | told, told))
    return sorted(found, key=len)


def _batches(examples: Sequence[_Example], order: np.random.RandomState) -> Iterator[_Batch]:
    """Batches of phrases of about one length, in a new order each round, each phrase in one of its cases."""
    mixed = order.permutation(len(examples))
    mixed = mixed[np.argsort([len(examples[at]) for at in mixed], kind="stable")]
    starts = range(0, len(mixed), BATCH)
    for start in order.permutation(starts):
        chosen = [examples[at] for at in mixed[start : start + BATCH]]
        cases = order.choice(3, size=len(chosen), p=(AS_WRITTEN, LOWER, UPPER))
        yield _batch(chosen, cases)


def _batch(examples: Sequence[_Example], cases: "NDArray[np.int64]") -> _Batch:
    shape = len(examples), max(map(len, examples))
    places = np.zeros(shape, bool)
    allowed, told = np.ones((*shape, len(TAGS)), bool), np.ones((*shape, len(TAGS)), bool)
    rows: list[Indexes] = []
    for at, (example, case) in enumerate(zip(examples, cases, strict=True)):
        size = len(example)
        places[at, :size], allowed[at, :size], told[at, :size] = True, example.allowed, example.told
        rows += example.rows[case]
    return _Batch(rows, places, allowed, told)


def _slopes(batch: _Batch, weights: Weights, steps: Weights) -> tuple[Indexes, Weights, Floats]:
    """The buckets that a batch touches, the slope of its loss in their weights and in the steps, per phrase."""
    scores = np.zeros((*batch.places.shape, len(TAGS)))
    scores[batch.places] = word_scores(weights, batch.rows)
    found = forward_backward(scores, steps, batch.allowed, batch.places)
    wanted = forward_backward(scores, steps, batch.told, batch.places)
    touched, slope = _by_bucket(batch.rows, (found.tags - wanted.tags)[batch.places].astype(np.float32))
    return touched, (slope / len(batch.places)).astype(np.float32), (found.steps() - wanted.steps()) / len(batch.places)


def _by_bucket(rows: Sequence[Indexes], errors: "NDArray[Any]") -> tuple[Indexes, Weights]:
    """The sum of the errors of the words that have a bucket, for each bucket that any of them has."""
    sizes = [len(row) for row in rows]
    every = np.concatenate(rows)
    order = np.argsort(every, kind="stable")
    touched, starts = np.unique(every[order], return_index=True)
    return touched, np.add.reduceat(np.repeat(errors, sizes, axis=0)[order], starts, axis=0)

"""From labelled phrases to the reader's weights: an averaged structured perceptron and a multinomial regression."""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from iris_assets.question.features import BUCKETS, Indexes, Slots, question_features, word_features
from iris_assets.question.model import FILE, INTENTS, TAGS, ReaderModel, Weights, best_row
from iris_assets.question.slots import slots_of
from iris_assets.question.tokens import Token, tokenise, within

PHRASES: Final = Path(__file__).parent / "phrases"
TAG_ROUNDS, INTENT_ROUNDS, FOLDS = 8, 14, 3
RATE, SMOOTHING = 0.5, 0.05
# Who must use a word to ask, for how many different things, and how much more often than for a subject, before it
# restricts no count: in phrases for records, since elsewhere people ask of debates and of what somebody says.
FRAME_WRITERS, FRAME_INTENTS, FRAME_SHARE = 2, 4, 10
OF_RECORDS, RECORD_INTENTS = frozenset({"count", "registry", "bills", "topics"}), 2
TEMPERATURES: Final = np.arange(0.4, 2.6, 0.1)


@dataclass(frozen=True)
class Phrase:
    """One labelled phrase as the models see it; `writer` is the file it comes from, `tags` are empty where unknown."""

    writer: str
    text: str
    tokens: list[Token]
    tags: list[str]
    slots: Slots
    intent: str


def read_phrases(files: Iterable[Path]) -> list[Phrase]:
    """The phrases of some files in order; ValueError names the line that is none."""
    found = []
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                found.append(_phrase(file.stem, json.loads(line)))
            except (KeyError, ValueError) as error:
                raise ValueError(f"{file.name}:{number}: {error}") from error
    return found


def _phrase(writer: str, row: dict[str, Any]) -> Phrase:
    text, tokens = row["text"], tokenise(row["text"])
    tags = tagged(text, tokens, row["spans"]) if "spans" in row else []
    names = row.get("names") or "".join("2" if tag == "PERSON" else "." for tag in tags)
    intent = f"refuse:{row['kind']}" if row["intent"] == "refuse" else row["intent"]
    if intent not in INTENTS:
        raise ValueError(f"unknown intent {intent}")
    return Phrase(writer, text, tokens, tags, slots_of(text, tokens, names), intent)


def tagged(text: str, tokens: Sequence[Token], spans: dict[str, list[str]]) -> list[str]:
    """One tag a word; a span that the text does not hold is a ValueError."""
    tags = ["FRAME"] * len(tokens)
    for kind, values in spans.items():
        after = 0
        for value in values:
            start = text.find(value, after)
            start = text.find(value) if start < 0 else start
            if start < 0:
                raise ValueError(f"no {value!r} in the text")
            after = start + len(value)
            for at in within(tokens, (start, after)) or _touching(tokens, start, after):
                tags[at] = kind.upper()
    return tags


def _touching(tokens: Sequence[Token], start: int, end: int) -> range:
    """The words that a span cuts into ("22" of "em22")."""
    inside = [at for at, token in enumerate(tokens) if token.start < end and start < token.end]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def train(phrases: Sequence[Phrase]) -> ReaderModel:
    """The weights that the phrases teach; the same phrases give the same weights."""
    uses, folds = Uses(phrases), _folds(phrases)
    parts = [_held_out(phrases, folds, fold) for fold in range(FOLDS)]
    seen = {at: tags for part in parts for at, tags in part.items()}
    rows = [question_features(phrase.tokens, seen[at]) for at, phrase in enumerate(phrases)]
    wanted = np.array([INTENTS.index(phrase.intent) for phrase in phrases])
    tags, steps = train_tagger(phrases)
    intents = train_intents(rows, wanted)
    return ReaderModel(tags, steps, intents, _temperature(rows, wanted, folds), uses.without(None), _frame(phrases))


def _folds(phrases: Sequence[Phrase]) -> list[int]:
    writers = sorted({phrase.writer for phrase in phrases})
    if len(writers) < FOLDS:
        return [at % FOLDS for at in range(len(phrases))]
    return [writers.index(phrase.writer) % FOLDS for phrase in phrases]


def _held_out(phrases: Sequence[Phrase], folds: Sequence[int], fold: int) -> dict[int, list[str]]:
    """Tags of one fold by a tagger that has not seen it: what the classifier will meet."""
    inside = [phrase for phrase, own in zip(phrases, folds, strict=True) if own != fold]
    model = ReaderModel(*train_tagger(inside), np.zeros((1, 1), np.float32), uses=Uses(inside).without(None))
    return {at: model.tag(phrase.tokens, phrase.slots) for at, phrase in enumerate(phrases) if folds[at] == fold}


def train_tagger(phrases: Sequence[Phrase]) -> tuple[Weights, Weights]:
    """Weights of words and of steps, averaged over all rounds."""
    uses = Uses(phrases)
    phrases = [phrase for phrase in phrases if phrase.tags]
    phrases = [*phrases, *without_names(phrases)]
    wanted = [[TAGS.index(tag) for tag in phrase.tags] for phrase in phrases]
    seen = [word_features(phrase.tokens, phrase.slots, uses.without(phrase.writer)) for phrase in phrases]
    words, steps = np.zeros((BUCKETS, len(TAGS)), np.float32), np.zeros((len(TAGS) + 1, len(TAGS)), np.float32)
    words_sum, steps_sum = np.zeros_like(words), np.zeros_like(steps)
    order, time = np.random.RandomState(7), 1
    for _ in range(TAG_ROUNDS):
        for at in order.permutation(len(phrases)):
            rows, gold = seen[at], wanted[at]
            if not rows:
                continue
            guess = best_row(np.stack([words[row].sum(0) for row in rows]), steps)
            for place, (row, right, wrong) in enumerate(zip(rows, gold, guess, strict=True)):
                before = (gold[place - 1], guess[place - 1]) if place else (-1, -1)
                if right != wrong:
                    words[row, right] += 1
                    words[row, wrong] -= 1
                    words_sum[row, right] += time
                    words_sum[row, wrong] -= time
                if (before[0], right) != (before[1], wrong):
                    for sign, step in ((1, (before[0], right)), (-1, (before[1], wrong))):
                        steps[step] += sign
                        steps_sum[step] += sign * time
            time += 1
    return (words - words_sum / time).astype(np.float32), (steps - steps_sum / time).astype(np.float32)


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


def without_names(phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases that name people once more, as a store reads them that does not hold these people."""
    return [
        replace(
            phrase, slots=[frozenset(mark for mark in slot if not mark.startswith("NAME")) for slot in phrase.slots]
        )
        for phrase in phrases
        if "PERSON" in phrase.tags
    ]


class Uses:
    """How phrases use each word: always, never or sometimes to ask; a writer's own phrases can be left out of it."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._counts: defaultdict[str, Counter[tuple[str, bool]]] = defaultdict(Counter)
        for phrase in phrases:
            for token, tag in zip(phrase.tokens, phrase.tags, strict=False):
                self._counts[phrase.writer][token.form, tag == "FRAME"] += 1
        self._known: dict[str | None, dict[str, str]] = {}

    def without(self, writer: str | None) -> dict[str, str]:
        """Word → use, seen without the writer's phrases."""
        if writer not in self._known:
            total: Counter[tuple[str, bool]] = Counter()
            for other, counts in self._counts.items():
                if other != writer:
                    total.update(counts)
            words = {form for form, _ in total}
            self._known[writer] = {form: _use(total[form, True], total[form, False]) for form in sorted(words)}
        return self._known[writer]


def _use(asking: int, other: int) -> str:
    share = asking / (asking + other)
    return f"{'one' if asking + other == 1 else 'more'}{0 if share < 0.1 else 2 if share > 0.9 else 1}"


def _frame(phrases: Sequence[Phrase]) -> frozenset[str]:
    """Words of any question for records: several writers use them to ask, for different things, hardly ever for a subject."""
    uses: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    writers: defaultdict[str, set[str]] = defaultdict(set)
    intents: defaultdict[str, set[str]] = defaultdict(set)
    for phrase in phrases:
        for token, tag in zip(phrase.tokens, phrase.tags, strict=False):
            uses[token.form][tag == "FRAME"] += 1
            if tag == "FRAME":
                intents[token.form].add(phrase.intent)
                if phrase.intent in OF_RECORDS:
                    writers[token.form].add(phrase.writer)
    return frozenset(
        word
        for word, seen in uses.items()
        if seen[True] >= FRAME_SHARE * seen[False]
        and len(writers[word]) >= FRAME_WRITERS
        and len(intents[word]) >= FRAME_INTENTS
        and len(intents[word] & OF_RECORDS) >= RECORD_INTENTS
    )


def main() -> None:
    """Train on every file of phrases and write the shipped model."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--phrases", type=Path, default=PHRASES)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / FILE)
    chosen = parser.parse_args()
    phrases = read_phrases(sorted(chosen.phrases.glob("*.jsonl")))
    chosen.out.write_bytes(train(phrases).dump())
    print(f"{len(phrases)} phrases -> {chosen.out.name}, {chosen.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()

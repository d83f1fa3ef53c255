"""The trained reader: weights of the shipped file, the tagger's best row of tags, calibrated chances of the intents."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.question.features import BUCKETS, Indexes, Slots, question_features, word_features
from iris_assets.question.tokens import Token

TAGS: Final = (
    "FRAME", "TOPIC", "PERSON", "PLACE", "PARTY", "OFFICE", "NUMBER", "YEAR", "REFERENCE", "QUOTE", "PAGE",
)  # fmt: skip
REFUSALS: Final = ("vote", "merit", "prediction", "ranking", "ideology", "insult", "campaign")
INTENTS: Final = (
    "plan", "every_candidate", "comparison", "bill_reference", "bills", "count", "registry", "history", "summary",
    "topics", "page", "quotation", "follow_up", "out_of_scope", *(f"refuse:{kind}" for kind in REFUSALS),
)  # fmt: skip
Weights = NDArray[np.float32]
FILE: Final = "reader.bin"


@dataclass(frozen=True)
class ReaderModel:
    """Weights: `tags` (buckets x tags), `steps` (tag to tag, the last row from the start), `intents` (buckets x intents).

    `temperature` divides the scores of intents; `uses` says how phrases use words, `frame` are words that phrases only ever use to ask.
    """

    tags: Weights
    steps: Weights
    intents: Weights
    temperature: float = 1.0
    uses: Mapping[str, str] = field(default_factory=dict)
    frame: frozenset[str] = frozenset()

    def tag(self, tokens: Sequence[Token], slots: Slots) -> tuple[list[str], dict[str, list[float]]]:
        """The best row of tags for the words of a question (Viterbi), and for each tag its chance at each word."""
        if not tokens:
            return [], {tag: [] for tag in TAGS}
        scores = word_scores(self.tags, word_features(tokens, slots, self.uses))
        allowed = possible(tokens, slots)
        chances = forward_backward(scores[None], self.steps, allowed[None], np.ones((1, len(tokens)), bool)).tags
        row = best_row(np.where(allowed, scores, -np.inf), self.steps)
        return [TAGS[tag] for tag in row], dict(zip(TAGS, chances[0].T.tolist(), strict=True))

    @cached_property
    def asking(self) -> frozenset[str]:
        """The words that phrases mostly use to ask."""
        return frozenset(form for form in self.uses if self.asks(form))

    def asks(self, form: str) -> bool:
        """Whether phrases use a word mostly to ask."""
        return self.uses.get(form, "").endswith("2")

    def chances(self, tokens: Sequence[Token], tags: Sequence[str]) -> dict[str, float]:
        """Calibrated chances of the intents of a tagged question, the most likely first."""
        question = question_features(tokens, tags)
        scores = self.intents[question].sum(0) / np.sqrt(len(question)) / self.temperature
        exp = np.exp(scores - scores.max())
        exp /= exp.sum()
        return {INTENTS[at]: float(exp[at]) for at in np.argsort(-exp, kind="stable")}

    def dump(self) -> bytes:
        """The shipped form: a line of JSON and the weights as bytes of eight bits each, compressed."""
        parts, scales = [], []
        for weights in (self.tags, self.steps, self.intents):
            scale = float(np.abs(weights).max()) / 127 or 1.0
            parts.append(np.rint(weights / scale).astype(np.int8).tobytes())
            scales.append(round(scale, 8))
        head = {
            "scales": scales,
            "temperature": round(self.temperature, 4),
            "uses": self.uses,
            "frame": sorted(self.frame),
        }
        return json.dumps(head, ensure_ascii=False).encode() + b"\n" + zlib.compress(b"".join(parts), 9)


def word_scores(weights: Weights, rows: Sequence[Indexes]) -> Weights:
    """The scores of words (words x tags): the weights of their buckets summed."""
    starts = np.cumsum([0, *(len(row) for row in rows[:-1])])
    scores: Weights = np.add.reduceat(weights[np.concatenate(rows)], starts, axis=0)
    return scores


def possible(tokens: Sequence[Token], slots: Slots) -> NDArray[np.bool_]:
    """Which tags a word may have (words x tags): a quotation stands in quotation marks, a ballot number has digits."""
    allowed = np.ones((len(tokens), len(TAGS)), bool)
    allowed[:, TAGS.index("QUOTE")] = ["Q" in slot for slot in slots]
    allowed[:, TAGS.index("NUMBER")] = [token.form[:1].isdigit() for token in tokens]
    return allowed


@dataclass(frozen=True)
class Chances:
    """Of each tag at each word (phrases x length x tags), with what they were made of."""

    tags: NDArray[np.float64]
    before: NDArray[np.float64]
    coming: NDArray[np.float64]  # how well a tag fits the word, and what follows it
    step: NDArray[np.float64]
    places: NDArray[np.bool_]

    def steps(self) -> NDArray[np.float64]:
        """How often each step from tag to tag is expected, the last row from the start."""
        pairs = self.before[:, :-1, :, None] * self.step * self.coming[:, 1:, None, :]
        pairs /= pairs.sum((2, 3), keepdims=True)
        return np.vstack([(pairs * self.places[:, 1:, None, None]).sum((0, 1)), self.tags[:, 0].sum(0)])


def forward_backward(
    scores: NDArray[Any], steps: Weights, allowed: NDArray[np.bool_], places: NDArray[np.bool_]
) -> Chances:
    """The chances of the tags over all rows of tags; `places` says where there is a word: short rows are filled up."""
    top = scores.max(2, keepdims=True, where=allowed, initial=-1e9)
    fit = np.where(allowed, np.exp(np.minimum(scores - top, 0.0)), 0.0)
    step, length, full = np.exp(steps[:-1].astype(float)), scores.shape[1], bool(places.all())
    before, after = np.empty_like(fit), np.ones_like(fit)
    before[:, 0] = _shares(fit[:, 0] * np.exp(steps[-1].astype(float)))
    for at in range(1, length):
        before[:, at] = _shares(before[:, at - 1] @ step * fit[:, at])
        if not full:
            before[:, at] = np.where(places[:, at, None], before[:, at], before[:, at - 1])
    for at in range(length - 2, -1, -1):
        after[:, at] = _shares((fit[:, at + 1] * after[:, at + 1]) @ step.T)
        if not full:
            after[:, at] = np.where(places[:, at + 1, None], after[:, at], 1.0)
    return Chances(_shares(before * after), before, fit * after, step, places)


def _shares(values: NDArray[Any]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = values / values.sum(-1, keepdims=True)
    return shares


def best_row(scores: Weights, steps: Weights) -> list[int]:
    """Viterbi over the scores of words (words x tags)."""
    best = scores[0] + steps[-1]
    back = []
    for row in scores[1:]:
        total = best[:, None] + steps[:-1]
        back.append(total.argmax(0))
        best = total.max(0) + row
    path = [int(best.argmax())]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return path[::-1]


def undumped(data: bytes) -> ReaderModel:
    """The model of a shipped file."""
    head, _, packed = data.partition(b"\n")
    facts, values = json.loads(head), np.frombuffer(zlib.decompress(packed), dtype=np.int8).astype(np.float32)
    shapes = ((BUCKETS, len(TAGS)), (len(TAGS) + 1, len(TAGS)), (BUCKETS, len(INTENTS)))
    parts, start = [], 0
    for shape, scale in zip(shapes, facts["scales"], strict=True):
        end = start + shape[0] * shape[1]
        parts.append(values[start:end].reshape(shape) * np.float32(scale))
        start = end
    words, steps, intents = parts
    return ReaderModel(words, steps, intents, facts["temperature"], facts["uses"], frozenset(facts["frame"]))


@lru_cache(maxsize=1)
def shipped() -> ReaderModel:
    """The model that comes with the package, loaded once."""
    return undumped(Path(str(files("iris_assets.question") / FILE)).read_bytes())

"""How far a claim departs from its support: features of the alignment and signs of the checks, weighed by training."""

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from iris_assets.grounding.failure import Failure
from iris_assets.grounding.figures import figure_features
from iris_assets.grounding.reading import Reading
from iris_assets.grounding.sides import straying
from iris_assets.grounding.support import Alignment, parts, weight
from iris_assets.words.lexicon import VERB, pairs

_MOST = 4  # what a count may add


def departure(features: Mapping[str, float]) -> float:
    """Above 0: doubted."""
    weights = _weights()
    return weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in features.items())


def features(
    claim: Reading,
    wanted: Sequence[int],
    known: Container[int],
    passages: Sequence[Reading],
    alignment: Alignment,
    found: Iterable[Failure],
) -> dict[str, float]:
    """Name → value; what is absent is 0."""
    signs = Counter(failure.sign for failure in found if failure.sign)
    total = weight(claim, wanted) or 1.0
    open_ = [t for t in wanted if t not in alignment.places]
    missing = [t for t in open_ if t not in known]
    nowhere = [t for t in missing if not any(k in p.places for p in passages for k in claim.tokens[t].word.keys)]
    return {
        **{sign: min(count, 2) for sign, count in signs.items()},
        "missing": weight(claim, missing) / total,
        "missing_nouns": min(_MOST, sum(claim.tokens[t].word.weight == 1 for t in missing)),
        "missing_verbs": min(_MOST, sum(claim.tokens[t].word.weight == VERB for t in missing)),
        "missing_general": min(_MOST, sum(claim.tokens[t].word.weight < VERB for t in missing)),
        "nowhere": min(_MOST, weight(claim, nowhere)),
        "beside": (weight(claim, open_) - weight(claim, missing)) / total,
        "run": min(_MOST, _longest_run(claim, wanted, missing)),
        "part": max((_share(claim, part, missing) for part in parts(claim, wanted)), default=0.0),
        "long": math.log(1 + len(wanted)),
        "exact": _exact(claim, passages, alignment),
        **_order(passages, alignment),
        **figure_features(claim, passages, alignment),
        **straying(claim, passages, alignment),
    }


def _share(claim: Reading, part: Sequence[int], missing: Container[int]) -> float:
    whole = weight(claim, part)
    return weight(claim, [t for t in part if t in missing]) / whole if whole >= 1 else 0.0


def _longest_run(claim: Reading, part: Sequence[int], missing: Container[int]) -> float:
    """The weight of the heaviest run of words without support between words that have it."""
    runs = [0.0]
    for token in part:
        runs.append(runs[-1] + claim.tokens[token].word.weight if token in missing else 0.0)
    return max(runs)


def _exact(claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> float:
    same = [
        claim.tokens[t].word.form == passages[p.evidence].tokens[p.token].word.form for t, p in alignment.places.items()
    ]
    return sum(same) / len(same) if same else 0.0


def _order(passages: Sequence[Reading], alignment: Alignment) -> dict[str, float]:
    """How the answering words follow one another, and what stands between them that the claim leaves out."""
    places = [alignment.places[token] for token in sorted(alignment.places)]
    steps = [(a.token, b.token) for a, b in pairwise(places) if a.evidence == b.evidence]
    back = sum(b < a for a, b in steps)
    far = sum(abs(b - a) > 8 for a, b in steps)
    taken = {(place.evidence, place.token) for place in places}
    heads = 0
    for evidence, token in taken:
        tokens = passages[evidence].tokens
        before = next((t for t in range(token - 1, max(token - 4, -1), -1) if tokens[t].word.weight), None)
        if before is not None and tokens[before].word.weight == VERB and (evidence, before) not in taken:
            heads += tokens[before].clause == tokens[token].clause
    return {
        "back": back / len(steps) if steps else 0.0,
        "far": far / len(steps) if steps else 0.0,
        "heads": min(_MOST, heads),
        "supports": len(alignment.supports) - 1.0,
    }


@cache
def _weights() -> Mapping[str, float]:
    return {name: float(value) for name, value in pairs("departure.txt").items()}

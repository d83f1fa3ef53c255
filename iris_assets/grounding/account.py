"""Accounting for every content word of a claim: what its support answers, and what nothing bears."""

from collections.abc import Container, Iterator, Sequence

from iris_assets.grounding.failure import Failure
from iris_assets.grounding.reading import Reading
from iris_assets.grounding.support import Alignment, parts, weight

_LOST = 0.25  # a claim of which less is borne is removed
_DOUBTED = 0.5
_RUN = 1.9  # the weight of words in a row that a part may lack
_PART = 1.5  # the weight that a part may lack when it is half of the part


def unborne(claim: Reading, wanted: Sequence[int], known: Container[int], alignment: Alignment) -> Iterator[Failure]:
    """Words that neither the support nor the record (`known`) bears."""
    total = weight(claim, wanted)
    missing = [token for token in wanted if token not in alignment.places and token not in known]
    if total < 1:
        return
    share = 1 - weight(claim, missing) / total
    if share < _LOST and total >= 2:
        yield Failure("NOT_IN_EVIDENCE", f"nenhum trecho citado diz isso: {_words(claim, missing)}")
    elif share < _DOUBTED:
        yield Failure("PARAPHRASE", f"o trecho citado não traz: {_words(claim, missing)}", goes=False)
    else:
        for part in parts(claim, wanted):
            alone = [token for token in part if token in missing]
            lacking = weight(claim, alone)
            if (lacking >= _PART and lacking >= weight(claim, part) / 2) or _longest_run(claim, part, missing) >= _RUN:
                yield Failure("PARAPHRASE", f"o trecho citado não traz: {_words(claim, alone)}", goes=False)
                return


def _longest_run(claim: Reading, part: Sequence[int], missing: Container[int]) -> float:
    """The weight of the heaviest run of words without support between words that have it."""
    runs = [0.0]
    for token in part:
        runs.append(runs[-1] + claim.tokens[token].word.weight if token in missing else 0.0)
    return max(runs)


def _words(claim: Reading, tokens: Sequence[int]) -> str:
    shown = [token for token in tokens if claim.tokens[token].word.weight >= 1] or list(tokens)
    return ", ".join(f"“{claim.view.text[claim.tokens[t].start : claim.tokens[t].end]}”" for t in shown[:4])

"""Who stands on which side: what a claim compares or makes a cause stands there in the support's order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from iris_assets.grounding.failure import Failure
from iris_assets.grounding.reading import Reading
from iris_assets.grounding.support import Alignment

_MORE = r"mais|maior(?:es)?|melhor(?:es)?|superior(?:es)?|supera\w*|ultrapass\w*|exced\w*|acima|antes"
_LESS = r"menos|menor(?:es)?|pior(?:es)?|inferior(?:es)?|abaixo|depois|apos"
_COMPARED = re.compile(
    rf"\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b(?P<between>(?: [^\s.,;]+){{0,6}}?) "
    r"(?P<than>(?:do|da) que|que (?=[aon]s? |[a-z]+r )|que n?[ao]s? )"
)
# What stands before these is the cause (forward), or what stands after them is.
_FORWARD = (
    r"lev(?:a|ou|am|aram) a\w*|caus(?:a|ou|am|aram|ando)|provoc(?:a|ou|am|aram|ando)|result\w+ em|acarret\w+"
    r"|ger(?:a|ou|am|aram|ando)|por isso|contribu\w+ para"
)
_BACKWARD = (
    r"porque|por causa d\w+|devido a\w*|gracas a\w*|em razao d\w+|em funcao d\w+|decorr\w+ d\w+|result(?:a|ado|ou) d\w+"
    r"|fruto d\w+|em virtude d\w+|caus\w+ por|provoc\w+ p\w+|ja que|uma vez que|em vez d\w+"
)
_CAUSED = re.compile(rf"\b(?:(?P<more>{_FORWARD})|(?P<less>{_BACKWARD}))\b(?P<between>)(?P<than>)")
_CONTRAST = re.compile(r"\b(?P<more>enquanto|ao passo que|ja [ao]s?)\b(?P<less>(?!))?(?P<between>)(?P<than>)")


@dataclass(frozen=True, slots=True)
class _Pivot:
    """Where a text passes from one side to the other (token), and whether the first side is the greater or the cause."""

    token: int
    forward: bool
    first: int


def exchanged(claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> Iterator[Failure]:
    """Comparisons and causes of a claim whose sides stand the other way round in its support, or are none there."""
    for name, pattern in (("comparison", _COMPARED), ("cause", _CAUSED), ("contrast", _CONTRAST)):
        for pivot in _pivots(claim, pattern, 0, len(claim.tokens)):
            found = [
                (passages[s.evidence], s.evidence, other)
                for s in alignment.supports
                for other in _pivots(passages[s.evidence], pattern, *_bounds(passages[s.evidence], s.first, s.last))
            ]
            if not found and name == "comparison":
                yield Failure("NEGATION", "o documento não faz essa comparação", goes=False)
            for passage, evidence, other in found[:1]:
                same, swapped = _sides(claim, pivot, passage, evidence, other, alignment)
                if pivot.forward != other.forward:
                    same, swapped = swapped, same
                if swapped > (0 if name == "contrast" else same):
                    detail = "o documento diz o contrário: os dois lados estão trocados"
                    yield Failure("NEGATION", detail, goes=False)


def _bounds(passage: Reading, first: int, last: int) -> tuple[int, int]:
    return passage.segments[first][0], passage.segments[last][1]


def _pivots(reading: Reading, pattern: re.Pattern[str], first: int, after: int) -> list[_Pivot]:
    if first >= after:
        return []
    start, end = reading.tokens[first].start, reading.tokens[after - 1].end
    return [
        _Pivot(
            reading.token_at(found.start("than") if found["than"] else found.start()),
            bool(found["more"]),
            reading.token_at(found.start()),
        )
        for found in pattern.finditer(reading.folded, start, end)
    ]


def _sides(
    claim: Reading, pivot: _Pivot, passage: Reading, evidence: int, other: _Pivot, alignment: Alignment
) -> tuple[float, float]:
    """The weight of what stands on the same side of both pivots, and of what changes sides."""
    same = swapped = 0.0
    clause = claim.tokens[min(pivot.token, len(claim.tokens) - 1)].clause
    for token, place in alignment.places.items():
        word = claim.tokens[token].word
        compared = pivot.first <= token < pivot.token
        if place.evidence != evidence or word.weight < 1 or claim.tokens[token].clause != clause or compared:
            continue
        nearest = min((t for key in word.keys for t in passage.places.get(key, ())), key=lambda t: abs(t - other.token))
        if (token < pivot.token) == (nearest < other.token):
            same += word.weight
        else:
            swapped += word.weight
    return same, swapped

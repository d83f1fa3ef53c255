"""Roles of numbers: a number stands with its unit, its bounds and the words around it as in the support."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from iris_assets.grounding.lexicon import Word, data_lines, root
from iris_assets.grounding.normalise import fold
from iris_assets.grounding.numbers import PERCENT, PLAIN, Number
from iris_assets.grounding.reading import Reading
from iris_assets.grounding.support import Alignment
from iris_assets.grounding.verdict import Failure

_AROUND = 5  # content words on each side that tell what a number is about
_ROOT, _SYNONYM, _WIDE = 0.7, 0.5, 3  # what a derivation and a synonym are worth; tokens over which nearness halves
# How much better another number of the support fits the words around this one; two numbers each other's.
_LIKELY, _CROSSED = 1.3, 1.15
_MORE = (
    r"mais d[eao]s?|acima d[eao]|pelo menos|ao menos|no minimo|superior(?:es)? a|nao inferior(?:es)? a|a partir de"
    r"|pass\w+ de|minimo de|ultrapass\w+"
)
_LESS = (
    r"ate|no maximo|menos de|abaixo d[eao]|inferior(?:es)? a|nao superior(?:es)? a|no teto de|limite de|maximo de"
    r"|antes de"
)
_BOUNDS = {
    "mais": re.compile(rf"\b(?:{_MORE}) (?:[a-z$]+ ){{0,2}}$"),
    "menos": re.compile(rf"\b(?:{_LESS}) (?:[a-z$]+ )?$"),
}
_RANGED = re.compile(r"(?:\d|mil|milhoes|%|cento) ?(?:a|e|ate|-) ?(?:r\$ ?)?$")
_APPROXIMATE = frozenset(["cerca", "quase", "aproximadamente", "torno", "perto", "mais", "menos", "volta"])
_APART, _LEAST = 3, 0.6
_OF = frozenset({"de", "do", "da", "dos", "das"})
_AFTER = re.compile(r"\W*(?:de )?([a-z$]+)")


@dataclass(frozen=True, slots=True)
class _Seen:
    """A number of a passage."""

    evidence: int
    number: Number
    token: int


def misplaced(
    claim: Reading, numbers: Sequence[Number], passages: Sequence[Reading], alignment: Alignment
) -> Iterator[tuple[bool, Failure]]:
    """(whether the claim goes, why) of the numbers that say something else in the support."""
    for number in numbers:
        same = [seen for seen in _seen(passages) if seen.number.readings & number.readings]
        same = [seen for seen in same if _inside(seen, passages, alignment)] or same
        if not same or not number.value:
            continue
        yield from _other_unit(claim, number, same, passages)
        yield from _other_role(claim, number, numbers, same, passages, alignment)
        yield from _other_noun(claim, number, same, passages)
        yield from _other_bound(claim, number, same, passages)


def _seen(passages: Sequence[Reading]) -> list[_Seen]:
    return [
        _Seen(index, number, min(passage.token_at(number.start), len(passage.tokens) - 1))
        for index, passage in enumerate(passages)
        if passage.tokens
        for number in passage.numbers
    ]


def _other_unit(
    claim: Reading, number: Number, same: Sequence[_Seen], passages: Sequence[Reading]
) -> Iterator[tuple[bool, Failure]]:
    said = _unit(claim, number)
    written = [_unit(passages[seen.evidence], seen.number) for seen in same]
    here = (passages[seen.evidence] for seen in same)
    if said and said not in written and (any(written) or not any(said in reading.folded for reading in here)):
        other = next((unit for unit in written if unit), "outra coisa")
        yield (
            any(written),
            Failure("UNIT_NOT_IN_EVIDENCE", f"o documento conta {number.text} em {other}, a frase em {said}"),
        )
    rate = _rate(claim, number)
    if rate and not any(rate in _rates_of(passages[seen.evidence], seen) for seen in same):
        yield False, Failure("UNIT_NOT_IN_EVIDENCE", f"o documento não diz que {number.text} é por {rate}")


def _other_noun(
    claim: Reading, number: Number, same: Sequence[_Seen], passages: Sequence[Reading]
) -> Iterator[tuple[bool, Failure]]:
    """`45% das terras` where the support has `45% dos indígenas`: what a number counts is another thing."""
    said = _nouns(claim, number)
    if not said or _is_year(number):
        return
    written = [_nouns(passages[seen.evidence], seen.number) for seen in same]
    if all(words and not any(said[0].keys & word.keys for word in words) for words in written):
        detail = f"o documento diz {number.text} de “{written[0][0].form}”, não de “{said[0].form}”"
        yield any(kind == PERCENT for _, kind in number.readings), Failure("NUMBER_NOT_IN_EVIDENCE", detail)


def _nouns(reading: Reading, number: Number) -> list[Word]:
    """The content words that a number counts (`45% das terras`), and the next ones."""
    found: list[Word] = []
    position = number.end
    for token in reading.tokens[reading.token_at(number.end) :][:8]:
        between = reading.folded[position : token.start]
        if not found and token.word.form in _OF:
            position = token.end
        elif (not found and between != " ") or "," in between or len(found) == 4:
            break
        elif token.word.weight == 1 and token.word.form not in _units():
            found.append(token.word)
        elif not found:
            break
    return found


def _unit(reading: Reading, number: Number) -> str:
    following = _AFTER.match(reading.folded, number.end)
    return _units().get(following[1], "") if following else ""


def _rate(reading: Reading, number: Number, reach: int = 48) -> str:
    after = re.split(r"[.;,]\s|\d", reading.folded[number.end : number.end + reach])[0]
    return next((name for name, pattern in _rates() if pattern.search(after)), "")


def _rates_of(reading: Reading, seen: _Seen) -> set[str]:
    """Every rate in the segment of a number."""
    first, after = reading.segments[reading.segment_of[seen.token]]
    said = reading.folded[reading.tokens[first].start : reading.tokens[after - 1].end]
    return {name for name, pattern in _rates() if pattern.search(said)}


@cache
def _units() -> dict[str, str]:
    return {fold(form): line.split()[0] for line in data_lines("measures.txt") for form in line.split()}


@cache
def _rates() -> list[tuple[str, re.Pattern[str]]]:
    pairs = [fold(line).partition(":") for line in data_lines("rates.txt")]
    return [(name, re.compile(rf"\b(?:{'|'.join(p.strip() for p in said.split('|'))})\b")) for name, _, said in pairs]


def _other_role(
    claim: Reading,
    number: Number,
    numbers: Sequence[Number],
    same: Sequence[_Seen],
    passages: Sequence[Reading],
    alignment: Alignment,
) -> Iterator[tuple[bool, Failure]]:
    """The words around a number stand nearer to another number of the same kind in the support."""
    around = _around(claim, number)
    if not around:
        return
    own = max(_fit(around, claim, seen, passages) for seen in same)
    kinds, unit = {kind for _, kind in number.readings}, _unit(claim, number)
    rivals = [
        seen
        for seen in _seen(passages)
        if not seen.number.readings & number.readings
        and _is_year(seen.number) == _is_year(number)
        and _unit(passages[seen.evidence], seen.number) == unit
        and not _numbers_a_list(passages[seen.evidence], seen.number)
        and kinds & {kind for _, kind in seen.number.readings}
        and _inside(seen, passages, alignment)
    ]
    best = max(rivals, key=lambda seen: _fit(around, claim, seen, passages), default=None)
    if best is None:
        return
    rival = _fit(around, claim, best, passages)
    if shared := next((other for other in numbers if other.readings & best.number.readings), None):
        theirs = _around(claim, shared)
        straight = own + _fit(theirs, claim, best, passages)
        crossed = rival + max(_fit(theirs, claim, seen, passages) for seen in same)
        if crossed > _CROSSED * straight and not _is_year(number):
            yield False, Failure("NUMBER_NOT_IN_EVIDENCE", f"o documento troca {number.text} e {shared.text}")
        return
    if rival > _LIKELY * own and rival > 0.3:
        detail = f"o documento diz isso de {best.number.text}, não de {number.text}"
        yield not _is_year(number), Failure("NUMBER_NOT_IN_EVIDENCE", detail)


def _inside(seen: _Seen, passages: Sequence[Reading], alignment: Alignment) -> bool:
    """Whether a number stands in a support of the claim."""
    segment = passages[seen.evidence].segment_of[seen.token]
    return any(s.evidence == seen.evidence and s.first <= segment <= s.last for s in alignment.supports)


def _is_year(number: Number) -> bool:
    return any(kind == PLAIN and 1900 <= value <= 2100 for value, kind in number.readings)


def _numbers_a_list(reading: Reading, number: Number) -> bool:
    return re.match(r" ?[.)-]", reading.folded[number.end :]) is not None


def _around(reading: Reading, number: Number) -> list[tuple[int, float]]:
    """Content tokens beside a number with what they tell of it; the nearer the more."""
    at = reading.token_at(number.start)
    inside = reading.token_at(number.end)
    found: list[tuple[int, float]] = []
    for step, start in ((-1, at - 1), (1, inside)):
        index, count = start, 0
        while (
            0 <= index < len(reading.tokens)
            and count < _AROUND
            and _together(reading, index, min(at, len(reading.tokens) - 1))
        ):
            if reading.tokens[index].word.weight and reading.tokens[index].word.form not in _APPROXIMATE:
                found.append((index, max(reading.tokens[index].word.weight, _LEAST) / (1 + count / 2)))
                count += 1
            index += step
    return found


def _together(reading: Reading, one: int, other: int) -> bool:
    return reading.joints[one] == reading.joints[other]


def _fit(around: Sequence[tuple[int, float]], claim: Reading, seen: _Seen, passages: Sequence[Reading]) -> float:
    """How well the words around a claim's number stand around a passage's number, in its segment."""
    passage = passages[seen.evidence]
    segment = passage.segment_of[seen.token]
    total = 0.0
    for token, worth in around:
        own = claim.tokens[token].word
        near = [
            _likeness(own, passage.tokens[place].word) / (1 + _distance(passage, place, seen.token) / _WIDE)
            for key in own.keys
            for place in passage.places.get(key, ())
            if passage.segment_of[place] == segment
        ]
        total += worth * max(near, default=0)
    return total


def _distance(passage: Reading, one: int, other: int) -> int:
    """Tokens between two words; a comma or "e" between them counts as several."""
    (comma, joined), (comma2, joined2) = passage.joints[one], passage.joints[other]
    return abs(one - other) + _APART * (abs(comma - comma2) + abs(joined - joined2))


def _likeness(one: Word, other: Word) -> float:
    return 1.0 if one.form == other.form else _ROOT if root(one.form) == root(other.form) else _SYNONYM


def _other_bound(
    claim: Reading, number: Number, same: Sequence[_Seen], passages: Sequence[Reading]
) -> Iterator[tuple[bool, Failure]]:
    if _is_year(number):
        return
    said = _bound(claim, number)
    written = [_bound(passages[seen.evidence], seen.number) for seen in same]
    ranged = any(_RANGED.search(passages[s.evidence].folded[: s.number.start][-12:]) for s in same)
    if said not in written and not ranged:
        text = written[0] or "sem limite"
        yield (
            False,
            Failure("QUANTIFIER", f"o documento diz “{text}” de {number.text}; a frase diz “{said or 'sem limite'}”"),
        )


def _bound(reading: Reading, number: Number) -> str:
    before = reading.folded[max(0, number.start - 30) : number.start]
    after = re.match(r"(?: [a-z]+){0,2} (?:ou|no) (mais|menos|minimo|maximo)\b", reading.folded[number.end :])
    if after:
        return "mais" if after[1] in ("mais", "minimo") else "menos"
    return next((name for name, pattern in _BOUNDS.items() if pattern.search(before)), "")

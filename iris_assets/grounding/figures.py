"""Roles of numbers: a number stands with its unit, its bounds and the words around it as in the support."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from iris_assets.grounding.failure import Failure
from iris_assets.grounding.reading import PARTICIPLE, Reading
from iris_assets.grounding.support import Alignment
from iris_assets.words.comparable import fold
from iris_assets.words.lexicon import Word, data_lines, is_verb, pairs, root
from iris_assets.words.numbers import PERCENT, PLAIN, Number

_AROUND = 5  # content words on each side that tell what a number is about
_LIKELY, _CROSSED = 1.3, 1.15  # how much better the words fit another number; two numbers, each the other's words
_EXACT, _ROOT, _SYNONYM, _LEAST = 1.0, 0.7, 0.5, 0.6  # what a form, a derivation, a synonym, a general word is worth
_ELSEWHERE = 0.5  # what the words around a number outside the support are worth
_PLAUSIBLE = 1000  # times that a number may be larger than another that it is taken for
_FAR = 99
_WIDE, _APART = 3, 3  # tokens over which nearness halves; what a comma or "e" between counts for
_BOUNDS = {
    "mais": re.compile(
        r"\b(?:mais d[eao]s?|maior(?:es)? de|acima d[eao]|pelo menos|ao menos|no minimo|superior(?:es)? a|nao inferior(?:es)? a"
        r"|a partir de|pass\w+ de|minimo de|ultrapass\w+) (?:[a-z$]+ ){0,2}$"
    ),
    "menos": re.compile(
        r"\b(?:ate|no maximo|menos de|abaixo d[eao]|inferior(?:es)? a|nao superior(?:es)? a|no teto de|limite de"
        r"|maximo de|antes de) (?:[a-z$]+ )?$"
    ),
}
_BOUND_AFTER = re.compile(r"(?: [a-z]+){0,2} (?:ou|no) (mais|menos|minimo|maximo)\b")
_RANGED = re.compile(r"(?:\d|mil|milhoes|%|cento) ?(?:a|e|ate|-) ?(?:r\$ ?)?$")
_APPROXIMATE = frozenset({"cerca", "quase", "aproximadamente", "torno", "perto", "mais", "menos", "volta"})
_OF = frozenset({"de", "do", "da", "dos", "das"})
_AFTER = re.compile(r"\W*(?:de )?([a-z$]+)")


@dataclass(frozen=True, slots=True)
class _Seen:
    """A number at a token of a passage; `supports`: whether that stands in a support of the claim."""

    passage: Reading
    number: Number
    token: int
    supports: bool


def misplaced(claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> Iterator[Failure]:
    """Numbers of a claim that say something else in the support."""
    if not claim.numbers:
        return
    seen = _seen(passages, alignment)
    for number in claim.numbers:
        same = [one for one in seen if one.number.readings & number.readings]
        same = [one for one in same if one.supports] or same
        if same and number.value:
            yield from _other_unit(claim, number, same)
            yield from _other_role(claim, number, same, [one for one in seen if one.supports])
            yield from _other_noun(claim, number, same, seen)
            yield from _other_bound(claim, number, same)
            yield from _other_head(claim, number, same, [one for one in seen if one.supports])


def _seen(passages: Sequence[Reading], alignment: Alignment) -> list[_Seen]:
    found = []
    for index, passage in enumerate(passages):
        within = {n for s in alignment.supports if s.evidence == index for n in range(s.first, s.last + 1)}
        for number in passage.numbers if passage.tokens else ():
            token = passage.token_by(number.start)
            found.append(_Seen(passage, number, token, passage.segment_of[token] in within))
    return found


def _other_unit(claim: Reading, number: Number, same: Sequence[_Seen]) -> Iterator[Failure]:
    said, written = _unit(claim, number), [_unit(one.passage, one.number) for one in same]
    named = any(said in one.passage.folded for one in same)
    if said and said not in written and (any(written) or not named):
        other = next(filter(None, written), "outra coisa")
        detail = f"o documento conta {number.text} em {other}, a frase em {said}"
        yield Failure("UNIT_NOT_IN_EVIDENCE", detail, goes=any(written))
    after = re.split(r"[.;,]\s|\d", claim.folded[number.end : number.end + 48])[0]
    for rate in _rates(after):
        if not any(rate in _rates(_segment(one)) for one in same):
            detail = f"o documento não diz que {number.text} é por {rate}"
            yield Failure("UNIT_NOT_IN_EVIDENCE", detail, goes=False)


def _other_noun(claim: Reading, number: Number, same: Sequence[_Seen], seen: Sequence[_Seen]) -> Iterator[Failure]:
    """`45% das terras` where the support has `45% dos indígenas`: what a number counts is another thing."""
    said = _nouns(claim, number)
    if not said or _is_year(number):
        return
    written = [_nouns(one.passage, one.number) for one in same]
    if all(words and not any(said[0].keys & word.keys for word in words) for words in written):
        detail = f"o documento diz {number.text} de “{written[0][0].form}”, não de “{said[0].form}”"
        counted = any(said[0].keys & word.keys for one in seen for word in _nouns(one.passage, one.number)[:1])
        percent = any(kind == PERCENT for _, kind in number.readings)
        yield Failure("NUMBER_NOT_IN_EVIDENCE", detail, goes=counted or percent)


def _nouns(reading: Reading, number: Number) -> list[Word]:
    """The content words that a number counts (`45% das terras`), and the next ones."""
    found: list[Word] = []
    position = number.end
    for token in reading.tokens[reading.token_at(number.end) :][:8]:
        between = reading.folded[position : token.start]
        if not found and between in ("", " ") and (token.word.form in _OF or 0 < token.word.weight < 1):
            position = token.end
        elif (not found and between != " ") or "," in between or len(found) == 4:
            break
        elif token.word.weight == 1 and token.word.form not in _units() and not _rates(token.word.form):
            found.append(token.word)
        elif not found:
            break
    return found


def _other_role(claim: Reading, number: Number, same: Sequence[_Seen], near: Sequence[_Seen]) -> Iterator[Failure]:
    """The words around a number stand nearer to another number of the same kind in the support."""
    around, year = _around(claim, number), _is_year(number)
    own = max(_fit(around, claim, one) * (1 if one.supports else _ELSEWHERE) for one in same)
    rivals = [one for one in near if _could_stand_for(one, number, _unit(claim, number))]
    best = max(rivals, key=lambda one: _fit(around, claim, one), default=None)
    if best is None:
        return
    rival = _fit(around, claim, best)
    shared = next((other for other in claim.numbers if other.readings & best.number.readings), None)
    if shared is None and rival > max(_LIKELY * own, 0.3):
        detail = f"o documento diz isso de {best.number.text}, não de {number.text}"
        yield Failure("NUMBER_NOT_IN_EVIDENCE", detail, goes=not year)
    elif shared and not year:
        theirs = _around(claim, shared)
        crossed = rival + max(_fit(theirs, claim, one) for one in same)
        if crossed > _CROSSED * (own + _fit(theirs, claim, best)):
            detail = f"o documento troca {number.text} e {shared.text}"
            yield Failure("NUMBER_NOT_IN_EVIDENCE", detail, goes=False)


def _other_head(claim: Reading, number: Number, same: Sequence[_Seen], near: Sequence[_Seen]) -> Iterator[Failure]:
    """`aplicou 519 milhões` where the support has "distribuiu 519 milhões" and "aplicaram 457 milhões"."""
    index = claim.token_at(number.start) - 1
    while index >= 0 and (not claim.tokens[index].word.weight or claim.tokens[index].word.form in _APPROXIMATE):
        index -= 1
    if (
        index < 0
        or _is_year(number)
        or claim.joints[index] != claim.joints[min(claim.token_at(number.start), len(claim.tokens) - 1)]
    ):
        return
    head = claim.tokens[index].word
    if not (is_verb(head.form) or PARTICIPLE.search(head.form)):
        return
    told = {reading for own in claim.numbers for reading in own.readings}
    rivals = [n for n in near if _could_stand_for(n, number, _unit(claim, number)) and not n.number.readings & told]
    own = min((_head_distance(head, one) for one in same), default=_FAR)
    other = min(rivals, key=lambda one: _head_distance(head, one), default=None)
    if other is not None and _head_distance(head, other) < own:
        detail = f"o documento diz “{head.form}” de {other.number.text}, não de {number.text}"
        yield Failure("NUMBER_NOT_IN_EVIDENCE", detail, goes=False)


def _head_distance(head: Word, one: _Seen) -> int:
    segment = one.passage.segment_of[one.token]
    places = [t for key in head.keys for t in one.passage.places.get(key, ()) if one.passage.segment_of[t] == segment]
    return min((_distance(one.passage, place, one.token) for place in places), default=_FAR)


def _could_stand_for(one: _Seen, number: Number, unit: str) -> bool:
    """Whether another number of the support is of the same kind: no year for an amount, no number of a list."""
    listed = re.match(r" ?[.)-]", one.passage.folded[one.number.end :]) is not None
    same_kind = {kind for _, kind in number.readings} & {kind for _, kind in one.number.readings}
    return (
        not one.number.readings & number.readings
        and bool(same_kind)
        and number.value <= _PLAUSIBLE * one.number.value <= _PLAUSIBLE**2 * number.value
        and not listed
        and _is_year(one.number) == _is_year(number)
        and _unit(one.passage, one.number) == unit
    )


def _around(reading: Reading, number: Number) -> list[tuple[int, float]]:
    """Content tokens beside a number, in its clause, with what they tell of it; the nearer the more."""
    at, found = reading.token_at(number.start), list[tuple[int, float]]()
    for step, index in ((-1, at - 1), (1, reading.token_at(number.end))):
        count = 0
        while 0 <= index < len(reading.tokens) and count < _AROUND:
            if reading.joints[index] != reading.joints[min(at, len(reading.tokens) - 1)]:
                break
            own = reading.tokens[index].word
            if own.weight and own.form not in _APPROXIMATE:
                found.append((index, max(own.weight, _LEAST) / (1 + count / 2)))
                count += 1
            index += step
    return found


def _fit(around: Sequence[tuple[int, float]], claim: Reading, one: _Seen) -> float:
    """How well the words around a claim's number stand around a passage's number, in its segment."""
    segment, total = one.passage.segment_of[one.token], 0.0
    for token, worth in around:
        own = claim.tokens[token].word
        near = [
            _likeness(own, one.passage.tokens[place].word) / (1 + _distance(one.passage, place, one.token) / _WIDE)
            for key in own.keys
            for place in one.passage.places.get(key, ())
            if one.passage.segment_of[place] == segment
        ]
        total += worth * max(near, default=0)
    return total


def _distance(passage: Reading, one: int, other: int) -> int:
    (comma, joined), (comma2, joined2) = passage.joints[one], passage.joints[other]
    return abs(one - other) + _APART * (abs(comma - comma2) + abs(joined - joined2))


def _likeness(one: Word, other: Word) -> float:
    return _EXACT if one.form == other.form else _ROOT if root(one.form) == root(other.form) else _SYNONYM


def _other_bound(claim: Reading, number: Number, same: Sequence[_Seen]) -> Iterator[Failure]:
    said, written = _bound(claim, number), [_bound(one.passage, one.number) for one in same]
    ranged = any(_RANGED.search(one.passage.folded[: one.number.start][-12:]) for one in same)
    if said not in written and all(written) and not ranged and not _is_year(number):
        left, right = said or "sem limite", written[0] or "sem limite"
        detail = f"o documento diz “{right}” de {number.text}; a frase diz “{left}”"
        yield Failure("QUANTIFIER", detail, goes=False)


def _bound(reading: Reading, number: Number) -> str:
    if after := _BOUND_AFTER.match(reading.folded[number.end : number.end + 40]):
        return "mais" if after[1] in ("mais", "minimo") else "menos"
    before = reading.folded[max(0, number.start - 30) : number.start]
    return next((name for name, pattern in _BOUNDS.items() if pattern.search(before)), "")


def _is_year(number: Number) -> bool:
    return any(kind == PLAIN and 1900 <= value <= 2100 for value, kind in number.readings)


def _segment(one: _Seen) -> str:
    first, after = one.passage.segments[one.passage.segment_of[one.token]]
    return one.passage.folded[one.passage.tokens[first].start : one.passage.tokens[after - 1].end]


def _unit(reading: Reading, number: Number) -> str:
    following = _AFTER.match(reading.folded, number.end)
    return _units().get(following[1], "") if following else ""


@cache
def _units() -> dict[str, str]:
    return {fold(form): line.split()[0] for line in data_lines("measures.txt") for form in line.split()}


def _rates(said: str) -> set[str]:
    return {name for name, pattern in _rate_patterns() if pattern.search(said)}


@cache
def _rate_patterns() -> list[tuple[str, re.Pattern[str]]]:
    either = {name: "|".join(one.strip() for one in fold(said).split("|")) for name, said in pairs("rates.txt").items()}
    return [(name, re.compile(rf"\b(?:{pattern})\b")) for name, pattern in either.items()]

"""Words that turn the sense, compared between a claim and its support in both directions."""

from collections.abc import Iterator, Mapping, Sequence

from iris_assets.grounding.lexicon import Word, senses
from iris_assets.grounding.reading import Reading, Turn
from iris_assets.grounding.support import Alignment, Place
from iris_assets.grounding.verdict import Failure

NEGATIVE = frozenset({"end", "forbid", "oppose", "not", "without", "none", "instead"})
_NAMED = frozenset({"end", "forbid", "oppose"})  # a noun of these alone may be left out: "combate ao garimpo"
_SHORT = frozenset({"not", "without"})
_THROUGH = frozenset(["por", "pelo", "pela", "pelos", "pelas", "com", "partir"])
_BESIDE, _BY = 12, 4
_FAR = 8  # tokens between a turning word and what it governs
_NEAR = 5  # tokens between an answered word and the turning word of the support that goes with it
_ALSO = {
    "less": ("end",), "end": ("less",), "all": ("none",), "none": ("all",), "only": ("without",),
    "possible": ("condition", "allow", "not"),
    "comparison": ("more", "less"), "oblige": ("all",), "keep": ("not",), "more": ("all",), "allow": ("not", "possible"),
}  # fmt: skip
_NAMES = {
    "possible": "MODALITY", "oblige": "MODALITY", "condition": "CONDITION", "cause": "CAUSE", "all": "QUANTIFIER",
    "some": "QUANTIFIER", "most": "QUANTIFIER", "only": "QUANTIFIER",
}  # fmt: skip

_Negations = Mapping[int, Sequence[tuple[Turn, bool]]]


def turned(claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> Iterator[Failure]:
    """Doubts about a claim whose sense its support does not bear."""
    yield from _polarity(claim, passages, alignment)
    for turn in claim.turns:
        sense = senses()[turn.name]
        if sense.added and turn.name not in NEGATIVE and not _has(turn, claim, passages, alignment):
            yield Failure(
                _NAMES.get(turn.name, "NEGATION"), f"o documento não diz “{_said(claim, turn)}” do que cita a frase"
            )
    yield from _dropped(claim, passages, alignment)
    yield from _opposites(claim, passages, alignment)


def _said(reading: Reading, turn: Turn) -> str:
    start, end = reading.tokens[turn.first].start, reading.tokens[turn.last].end
    return reading.view.text[start:end]


def _anchors(turn: Turn, alignment: Alignment) -> list[tuple[int, Place]]:
    """Governed tokens that the support answers, the nearest first."""
    found = [(token, alignment.places[token]) for token in turn.governed if token in alignment.places]
    return sorted(found, key=lambda item: min(abs(item[0] - turn.first), abs(item[0] - turn.last)))


def _has(turn: Turn, claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> bool:
    """Whether a word of the class stands near what the support says of the same things."""
    if turn.name == "cause" and _is_through(turn, passages, alignment):
        return True
    wanted = {turn.name, *_ALSO.get(turn.name, ())}
    near = [place for _, place in _anchors(turn, alignment)[:3]]
    words = [alignment.places[token] for token in _inside(turn) if token in alignment.places]
    if words:
        return not near or near[0].evidence != words[0].evidence or abs(near[0].token - words[0].token) <= _FAR
    for support in alignment.supports:
        passage = passages[support.evidence]
        first, after = passage.segments[support.first][0], passage.segments[support.last][1]
        here = [place.token for place in near if place.evidence == support.evidence]
        for own in passage.turns:
            if own.name not in wanted or not first <= own.first < after:
                continue
            if not here or any(_distance(own, token) <= _NEAR for token in here) or set(own.governed) & set(here):
                return True
    return False


def _is_through(turn: Turn, passages: Sequence[Reading], alignment: Alignment) -> bool:
    """Whether the support says "pela covid" of what the claim says "por causa da covid"."""
    for _, place in _anchors(turn, alignment)[:2]:
        before = passages[place.evidence].tokens[max(0, place.token - 3) : place.token]
        if any(token.word.form in _THROUGH for token in before):
            return True
    return False


def _distance(turn: Turn, token: int) -> int:
    return max(turn.first - token, token - turn.last)


def _polarity(claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> Iterator[Failure]:
    """Doubts where an even number of negations answers an odd one."""
    own = _negations(claim)
    theirs = [_negations(passage) for passage in passages]
    back: dict[Place, int] = {place: token for token, place in alignment.places.items()}
    heads = set()
    for turn in claim.turns:
        if (
            turn.name in NEGATIVE
            and not _answered_in_kind(turn, passages, alignment)
            and (found := _anchors(turn, alignment))
        ):
            heads.add(found[0][0])
    for number, passage in enumerate(passages):
        for turn in passage.turns:
            if turn.name not in NEGATIVE or any(_negative(claim, back.get(Place(number, t))) for t in _inside(turn)):
                continue
            met = [back[place] for token in turn.governed if (place := Place(number, token)) in back]
            near = [back[place] for token in turn.governed[:2] if (place := Place(number, token)) in back]
            if near and (turn.name not in _NAMED or len(met) > 1):
                heads.add(near[0])
    wrong = [token for token in sorted(heads) if _differs(own, token, theirs, alignment.places[token])]
    if wrong:
        token = wrong[0]
        place = alignment.places[token]
        said = [_said(claim, turn) for turn, _ in own.get(token, ())]
        written = [_said(passages[place.evidence], turn) for turn, _ in theirs[place.evidence].get(place.token, ())]
        yield Failure("NEGATION", _contrast(said, written))


def _differs(own: _Negations, token: int, theirs: Sequence[_Negations], place: Place) -> bool:
    """Whether no reading of the two scopes has the same parity: a negation may or may not go on after "e"."""
    return not _parities(own.get(token, ())) & _parities(theirs[place.evidence].get(place.token, ()))


def _parities(found: Sequence[tuple[Turn, bool]]) -> set[int]:
    sure = sum(certain for _, certain in found)
    return {sure % 2, len(found) % 2}


def _inside(turn: Turn) -> range:
    return range(turn.first, turn.last + 1)


def _answered_in_kind(turn: Turn, passages: Sequence[Reading], alignment: Alignment) -> bool:
    """Whether a negative word is answered by a negative word."""
    places = [alignment.places[token] for token in _inside(turn) if token in alignment.places]
    return any(_negative(passages[place.evidence], place.token) for place in places)


def _negative(reading: Reading, token: int | None) -> bool:
    return token is not None and any(turn.name in NEGATIVE and token in _inside(turn) for turn in reading.turns)


def _contrast(said: Sequence[str], written: Sequence[str]) -> str:
    left = f"a frase diz “{' '.join(said)}”" if said else "a frase não o nega"
    right = f"o documento diz “{' '.join(written)}”" if written else "o documento não o nega"
    return f"{right}; {left}"


def _negations(reading: Reading) -> _Negations:
    """Token → the negative words that govern it, and whether they stand in the same clause or list member."""
    found: dict[int, list[tuple[Turn, bool]]] = {}
    for turn in reading.turns:
        if turn.name in NEGATIVE:
            for token in turn.governed:
                certain = turn.name not in _SHORT or reading.joints[token] == reading.joints[turn.last]
                found.setdefault(token, []).append((turn, certain))
    return found


def _dropped(claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> Iterator[Failure]:
    """Restrictions that the support puts on what the claim says without them."""
    answered = {place: token for token, place in alignment.places.items()}
    own = {turn.name for turn in claim.turns}
    for number, passage in enumerate(passages):
        for turn in passage.turns:
            sense = senses()[turn.name]
            if not sense.dropped or turn.name in NEGATIVE or own & {turn.name, *_ALSO.get(turn.name, ())}:
                continue
            if any(Place(number, token) in answered for token in range(turn.first, turn.last + 1)):
                continue
            near = [token for token in turn.governed if Place(number, token) in answered]
            if turn.name == "condition":
                if _beside(turn, number, passage, alignment) and 2 * len(near) <= len(turn.governed):
                    yield Failure("CONDITION", f"o documento põe uma condição: “{_said(passage, turn)}”")
                continue
            heads = turn.governed[: 2 if turn.name == "possible" else 1]
            if set(heads) & set(near) and (len(near) >= 2 or turn.name == "possible"):
                yield Failure(
                    _NAMES.get(turn.name, "NEGATION"), f"o documento diz “{_said(passage, turn)}”; a frase não"
                )


def _beside(turn: Turn, number: int, passage: Reading, alignment: Alignment) -> bool:
    """Whether a condition stands in the sentence that bears the claim."""
    segment = passage.segment_of[turn.first]
    places = [
        p.token for p in alignment.places.values() if p.evidence == number and passage.segment_of[p.token] == segment
    ]
    return len(places) >= 3 and min(abs(turn.first - token) for token in places) <= _BESIDE


def _opposites(claim: Reading, passages: Sequence[Reading], alignment: Alignment) -> Iterator[Failure]:
    """A word in whose place, beside the same words, the support has another of its kind."""
    answered = set(alignment.places.values())
    for index, token in enumerate(claim.tokens):
        if not token.word.kinds:
            continue
        for place in _beside_claim(index, alignment):
            passage = passages[place.evidence]
            own = alignment.places.get(index)
            if own and own.evidence == place.evidence and abs(own.token - place.token) <= _FAR:
                break
            reach = range(max(0, place.token - _BY), min(place.token + _BY + 1, len(passage.tokens)))
            here = [t for t in reach if passage.segment_of[t] == passage.segment_of[place.token]]
            if any(passage.tokens[t].word.kinds & token.word.kinds for t in here):
                break
            free = [passage.tokens[t] for t in here if Place(place.evidence, t) not in answered]
            if other := next((o for o in free if _of_one_kind(o.word, token.word)), None):
                yield Failure("NEGATION", f"o documento diz “{other.word.form}”; a frase diz “{token.word.form}”")
                return


def _beside_claim(index: int, alignment: Alignment) -> list[Place]:
    """The places of the answered words next to a word of the claim, the nearest first."""
    near = [index + step for step in (1, -1, 2, -2, 3, -3)]
    return [alignment.places[token] for token in near if token in alignment.places][:2]


def _of_one_kind(one: Word, other: Word) -> bool:
    return any(left // 100 == right // 100 for left in one.kinds for right in other.kinds)

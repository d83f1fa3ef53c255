"""Words that turn the sense, compared between a claim and its support in both directions."""

import re
from collections.abc import Container, Iterator, Sequence

from iris_assets.grounding.failure import Failure
from iris_assets.grounding.reading import Reading, Turn
from iris_assets.grounding.support import Alignment, Place
from iris_assets.words.lexicon import VERB, Word, root, senses, unprefixed

_NEGATIVE = frozenset({"end", "forbid", "oppose", "not", "without", "none", "instead"})
_QUANTIFIERS = frozenset({"all", "some", "most", "many", "none"})
_NAMED = frozenset({"end", "forbid", "oppose"})  # a noun of these alone may be left out: "combate ao garimpo"
_NARROW = frozenset({"only", "most"})  # these restrict the one word that follows
_SHORT = frozenset({"not", "without"})  # these may or may not go on after "e"
_THROUGH = frozenset({"por", "pelo", "pela", "pelos", "pelas", "com", "partir"})
_STRICT = frozenset({"only", "all", "most", "some", "none"})  # these go with the words right beside them
_FAR, _WIDE = 8, 20  # tokens between a turning word and what it governs
_NEAR = 5  # tokens between an answered word and the turning word of the support that goes with it
_ARGUMENT = 5  # tokens between a word of cause and what it joins
_CHANCE = frozenset({"pode", "podem", "talvez", "possivelmente"})
_DONE = re.compile(r".{3}(?:[^r]ou|[aei]ram|[^e]iu|[lrvdt]eu)$")
_TO_COME = re.compile(r".{2}(?:[aei]remos|[aei]rao|[aei]r)$")
_MOOD = re.compile(r".{3}(?:ria|riam)$")
_CONDITIONS = frozenset({"condition", "when"})
_CONDITION = 12  # tokens between a condition and what it restricts
_BY = 4  # tokens beside a word within which another of its kind contradicts it
# Classes of the support that bear a class of the claim too.
_ALSO = {
    "less": ("end",), "end": ("less",), "all": ("none",), "none": ("all",), "only": ("without",), "keep": ("not",),
    "possible": ("condition", "allow", "not"), "allow": ("not", "possible"), "oblige": ("all", "must"), "more": ("all",),
    "comparison": ("more", "less"),
}  # fmt: skip
_REASONS = {
    "possible": "MODALITY", "oblige": "MODALITY", "condition": "CONDITION", "when": "CONDITION", "cause": "CAUSE", "all": "QUANTIFIER",
    "some": "QUANTIFIER", "certain": "MODALITY", "most": "QUANTIFIER", "only": "QUANTIFIER",
}  # fmt: skip


def turned(
    claim: Reading, passages: Sequence[Reading], alignment: Alignment, known: Container[int]
) -> Iterator[Failure]:
    """Doubts about a claim whose sense its support does not bear; `known` tokens the record says."""
    return _Comparison(claim, passages, alignment, known).doubts()


class _Comparison:
    """A claim beside its support."""

    def __init__(
        self, claim: Reading, passages: Sequence[Reading], alignment: Alignment, known: Container[int]
    ) -> None:
        self._claim, self._passages, self._known = claim, passages, known
        self._supports, self._places = alignment.supports, alignment.places
        self._answered = {place: token for token, place in alignment.places.items()}

    def doubts(self) -> Iterator[Failure]:
        yield from self._polarity()
        yield from self._added()
        yield from self._dropped()
        yield from self._opposites()
        yield from self._quantified()
        yield from self._other_tense()

    def _other_tense(self) -> Iterator[Failure]:
        """`criou` where the support has `criaremos` or `criar`."""
        for token, place in self._places.items():
            own, theirs = (
                self._claim.tokens[token].word.form,
                self._passages[place.evidence].tokens[place.token].word.form,
            )
            if (_DONE.search(own) and _TO_COME.search(theirs)) or (_TO_COME.search(own) and _DONE.search(theirs)):
                detail = f"o documento diz “{theirs}”; a frase diz “{own}”"
                yield Failure("MODALITY", detail, goes=False)

    def _quantified(self) -> Iterator[Failure]:
        """`todos os municípios` where the support has `muitos municípios`."""
        for turn in self._claim.turns:
            if turn.name not in _QUANTIFIERS:
                continue
            for place in self._anchors(turn)[:1]:
                here = self._passages[place.evidence].governors.get(place.token, ())
                others = [own for own in here if own.name in _QUANTIFIERS]
                if others and turn.name not in {own.name for own in others}:
                    left, right = _said(self._claim, turn), _said(self._passages[place.evidence], others[0])
                    detail = f"o documento diz “{right}”; a frase diz “{left}”"
                    yield Failure("QUANTIFIER", detail, goes=False)

    def _added(self) -> Iterator[Failure]:
        """Turning words of the claim that its support has not."""
        for turn in self._claim.turns:
            if turn.name == "cause" and (missing := self._unborne_cause(turn)):
                yield _doubt(turn, f"o documento não liga isso a “{missing}”")
            elif senses()[turn.name].added and turn.name not in _NEGATIVE and not self._is_borne(turn):
                yield _doubt(turn, f"o documento não diz “{_said(self._claim, turn)}” do que cita a frase")

    def _unborne_cause(self, turn: Turn) -> str:
        """A noun next to a word of cause that the support has not."""
        near = [t for t in turn.governed if -_ARGUMENT <= t - turn.last <= _ARGUMENT and t not in self._known]
        missing = [t for t in near if self._claim.tokens[t].word.weight == 1 and t not in self._places]
        return self._claim.tokens[missing[0]].word.form if missing else ""

    def _is_borne(self, turn: Turn) -> bool:
        """Whether a word of the class stands near what the support says of the same things."""
        near = self._anchors(turn)[:3]
        if turn.name == "cause" and any(self._is_through(place) for place in near[:2]):
            return True
        if words := [self._places[token] for token in _inside(turn) if token in self._places]:
            beside = [place for place in near if place.evidence == words[0].evidence]
            reach = _FAR if turn.name in _STRICT else _WIDE
            if 2 * sum(abs(place.token - words[0].token) <= reach for place in beside) >= len(beside):
                return True
        wanted = {turn.name, *_ALSO.get(turn.name, ())}
        if turn.name == "possible" and self._claim.tokens[turn.first].word.form in _CHANCE:
            wanted.discard("allow")  # "poderiam dirigir" is what a law permits, "podem dirigir" is a chance
        for support in self._supports:
            here = {place.token for place in near if place.evidence == support.evidence}
            for own in self._passages[support.evidence].turns_within(support.first, support.last):
                goes_with = here & set(own.governed) or any(_distance(own, token) <= _NEAR for token in here)
                if own.name in wanted and (goes_with or not here):
                    return True
        return False

    def _is_through(self, place: Place) -> bool:
        """Whether the support says "pela covid" of what the claim says "por causa da covid"."""
        before = self._passages[place.evidence].tokens[max(0, place.token - 3) : place.token]
        return any(token.word.form in _THROUGH for token in before)

    def _anchors(self, turn: Turn) -> list[Place]:
        """What answers the words that a turning word governs, the nearest first."""
        tokens = [token for token in turn.governed if token in self._places]
        return [self._places[t] for t in sorted(tokens, key=lambda t: min(abs(t - turn.first), abs(t - turn.last)))]

    def _polarity(self) -> Iterator[Failure]:
        """A doubt where an even number of negations answers an odd one."""
        for token in sorted(self._heads()):
            place = self._places[token]
            own, theirs = _negations(self._claim, token), _negations(self._passages[place.evidence], place.token)
            denied = self._is_denied_by_prefix(token)
            if denied and own == theirs == []:
                form = self._claim.tokens[token].word.form
                yield Failure("NEGATION", f"o documento não diz “{form}”, mas o contrário", goes=False)
                return
            if denied:
                continue
            if own and not theirs and {turn.name for turn in own} <= _NAMED and self._is_negative_there():
                continue
            if not _parities(self._claim, own, token) & _parities(self._passages[place.evidence], theirs, place.token):
                said = " ".join(_said(self._claim, turn) for turn in own)
                written = " ".join(_said(self._passages[place.evidence], turn) for turn in theirs)
                left = f"a frase diz “{said}”" if said else "a frase não o nega"
                right = f"o documento diz “{written}”" if written else "o documento não o nega"
                yield Failure("NEGATION", f"{right}; {left}", goes=False)
                return

    def _is_negative_there(self) -> bool:
        """Whether the support has a word of ending, lowering or denying, whatever it governs."""
        there = (t for s in self._supports for t in self._passages[s.evidence].turns_within(s.first, s.last))
        return any(turn.name in _NEGATIVE or turn.name == "less" for turn in there)

    def _is_denied_by_prefix(self, token: int) -> bool:
        """`desvalorizar` where the passage says `valorizar` alone."""
        place, own = self._places[token], self._claim.tokens[token].word.form
        passage = self._passages[place.evidence]
        theirs = passage.tokens[place.token].word.form
        left, right = unprefixed(own), unprefixed(theirs)
        denied = (left and root(left) == root(theirs)) or (right and root(right) == root(own))
        return bool(denied) and root(own) not in {
            root(passage.tokens[t].word.form) for t in passage.places.get(root(own), ())
        }

    def _heads(self) -> set[int]:
        """The tokens of the claim whose negations must be as many as in the support."""
        heads = {token for token in self._places if self._is_denied_by_prefix(token)}
        for turn in self._claim.turns:
            in_kind = any(self._is_negative(self._places[t]) for t in _inside(turn) if t in self._places)
            if turn.name in _NEGATIVE and not in_kind and (places := self._anchors(turn)):
                heads.add(self._answered[places[0]])
        for number, turn in self._turns_of_support():
            in_kind = any(_negates(self._claim, self._answered.get(Place(number, t))) for t in _inside(turn))
            if turn.name in _NEGATIVE and not in_kind:
                met = [token for token in turn.governed if Place(number, token) in self._answered]
                full = [t for t in turn.governed if self._passages[number].tokens[t].word.weight >= VERB]
                near = [token for token in (full or turn.governed)[:2] if token in met]
                if near and (turn.name not in _NAMED or len(met) > max(1, 0.6 * len(turn.governed))):
                    heads.add(self._answered[Place(number, near[0])])
        return heads

    def _is_negative(self, place: Place) -> bool:
        return _negates(self._passages[place.evidence], place.token)

    def _turns_of_support(self) -> list[tuple[int, Turn]]:
        """(evidence, turning word) that govern what the support answers, or stand in its sentences."""
        found = {
            (s.evidence, t): None
            for s in self._supports
            for t in self._passages[s.evidence].turns_within(s.first, s.last)
        }
        for place in self._answered:
            for turn in self._passages[place.evidence].governors.get(place.token, ()):
                found[place.evidence, turn] = None
        return list(found)

    def _dropped(self) -> Iterator[Failure]:
        """Restrictions that the support puts on what the claim says without them."""
        own = {turn.name for turn in self._claim.turns}
        for number, turn in self._turns_of_support():
            told = turn.name in own or (turn.name == "possible" and self._is_weak(own, number, turn))
            if turn.name == "only" and _before_number(self._passages[number], turn):
                continue
            if not senses()[turn.name].dropped or turn.name in _NEGATIVE or told:
                continue
            if any(Place(number, token) in self._answered for token in _inside(turn)):
                continue
            met = [token for token in turn.governed if Place(number, token) in self._answered]
            said = _said(self._passages[number], turn)
            if turn.name in _CONDITIONS:
                if self._restricts(turn, number) and 2 * len(met) <= len(turn.governed):
                    yield _doubt(turn, f"o documento põe uma condição: “{said}”; a frase não")
            elif _governs(turn, met):
                yield _doubt(turn, f"o documento diz “{said}”; a frase não")

    def _is_weak(self, own: Container[str], number: int, turn: Turn) -> bool:
        """Whether a possibility is told by a condition or mood ("haveria"), or is none: "não pode" forbids."""
        denied = any(t.name == "not" for t in self._passages[number].governors.get(turn.first, ()))
        return denied or "condition" in own or any(_MOOD.search(token.word.form) for token in self._claim.tokens)

    def _restricts(self, turn: Turn, number: int) -> bool:
        """Whether a condition stands in the sentence that bears the claim, near what it says."""
        passage = self._passages[number]
        segment = passage.segment_of[turn.first]
        near = [p.token for p in self._answered if p.evidence == number and passage.segment_of[p.token] == segment]
        return (
            len(near) >= min(3, (len(self._places) + 1) // 2)
            and min(abs(turn.first - token) for token in near) <= _CONDITION
        )

    def _opposites(self) -> Iterator[Failure]:
        """A word in whose place, beside the same words, the support has another of its kind."""
        for index, token in enumerate(self._claim.tokens):
            other = self._other_of_its_kind(index, token.word) if token.word.kinds else None
            if other:
                yield Failure(
                    "NEGATION",
                    f"o documento diz “{other}”; a frase diz “{token.word.form}”",
                    goes=False,
                )
                return

    def _other_of_its_kind(self, index: int, own: Word) -> str:
        near = [self._places[index + step] for step in (1, -1, 2, -2, 3, -3) if index + step in self._places][:2]
        for place in near:
            answer = self._places.get(index)
            if answer and answer.evidence == place.evidence and abs(answer.token - place.token) <= _FAR:
                return ""
            passage = self._passages[place.evidence]
            first, after = passage.segments[passage.segment_of[place.token]]
            here = range(max(first, place.token - _BY), min(place.token + _BY + 1, after))
            if any(passage.tokens[t].word.kinds & own.kinds for t in here):
                return ""
            for t in here:
                if Place(place.evidence, t) not in self._answered and _of_one_kind(passage.tokens[t].word, own):
                    return passage.tokens[t].word.form
        return ""


def _doubt(turn: Turn, detail: str) -> Failure:
    return Failure(_REASONS.get(turn.name, "NEGATION"), detail, goes=False)


def _governs(turn: Turn, met: Sequence[int]) -> bool:
    """Whether the answered words are those next to a turning word: of "pode" one of the two that follow will do."""
    if turn.name == "possible":
        return bool(set(turn.governed[:2]) & set(met))
    return (len(met) > 1 or turn.name in _NARROW) and turn.governed[0] in met


def _said(reading: Reading, turn: Turn) -> str:
    return reading.view.text[reading.tokens[turn.first].start : reading.tokens[turn.last].end]


def _inside(turn: Turn) -> range:
    return range(turn.first, turn.last + 1)


def _distance(turn: Turn, token: int) -> int:
    return max(turn.first - token, token - turn.last)


def _negates(reading: Reading, token: int | None) -> bool:
    return token is not None and any(turn.name in _NEGATIVE for turn in reading.turns_at.get(token, ()))


def _negations(reading: Reading, token: int) -> list[Turn]:
    return [turn for turn in reading.governors.get(token, ()) if turn.name in _NEGATIVE]


def _parities(reading: Reading, found: Sequence[Turn], token: int) -> set[int]:
    """Whether the negations are odd or even, with and without those that may not reach so far."""
    sure = [t for t in found if t.name not in _SHORT or reading.joints[token] == reading.joints[t.last]]
    return {len(sure) % 2, len(found) % 2}


def _before_number(reading: Reading, turn: Turn) -> bool:
    """`apenas 5%` says what 5% says."""
    end = reading.tokens[turn.last].end
    return any(0 < number.start - end <= _NEAR for number in reading.numbers)


def _of_one_kind(one: Word, other: Word) -> bool:
    return any(left // 100 == right // 100 for left in one.kinds for right in other.kinds)

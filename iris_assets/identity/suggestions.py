"""Near names and half-known identities, proposed to a human beside the REVIEW cases; they never change a status.

The points table alone decides MATCHED, REVIEW and UNMATCHED. A deputy whose civil name the Câmara does not give, or
whose name is spelled a little differently, can only be suggested: whoever checks it writes a verified override.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from iris_assets.identity.evidence import CandidateIdentity, DeputyIdentity, score
from iris_assets.identity.matching import UNMATCHED, MatchDecision
from iris_assets.identity.names import normalise_name
from iris_assets.ufs import NATIONAL

NEAR_FROM: Final = 90.0  # percent of fuzz.ratio: a letter or a particle apart, not a name that contains the other
RAREST_WORDS: Final = 3  # words by which near names are looked up: a near name shares at least one of them
MOST_PER_CANDIDATE: Final = 3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A deputy worth a human's look for an UNMATCHED candidate; `points` by the rule, `similarity` in percent."""

    candidate_key: int | str
    deputy_id: int
    points: int
    similarity: float
    explanation: str


def suggest(
    candidates: Iterable[CandidateIdentity],
    decisions: Iterable[MatchDecision],
    deputies: "Iterable[DeputyIdentity] | NearIndex",
) -> list[Suggestion]:
    """Suggestions for the UNMATCHED candidates, the most similar first, at most three each.

    A pair is suggested when the civil names are equal, or near (fuzz.ratio, never a token-set measure, which takes a
    part of a name for the whole) and the ballot name or the UF agrees; or when the Câmara gives no civil name, a
    name is shared and the UF agrees or the candidate runs for the whole country.
    """
    index = deputies if isinstance(deputies, NearIndex) else NearIndex(deputies)
    found: list[Suggestion] = []
    for candidate, decision in zip(candidates, decisions, strict=True):
        if decision.status == UNMATCHED:
            ranked = sorted(_suggested(candidate, index), key=lambda item: (-item.similarity, item.deputy_id))
            found += ranked[:MOST_PER_CANDIDATE]
    return found


@dataclass(frozen=True, slots=True)
class _Names:
    """A deputy with the compared form of its names, made once."""

    deputy: DeputyIdentity
    civil: str
    known_as: frozenset[str]
    state: str


class NearIndex:
    """Deputies by the words of their civil name and by their parliamentary names."""

    def __init__(self, deputies: Iterable[DeputyIdentity]) -> None:
        self._by_word: dict[str, list[_Names]] = defaultdict(list)
        self._by_known_as: dict[str, list[_Names]] = defaultdict(list)
        for deputy in deputies:
            names = _names(deputy)
            for word in set(names.civil.split()):
                self._by_word[word].append(names)
            for name in names.known_as:
                self._by_known_as[name].append(names)

    def around(self, civil: str, ballot: str) -> list[_Names]:
        """Deputies that share one of the rarest words of the civil name, or a whole name."""
        words = [word for word in set(civil.split()) if word in self._by_word]
        rarest = sorted(words, key=lambda word: (len(self._by_word[word]), word))[:RAREST_WORDS]
        near = [names for word in rarest for names in self._by_word[word]]
        near += [*self._by_known_as.get(ballot, ()), *self._by_known_as.get(civil, ())]
        return list({names.deputy.deputy_id: names for names in near}.values())


def _names(deputy: DeputyIdentity) -> _Names:
    known_as = {normalise_name(deputy.status_name), normalise_name(deputy.electoral_name)} - {""}
    return _Names(deputy, normalise_name(deputy.civil_name), frozenset(known_as), normalise_name(deputy.state))


def _suggested(candidate: CandidateIdentity, index: NearIndex) -> Iterable[Suggestion]:
    civil, ballot = normalise_name(candidate.civil_name), normalise_name(candidate.ballot_name)
    state = normalise_name(candidate.state)
    for names in index.around(civil, ballot):
        home = bool(state) and state == names.state
        if not names.civil:
            shared = ballot in names.known_as or civil in names.known_as
            if shared and (home or state == NATIONAL):
                yield _suggestion(candidate, names.deputy, 0.0)
        elif home or ballot in names.known_as or civil == names.civil:
            similarity = fuzz.ratio(civil, names.civil, score_cutoff=NEAR_FROM)
            if similarity:
                yield _suggestion(candidate, names.deputy, similarity)


def _suggestion(candidate: CandidateIdentity, deputy: DeputyIdentity, similarity: float) -> Suggestion:
    points = score(candidate, deputy).points
    if similarity:
        told = f"nome civil parecido ({similarity:.0f} %): {candidate.civil_name} / {deputy.civil_name}"
    else:
        told = (
            f"nome coincide com o de {deputy.status_name or deputy.electoral_name}; a Câmara não informa o nome civil"
        )
    return Suggestion(candidate.key, deputy.deputy_id, points, similarity, told)

"""Near names and half-known identities, proposed to a human beside the REVIEW cases; they never change a status.

The points table alone decides MATCHED, REVIEW and UNMATCHED. A deputy whose civil name the Câmara does not give, or
whose name is spelled a little differently, can only be suggested: whoever checks it writes a verified override.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from iris_assets.identity.evidence import CandidateIdentity, DeputyIdentity, score
from iris_assets.identity.matching import UNMATCHED, MatchDecision
from iris_assets.identity.names import normalise_name, same_name

NEAR_FROM: Final = 90.0  # percent of fuzz.ratio: a letter or a particle apart, not a name that contains the other
SAME: Final = 100.0
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
    candidates: Sequence[CandidateIdentity], decisions: Sequence[MatchDecision], deputies: Iterable[DeputyIdentity]
) -> list[Suggestion]:
    """Suggestions for the UNMATCHED candidates, the most similar first, at most three each.

    A pair is suggested when ballot name and UF agree and the Câmara gives no civil name; when the civil names are
    equal; or when they are near (fuzz.ratio, never a token-set measure, which takes a part of a name for the whole)
    and the ballot name or the UF agrees.
    """
    index = _NearIndex(deputies)
    found: list[Suggestion] = []
    for candidate, decision in zip(candidates, decisions, strict=True):
        if decision.status == UNMATCHED:
            ranked = sorted(_suggested(candidate, index), key=lambda item: (-item.similarity, item.deputy_id))
            found += ranked[:MOST_PER_CANDIDATE]
    return found


class _NearIndex:
    """Deputies by the words of their civil name and by their parliamentary names."""

    def __init__(self, deputies: Iterable[DeputyIdentity]) -> None:
        self._by_word: dict[str, list[DeputyIdentity]] = defaultdict(list)
        self._by_ballot: dict[str, list[DeputyIdentity]] = defaultdict(list)
        for deputy in deputies:
            for word in set(normalise_name(deputy.civil_name).split()):
                self._by_word[word].append(deputy)
            for name in {normalise_name(deputy.status_name), normalise_name(deputy.electoral_name)} - {""}:
                self._by_ballot[name].append(deputy)

    def around(self, candidate: CandidateIdentity) -> dict[int, DeputyIdentity]:
        words = [word for word in set(normalise_name(candidate.civil_name).split()) if word in self._by_word]
        rarest = sorted(words, key=lambda word: (len(self._by_word[word]), word))[:RAREST_WORDS]
        near = [deputy for word in rarest for deputy in self._by_word[word]]
        near += self._by_ballot.get(normalise_name(candidate.ballot_name), [])
        return {deputy.deputy_id: deputy for deputy in near}


def _suggested(candidate: CandidateIdentity, index: _NearIndex) -> Iterable[Suggestion]:
    name = normalise_name(candidate.civil_name)
    for deputy in index.around(candidate).values():
        similarity = fuzz.ratio(name, normalise_name(deputy.civil_name), score_cutoff=NEAR_FROM)
        ballot = same_name(candidate.ballot_name, deputy.status_name) or same_name(
            candidate.ballot_name, deputy.electoral_name
        )
        home = same_name(candidate.state, deputy.state)
        unknown = not normalise_name(deputy.civil_name)
        if (similarity and (ballot or home or similarity == SAME)) or (ballot and home and unknown):
            points = score(candidate, deputy).points
            yield Suggestion(candidate.key, deputy.deputy_id, points, similarity, _told(candidate, deputy, similarity))


def _told(candidate: CandidateIdentity, deputy: DeputyIdentity, similarity: float) -> str:
    if similarity:
        return f"nome civil parecido ({similarity:.0f} %): {candidate.civil_name} / {deputy.civil_name}"
    return (
        f"nome de urna e UF iguais; a Câmara não informa o nome civil de {deputy.status_name or deputy.electoral_name}"
    )

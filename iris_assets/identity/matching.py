"""From candidates and deputies to decisions: an index by name, one-to-one within an election, doubt to REVIEW."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from iris_assets.identity.evidence import (
    MATCHED_FROM,
    OVERRIDE_POINTS,
    CandidateIdentity,
    DeputyIdentity,
    Score,
    override_score,
    score,
    status_of,
)
from iris_assets.identity.explanation import conflicts_of, explain
from iris_assets.identity.names import normalise_name

MATCHED: Final = "MATCHED"
REVIEW: Final = "REVIEW"
UNMATCHED: Final = "UNMATCHED"


@dataclass(frozen=True, slots=True)
class Override:
    """A human's verified decision: this candidate is that deputy, or is not (`same` False), and why."""

    tse_id: str
    deputy_id: int
    reason: str = ""
    same: bool = True


@dataclass(frozen=True, slots=True)
class Considered:
    """One deputy compared with a candidate: the score, the status that it alone would give, and the words for it."""

    deputy_id: int
    score: Score
    outcome: str
    explanation: str
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchDecision:
    """Who a candidate is: `deputy_id` only when MATCHED; `considered` best first; `contradictions` of an override."""

    candidate_key: int | str
    status: str
    confidence: int
    deputy_id: int | None
    considered: tuple[Considered, ...]
    explanation: str
    contradictions: tuple[str, ...] = ()


class DeputyIndex:
    """Deputies by every compared name, so that a candidate meets only those who share one with them."""

    def __init__(self, deputies: Iterable[DeputyIdentity]) -> None:
        self.by_id: dict[int, DeputyIdentity] = {}
        self._by_name: dict[str, set[int]] = defaultdict(set)
        for deputy in deputies:
            self.by_id[deputy.deputy_id] = deputy
            for name in (deputy.civil_name, deputy.status_name, deputy.electoral_name):
                if key := normalise_name(name):
                    self._by_name[key].add(deputy.deputy_id)

    def sharing_a_name(self, candidate: CandidateIdentity) -> list[DeputyIdentity]:
        """Deputies one of whose names is the candidate's civil or ballot name, by id."""
        keys = {normalise_name(candidate.civil_name), normalise_name(candidate.ballot_name)} - {""}
        ids = set().union(*(self._by_name.get(key, ()) for key in keys))
        return [self.by_id[deputy_id] for deputy_id in sorted(ids)]


def match_candidates(
    candidates: Sequence[CandidateIdentity],
    deputies: Iterable[DeputyIdentity] | DeputyIndex,
    overrides: Iterable[Override] = (),
) -> list[MatchDecision]:
    """One decision per candidate, in their order; linear in candidates + deputies.

    `candidates` must hold every candidate of an election that may claim a deputy: one-to-one is judged among them.
    A deputy claimed twice, or two deputies at 90 points, is REVIEW with all contenders; a verified override decides
    such a case for its candidate and leaves the others in REVIEW. A pair that a human rejected is not compared at all.
    """
    index = deputies if isinstance(deputies, DeputyIndex) else DeputyIndex(deputies)
    verified = list(overrides)
    chosen = {override.tse_id: override for override in verified if override.same}
    rejected = {(override.tse_id, override.deputy_id) for override in verified if not override.same}
    decisions = [_alone(candidate, index, chosen.get(candidate.tse_id), rejected) for candidate in candidates]
    return _one_to_one(candidates, decisions)


def _alone(
    candidate: CandidateIdentity, index: DeputyIndex, override: Override | None, rejected: Collection[tuple[str, int]]
) -> MatchDecision:
    near = [d for d in index.sharing_a_name(candidate) if (candidate.tse_id, d.deputy_id) not in rejected]
    considered = sorted(
        (_compared(candidate, deputy) for deputy in near),
        key=lambda item: (-item.score.points, item.deputy_id),
    )
    if override is not None:
        return _overridden(candidate, index, override, considered)
    strong = [item for item in considered if item.score.points >= MATCHED_FROM]
    best = considered[0].score.points if considered else 0
    if len(strong) > 1:
        ids = ", ".join(str(item.deputy_id) for item in strong)
        reason = f"ambíguo: os deputados {ids} alcançam {MATCHED_FROM} pontos ou mais"
        return MatchDecision(candidate.key, REVIEW, best, None, tuple(considered), reason)
    reason = considered[0].explanation if considered else "nenhum deputado com esse nome civil ou de urna"
    deputy_id = strong[0].deputy_id if strong else None
    return MatchDecision(candidate.key, status_of(best), best, deputy_id, tuple(considered), reason)


def _compared(candidate: CandidateIdentity, deputy: DeputyIdentity) -> Considered:
    result = score(candidate, deputy)
    conflicts = conflicts_of(result)
    return Considered(deputy.deputy_id, result, status_of(result.points), explain(result, conflicts), tuple(conflicts))


def _overridden(
    candidate: CandidateIdentity, index: DeputyIndex, override: Override, considered: list[Considered]
) -> MatchDecision:
    """The human's decision, with everything in the sources that speaks against it."""
    result = override_score(override.reason, override.deputy_id)
    deputy = index.by_id.get(override.deputy_id)
    others = [item for item in considered if item.deputy_id != override.deputy_id]
    against = _against(candidate, deputy, override, others)
    if deputy is None:
        # Nothing can be collected for a deputy that the Câmara does not list: most likely a mistyped id.
        best = others[0].score.points if others else 0
        return MatchDecision(candidate.key, REVIEW, best, None, tuple(others), against[0], tuple(against))
    pair = Considered(override.deputy_id, result, MATCHED, explain(result, against), tuple(against))
    return MatchDecision(
        candidate.key, MATCHED, OVERRIDE_POINTS, override.deputy_id, (pair, *others), pair.explanation, tuple(against)
    )


def _against(
    candidate: CandidateIdentity, deputy: DeputyIdentity | None, override: Override, others: Sequence[Considered]
) -> list[str]:
    if deputy is None:
        return [f"a decisão verificada aponta para o deputado {override.deputy_id}, que a listagem da Câmara não tem"]
    found = []
    natural = score(candidate, deputy)
    if not natural.holds("civil_name") and normalise_name(deputy.civil_name):
        found.append(f"os nomes civis diferem: {candidate.civil_name} ≠ {deputy.civil_name}")
    found += [
        f"o deputado {item.deputy_id} alcança {item.score.points} pontos sem a decisão"
        for item in others
        if item.score.points >= MATCHED_FROM
    ]
    return found


def _one_to_one(candidates: Sequence[CandidateIdentity], decisions: Sequence[MatchDecision]) -> list[MatchDecision]:
    """A deputy goes to one candidate of an election: several claims are all REVIEW, unless one is a human's."""
    claims: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, (candidate, decision) in enumerate(zip(candidates, decisions, strict=True)):
        for deputy_id in _claimed(decision):
            claims[candidate.election_year, deputy_id].append(place)
    result = list(decisions)
    for (_, deputy_id), places in sorted(claims.items()):
        if len(places) > 1:
            for place, reason in _contested(deputy_id, places, candidates, decisions):
                result[place] = _demoted(result[place], reason)
    return result


def _claimed(decision: MatchDecision) -> list[int]:
    if decision.confidence == OVERRIDE_POINTS and decision.deputy_id is not None and _by_human(decision):
        return [decision.deputy_id]
    return [item.deputy_id for item in decision.considered if item.score.points >= MATCHED_FROM]


def _by_human(decision: MatchDecision) -> bool:
    return bool(decision.considered) and decision.considered[0].score.holds("override")


def _contested(
    deputy_id: int, places: Sequence[int], candidates: Sequence[CandidateIdentity], decisions: Sequence[MatchDecision]
) -> list[tuple[int, str]]:
    """Which of the claimants lose the match, and why."""
    human = [place for place in places if _by_human(decisions[place])]
    losers = [place for place in places if place not in human] if len(human) == 1 else list(places)
    names = "; ".join(
        f"{candidates[p].ballot_name or candidates[p].civil_name} ({candidates[p].tse_id})" for p in places
    )
    reason = f"o deputado {deputy_id} é reivindicado por {len(places)} candidaturas da mesma eleição: {names}"
    if len(human) > 1:
        reason += "; há mais de uma decisão verificada para ele"
    return [(place, reason) for place in losers]


def _demoted(decision: MatchDecision, reason: str) -> MatchDecision:
    contradictions = (*decision.contradictions, reason) if _by_human(decision) else decision.contradictions
    told = reason if decision.status == MATCHED else f"{decision.explanation}; {reason}"
    return replace(decision, status=REVIEW, deputy_id=None, explanation=told, contradictions=contradictions)

"""Identity decided once per run for the candidates of an election, and asked by each of their partitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from iris_assets.identity.evidence import CandidateIdentity
from iris_assets.identity.matching import DeputyIndex, MatchDecision, Override, match_candidates
from iris_assets.ingest.context import IngestContext

CACHE: Final = "camara-decisions"
Decisions = Mapping[int, MatchDecision]


@dataclass(frozen=True, slots=True)
class _Decided:
    """Decisions by row id, with everything that they were made of."""

    people: Mapping[int, CandidateIdentity]
    index: DeputyIndex
    overrides: Sequence[Override]
    decisions: Decisions


def decide(
    context: IngestContext, people: Mapping[int, CandidateIdentity], index: DeputyIndex, overrides: Sequence[Override]
) -> Decisions:
    """The decisions by row id; made anew when a candidate, a deputy or an override is not what it was."""
    known: _Decided | None = context.caches.get(CACHE)
    if known is None or known.index is not index or known.people != people or known.overrides != overrides:
        found = match_candidates(list(people.values()), index, overrides)
        decisions = dict(zip(people, found, strict=True))
        context.caches[CACHE] = known = _Decided(people, index, overrides, decisions)
    return known.decisions

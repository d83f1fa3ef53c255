"""Which deputy is this candidate: pure evidence functions, one weights table, a scorer, and verified overrides."""

from iris_assets.identity.evidence import CandidateIdentity, DeputyIdentity, Evidence, Score, score
from iris_assets.identity.matching import Considered, MatchDecision, Override, match_candidates
from iris_assets.identity.names import normalise_name

__all__ = [
    "CandidateIdentity",
    "Considered",
    "DeputyIdentity",
    "Evidence",
    "MatchDecision",
    "Override",
    "Score",
    "match_candidates",
    "normalise_name",
    "score",
]

"""The evidence that a candidate is a deputy: one small pure function per kind, one described table of weights."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from iris_assets.identity.names import normalise_name, same_name
from iris_assets.identity.parties import party_key, party_keys

MATCHED_FROM: Final = 90
REVIEW_FROM: Final = 70
OVERRIDE_POINTS: Final = 100
SHOWN_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class CandidateIdentity:
    """What the court says of a candidate, as far as identity needs it; `key` is the caller's own name for the row."""

    key: int | str
    tse_id: str
    election_year: int
    civil_name: str | None
    ballot_name: str | None = None
    state: str | None = None
    party: str | None = None


@dataclass(frozen=True, slots=True)
class DeputyIdentity:
    """What the Câmara says of a deputy: names and UF of the last status, every party of the history."""

    deputy_id: int
    civil_name: str | None
    status_name: str | None = None
    electoral_name: str | None = None
    state: str | None = None
    parties: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """One comparison: its points (0 when it does not hold) and the two values as the sources spell them."""

    name: str
    points: int
    candidate_value: str | None
    deputy_value: str | None


@dataclass(frozen=True, slots=True)
class Score:
    """The sum of the points and every comparison behind it, those without points too."""

    points: int
    evidence: tuple[Evidence, ...]

    def holds(self, name: str) -> bool:
        """Whether the evidence called `name` earned its points."""
        return any(item.name == name and item.points for item in self.evidence)


Comparison = Callable[[CandidateIdentity, DeputyIdentity], tuple[bool, str | None, str | None]]


def civil_name(candidate: CandidateIdentity, deputy: DeputyIdentity) -> tuple[bool, str | None, str | None]:
    """The civil names are equal in the compared form; an unknown one equals nothing."""
    equal = same_name(candidate.civil_name, deputy.civil_name)
    return equal, candidate.civil_name, deputy.civil_name


def ballot_name(candidate: CandidateIdentity, deputy: DeputyIdentity) -> tuple[bool, str | None, str | None]:
    """The ballot name equals `nome` or `nomeEleitoral` of the last status, either of which may be null."""
    if same_name(candidate.ballot_name, deputy.status_name):
        return True, candidate.ballot_name, deputy.status_name
    if same_name(candidate.ballot_name, deputy.electoral_name):
        return True, candidate.ballot_name, deputy.electoral_name
    return False, candidate.ballot_name, deputy.status_name or deputy.electoral_name


def state(candidate: CandidateIdentity, deputy: DeputyIdentity) -> tuple[bool, str | None, str | None]:
    """The candidate's UF is that of the last status; a presidential candidate's BR equals none."""
    equal = bool(normalise_name(candidate.state)) and normalise_name(candidate.state) == normalise_name(deputy.state)
    return equal, candidate.state, deputy.state


def party(candidate: CandidateIdentity, deputy: DeputyIdentity) -> tuple[bool, str | None, str | None]:
    """The candidate's party occurs anywhere in the deputy's history, aliases resolved."""
    shown = ", ".join(sorted(set(filter(None, deputy.parties))))[:SHOWN_CHARACTERS] or None
    return party_key(candidate.party) in party_keys(deputy.parties), candidate.party, shown


@dataclass(frozen=True, slots=True)
class Weight:
    """One row of the weights table: what is compared, what it is worth, what it means to a reader."""

    name: str
    points: int
    compare: Comparison
    label: str


# The whole scoring rule. Name alone never reaches MATCHED_FROM: 60 + 20 without the UF is 80, a case for a human.
WEIGHTS: Final[tuple[Weight, ...]] = (
    Weight("civil_name", 60, civil_name, "nome civil"),
    Weight("ballot_name", 20, ballot_name, "nome de urna"),
    Weight("state", 15, state, "UF"),
    Weight("party", 5, party, "partido"),
)
LABELS: Final[dict[str, str]] = {**{weight.name: weight.label for weight in WEIGHTS}, "override": "decisão verificada"}


def score(candidate: CandidateIdentity, deputy: DeputyIdentity) -> Score:
    """Every row of WEIGHTS applied to the pair."""
    return Score(*_summed(tuple(_weighed(weight, candidate, deputy) for weight in WEIGHTS)))


def override_score(reason: str, deputy: int) -> Score:
    """A verified override: 100 points, alone."""
    return Score(*_summed((Evidence("override", OVERRIDE_POINTS, reason[:SHOWN_CHARACTERS], str(deputy)),)))


def status_of(points: int) -> str:
    """MATCHED, REVIEW or UNMATCHED by points alone, before ambiguity is judged."""
    if points >= MATCHED_FROM:
        return "MATCHED"
    return "REVIEW" if points >= REVIEW_FROM else "UNMATCHED"


def _weighed(weight: Weight, candidate: CandidateIdentity, deputy: DeputyIdentity) -> Evidence:
    holds, candidate_value, deputy_value = weight.compare(candidate, deputy)
    return Evidence(weight.name, weight.points if holds else 0, candidate_value, deputy_value)


def _summed(evidence: tuple[Evidence, ...]) -> tuple[int, tuple[Evidence, ...]]:
    return sum(item.points for item in evidence), evidence

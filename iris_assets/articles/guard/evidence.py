"""What a text may say of a person of the records, and how many points each thing is worth."""

from dataclasses import dataclass
from typing import Final

from iris_assets.articles.contracts import Namesake, Profile
from iris_assets.articles.guard.persons import NameForms, name_forms

# The whole scoring rule: what is said of the bearer of the name, and how much it tells.
WEIGHTS: Final[dict[str, int]] = {
    "party": 4,
    "other_party": -6,
    "uf": 2,
    "other_uf": -6,
    "candidacy": 4,
    "other_candidacy": -6,
    "office_held": 3,
    "office_possible": 1,
    "municipal_office": -3,
    "other_office": -6,
    "other_role": -3,
    "longer_name": -2,
    "short_name": -1,
    "said_to_be_another": -6,
    "civil_name": 1,
    "bill": 4,
    "described_in_text": 6,
    "party_in_text": 2,
    "uf_in_text": 1,
    "candidacy_in_text": 2,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that the text says, its points, and the words."""

    name: str
    points: int
    said: str


@dataclass(frozen=True, slots=True)
class Person:
    """What the records know of somebody, as far as a text can tell it."""

    forms: NameForms
    party: str | None
    former_parties: tuple[str, ...]
    uf: str | None
    office: str | None
    deputy: bool
    bills: tuple[str, ...] = ()

    @classmethod
    def of(cls, profile: Profile) -> "Person":
        forms = name_forms((*profile.names, *profile.aliases), profile.ballot_name or "")
        deputy = profile.camara_id is not None
        return cls(forms, profile.party, profile.former_parties, profile.uf, profile.office, deputy, profile.bills)

    @classmethod
    def of_namesake(cls, known: Namesake) -> "Person":
        forms = name_forms(known.names, "")
        return cls(forms, known.party, known.former_parties, known.uf, known.office, known.deputy)


def weighed(name: str, said: str) -> Evidence:
    """A thing that the text says, with its points; at most 80 characters of its words."""
    return Evidence(name, WEIGHTS[name], " ".join(said.split())[:80])

"""Party acronyms made comparable: the sources cut and respell them."""

from collections.abc import Iterable
from typing import Final

from iris_assets.words.parties import party_of
from iris_assets.words.text import fold

NO_PARTY: Final = frozenset({"S PART", "SEM PARTIDO"})
# The Câmara marks parties of earlier decades that share an acronym with a living one: `PP**`, `MDB*`.
EARLIER_PARTY: Final = "*"


def party_key(acronym: str | None) -> str:
    """The party's key, "" when unknown or none: `Republic`, `REPUBLICANOS` → `REPUBLICANOS`; `PCdoB` → `PC DO B`."""
    name = fold(acronym or "")
    if name in NO_PARTY:
        return ""
    # Renamed and merged parties (PR → PL, DEM → UNIÃO) stay apart: a party that does not compare equal is no evidence
    # against a person, so nothing is lost by being strict.
    party = party_of(name)
    key = fold(party.acronym) if party else name
    return f"{key}*" if acronym and EARLIER_PARTY in acronym and key else key


def party_keys(acronyms: Iterable[str | None]) -> frozenset[str]:
    """The keys of the known parties among `acronyms`."""
    return frozenset(key for key in map(party_key, acronyms) if key)

"""Party acronyms made comparable: the sources cut and respell them."""

from collections.abc import Iterable
from typing import Final

from iris_assets.identity.names import normalise_name

# Compared form → the key of the party. The Câmara's yearly files cut acronyms to eight letters; the court writes
# `PC do B` where the Câmara writes `PCdoB`. Renamed and merged parties (PR → PL, DEM → UNIÃO) stay apart: a party
# that does not compare equal is no evidence against a person, so nothing is lost by being strict.
ALIASES: Final[dict[str, str]] = {
    "CIDADANI": "CIDADANIA",
    "DEMOCRAT": "DEMOCRATA",
    "PC DO B": "PCDOB",
    "PODEMOS": "PODE",
    "PT DO B": "PTDOB",
    "REPUBLIC": "REPUBLICANOS",
    "SOLIDARI": "SOLIDARIEDADE",
    "UNIAO BRASIL": "UNIAO",
}
NO_PARTY: Final = frozenset({"S PART", "SEM PARTIDO"})
# The Câmara marks parties of earlier decades that share an acronym with a living one: `PP**`, `MDB*`.
EARLIER_PARTY: Final = "*"


def party_key(acronym: str | None) -> str:
    """The party's key, "" when unknown or none: `Republic`, `REPUBLICANOS` → `REPUBLICANOS`; `PC do B` → `PCDOB`."""
    name = normalise_name(acronym)
    if name in NO_PARTY:
        return ""
    key = ALIASES.get(name, name)
    return f"{key}*" if acronym and EARLIER_PARTY in acronym and key else key


def party_keys(acronyms: Iterable[str | None]) -> frozenset[str]:
    """The keys of the known parties among `acronyms`."""
    return frozenset(key for key in map(party_key, acronyms) if key)

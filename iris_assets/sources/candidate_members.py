"""Which members of a candidates archive hold the candidates of a UF, in the order in which they are tried."""

from pathlib import Path
from typing import Final

from iris_assets.errors import SourceContractError
from iris_assets.sources.archives import member_names
from iris_assets.sources.proposals import CANDIDATES_CSV, base_name

NATIONAL_UNITS: Final = ("BRASIL", "TODOS")  # how the court names the member of the whole country


def candidate_members(path: Path) -> dict[str, str]:
    """Unit → name of each member that holds candidates."""
    return {
        match["unit"].upper(): name
        for name in member_names(path)
        if (match := CANDIDATES_CSV.fullmatch(base_name(name)))
    }


def members_of(path: Path, uf: str) -> list[tuple[str, bool]]:
    """(member, whether it is a national one): the UF's own first, then what serves when that is absent or damaged.

    SourceContractError MEMBER_MISSING when there is none.
    """
    found = candidate_members(path)
    members = [(found[unit], unit in NATIONAL_UNITS) for unit in (uf, *NATIONAL_UNITS) if unit in found]
    if not members:
        raise SourceContractError(
            "MEMBER_MISSING",
            f"the archive has no candidates of {uf} or of the whole country; found: {', '.join(sorted(found)) or 'none'}",
            hint="look at the archive with `iris-assets inspect`",
        )
    return members

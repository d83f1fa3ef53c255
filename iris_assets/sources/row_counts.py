"""How many rows each member of a candidates archive has: counted once per archive, remembered beside the downloads."""

import json
from pathlib import Path

from iris_assets.errors import SourceContractError
from iris_assets.files import locked, write_atomically
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import open_member
from iris_assets.sources.candidate_members import NATIONAL_UNITS, candidate_members
from iris_assets.sources.text_files import judge_text


def member_rows(archive: Archive, folder: Path) -> dict[str, int]:
    """Rows (lines without the header) by unit of each candidates member; kept as `<sha256>.json` in `folder`.

    A member that cannot be read is not counted: whoever needs it says why.
    """
    place = folder / f"{archive.sha256}.json"
    with locked(folder.parent / "locks" / "counts"):
        try:
            known: dict[str, int] = json.loads(place.read_text(encoding="utf-8"))
            return known
        except (FileNotFoundError, ValueError):
            found = {unit: _rows(archive.path, name) for unit, name in candidate_members(archive.path).items()}
            counts = {unit: rows for unit, rows in found.items() if rows is not None}
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(place, json.dumps(counts, sort_keys=True).encode("utf-8"))
            return counts


def national_rows(counts: dict[str, int]) -> int:
    """The rows of the national member, or of all others when there is none."""
    return next((counts[unit] for unit in NATIONAL_UNITS if unit in counts), _parts(counts))


def disagreement(counts: dict[str, int]) -> str:
    """What is wrong when the national member is not the union of the others; empty when it is or cannot be told."""
    parts = _parts(counts)
    if parts in (0, national_rows(counts)):
        return ""
    return f"the national file has {national_rows(counts)} rows, the files of the units together {parts}"


def _parts(counts: dict[str, int]) -> int:
    return sum(rows for unit, rows in counts.items() if unit not in NATIONAL_UNITS)


def _rows(path: Path, name: str) -> int | None:
    try:
        with open_member(path, name) as stream:
            return max(0, judge_text(stream).lines - 1)
    except SourceContractError:
        return None

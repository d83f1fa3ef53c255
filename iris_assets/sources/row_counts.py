"""How many rows each member of a candidates archive has: counted once per archive, remembered beside the downloads."""

import json
from pathlib import Path
from typing import Final

from iris_assets.files import locked, write_atomically
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import READ_BLOCK, member_names, open_member
from iris_assets.sources.proposals import CANDIDATES_CSV, base_name

NATIONAL_UNIT: Final = "BRASIL"


def member_rows(archive: Archive, folder: Path) -> dict[str, int]:
    """Rows (lines without the header) by unit of each candidates member; kept as `<sha256>.json` in `folder`."""
    place = folder / f"{archive.sha256}.json"
    with locked(folder.parent / "locks" / "counts"):
        try:
            known: dict[str, int] = json.loads(place.read_text(encoding="utf-8"))
            return known
        except (FileNotFoundError, ValueError):
            counts = {
                match["unit"].upper(): _rows(archive.path, name)
                for name in member_names(archive.path)
                if (match := CANDIDATES_CSV.fullmatch(base_name(name)))
            }
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(place, json.dumps(counts, sort_keys=True).encode("utf-8"))
            return counts


def national_rows(counts: dict[str, int]) -> int:
    """The rows of the national member, or of all others when there is none."""
    return counts.get(NATIONAL_UNIT, _parts(counts))


def disagreement(counts: dict[str, int]) -> str:
    """What is wrong when the national member is not the union of the others; empty when it is or cannot be told."""
    parts = _parts(counts)
    if NATIONAL_UNIT not in counts or len(counts) == 1 or parts == counts[NATIONAL_UNIT]:
        return ""
    return f"the national file has {counts[NATIONAL_UNIT]} rows, the files of the units together {parts}"


def _parts(counts: dict[str, int]) -> int:
    return sum(rows for unit, rows in counts.items() if unit != NATIONAL_UNIT)


def _rows(path: Path, name: str) -> int:
    lines, last = 0, b"\n"
    with open_member(path, name) as stream:
        while block := stream.read(READ_BLOCK):
            lines, last = lines + block.count(b"\n"), block
    return max(0, lines + (not last.endswith(b"\n")) - 1)

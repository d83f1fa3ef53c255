"""`overrides.json` in the data folder: verified identity decisions with who, when and why, reversible."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import ConfigurationError, NotFoundError, UsageError
from iris_assets.files import locked, write_atomically
from iris_assets.identity.matching import Override

FILE_NAME: Final = "overrides.json"
HINT: Final = "correct overrides.json, or write decisions with: iris-assets review accept"


@dataclass(frozen=True, slots=True)
class OverrideFile:
    """The verified decisions, and the entries that do not count because `verified` is not the boolean true."""

    overrides: tuple[Override, ...]
    ignored: tuple[str, ...]


def load_overrides(path: Path) -> OverrideFile:
    """Read and validate the file; an absent file holds no decision.

    Raises ConfigurationError OVERRIDES_INVALID: no JSON, no list of objects, an id that is none, or two verified
    decisions for one candidate. A broken file is never taken for an empty one.
    """
    active: dict[str, Override] = {}
    ignored = []
    for place, entry in enumerate(_entries(path), start=1):
        if entry.get("verified") is not True:
            ignored.append(
                f"entry {place} ({str(entry.get('tse_candidate_id'))[:40]}) is not verified: it does not count"
            )
            continue
        override = _override(entry, place)
        if override.tse_id in active:
            raise _invalid(f"entry {place}: candidate {override.tse_id} has two verified decisions")
        active[override.tse_id] = override
    return OverrideFile(tuple(active.values()), tuple(ignored))


def write_override(
    path: Path, tse_id: str, deputy_id: int, *, reason: str, who: str, now: datetime | None = None
) -> None:
    """Add the verified decision `tse_id` is `deputy_id`; an earlier one for the candidate stays in the file, undone.

    Raises UsageError OVERRIDE_INCOMPLETE without a reason or a name, or when an id is none.
    """
    moment = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    entry = {
        "tse_candidate_id": tse_id.strip(),
        "camara_deputy_id": deputy_id,
        "verified": True,
        "reason": reason.strip(),
        "decided_by": who.strip(),
        "decided_at": moment,
    }
    if not (entry["reason"] and entry["decided_by"] and tse_id.strip().isdigit() and deputy_id > 0):
        raise UsageError(
            "OVERRIDE_INCOMPLETE", "a decision needs the candidate's TSE id, the deputy's id, a reason and who decided"
        )
    with locked(_lock_of(path)):
        entries = _entries(path)
        _undo(entries, tse_id.strip(), who, moment)
        _replace(path, [*entries, entry])


def remove_override(path: Path, tse_id: str, *, who: str, now: datetime | None = None) -> None:
    """Undo the candidate's verified decision; the entry stays with who undid it and when.

    Raises NotFoundError OVERRIDE_NOT_FOUND.
    """
    moment = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    with locked(_lock_of(path)):
        entries = _entries(path)
        if not _undo(entries, tse_id.strip(), who, moment):
            raise NotFoundError("OVERRIDE_NOT_FOUND", f"no verified decision for candidate {tse_id}")
        _replace(path, entries)


def _undo(entries: list[dict[str, Any]], tse_id: str, who: str, moment: str) -> int:
    found = [e for e in entries if str(e.get("tse_candidate_id")) == tse_id and e.get("verified") is True]
    for entry in found:
        entry.update(verified=False, undone_by=who.strip(), undone_at=moment)
    return len(found)


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise _invalid(f"cannot be read as JSON ({type(error).__name__})") from None
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise _invalid("the file must hold a list of objects")
    return value


def _override(entry: dict[str, Any], place: int) -> Override:
    tse_id, deputy_id = str(entry.get("tse_candidate_id") or "").strip(), entry.get("camara_deputy_id")
    if not tse_id.isdigit():
        raise _invalid(f"entry {place}: tse_candidate_id must be the digits of SQ_CANDIDATO")
    if isinstance(deputy_id, str) and deputy_id.strip().isdigit():
        deputy_id = int(deputy_id)
    if not isinstance(deputy_id, int) or isinstance(deputy_id, bool) or deputy_id <= 0:
        raise _invalid(f"entry {place}: camara_deputy_id must be a positive number")
    return Override(tse_id, deputy_id, str(entry.get("reason") or ""))


def _invalid(problem: str) -> ConfigurationError:
    return ConfigurationError("OVERRIDES_INVALID", f"{FILE_NAME}: {problem}", hint=HINT)


def _replace(path: Path, entries: list[dict[str, Any]]) -> None:
    write_atomically(path, f"{json.dumps(entries, ensure_ascii=False, indent=2)}\n".encode())


def _lock_of(path: Path) -> Path:
    """Held by one writer at a time, so that two decisions made at once are both kept."""
    return path.with_name(path.name + ".lock")

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
    """The verified decisions, and the entries that do not count because `verified` is not the boolean true.

    `overrides` say who a candidate is, `rejections` who a candidate is not.
    """

    overrides: tuple[Override, ...]
    ignored: tuple[str, ...]
    rejections: tuple[Override, ...] = ()

    @property
    def every(self) -> tuple[Override, ...]:
        """All decisions."""
        return (*self.overrides, *self.rejections)


def load_overrides(path: Path) -> OverrideFile:
    """Read and validate the file; an absent file holds no decision.

    Raises ConfigurationError OVERRIDES_INVALID: no JSON, no list of objects, an id that is none, or two verified
    decisions for one candidate. A broken file is never taken for an empty one.
    """
    active: dict[str, Override] = {}
    rejected: list[Override] = []
    ignored = []
    for place, entry in enumerate(_entries(path), start=1):
        if entry.get("verified") is not True:
            ignored.append(
                f"entry {place} ({str(entry.get('tse_candidate_id'))[:40]}) is not verified: it does not count"
            )
            continue
        override = _override(entry, place)
        if not override.same:
            rejected.append(override)
            continue
        if override.tse_id in active:
            raise _invalid(f"entry {place}: candidate {override.tse_id} has two verified decisions")
        active[override.tse_id] = override
    contradicted = {(o.tse_id, o.deputy_id) for o in rejected} & {(o.tse_id, o.deputy_id) for o in active.values()}
    if contradicted:
        raise _invalid(f"candidate {min(contradicted)[0]} is said to be and not to be deputy {min(contradicted)[1]}")
    return OverrideFile(tuple(active.values()), tuple(ignored), tuple(rejected))


def write_override(
    path: Path, tse_id: str, deputy_id: int, *, reason: str, who: str, now: datetime | None = None, same: bool = True
) -> None:
    """Add the verified decision `tse_id` is (or is not) `deputy_id`; an earlier one that it replaces stays, undone.

    A decision who somebody is replaces the candidate's earlier one; a rejection replaces the one of that pair.

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
        replaced = [e for e in _active(entries, tse_id.strip()) if _is_replaced(e, deputy_id, same=same)]
        _undo(replaced, who, moment)
        _replace(path, [*entries, entry if same else {**entry, "same_person": False}])


def remove_override(path: Path, tse_id: str, *, who: str, now: datetime | None = None) -> None:
    """Undo the candidate's verified decisions; the entries stay with who undid them and when.

    Raises NotFoundError OVERRIDE_NOT_FOUND.
    """
    absent = NotFoundError("OVERRIDE_NOT_FOUND", f"no verified decision for candidate {tse_id}")
    if not path.exists():  # the lock would create a mistyped folder
        raise absent
    moment = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    with locked(_lock_of(path)):
        entries = _entries(path)
        if not _undo(_active(entries, tse_id.strip()), who, moment):
            raise absent
        _replace(path, entries)


def _active(entries: list[dict[str, Any]], tse_id: str) -> list[dict[str, Any]]:
    return [e for e in entries if str(e.get("tse_candidate_id")) == tse_id and e.get("verified") is True]


def _is_replaced(entry: dict[str, Any], deputy_id: int, *, same: bool) -> bool:
    """Of one candidate: the same pair, or another answer to who it is."""
    return str(entry.get("camara_deputy_id")) == str(deputy_id) or (same and entry.get("same_person") is not False)


def _undo(entries: list[dict[str, Any]], who: str, moment: str) -> int:
    for entry in entries:
        entry.update(verified=False, undone_by=who.strip(), undone_at=moment)
    return len(entries)


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
    same = entry.get("same_person", True)
    if not isinstance(same, bool):
        raise _invalid(f"entry {place}: same_person must be true or false")
    return Override(tse_id, deputy_id, str(entry.get("reason") or ""), same)


def _invalid(problem: str) -> ConfigurationError:
    return ConfigurationError("OVERRIDES_INVALID", f"{FILE_NAME}: {problem}", hint=HINT)


def _replace(path: Path, entries: list[dict[str, Any]]) -> None:
    write_atomically(path, f"{json.dumps(entries, ensure_ascii=False, indent=2)}\n".encode())


def _lock_of(path: Path) -> Path:
    """Held by one writer at a time, so that two decisions made at once are both kept."""
    return path.with_name(path.name + ".lock")

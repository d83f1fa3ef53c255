"""What we would make of a file without storing anything of it, by its content: archives, candidates, the Câmara's files."""

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Any, Final

from iris_assets.errors import SourceContractError
from iris_assets.sources.answers import json_object
from iris_assets.sources.archives import ENCRYPTED, check_archive, open_archive, open_member
from iris_assets.sources.camara_bulk import COLUMNS
from iris_assets.sources.candidate_members import NATIONAL_UNITS, candidate_members
from iris_assets.sources.candidates import CandidateReading, read_candidates_file
from iris_assets.sources.csv_records import DELIMITER
from iris_assets.sources.proposals import fate_of
from iris_assets.sources.retry import SourceFault
from iris_assets.sources.yearly_csv import check_yearly_csv, yearly_rows

BAD_ROWS_SHOWN: Final = 20
REFUSED: Final = "REFUSED"


def inspect_archive(path: Path) -> dict[str, Any]:
    """Its members, the fate of each and what the candidates among them hold; the refusal, when a run would refuse it."""
    try:
        check_archive(path)
    except SourceContractError as error:
        return {"kind": "zip", **_refusal(error), "members": []}
    with open_archive(path) as archive:
        members = [
            {
                "name": member.filename,
                "size": member.file_size,
                "fate": fate_of(member.filename, encrypted=bool(member.flag_bits & ENCRYPTED)),
            }
            for member in archive.infolist()
            if not member.is_dir()
        ]
    verdict = _verdict(path, members)
    return {"kind": "zip", **verdict, "members": members}


def _verdict(path: Path, members: list[dict[str, Any]]) -> dict[str, Any]:
    """The status of an archive by its members of candidates, each judged as a run would; adds `content` to those."""
    by_name = {member["name"]: member for member in members}
    judged: dict[str, dict[str, Any]] = {}
    for unit, name in candidate_members(path).items():
        judged[unit] = by_name[name]["content"] = inspect_candidates(name, lambda name=name: open_member(path, name))  # type: ignore[misc]
    if not judged and all(member["fate"] == "ignored" for member in members):
        message = "the archive has neither candidates nor plans"
        return {"status": REFUSED, "error_code": "MEMBER_MISSING", "reason": message}
    bad = {unit: content for unit, content in judged.items() if content["status"] == REFUSED}
    national = [unit for unit in NATIONAL_UNITS if unit in judged and unit not in bad]
    if bad and not national:
        first = next(iter(bad.values()))
        return {"status": REFUSED, "error_code": first["error_code"], "reason": first["reason"]}
    partial = bad or any(content["status"] == "PARTIAL" for content in judged.values())
    return {"status": "PARTIAL" if partial else "OK"}


def inspect_table(path: Path) -> dict[str, Any]:
    """A CSV or JSON file: one of the Câmara when its content says so, else candidates."""
    with path.open("rb") as file:
        head = file.read(4096)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return _inspect_json(path)
    header = head.split(b"\n", 1)[0].decode("utf-8-sig", "replace").replace('"', "").strip().split(DELIMITER)
    kind = next((kind for kind, columns in COLUMNS.items() if set(columns) <= set(header)), None)
    if kind is None:
        return {"kind": "csv", **inspect_candidates(path.name, lambda: path.open("rb"))}
    return {"kind": "csv", "source": f"camara: {kind}", **_inspect_yearly(path, kind)}


def _inspect_yearly(path: Path, kind: str) -> dict[str, Any]:
    try:
        check_yearly_csv(path, COLUMNS[kind])
    except SourceContractError as error:
        return _refusal(error)
    return {"status": "OK", "counts": {"read": sum(1 for _ in yearly_rows(path, COLUMNS[kind]))}}


def _inspect_json(path: Path) -> dict[str, Any]:
    """An answer of the Câmara's API: how many records, or why a run would not take it."""
    try:
        data = json_object(path.name, path.read_bytes())
    except SourceFault as fault:
        return {"kind": "json", **_refusal(fault.error)}
    records = data.get("dados")
    if not isinstance(records, dict | list):
        message = "the answer has no `dados`"
        return {"kind": "json", "status": REFUSED, "error_code": "ENVELOPE_INVALID", "reason": message}
    read = len(records) if isinstance(records, list) else 1
    return {"kind": "json", "source": "camara: API", "status": "OK", "counts": {"read": read}}


def inspect_candidates(name: str, opened: Callable[[], AbstractContextManager[IO[bytes]]]) -> dict[str, Any]:
    """Counts and reasons of a file of candidates, over all its rows."""
    reading = read_candidates_file(name, opened)
    try:
        return _counted(reading)
    except SourceContractError as error:
        return _refusal(error)


def _counted(reading: CandidateReading) -> dict[str, Any]:
    counts: Counter[str] = Counter(read=0, accepted=0, skipped=0, failed=0)
    skipped: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    bad: list[dict[str, Any]] = []
    for batch in reading:
        failed = len(batch.bad_rows)
        counts.update(read=batch.rows_read, accepted=len(batch.rows), skipped=batch.skipped.total(), failed=failed)
        skipped.update(batch.skipped)
        reasons.update(row.reason for row in batch.bad_rows)
        bad += [{"line": row.line, "reason": row.reason} for row in batch.bad_rows[: BAD_ROWS_SHOWN - len(bad)]]
    return {
        "status": "PARTIAL" if counts["failed"] else "OK",
        "counts": dict(counts),
        "skipped": dict(skipped),
        "reasons": dict(reasons),
        "failed": bad,
        "notes": list(reading.notes),
    }


def _refusal(error: Any) -> dict[str, Any]:
    return {"status": REFUSED, "error_code": error.code, "reason": error.message}

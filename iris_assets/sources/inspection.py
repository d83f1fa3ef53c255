"""What we would make of an archive, without reading its records."""

from pathlib import Path
from typing import Any

from iris_assets.errors import SourceContractError
from iris_assets.sources.archives import ENCRYPTED, check_archive, open_archive
from iris_assets.sources.proposals import fate_of


def inspect_archive(path: Path) -> dict[str, Any]:
    """What we would make of an archive: its members and the fate of each; the refusal, when it is refused."""
    try:
        check_archive(path)
    except SourceContractError as error:
        return {"kind": "zip", "status": "REFUSED", "error_code": error.code, "reason": error.message, "members": []}
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
    return {"kind": "zip", "status": "OK", "members": members}

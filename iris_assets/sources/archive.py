"""One downloaded archive of the electoral court, as the stages pass it around."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Archive:
    """A whole, checked archive on disk.

    `not_modified`: its bytes are those of the last download. `notes` say what a reader of the run should know,
    e.g. that a damaged new file was refused and this is the last good copy.
    """

    path: Path
    sha256: str
    url: str
    resource_id: str
    label: str
    not_modified: bool
    collected_at: datetime
    notes: tuple[str, ...] = ()

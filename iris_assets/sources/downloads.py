"""The download folder: content-addressed files and a manifest of what came from where, shared by every process."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2

from iris_assets.errors import SourceContractError, SourceUnavailableError
from iris_assets.files import locked, sha256_of, sync_folder, write_atomically
from iris_assets.sources.hosts import shown
from iris_assets.sources.retry import SourceFault

MOST_BYTES = 8 << 30  # the largest published archive has about 5 GB
MOST_SECONDS = 3600.0  # of one transfer, however slowly its bytes come
_checked: set[tuple[str, int, int]] = set()  # (path, modification time, size) of files whose hash was compared


@dataclass(frozen=True, slots=True)
class Download:
    """A file of the folder. `not_modified`: its bytes are those of the last time, whether by 304 or by equal hash."""

    path: Path
    sha256: str
    size: int
    url: str
    etag: str | None
    last_modified: str | None
    collected_at: datetime
    not_modified: bool
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Receiver:
    """Takes the body of one answer into a temporary file while its SHA-256 runs."""

    target: Path
    validators: Mapping[str, str]
    unchanged: bool = False
    sha256: str = ""
    size: int = 0
    etag: str | None = None
    last_modified: str | None = None

    def receive(self, response: httpx2.Response, blocks: Iterable[bytes]) -> None:
        """Write all blocks; a body shorter or longer than Content-Length raises SourceFault (worth another try)."""
        if response.status_code == 304:
            self.unchanged = True
            return
        digest, size, started = hashlib.sha256(), 0, time.monotonic()
        with open(self.target, "wb", opener=_for_us_alone) as file:
            for block in blocks:
                digest.update(block)
                size += len(block)
                _require_within(response, size, time.monotonic() - started)
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
        self._compare_length(response, size)
        self.sha256, self.size = digest.hexdigest(), size
        self.etag = response.headers.get("etag")
        self.last_modified = response.headers.get("last-modified")

    @staticmethod
    def _compare_length(response: httpx2.Response, size: int) -> None:
        declared = response.headers.get("content-length", "")
        if declared.isdigit() and int(declared) != size:
            error = SourceUnavailableError(
                "DOWNLOAD_INCOMPLETE",
                f"{shown(str(response.url))}: {size} of {declared} bytes received",
                hint="the connection dropped; try again",
            )
            raise SourceFault(error)


class DownloadFolder:
    """`objects/<first two of the hash>/<hash>` plus `manifest.json`; one process at a time fetches one address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._manifest = folder / "manifest.json"

    def fetch(self, url: str, transfer: Callable[[Receiver], None], check: Callable[[Path], None] | None) -> Download:
        """The file of `url`: `transfer` is asked to fill a Receiver, `check` to accept what came.

        A refused file raises, unless a last good copy exists: then that is returned with a note.
        """
        name = hashlib.sha256(url.encode()).hexdigest()[:32]
        with self._locked(name):
            known = self._entry(url)
            temporary = self.folder / "incoming" / f"{name}.{os.getpid()}.part"
            temporary.parent.mkdir(parents=True, exist_ok=True)
            receiver = Receiver(temporary, _validators(known))
            try:
                transfer(receiver)
                return self._accept(url, receiver, known, check)
            finally:
                temporary.unlink(missing_ok=True)

    def _accept(
        self, url: str, receiver: Receiver, known: dict[str, Any] | None, check: Callable[[Path], None] | None
    ) -> Download:
        if receiver.unchanged:
            return self._unchanged(url, receiver, known)
        if known is not None and known["sha256"] == receiver.sha256:
            entry = {**known, "etag": receiver.etag, "last_modified": receiver.last_modified}
            self._remember(url, entry)
            return self._download(url, entry, not_modified=True)
        if check is not None:
            try:
                check(receiver.target)
            except SourceContractError as error:
                if known is None:
                    raise
                return self._download(url, known, not_modified=True, notes=(_refused(url, known, error),))
        return self._download(url, self._keep(url, receiver), not_modified=False)

    def _unchanged(self, url: str, receiver: Receiver, known: dict[str, Any] | None) -> Download:
        if known is None:
            raise SourceContractError(
                "SOURCE_UNEXPECTED_304", f"{shown(url)} answered 304 to a question without validators"
            )
        return self._download(url, known, not_modified=True)

    def _keep(self, url: str, receiver: Receiver) -> dict[str, Any]:
        place = self._object(receiver.sha256)
        place.parent.mkdir(parents=True, exist_ok=True)
        receiver.target.replace(place)
        sync_folder(place.parent)
        entry = {
            "sha256": receiver.sha256,
            "size": receiver.size,
            "etag": receiver.etag,
            "last_modified": receiver.last_modified,
            "collected_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._remember(url, entry)
        return entry

    def kept(self, url: str) -> Path | None:
        """The last good file of `url`, without asking anybody; None when there is none."""
        entry = self._entry(url)
        return None if entry is None else self._object(entry["sha256"])

    def _object(self, sha256: str) -> Path:
        return self.folder / "objects" / sha256[:2] / sha256

    def _download(
        self, url: str, entry: Mapping[str, Any], *, not_modified: bool, notes: tuple[str, ...] = ()
    ) -> Download:
        place = self._object(entry["sha256"])
        if place.stat().st_mode & 0o077:  # kept by an earlier version
            place.chmod(0o600)
        return Download(
            path=place,
            sha256=entry["sha256"],
            size=entry["size"],
            url=url,
            etag=entry["etag"],
            last_modified=entry["last_modified"],
            collected_at=datetime.fromisoformat(entry["collected_at"]),
            not_modified=not_modified,
            notes=notes,
        )

    def _entry(self, url: str) -> dict[str, Any] | None:
        """What the manifest says of `url`, if its file is still whole."""
        entry = self._read().get(url)
        if entry is None or not _is_whole(self._object(entry["sha256"]), entry["sha256"], entry["size"]):
            return None
        return entry

    def _read(self) -> dict[str, dict[str, Any]]:
        """The manifest only saves work: when it is absent or broken, everything is fetched anew and checked again."""
        try:
            return dict(json.loads(self._manifest.read_text(encoding="utf-8"))["entries"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return {}

    def _remember(self, url: str, entry: Mapping[str, Any]) -> None:
        with self._locked("manifest"):
            entries = self._read()
            entries[url] = dict(entry)
            text = json.dumps({"version": 1, "entries": entries}, ensure_ascii=False, indent=1, sort_keys=True)
            write_atomically(self._manifest, text.encode("utf-8"))

    def _locked(self, name: str) -> AbstractContextManager[None]:
        return locked(self.folder / "locks" / name)


def _require_within(response: httpx2.Response, size: int, seconds: float) -> None:
    """Refuses a body without end, in bytes or in time."""
    where = shown(str(response.url))
    if size > MOST_BYTES:
        raise SourceContractError(
            "DOWNLOAD_TOO_LARGE",
            f"{where} sends more than {MOST_BYTES} bytes",
            hint="look at what the source publishes",
        )
    if seconds > MOST_SECONDS:
        raise SourceUnavailableError(
            "DOWNLOAD_TOO_SLOW", f"{where} took more than {MOST_SECONDS:g} s for {size} bytes", hint="try again later"
        )


def _for_us_alone(path: str, flags: int) -> int:
    """Published files hold personal columns that we do not read: nobody else on this machine reads them either."""
    return os.open(path, flags, 0o600)


def _refused(url: str, known: Mapping[str, Any], error: SourceContractError) -> str:
    return f"{error.code}: {shown(url)} was refused ({error.message}); the copy of {known['collected_at']} stays in use"


def _validators(entry: Mapping[str, Any] | None) -> dict[str, str]:
    if entry is None:
        return {}
    pairs = (("If-None-Match", entry["etag"]), ("If-Modified-Since", entry["last_modified"]))
    return {name: value for name, value in pairs if value}


def _is_whole(path: Path, sha256: str, size: int) -> bool:
    """True when the file still has its hash; a file that was checked and not touched since is not read again."""
    try:
        state = path.stat()
    except FileNotFoundError:
        return False
    seen = (str(path), state.st_mtime_ns, state.st_size)
    if state.st_size != size:
        return False
    if seen not in _checked:
        if sha256_of(path) != sha256:
            return False
        _checked.add(seen)
    return True

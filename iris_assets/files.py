"""Files that processes share: one lock, one way to write whole or not at all, one hash."""

import fcntl
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(place: Path, *, removed: bool = False) -> Iterator[None]:
    """Hold the lock file `place`, between processes and between threads: every holder opens its own descriptor.

    The kernel gives the lock of a killed process back. `removed`: the file goes with its holder, for locks whose names
    are without number.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor = _held(place)
    try:
        yield
    finally:
        if removed:
            place.unlink(missing_ok=True)
        os.close(descriptor)


def _held(place: Path) -> int:
    while True:
        descriptor = os.open(place, os.O_CREAT | os.O_RDWR, 0o666)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            if os.fstat(descriptor).st_ino == place.stat().st_ino:
                return descriptor
        except FileNotFoundError:
            pass
        os.close(descriptor)  # its last holder took the file away while we waited


def write_atomically(path: Path, data: bytes) -> None:
    """Replace `path` by `data` so that a reader sees the old or the new file, also after a crash."""
    write_aside(path, data).replace(path)
    sync_folder(path.parent)


def write_aside(path: Path, data: bytes, temporary: Path | None = None) -> Path:
    """The data in a file beside `path`, flushed and read back, ready to be renamed. Raises OSError.

    Each thread has its own file; who holds a lock on `path` may name one, so that what a killed process left goes.
    """
    temporary = temporary or path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if sha256_of(temporary) != hashlib.sha256(data).hexdigest():
            raise OSError("what was written cannot be read back")
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def sync_folder(folder: Path) -> None:
    """Make renames in the folder outlast a crash of the machine."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

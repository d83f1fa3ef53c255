"""ZIP archives from outside: judged as a whole before anything in them is read, then read one member at a time."""

import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from iris_assets.errors import SourceContractError
from iris_assets.sources.received import LFS_POINTER, ZIP_SIGNATURES, describe, is_html

MAX_MEMBERS: Final = 50_000
MAX_TOTAL_BYTES: Final = 20 * 1024**3
MAX_MEMBER_BYTES: Final = 8 * 1024**3
MAX_PDF_BYTES: Final = 512 * 1024**2
MAX_RATIO: Final = 200  # real CSV members shrink to about a tenth, PDFs hardly at all
RATIO_MATTERS_FROM: Final = 10 * 1024**2
ENCRYPTED: Final = 0x1
# What the unpackers raise of damaged bytes (bzip2: OSError).
UNPACKING = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError)
READ_BLOCK: Final = 1024 * 1024

_judged: set[tuple[str, int, int]] = set()  # (path, modification time, size) of archives whose directory was accepted


def check_archive(path: Path) -> None:
    """Accept a ZIP by its signature, directory and checksums, or raise SourceContractError naming the fault.

    Codes: ARCHIVE_EMPTY, ARCHIVE_IS_HTML, ARCHIVE_IS_LFS_POINTER, ARCHIVE_NOT_ZIP, ARCHIVE_TRUNCATED,
    ARCHIVE_DAMAGED, ARCHIVE_BOMB, ARCHIVE_UNSAFE_NAME, ARCHIVE_LINK, ARCHIVE_DUPLICATE_MEMBER, ARCHIVE_BAD_CRC.
    """
    with open_archive(path) as archive:
        check_checksums(archive)


@contextmanager
def open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """The archive with its signature and directory checked (not its checksums: see check_archive).

    A file that was judged and not touched since is opened without being judged again.
    """
    state = path.stat()
    identity = (str(path), state.st_mtime_ns, state.st_size)
    if identity not in _judged:
        _check_signature(path)
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise _directory_fault(path, error) from error
    with archive:
        if identity not in _judged:
            check_directory(archive, state.st_size)
            _judged.add(identity)
        yield archive


def _check_signature(path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(1024)
    if head.startswith(ZIP_SIGNATURES):
        return
    received = f"a ZIP archive was expected, {describe(head, size)} received"
    if size == 0:
        raise _fault("ARCHIVE_EMPTY", received)
    if head.startswith(LFS_POINTER):
        raise _fault("ARCHIVE_IS_LFS_POINTER", received)
    if is_html(head):
        raise _fault("ARCHIVE_IS_HTML", received)
    raise _fault("ARCHIVE_NOT_ZIP", received)


def _directory_fault(path: Path, error: Exception) -> SourceContractError:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 70_000))
        tail = file.read()
    if b"PK\x05\x06" not in tail:
        return _fault("ARCHIVE_TRUNCATED", f"the archive ends before its directory ({path.stat().st_size} bytes)")
    return _fault("ARCHIVE_DAMAGED", f"the archive's directory cannot be read: {ascii(str(error))[:200]}")


def check_directory(archive: zipfile.ZipFile, archive_bytes: int) -> None:
    """Refuse names that leave the folder, links, doubles and absurd sizes, from the directory alone."""
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise _fault("ARCHIVE_BOMB", f"{len(members)} members")
    names: set[str] = set()
    for member in members:
        _check_name(member)
        _check_kind(member)
        _check_sizes(member)
        if member.filename in names:
            raise _fault("ARCHIVE_DUPLICATE_MEMBER", f"two members are named {ascii(member.filename)[:200]}")
        names.add(member.filename)
    total = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if total > MAX_TOTAL_BYTES:
        raise _fault("ARCHIVE_BOMB", f"{total} bytes unpacked")
    if packed > archive_bytes:
        # Members that share the same packed bytes: the other way to make a small file unpack to a huge one.
        raise _fault("ARCHIVE_BOMB", f"members overlap: {packed} packed bytes in a file of {archive_bytes}")


def _check_name(member: zipfile.ZipInfo) -> None:
    # `orig_filename` keeps what zipfile cuts at a NUL or turns on other systems.
    for name in (member.filename, member.orig_filename):
        plain = name.replace("\\", "/")
        if (
            plain.startswith("/")
            or re.match(r"[A-Za-z]:", plain)
            or ".." in plain.split("/")
            or "\0" in name
            or not name
        ):
            raise _fault("ARCHIVE_UNSAFE_NAME", f"member {ascii(name)[:200]}")


def _check_kind(member: zipfile.ZipInfo) -> None:
    mode = member.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _fault("ARCHIVE_LINK", f"member {ascii(member.filename)[:200]} is a link or a special file")


def _check_sizes(member: zipfile.ZipInfo) -> None:
    ratio = member.file_size / max(member.compress_size, 1)
    if member.file_size > MAX_MEMBER_BYTES or (member.file_size > RATIO_MATTERS_FROM and ratio > MAX_RATIO):
        raise _fault(
            "ARCHIVE_BOMB",
            f"member {ascii(member.filename)[:200]} unpacks from {member.compress_size} to {member.file_size} bytes",
        )


def check_checksums(archive: zipfile.ZipFile) -> None:
    """Read every member that can be read here and compare its checksum; the bad one is named."""
    for member in archive.infolist():
        if member.is_dir() or member.flag_bits & ENCRYPTED:
            continue
        try:
            with archive.open(member) as file:
                while file.read(READ_BLOCK):
                    pass
        except NotImplementedError:
            continue  # a packing method that we do not know costs this member only, when it is read
        except UNPACKING as error:
            raise _fault("ARCHIVE_BAD_CRC", f"member {ascii(member.filename)[:200]} is damaged") from error


def read_bounded(archive: zipfile.ZipFile, name: str, limit: int = MAX_PDF_BYTES) -> bytes:
    """The bytes of one member; MEMBER_ENCRYPTED, MEMBER_TOO_LARGE and MEMBER_UNREADABLE cost this member only."""
    member = archive.getinfo(name)
    shown = ascii(name)[:200]
    if member.flag_bits & ENCRYPTED:
        raise _fault("MEMBER_ENCRYPTED", f"member {shown} is encrypted")
    if member.file_size > limit:
        raise _fault("MEMBER_TOO_LARGE", f"member {shown} has {member.file_size} bytes, more than {limit}")
    try:
        with archive.open(member) as file:
            return file.read(limit + 1)
    except (*UNPACKING, RuntimeError) as error:
        raise _fault("MEMBER_UNREADABLE", f"member {shown} cannot be unpacked") from error


def member_names(path: Path) -> list[str]:
    with open_archive(path) as archive:
        return archive.namelist()


@contextmanager
def open_member(path: Path, name: str) -> Iterator[IO[bytes]]:
    """One member as a stream; a fault in the middle of it raises SourceContractError MEMBER_UNREADABLE."""
    with open_archive(path) as archive:
        if archive.getinfo(name).flag_bits & ENCRYPTED:
            raise _fault("MEMBER_ENCRYPTED", f"member {ascii(name)[:200]} is encrypted")
        try:
            with archive.open(name) as stream:
                yield stream
        except (zipfile.BadZipFile, NotImplementedError, zlib.error, lzma.LZMAError, EOFError) as error:
            raise _fault("MEMBER_UNREADABLE", f"member {ascii(name)[:200]} cannot be unpacked") from error


def _fault(code: str, message: str) -> SourceContractError:
    return SourceContractError(
        code, message, hint="the file at the source is damaged or is not what it should be; nothing of it was read"
    )

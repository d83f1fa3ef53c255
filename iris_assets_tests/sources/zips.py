"""Archives that the tests make themselves: hostile ones of every class with the code they must get, and mutants."""

import io
import random
import stat
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"


def zipped(members: Mapping[str, bytes], *, mode: int = stat.S_IFREG, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = (mode | 0o644) << 16
            archive.writestr(info, data)
    return out.getvalue()


def renamed(data: bytes, old: bytes, new: bytes) -> bytes:
    """The archive with a member's name replaced by one of the same length, as no zip program would write it."""
    assert len(old) == len(new)
    assert old in data
    return data.replace(old, new)


def patched(data: bytes, offset: int, value: bytes, *, local: int | None = None) -> bytes:
    """`value` written at `offset` of the first directory entry, and at `local` of the first member's own header."""
    out = bytearray(data)
    entry = data.rfind(b"PK\x01\x02")
    out[entry + offset : entry + offset + len(value)] = value
    if local is not None:
        out[local : local + len(value)] = value
    return bytes(out)


def overlapping(copies: int) -> bytes:
    """A directory whose entries all share the same packed bytes."""
    data = zipped({"a.csv": bytes(range(256)) * 4000})
    entry, end = data.rfind(b"PK\x01\x02"), data.rfind(b"PK\x05\x06")
    entries = b"".join(data[entry:end].replace(b"a.csv", b"%05d" % n) for n in range(copies))
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, copies, copies, len(entries), entry, 0)
    return data[:entry] + entries + tail


def hostile(good: Mapping[str, bytes]) -> Iterator[tuple[str, str, bytes]]:
    """(what it is, the code it must get, bytes); `good` are the members that an honest archive would have."""
    whole = zipped(good)
    name = next(iter(good)).encode()
    yield "nothing", "ARCHIVE_EMPTY", b""
    for page in (
        b"<!DOCTYPE html><html>403</html>",
        b"\xef\xbb\xbf\n<html>",
        b"<?xml version='1.0'?><e/>",
        b"<p>a</p>",
    ):
        yield "a page", "ARCHIVE_IS_HTML", page
    yield "a pointer", "ARCHIVE_IS_LFS_POINTER", LFS
    for head in (
        b"Rar!\x1a\x07\x00",
        b"\x1f\x8b\x08",
        b"7z\xbc\xaf\x27\x1c",
        b"%PDF-1.7",
        b'{"a":1}',
        b"PK",
        b"\0" * 99,
    ):
        yield "another format", "ARCHIVE_NOT_ZIP", head
    for share in range(1, 16):
        yield f"cut at {share}/16", "ARCHIVE_TRUNCATED", whole[: max(4, len(whole) * share // 16)]
    yield "cut in its last bytes", "ARCHIVE_TRUNCATED", whole[:-21]
    for path in ("../a.csv", "a/../../b", "..\\a.csv", "/etc/a", "C:\\a.csv", "c:a", "\\\\h\\a", "a/..", "..", "/"):
        yield f"member {path}", "ARCHIVE_UNSAFE_NAME", zipped({**good, path: b"1"})
    yield "NUL in a name", "ARCHIVE_UNSAFE_NAME", renamed(whole, name, name[:-4] + b"\0csv")
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK):
        yield "no plain file", "ARCHIVE_LINK", zipped(good, mode=kind)
    yield "expands 1000 times", "ARCHIVE_BOMB", zipped({**good, "b": bytes(16 << 20)})
    yield "members overlap", "ARCHIVE_BOMB", overlapping(40)
    yield "said to be 4 GB", "ARCHIVE_BOMB", patched(whole, 24, b"\xfe\xff\xff\xff")
    yield "50,001 members", "ARCHIVE_BOMB", zipped(dict.fromkeys(map(str, range(50_001)), b""))
    twin = name[:-5] + (b"x" if name[-5:-4] != b"x" else b"y") + name[-4:]
    yield "a name twice", "ARCHIVE_DUPLICATE_MEMBER", renamed(zipped({**good, twin.decode(): b"1"}), twin, name)
    stored = zipped(good, method=zipfile.ZIP_STORED)
    for place in (100, 200, 300, 400):
        yield "a byte changed", "ARCHIVE_BAD_CRC", stored[:place] + bytes([stored[place] ^ 0xFF]) + stored[place + 1 :]
    yield "a wrong checksum", "ARCHIVE_BAD_CRC", patched(whole, 16, b"\1\2\3\4")
    yield "garbage for packed data", "ARCHIVE_BAD_CRC", whole[:80] + b"\xff" * 60 + whole[140:]
    yield "no local header", "ARCHIVE_BAD_CRC", b"PK\x03\x04" + b"\1" * 26 + whole[30:]
    yield "directory overwritten", "ARCHIVE_DAMAGED", whole.replace(b"PK\x01\x02", b"PX\x01\x02")
    yield "directory far outside", "ARCHIVE_DAMAGED", whole[:-10] + b"\xff\xff\xff\x7f" * 2 + b"\0\0"


def hostile_content(good: Mapping[str, bytes], member: str) -> Iterator[tuple[str, str, bytes]]:
    """As `hostile`: whole archives whose candidates member is not what it should be."""
    data = good[member]
    header, _, rows = data.partition(b"\r\n")
    changes: dict[str, tuple[str, Callable[[], dict[str, bytes]]]] = {
        "no candidates member": ("MEMBER_MISSING", lambda: {"leiame.pdf": b"%PDF-"}),
        "an archive in the archive": ("MEMBER_MISSING", lambda: {"inner.zip": zipped(good)}),
        "no header": ("CSV_HEADER_MISSING", lambda: {member: rows}),
        "an empty member": ("CSV_HEADER_MISSING", lambda: {member: b""}),
        "a page as member": ("CSV_HEADER_MISSING", lambda: {member: b"<html>403</html>"}),
        "UTF-16 without a mark": ("CSV_HEADER_MISSING", lambda: {member: data.decode("latin-1").encode("utf-16-le")}),
        "a renamed column": ("CSV_COLUMN_MISSING", lambda: {member: data.replace(b"SQ_CANDIDATO", b"SQ_OUTRA")}),
        "commas": ("CSV_HEADER_MISSING", lambda: {member: data.replace(b";", b",")}),
        "a column less in every row": ("CSV_MOST_ROWS_INVALID", lambda: {member: header + b"\r\n" + _narrow(rows)}),
        "columns shifted": ("CSV_MOST_ROWS_INVALID", lambda: {member: header.replace(b'"NR_TURNO";', b"") + b';"NR_TURNO"\r\n' + rows}),
        "NULs everywhere": ("CSV_MOST_ROWS_INVALID", lambda: {member: header + b"\r\n" + rows.replace(b"A", b"\0")}),
    }  # fmt: skip
    for what, (code, make) in changes.items():
        yield what, code, zipped(make())
    encrypted = patched(zipped({member: data}), 8, b"\1\0", local=6)
    yield "an encrypted member", "MEMBER_ENCRYPTED", encrypted
    yield "an unknown packing", "MEMBER_UNREADABLE", patched(zipped({member: data}), 10, b"\x63\0", local=8)


def _narrow(rows: bytes) -> bytes:
    return b"\r\n".join(line.rpartition(b";")[0] for line in rows.split(b"\r\n") if line) + b"\r\n"


def mutants(good: Mapping[str, bytes], seed: int, count: int) -> Iterator[bytes]:
    """Seeded damage anywhere in an archive: bytes flipped, cut out, doubled."""
    chance = random.Random(seed)
    whole = zipped(good)
    for _ in range(count):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 2, 5, 20))):
            at = chance.randrange(len(data))
            kind = chance.randrange(3)
            if kind == 0:
                data[at] = chance.randrange(256)
            elif kind == 1:
                del data[at : at + chance.randrange(1, 40)]
            else:
                data[at:at] = data[at : at + chance.randrange(1, 200)]
        yield bytes(data)

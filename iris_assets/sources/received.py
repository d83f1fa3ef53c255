"""Says what was really received when a JSON answer or an archive was expected, in words fit for an error message."""

import re
from typing import Final

PERSONAL: Final = re.compile(r"\d[\d./-]{5,}|[^\s;,\"<>]+@[^\s;,\"<>]*")
SHOWN_BYTES: Final = 60
LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"
ZIP_SIGNATURES: Final = (b"PK\x03\x04", b"PK\x05\x06")


def is_html(head: bytes) -> bool:
    """True when the bytes begin like an HTML (or XML) page: a block page, an error page."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")) or (
        start.startswith(b"<") and b"</" in start
    )


def is_xml(head: bytes) -> bool:
    """True for an XML document that is no page of HTML: what a gateway answers when its service fails."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith(b"<?xml") and b"<html" not in start and b"<!doctype html" not in start


def describe(head: bytes, length: int) -> str:
    """`an HTML page (462 bytes, begins '<!DOCTYPE …')` and the like; the shown bytes are escaped."""
    if length == 0:
        return "an empty body"
    # What was received may be anything, also a table of people: long numbers and addresses are not shown.
    begins = ascii(PERSONAL.sub("…", head[:SHOWN_BYTES].decode("latin-1")))
    return f"{kind(head)} ({length} bytes, begins {begins})"


def kind(head: bytes) -> str:
    """A short name for what the bytes look like."""
    if head.startswith(LFS_POINTER):
        return "a git-lfs pointer"
    if is_xml(head):
        return "an XML document"
    if is_html(head):
        return "an HTML page"
    if head.startswith(ZIP_SIGNATURES):
        return "a ZIP archive"
    if b"%PDF-" in head[:1024]:
        return "a PDF"
    if head.lstrip()[:1] in (b"{", b"["):
        return "JSON"
    return "something else"

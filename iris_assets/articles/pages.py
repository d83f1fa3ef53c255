"""Bytes of a page turned into text: what proves to be UTF-8 is that, else what header or page declare, else Windows."""

import codecs
from email.message import Message
from typing import Final

from iris_assets.articles.dom import dom

MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
HEAD: Final = 8192  # a declaration further down counts for no browser
# As browsers do: what is called Latin-1 is Windows-1252, which holds the quotes and dashes of real pages.
WINDOWS: Final = frozenset(("iso8859-1", "ascii", "cp1252"))


def decoded(data: bytes, content_type: str = "") -> str:
    """The text of a page; `content_type` is the header it came with. Bytes that fit nothing become U+FFFD."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    try:
        return data.decode("utf-8")  # text of another encoding hardly ever passes as valid UTF-8
    except UnicodeDecodeError:
        declared = _charset(content_type) or _in_page(data[:HEAD])
        return data.decode(declared or "cp1252", "replace")


def _charset(content_type: str) -> str | None:
    header = Message()
    header["content-type"] = content_type
    return _known(header.get_content_charset(""))


def _known(name: str | None) -> str | None:
    try:
        found = codecs.lookup((name or "").strip()).name
    except LookupError:
        return None
    # A page that claims UTF-8 and is not valid UTF-8 is something else.
    return None if found.startswith("utf") else "cp1252" if found in WINDOWS else found


def _in_page(head: bytes) -> str | None:
    for meta in dom(head.decode("latin-1")).iter("meta"):
        found = _known(meta.get("charset")) or _charset(meta.get("content") or "")
        if found:
            return found
    return None

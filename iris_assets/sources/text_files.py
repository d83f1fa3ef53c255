"""Text files from outside: their encoding and line ends by content, broken characters refused before anything is read."""

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import IO, Final, TextIO

from iris_assets.errors import SourceContractError

BLOCK: Final = 1024 * 1024
KEPT_BACK: Final = 8  # characters of a block that wait for the next one
UTF8, UTF16, LATIN1 = "utf-8", "utf-16", "latin-1"
MARKS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: UTF16, codecs.BOM_UTF16_BE: UTF16}
SHOWN: Final = {UTF8: "UTF-8", "utf-8-sig": "UTF-8 with byte order mark", UTF16: "UTF-16", LATIN1: "Latin-1"}
# Bytes of one encoding read as another one's leave controls that no text holds.
CONTROLS: Final = re.compile("[\x80-\x9f\ufffd]")
# A word that stands in nearly every row, in capitals or not; its cedilla and tilde are what a wrong encoding breaks.
BROKEN_WORD: Final = re.compile(r"(?:ELEI|Elei)(?:[^\x00-\x7fÇç]|\?|[Çç](?:[^\x00-\x7fÃãÕõ]|\?))")


@dataclass(frozen=True, slots=True)
class TextFacts:
    """How a text file is written; `lines` counts those that have content or an end."""

    encoding: str
    ascii_only: bool
    line_ends: str
    lines: int

    def note(self) -> str:
        shown = "ASCII" if self.ascii_only else SHOWN[self.encoding]
        return f"text of the file: {shown}, lines end in {self.line_ends or 'nothing'}"


def judge_text(stream: IO[bytes]) -> TextFacts:
    """The facts of a seekable stream, read once (twice when it is not UTF-8).

    A byte order mark decides, then valid UTF-8, else it is Latin-1. SourceContractError TEXT_ENCODING_BROKEN with the
    line where the chosen encoding leaves control characters or breaks the word "eleição".
    """
    head = stream.read(4)
    marked = next((name for mark, name in MARKS.items() if head.startswith(mark)), None)
    for encoding in (marked,) if marked else (UTF8, LATIN1):
        stream.seek(0)
        try:
            return _scan(stream, encoding)
        except UnicodeDecodeError as error:
            if encoding == marked:
                raise _broken(f"the byte order mark says {SHOWN[encoding]}, the bytes are not") from error
    raise AssertionError("every byte is a Latin-1 character")


@contextmanager
def opened_text(opened: AbstractContextManager[IO[bytes]]) -> Iterator[tuple[TextIO, TextFacts]]:
    """The text of a stream with its line ends as they are, and what was found of it."""
    with opened as stream:
        facts = judge_text(stream)
        stream.seek(0)
        yield io.TextIOWrapper(stream, facts.encoding, newline=""), facts


def _scan(stream: IO[bytes], encoding: str) -> TextFacts:
    decoder = codecs.getincrementaldecoder(encoding)()
    ends = {"\r\n": 0, "\n": 0, "\r": 0}
    ascii_only, last = True, ""
    while block := stream.read(BLOCK):
        text = last + decoder.decode(block)
        # The last characters wait: a line end or a word may go on in the next block.
        cut = -KEPT_BACK - text[:-KEPT_BACK].endswith("\r")
        text, last = text[:cut], text[cut:]
        ascii_only = ascii_only and text.isascii()
        _refuse_broken(text + last, encoding, sum(ends.values()))
        _count_ends(text, ends)
    last += decoder.decode(b"", True)
    _count_ends(last, ends)
    found = " and ".join(name for end, name in (("\r\n", "CR LF"), ("\n", "LF"), ("\r", "CR")) if ends[end])
    unended = bool(last) and last[-1] not in "\r\n"
    return TextFacts(encoding, ascii_only and last.isascii(), found, sum(ends.values()) + unended)


def _count_ends(text: str, ends: dict[str, int]) -> None:
    both = text.count("\r\n")
    ends["\r\n"] += both
    ends["\n"] += text.count("\n") - both
    ends["\r"] += text.count("\r") - both


def _refuse_broken(text: str, encoding: str, lines_before: int) -> None:
    if text.isascii():
        return
    for pattern, what in ((CONTROLS, "control characters"), (BROKEN_WORD, "a broken “eleição”")):
        if found := pattern.search(text):
            before = text[: found.start()]
            line = lines_before + 1 + (before.count("\n") or before.count("\r"))
            raise _broken(f"line {line}: read as {SHOWN[encoding]} it holds {what}")


def _broken(message: str) -> SourceContractError:
    return SourceContractError(
        "TEXT_ENCODING_BROKEN",
        f"the characters of the file are broken: {message}",
        hint="the file at the source is damaged; it is read again when the source has mended it",
    )

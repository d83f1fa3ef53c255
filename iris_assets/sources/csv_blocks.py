"""Large CSV members in blocks of whole records, with the places of their marks (delimiters, quotes, line ends)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Final

BLOCK_BYTES: Final = 1024 * 1024  # measured: larger ones leave the cache, smaller ones pay for each array
LONGEST_RECORD: Final = 1024 * 1024  # a quote that does not close within this is a broken line, not a long field
SMALLEST_HALF: Final = 32 * 1024
FIRST_LINE: Final = 2  # of the records: the header is line 1
DELIMITER: Final = ";"
MARKS: Final = b';"\r\n\0'
_NO_MARKS: Final = bytes(set(range(256)) - set(MARKS))


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records as bytes. `broken`: its single line opens a quote that never closes.

    `marks` are the bytes of `data` that delimit something, in their order: they alone tell whether records are regular.
    """

    data: bytes
    marks: bytes
    first_line: int
    broken: bool = False

    def halves(self) -> tuple["Block", "Block"] | None:
        """The block cut in two at a record's end, None when it is small or has no such place."""
        middle = len(self.data) // 2
        if middle < SMALLEST_HALF:
            return None
        head = self.data[:middle]
        marks = marks_of(head)
        cut, cut_marks = _last_record_end(head, marks)
        if not cut:
            return None
        lines = marks.count(b"\n", 0, cut_marks)
        return (
            Block(self.data[:cut], self.marks[:cut_marks], self.first_line),
            Block(self.data[cut:], self.marks[cut_marks:], self.first_line + lines),
        )


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that was put aside: its line in the file (the header is line 1) and why; never its content."""

    line: int
    reason: str


def marks_of(data: bytes) -> bytes:
    return data.translate(None, _NO_MARKS)


def record_blocks(stream: IO[bytes], first_line: int, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """Cut a stream at line ends that lie outside quotes; memory stays near `size`."""
    rest, line = b"", first_line
    while data := stream.read(size):
        data = rest + data if rest else data
        marks = marks_of(data)
        cut, cut_marks = _last_record_end(data, marks)
        while cut == 0 and len(data) > LONGEST_RECORD:
            end = data.find(b"\n") + 1 or len(data)
            yield _broken(data[:end], line)
            data, line = data[end:], line + 1
            marks = marks_of(data)
            cut, cut_marks = _last_record_end(data, marks)
        if cut:
            yield Block(data[:cut], marks[:cut_marks], line)
            line += marks.count(b"\n", 0, cut_marks)
        rest = data[cut:]
    yield from _remaining(rest, line)


def _remaining(rest: bytes, line: int) -> Iterator[Block]:
    """The end of the file, which may lack its last line end or hold a quote that never closes."""
    while rest and rest.count(b'"') % 2:
        end = rest.find(b"\n") + 1 or len(rest)
        head = rest[:end]
        yield _broken(head, line) if head.count(b'"') % 2 else Block(head, marks_of(head), line)
        rest, line = rest[end:], line + 1
    if rest:
        whole = rest if rest.endswith(b"\n") else rest + b"\n"
        yield Block(whole, marks_of(whole), line)


def _broken(data: bytes, line: int) -> Block:
    return Block(data, marks_of(data), line, broken=True)


def _last_record_end(data: bytes, marks: bytes) -> tuple[int, int]:
    """Positions in data and in marks after the last line end with an even number of quotes before; 0, 0: none."""
    cut, cut_marks = data.rfind(b"\n") + 1, marks.rfind(b"\n") + 1
    odd = marks.count(b'"', 0, cut_marks) % 2
    while cut and odd:
        before, before_marks = data.rfind(b"\n", 0, cut - 1) + 1, marks.rfind(b"\n", 0, cut_marks - 1) + 1
        odd ^= marks.count(b'"', before_marks, cut_marks) % 2
        cut, cut_marks = before, before_marks
    return cut, cut_marks

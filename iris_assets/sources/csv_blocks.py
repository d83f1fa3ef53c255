"""Large CSV members in blocks of whole records: a fast parser for regular blocks, record by record for the rest."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES: Final = 4 * 1024 * 1024
LONGEST_RECORD: Final = 1024 * 1024  # a quote that does not close within this is a broken line, not a long field
DELIMITER: Final = ";"

csv.field_size_limit(LONGEST_RECORD * 2)


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records as bytes. `broken`: its single line opens a quote that never closes."""

    data: bytes
    first_line: int
    broken: bool = False


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that was put aside: its line in the file (the header is line 1) and why; never its content."""

    line: int
    reason: str


@dataclass(slots=True)
class Records:
    """The needed columns of one block as text, each row's line, and the rows that are no records."""

    columns: Mapping[str, list[str]]
    lines: NDArray[np.int64]
    bad: list[BadRow] = field(default_factory=list)


def record_blocks(stream: IO[bytes], first_line: int, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """Cut a stream at line ends that lie outside quotes; memory stays near `size`."""
    rest, line = b"", first_line
    while data := stream.read(size):
        data = rest + data
        cut = _last_record_end(data)
        while cut == 0 and len(data) > LONGEST_RECORD:
            end = data.find(b"\n") + 1 or len(data)
            yield Block(data[:end], line, broken=True)
            data, line = data[end:], line + 1
            cut = _last_record_end(data)
        if cut:
            yield Block(data[:cut], line)
            line += data.count(b"\n", 0, cut)
        rest = data[cut:]
    yield from _remaining(rest, line)


def _remaining(rest: bytes, line: int) -> Iterator[Block]:
    """The end of the file, which may lack its last line end or hold a quote that never closes."""
    while rest and rest.count(b'"') % 2:
        end = rest.find(b"\n") + 1 or len(rest)
        yield Block(rest[:end], line, broken=rest.count(b'"', 0, end) % 2 == 1)
        rest, line = rest[end:], line + 1
    if rest:
        yield Block(rest if rest.endswith(b"\n") else rest + b"\n", line)


def _last_record_end(data: bytes) -> int:
    """Position after the last line end with an even number of quotes before it; 0 when there is none."""
    cut = data.rfind(b"\n") + 1
    odd = data.count(b'"', 0, cut) % 2
    while cut and odd:
        before = data.rfind(b"\n", 0, cut - 1) + 1
        odd ^= data.count(b'"', before, cut) % 2
        cut = before
    return cut


def read_block(block: Block, width: int, positions: Mapping[str, int], encoding: str) -> Records:
    """The columns at `positions` of a block whose records must have `width` fields."""
    if block.broken:
        return _by_record(
            b"", block.first_line, width, positions, encoding, [BadRow(block.first_line, "a quote that never closes")]
        )
    columns = _by_slices(block.data, width, positions, encoding)
    if columns is None:
        return _by_record(block.data, block.first_line, width, positions, encoding, [])
    lines = np.arange(block.first_line, block.first_line + block.data.count(b"\n"))
    return Records(columns, lines)


def _by_slices(data: bytes, width: int, positions: Mapping[str, int], encoding: str) -> dict[str, list[str]] | None:
    """The fast way, for a block of one record a line with no delimiter, line end or quote inside a field.

    Only the needed columns are cut out of the text; None when the block is not that regular.
    """
    if b"\0" in data:
        return None
    buffer = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero((buffer == ord(DELIMITER)) | (buffer == ord("\n")))
    if len(ends) % width or (buffer[ends].reshape(-1, width)[:, :-1] == ord("\n")).any():
        return None
    if not (buffer[ends[width - 1 :: width]] == ord("\n")).all():
        return None
    starts = np.concatenate(([0], ends[:-1] + 1))
    ends = ends - ((buffer[ends - 1] == ord("\r")) & (buffer[ends] == ord("\n")))
    quoted = (buffer[starts] == ord('"')) & (buffer[ends - 1] == ord('"')) & (ends - starts > 1)
    if data.count(b'"') != 2 * int(quoted.sum()):
        return None
    starts, ends = (starts + quoted).reshape(-1, width), (ends - quoted).reshape(-1, width)
    text = data.decode(encoding)
    return {name: _cut(text, starts[:, place], ends[:, place]) for name, place in positions.items()}


def _cut(text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[str]:
    """One column: its text is as long in characters as in bytes, because the encoding has one byte a character."""
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _by_record(
    data: bytes, first_line: int, width: int, positions: Mapping[str, int], encoding: str, bad: list[BadRow]
) -> Records:
    """The careful way: each record with its line; wrong widths and NULs are put aside."""
    rows: list[Sequence[str]] = []
    lines: list[int] = []
    reader = csv.reader(io.StringIO(data.decode(encoding), newline=""), delimiter=DELIMITER)
    before = 0
    for row in reader:
        line, before = first_line + before, reader.line_num
        if not row:
            continue
        reason = _fault_of(row, width)
        if reason:
            bad.append(BadRow(line, reason))
        else:
            rows.append([row[position] for position in positions.values()])
            lines.append(line)
    columns = {name: [row[place] for row in rows] for place, name in enumerate(positions)}
    return Records(columns, np.array(lines, dtype=np.int64), bad)


def _fault_of(row: Sequence[str], width: int) -> str:
    if any("\0" in value for value in row):
        return "a NUL byte"
    if len(row) != width:
        return f"{len(row)} fields, {width} expected"
    return ""

"""Large CSV members in blocks of whole records: a fast parser for regular blocks, record by record for the rest."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

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

    frame: "pd.DataFrame"
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
    lines = _regular_lines(block.data, width)
    records = _by_parser(block, lines, width, positions, encoding) if lines else None
    return records or _by_record(block.data, block.first_line, width, positions, encoding, [])


def _regular_lines(data: bytes, width: int) -> int:
    """How many lines a block has when each is one record of `width` fields, as delimiters tell; 0 when unsure."""
    if b"\0" in data:
        return 0
    buffer = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(buffer == ord("\n"))
    delimiters = np.flatnonzero(buffer == ord(DELIMITER))
    expected = np.arange(1, len(ends) + 1) * (width - 1)
    regular = len(delimiters) == expected[-1] and np.array_equal(np.searchsorted(delimiters, ends), expected)
    return len(ends) if regular else 0


def _by_parser(block: Block, lines: int, width: int, positions: Mapping[str, int], encoding: str) -> Records | None:
    """The fast way; None when the block turns out not to be one record a line."""
    import pandas as pd

    try:
        frame = pd.read_csv(
            io.BytesIO(block.data),
            sep=DELIMITER,
            header=None,
            names=range(width),
            usecols=sorted(positions.values()),
            dtype=object,
            na_filter=False,
            encoding=encoding,
            skip_blank_lines=False,
            engine="c",
            low_memory=False,
        )
    except (pd.errors.ParserError, UnicodeDecodeError):
        return None
    if len(frame) != lines:
        return None
    columns = {name: frame[position].to_numpy() for name, position in positions.items()}
    return Records(pd.DataFrame(columns, copy=False), np.arange(block.first_line, block.first_line + lines))


def _by_record(
    data: bytes, first_line: int, width: int, positions: Mapping[str, int], encoding: str, bad: list[BadRow]
) -> Records:
    """The careful way: each record with its line; wrong widths, NULs and undecodable bytes are put aside."""
    import pandas as pd

    rows: list[Sequence[str]] = []
    lines: list[int] = []
    reader = csv.reader(io.StringIO(data.decode(encoding, errors="replace"), newline=""), delimiter=DELIMITER)
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
    frame = pd.DataFrame(rows, columns=list(positions), dtype=object)
    return Records(frame, np.array(lines, dtype=np.int64), bad)


def _fault_of(row: Sequence[str], width: int) -> str:
    if any("\0" in value for value in row):
        return "a NUL byte"
    if len(row) != width:
        return f"{len(row)} fields, {width} expected"
    if any("\ufffd" in value for value in row):
        return "bytes that the file's encoding does not have"
    return ""

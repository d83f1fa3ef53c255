"""The needed columns of a block of CSV records: cut out of regular blocks without parsing, parsed where they are not."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from iris_assets.sources.csv_blocks import DELIMITER, LONGEST_RECORD, BadRow, Block

ENCODING: Final = "latin-1"  # one byte a character: a place in the bytes is a place in the text
MOST_DIGITS: Final = 18  # what 64 bits hold; the court's longest numbers have twelve
WORD: Final = 8
MOST_WORDS: Final = 6
MASKS: Final = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype=np.uint64)
MIX: Final = np.uint64(0x9E3779B97F4A7C15)
MOST_DIFFERENT: Final = 64  # beyond that a dictionary is faster than one comparison per different text

csv.field_size_limit(LONGEST_RECORD * 2)


class Cells(Protocol):
    """Columns of one block by name; asking for one that the file does not have is a KeyError."""

    def __contains__(self, name: str) -> bool: ...

    def texts(self, name: str) -> list[str]:
        """The column as text, quotes gone."""

    def factor(self, name: str) -> tuple[list[str], NDArray[np.intp]]:
        """The column as its different texts and, for each row, which of them it has."""

    def digits(self, name: str) -> NDArray[np.int64] | None:
        """The column as numbers when every cell is 1 to 18 ASCII digits."""

    def compact(self, names: Sequence[str], rows: NDArray[np.bool_]) -> bytes:
        """The cells of these columns and rows as CSV lines (one line a record, \\n at its end)."""


@dataclass(slots=True)
class Records:
    """The cells of one block, each row's line, and the rows that are no records."""

    cells: Cells
    lines: NDArray[np.int64]
    bad: list[BadRow] = field(default_factory=list)


class ParsedCells:
    """Columns that a CSV parser gave."""

    def __init__(self, columns: Mapping[str, list[str]]) -> None:
        self._columns = columns

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def texts(self, name: str) -> list[str]:
        return self._columns[name]

    def factor(self, name: str) -> tuple[list[str], NDArray[np.intp]]:
        return _factor(self._columns[name])

    def digits(self, name: str) -> NDArray[np.int64] | None:
        values = self._columns[name]
        if not all(value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS for value in values):
            return None
        return np.array([int(value) for value in values], dtype=np.int64)

    def compact(self, names: Sequence[str], rows: NDArray[np.bool_]) -> bytes:
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=DELIMITER, lineterminator="\n")
        for index in np.flatnonzero(rows).tolist():
            writer.writerow([" ".join(self._columns[name][index].splitlines()) for name in names])
        return out.getvalue().encode(ENCODING)


class SlicedCells:
    """Columns that stand at known places of a block: `starts` and `ends` per column, quotes left out."""

    def __init__(self, data: bytes, places: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]) -> None:
        self._data = data
        self._bytes = np.frombuffer(data, dtype=np.uint8)
        self._text = ""
        self._places = places

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def texts(self, name: str) -> list[str]:
        text = self._text = self._text or self._data.decode(ENCODING)
        starts, ends = self._places[name]
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def factor(self, name: str) -> tuple[list[str], NDArray[np.intp]]:
        starts, ends = self._places[name]
        words = self._words(starts, ends - starts)
        found = _factor_words(words) if words else None
        if found is None:
            return _factor(self.texts(name))
        firsts, codes = found
        return [self._data[starts[row] : ends[row]].decode(ENCODING) for row in firsts], codes

    def _words(self, starts: NDArray[np.int64], widths: NDArray[np.int64]) -> list[NDArray[np.uint64]]:
        """The cells as 64-bit words, filled up with NUL (which no cell of a regular block holds); none: too long."""
        shortest, longest = int(widths.min()), int(widths.max())
        last = len(self._data) - WORD
        if longest > MOST_WORDS * WORD or last < 0:
            return []
        at_every_byte: NDArray[np.uint64] = np.ndarray((last + 1,), dtype="<u8", buffer=self._data, strides=(1,))
        words: list[NDArray[np.uint64]] = []
        for place in range(0, max(longest, 1), WORD):
            at = starts + place
            if at[-1] > last:  # what the end of the block cuts off is read further left and shifted
                beyond = np.clip(at - last, 0, WORD - 1)
                word: NDArray[np.uint64] = np.right_shift(
                    at_every_byte[np.minimum(at, last)], (beyond * 8).astype(np.uint64)
                )
            else:
                word = at_every_byte[at]
            whole = place + WORD <= shortest
            words.append(word if whole else word & MASKS[np.minimum(np.maximum(widths - place, 0), WORD)])
        return words

    def digits(self, name: str) -> NDArray[np.int64] | None:
        starts, ends = self._places[name]
        widths = ends - starts
        longest, shortest = int(widths.max()), int(widths.min())
        if shortest < 1 or longest > MOST_DIGITS:
            return None
        numbers = np.zeros(len(starts), dtype=np.int64)
        for place in range(longest):
            # From the last digit on; where a number is shorter its first digit is read again and counts nothing.
            digit = self._bytes[np.maximum(ends - 1 - place, starts) if place >= shortest else ends - 1 - place]
            digit = digit - ord("0")
            if (digit > 9).any():  # what is below "0" wraps to more than 9
                return None
            value = digit.astype(np.int64) * 10**place
            numbers += value if place < shortest else np.where(place < widths, value, 0)
        return numbers

    def compact(self, names: Sequence[str], rows: NDArray[np.bool_]) -> bytes:
        # No cell of a regular block holds a mark: without its quotes it is the same cell.
        starts = np.stack([self._places[name][0][rows] for name in names], axis=1).ravel()
        lengths = np.stack([self._places[name][1][rows] for name in names], axis=1).ravel() - starts + 1
        stops = np.cumsum(lengths)
        out = self._bytes[np.repeat(starts - stops + lengths, lengths) + np.arange(stops[-1])]
        out[stops - 1] = ord(DELIMITER)
        out[stops[len(names) - 1 :: len(names)] - 1] = ord("\n")
        compacted: bytes = out.tobytes()
        return compacted


def read_header(stream: IO[bytes]) -> list[str]:
    """The names in the first line, which may begin with a byte order mark."""
    line = stream.readline(1024 * 1024).removeprefix(b"\xef\xbb\xbf").decode(ENCODING)
    return next(csv.reader(io.StringIO(line, newline=""), delimiter=DELIMITER), [])


def _factor(texts: list[str]) -> tuple[list[str], NDArray[np.intp]]:
    codes = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return list(codes), np.fromiter(map(codes.__getitem__, texts), dtype=np.intp, count=len(texts))


def _factor_words(words: list[NDArray[np.uint64]]) -> tuple[list[int], NDArray[np.intp]] | None:
    """A row for each different cell, and each row's cell; None when there are many or two share a key."""
    key = words[0]
    for word in words[1:]:
        key = key * MIX ^ word
    codes = np.zeros(len(key), dtype=np.intp)
    firsts = [0]
    rest = key != key[0]
    while rest.any():
        if len(firsts) == MOST_DIFFERENT:
            return None
        first = int(rest.argmax())
        same = key == key[first]
        codes[same] = len(firsts)
        firsts.append(first)
        rest &= ~same
    if len(words) > 1 and any((word != word[firsts][codes]).any() for word in words):
        return None
    return firsts, codes


def read_block(block: Block, width: int, positions: Mapping[str, int]) -> Iterator[Records]:
    """The columns at `positions` of records that must have `width` fields.

    A block with an irregular record is cut in halves until that record stands in a small one: only that is parsed.
    """
    if block.broken:
        yield Records(
            ParsedCells({name: [] for name in positions}),
            np.empty(0, dtype=np.int64),
            [BadRow(block.first_line, "a quote that never closes")],
        )
        return
    places = cell_places(block, width, positions)
    if places is not None:
        rows = len(next(iter(places.values()))[0])
        lines = np.arange(block.first_line, block.first_line + rows)
        yield Records(SlicedCells(block.data, places), lines)
        return
    halves = block.halves()
    if halves is None:
        yield _parsed(block, width, positions)
    else:
        for half in halves:
            yield from read_block(half, width, positions)


def cell_places(
    block: Block, width: int, positions: Mapping[str, int]
) -> dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]] | None:
    """Start and end of every needed cell, or None when the records are not all of one regular form.

    Regular: `width` fields a line, each column either quoted in every row or in none, nothing inside a field that
    delimits. The marks of every line are then those of the first.
    """
    form = block.marks[: block.marks.find(b"\n") + 1]
    fields = form.removesuffix(b"\n").removesuffix(b"\r").split(b";")
    if len(fields) != width or not set(fields) <= {b"", b'""'}:
        return None
    rows, rest = divmod(len(block.marks), len(form))
    if rest or block.marks != form * rows:
        return None
    buffer = np.frombuffer(block.data, dtype=np.uint8)
    marks = (buffer == ord(DELIMITER)) | (buffer == ord("\n"))
    ends = np.flatnonzero(marks).reshape(rows, width)
    line_starts = np.concatenate(([0], ends[:-1, -1] + 1))
    if form.endswith(b"\r\n"):
        if (buffer[ends[:, -1] - 1] != ord("\r")).any():
            return None
        ends[:, -1] -= 1
    places = {name: (ends[:, at - 1] + 1 if at else line_starts, ends[:, at]) for name, at in positions.items()}
    quoted = [name for name, at in positions.items() if fields[at]]
    for name in quoted:
        start, end = places[name]
        if (buffer[start] != ord('"')).any() or (buffer[end - 1] != ord('"')).any():
            return None
        places[name] = (start + 1, end - 1)
    return places


def _parsed(block: Block, width: int, positions: Mapping[str, int]) -> Records:
    """Each record with its line; wrong widths and NULs are put aside."""
    rows: list[list[str]] = []
    lines: list[int] = []
    bad: list[BadRow] = []
    reader = csv.reader(io.StringIO(block.data.decode(ENCODING), newline=""), delimiter=DELIMITER)
    before = 0
    for row in reader:
        line, before = block.first_line + before, reader.line_num
        if not row:
            continue
        reason = _fault_of(row, width)
        if reason:
            bad.append(BadRow(line, reason))
        else:
            rows.append([row[position] for position in positions.values()])
            lines.append(line)
    columns = {name: [row[place] for row in rows] for place, name in enumerate(positions)}
    return Records(ParsedCells(columns), np.array(lines, dtype=np.int64), bad)


def _fault_of(row: Sequence[str], width: int) -> str:
    if any("\0" in value for value in row):
        return "a NUL byte"
    if len(row) != width:
        return f"{len(row)} fields, {width} expected"
    return ""

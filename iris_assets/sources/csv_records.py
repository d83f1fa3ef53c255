"""CSV files from outside, record by record with the standard library's reader: bounded memory, lines, faults."""

import csv
import io
from _csv import Reader
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final, NamedTuple, TextIO

from iris_assets.errors import SourceContractError

DELIMITER: Final = ";"
LONGEST_RECORD: Final = 1024 * 1024  # characters; a quote that does not close within them is a broken file
FIRST_LINE: Final = 2  # of the records: the header is line 1
BATCH: Final = 2_000

csv.field_size_limit(LONGEST_RECORD)  # of the whole process: no other module sets it


class BadRow(NamedTuple):
    """A row that was put aside: its line in the file (the header is line 1) and why; never its content."""

    line: int
    reason: str


# The line in which a record begins, its cells, and why it is none (empty when it is one). A plain tuple: one a row.
Record = tuple[int, list[str], str]


def csv_reader(lines: Iterable[str], *, strict: bool = False) -> Reader:
    """The reader of every CSV file that comes from outside; a field longer than LONGEST_RECORD is a csv.Error."""
    return csv.reader(lines, delimiter=DELIMITER, strict=strict)


def read_header(text: TextIO) -> list[str]:
    """The names in the first line; the text stands at line 2 afterwards."""
    line = text.readline(LONGEST_RECORD)
    return next(csv_reader(io.StringIO(line, newline="")), [])


def read_records(text: TextIO, width: int, first_line: int = FIRST_LINE) -> Iterator[Record]:
    """The records of a text that stands behind its header; blank lines are none.

    A record of another width, with a NUL byte or with a quote inside a quoted field has a `fault`. A quote that never
    closes leaves open where records begin: SourceContractError CSV_QUOTE_UNCLOSED with the line.
    """
    lines = _Lines(text, first_line)
    reader = csv_reader(lines, strict=True)
    while True:
        try:
            for cells in reader:
                line, has_nul = lines.end_record()
                if has_nul:
                    yield line, [], "a NUL byte"
                elif len(cells) == width:
                    yield line, cells, ""
                elif cells:
                    yield line, [], f"{len(cells)} fields, {width} expected"
            return
        except csv.Error as error:
            if lines.quotes_are_open():
                raise lines.unclosed() from error
            yield lines.end_record()[0], [], "a quote inside a quoted field"


def in_batches(records: Iterator[Record]) -> Iterator[Iterator[Record]]:
    """The records in runs of at most BATCH, each to be used up before the next.

    They are read as they are asked for: fifty cells are a kilobyte or more, and thousands of them leave the cache.
    """
    for first in records:
        yield chain([first], islice(records, BATCH - 1))


class _Lines:
    """The lines of a text, and what is known of the record that is being read."""

    def __init__(self, text: TextIO, first_line: int) -> None:
        self._text = text
        self._begin = first_line
        self._held: list[str] = []
        self._length = 0
        self._has_nul = False
        self._ended = False

    def __iter__(self) -> Iterator[str]:
        while line := self._text.readline(LONGEST_RECORD + 1):
            self._held.append(line)
            self._length += len(line)
            if self._length > LONGEST_RECORD:
                raise self.unclosed()
            if "\0" in line:
                self._has_nul = True
            yield line
        self._ended = True

    def end_record(self) -> tuple[int, bool]:
        """The line in which the record began and whether it holds a NUL; the next one begins."""
        ended = self._begin, self._has_nul
        self._begin += len(self._held)
        self._held.clear()
        self._length = 0
        self._has_nul = False
        return ended

    def quotes_are_open(self) -> bool:
        """Whether the record that the parser refused may go on: it is a bad row only if it plainly ends with its line."""
        return self._ended or len(self._held) > 1 or self._held[0].count('"') % 2 == 1

    def unclosed(self) -> SourceContractError:
        return SourceContractError(
            "CSV_QUOTE_UNCLOSED",
            f"line {self._begin}: a quote that never closes, or a record of more than {LONGEST_RECORD} characters",
            hint="the file at the source is damaged; it is read again when the source has mended it",
        )

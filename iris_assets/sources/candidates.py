"""The candidates file as batches of store rows: streamed, validated, filtered, one candidate per SQ."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from iris_assets.errors import SourceContractError
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import open_archive, open_member
from iris_assets.sources.candidate_columns import Layout, layout_of
from iris_assets.sources.candidate_rows import Filters, RowMaker
from iris_assets.sources.csv_blocks import BadRow, read_block, record_blocks
from iris_assets.sources.proposals import CANDIDATES_CSV, base_name

ENCODING: Final = "latin-1"
NATIONAL_MEMBER: Final = "BRASIL"
MOST_ROWS: Final = 0.5  # a file whose first block is bad to this degree is not read at all
ENOUGH_ROWS: Final = 20


@dataclass(slots=True)
class CandidateBatch:
    """What one block of the file gave.

    `rows` are keyed as the Candidate table; `rows_read` counts every CSV row of the block, so that
    rows_read = stored rows + bad_rows + sum(skipped) over the whole reading.
    """

    rows: list[dict[str, Any]]
    bad_rows: list[BadRow]
    skipped: Counter[str]
    rows_read: int


@dataclass(slots=True)
class CandidateReading:
    """Iterates over batches; `notes` and `layout` are complete once the iteration has ended."""

    _open: AbstractContextManager[IO[bytes]]
    _maker: RowMaker
    member: str
    notes: list[str] = field(default_factory=list)
    layout: Layout | None = None
    rows_read: int = 0

    def __iter__(self) -> Iterator[CandidateBatch]:
        with self._open as stream:
            layout = self._read_header(stream)
            for number, block in enumerate(record_blocks(stream, first_line=2)):
                records = read_block(block, layout.width, layout.positions, ENCODING)
                made = self._maker.make(records)
                read = len(records.lines) + len(records.bad)
                bad = sorted([*records.bad, *made.bad], key=lambda row: row.line)
                if number == 0:
                    _refuse_garbage(len(bad), read)
                self.rows_read += read
                yield CandidateBatch(made.rows, bad, made.skipped, read)
        last = self._maker.finish()
        if last.rows or last.skipped:
            yield CandidateBatch(last.rows, [], last.skipped, 0)
        self.notes.extend(self._maker.notes())
        if self.rows_read == 0:
            self.notes.append(f"{self.member}: published, still empty")

    def _read_header(self, stream: IO[bytes]) -> Layout:
        line = stream.readline(1024 * 1024).removeprefix(b"\xef\xbb\xbf").decode(ENCODING)
        header = next(csv.reader(io.StringIO(line), delimiter=";"), [])
        self.layout = layout_of(header)
        self.notes.extend(self.layout.notes())
        return self.layout


def read_candidates(archive: Archive, uf: str, *, election_year: int, offices: Sequence[str]) -> CandidateReading:
    """The candidates of one partition: from its own member, else from the national one filtered; never both.

    Raises SourceContractError MEMBER_MISSING at once, CSV_COLUMN_MISSING, CSV_HEADER_MISSING or
    CSV_MOST_ROWS_INVALID before the first batch.
    """
    member = member_of(archive.path, uf)
    filters = Filters(election_year=election_year, state=uf, offices=frozenset(office.upper() for office in offices))
    maker = RowMaker(filters, source_url=archive.url, collected_at=archive.collected_at)
    reading = CandidateReading(open_member(archive.path, member), maker, member)
    if NATIONAL_MEMBER in base_name(member).upper():
        reading.notes.append(f"{uf} has no file of its own: read from the national one")
    return reading


def read_candidates_file(path: Path) -> CandidateReading:
    """Every valid row of a CSV on disk, unfiltered but for by-elections; what `inspect` shows."""
    maker = RowMaker(Filters(), source_url=path.name, collected_at=datetime.now(UTC))
    return CandidateReading(path.open("rb"), maker, path.name)


def member_of(path: Path, uf: str) -> str:
    """The archive member that holds the candidates of `uf`."""
    with open_archive(path) as archive:
        found = {
            match["unit"].upper(): name
            for name in archive.namelist()
            if (match := CANDIDATES_CSV.fullmatch(base_name(name)))
        }
    for unit in (uf, NATIONAL_MEMBER):
        if unit in found:
            return found[unit]
    raise SourceContractError(
        "MEMBER_MISSING",
        f"the archive has no candidates of {uf} or of the whole country; found: {', '.join(sorted(found)) or 'none'}",
        hint="look at the archive with `iris-assets inspect`",
    )


def _refuse_garbage(bad: int, read: int) -> None:
    if read >= ENOUGH_ROWS and bad > read * MOST_ROWS:
        raise SourceContractError(
            "CSV_MOST_ROWS_INVALID",
            f"{bad} of the first {read} rows are invalid: nothing was read",
            hint="the layout changed or the file is damaged",
        )

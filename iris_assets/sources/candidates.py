"""The candidates file as batches of store rows: streamed, validated, filtered, one candidate per SQ."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.errors import SourceContractError
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import member_names, open_member
from iris_assets.sources.candidate_columns import ALIASES, Layout, layout_of
from iris_assets.sources.candidate_rows import Filters, RowMaker, refuse_garbage
from iris_assets.sources.candidate_split import REST, NationalSplit, split_national
from iris_assets.sources.csv_blocks import FIRST_LINE, BadRow, record_blocks
from iris_assets.sources.csv_cells import Records, read_block, read_header
from iris_assets.sources.proposals import CANDIDATES_CSV, base_name

NATIONAL_MEMBER: Final = "BRASIL"


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


@dataclass(frozen=True, slots=True)
class Part:
    """One stream of records. Without `layout` it begins with a header; `lines`: each record's line in the source."""

    stream: AbstractContextManager[IO[bytes]]
    layout: Layout | None = None
    lines: NDArray[np.int64] | None = None

    def records(self, layout: Layout, stream: IO[bytes]) -> Iterator[list[Records]]:
        """The records of each block."""
        for block in record_blocks(stream, FIRST_LINE if self.lines is None else 0):
            found = list(read_block(block, layout.width, layout.positions))
            if self.lines is not None:
                for records in found:
                    records.lines = self.lines[records.lines]
            yield found


@dataclass(slots=True)
class CandidateReading:
    """Iterates over batches; `notes` and `layout` are complete once the iteration has ended."""

    _parts: Sequence[Part]
    _maker: RowMaker
    member: str
    layout: Layout | None = None
    notes: list[str] = field(default_factory=list)
    rows_read: int = 0
    elsewhere: CandidateBatch | None = None

    @property
    def generated(self) -> str:
        """The day on which the court made the file, as its first row says; empty when it does not."""
        return self._maker.generated

    def __iter__(self) -> Iterator[CandidateBatch]:
        if self.elsewhere is not None:
            yield self._counted(self.elsewhere)
        for part in self._parts:
            with part.stream as stream:
                layout = part.layout or self._read_layout(stream)
                for number, found in enumerate(part.records(layout, stream)):
                    batches = [self._batch(records) for records in found]
                    if number == 0:
                        refuse_garbage(sum(len(b.bad_rows) for b in batches), sum(b.rows_read for b in batches))
                    yield from map(self._counted, batches)
        last = self._maker.finish()
        if last.rows or last.skipped:
            yield CandidateBatch(last.rows, [], last.skipped, 0)
        self.notes.extend(self._maker.notes())
        if self.rows_read == 0:
            self.notes.append(f"{self.member}: published, still empty")

    def _batch(self, records: Records) -> CandidateBatch:
        made = self._maker.make(records)
        bad = sorted([*records.bad, *made.bad], key=lambda row: row.line)
        return CandidateBatch(made.rows, bad, made.skipped, len(records.lines) + len(records.bad))

    def _counted(self, batch: CandidateBatch) -> CandidateBatch:
        self.rows_read += batch.rows_read
        return batch

    def _read_layout(self, stream: IO[bytes]) -> Layout:
        self.layout = layout_of(read_header(stream))
        self.notes.extend(self.layout.notes())
        return self.layout


def read_candidates(
    archive: Archive, uf: str, *, election_year: int, offices: Sequence[str], splits: Path | None = None
) -> CandidateReading:
    """The candidates of one partition: from its own member, else from the national one filtered; never both.

    With a folder `splits` the national member is cut into one file per UF there, once for all partitions.
    Raises SourceContractError MEMBER_MISSING at once, CSV_COLUMN_MISSING, CSV_HEADER_MISSING or
    CSV_MOST_ROWS_INVALID before the first batch.
    """
    member = member_of(archive.path, uf)
    filters = Filters(election_year=election_year, state=uf, offices=frozenset(office.upper() for office in offices))
    maker = RowMaker(filters, source_url=archive.url, collected_at=archive.collected_at)
    national = NATIONAL_MEMBER in base_name(member).upper()
    if national and splits is not None:
        reading = _split_reading(split_national(archive.path, archive.sha256, member, splits), maker, member, filters)
    else:
        reading = CandidateReading([Part(open_member(archive.path, member))], maker, member)
    if national:
        reading.notes.append(f"{uf} has no file of its own: read from the national one")
    return reading


def _split_reading(split: NationalSplit, maker: RowMaker, member: str, filters: Filters) -> CandidateReading:
    present = [name for name in ALIASES if name in split.layout.positions]
    layout = Layout({name: place for place, name in enumerate(present)}, len(present), (), ())
    parts = [
        Part(_opened(split.path(unit)), layout, split.lines(unit))
        for unit in (filters.state or "", REST)
        if unit in split.units
    ]
    skipped = split.elsewhere(filters.state or "", filters.election_year)
    elsewhere = CandidateBatch([], list(split.bad), skipped, skipped.total() + len(split.bad))
    return CandidateReading(parts, maker, member, split.layout, split.layout.notes(), elsewhere=elsewhere)


def read_candidates_file(path: Path) -> CandidateReading:
    """Every valid row of a CSV on disk, unfiltered but for by-elections; what `inspect` shows."""
    maker = RowMaker(Filters(), source_url=path.name, collected_at=datetime.now(UTC))
    return CandidateReading([Part(_opened(path))], maker, path.name)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The file, opened when it is its turn."""
    with path.open("rb") as stream:
        yield stream


def member_of(path: Path, uf: str) -> str:
    """The archive member that holds the candidates of `uf`."""
    found = {
        match["unit"].upper(): name
        for name in member_names(path)
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

"""The candidates file as batches of store rows: streamed, validated, filtered, one candidate per SQ."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from iris_assets.errors import SourceContractError
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import member_names, open_member
from iris_assets.sources.candidate_columns import Layout, layout_of
from iris_assets.sources.candidate_rows import CandidateBatch, RowMaker, refuse_garbage
from iris_assets.sources.candidate_split import NationalSplit, split_national
from iris_assets.sources.candidate_values import Filters
from iris_assets.sources.csv_records import Record, in_batches, read_header, read_records
from iris_assets.sources.proposals import CANDIDATES_CSV, base_name

NATIONAL_MEMBER: Final = "BRASIL"


@dataclass(frozen=True, slots=True)
class Records:
    """Records that stand ready: the file's layout, where they have its columns, and what was not worth opening."""

    layout: Layout
    positions: Mapping[str, int]
    stream: Iterator[Record]
    elsewhere: CandidateBatch | None = None


@dataclass(slots=True)
class CandidateReading:
    """Iterates over batches; `notes` and `layout` are complete once the iteration has ended."""

    _source: AbstractContextManager[Records]
    _maker: RowMaker
    member: str
    layout: Layout | None = None
    notes: list[str] = field(default_factory=list)
    rows_read: int = 0

    @property
    def generated(self) -> str:
        """The day on which the court made the file, as its first row says; empty when it does not."""
        return self._maker.generated

    def __iter__(self) -> Iterator[CandidateBatch]:
        with self._source as records:
            self.layout = records.layout
            self.notes.extend(records.layout.notes())
            yield from self._counted(self._batches(records))
        self.notes.extend(self._maker.notes())
        if self.rows_read == 0:
            self.notes.append(f"{self.member}: published, still empty")

    def _batches(self, records: Records) -> Iterator[CandidateBatch]:
        self._maker.use(records.positions)
        elsewhere = records.elsewhere or CandidateBatch([])
        yield elsewhere
        for number, batch in enumerate(map(self._maker.make, in_batches(records.stream))):
            if number == 0:
                refuse_garbage(len(elsewhere.bad_rows) + len(batch.bad_rows), elsewhere.rows_read + batch.rows_read)
            yield batch
        yield self._maker.finish()

    def _counted(self, batches: Iterator[CandidateBatch]) -> Iterator[CandidateBatch]:
        for batch in batches:
            if batch.rows_read or batch.rows:
                self.rows_read += batch.rows_read
                yield batch


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
        split = split_national(archive.path, archive.sha256, member, splits)
        reading = CandidateReading(_of_split(split, uf, election_year), maker, member)
    else:
        reading = CandidateReading(with_header(open_member(archive.path, member)), maker, member)
    if national:
        reading.notes.append(f"{uf} has no file of its own: read from the national one")
    return reading


def read_candidates_file(path: Path) -> CandidateReading:
    """Every valid row of a CSV on disk, unfiltered but for by-elections; what `inspect` shows."""
    maker = RowMaker(Filters(), source_url=path.name, collected_at=datetime.now(UTC))
    return CandidateReading(with_header(path.open("rb")), maker, path.name)


@contextmanager
def with_header(opened: AbstractContextManager[IO[bytes]]) -> Iterator[Records]:
    """The records of a stream that begins with a header; the stream is closed afterwards."""
    with opened as stream:
        layout = layout_of(read_header(stream))
        yield Records(layout, layout.positions, read_records(stream, layout.width))


@contextmanager
def _of_split(split: NationalSplit, uf: str, election_year: int) -> Iterator[Records]:
    """The records that the partition sees; those of the other UFs are only counted."""
    skipped = split.elsewhere(uf, election_year)
    elsewhere = CandidateBatch([], list(split.bad), skipped, skipped.total() + len(split.bad))
    yield Records(split.layout, split.positions, split.records(uf), elsewhere)


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

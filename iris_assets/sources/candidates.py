"""The candidates file as batches of store rows: streamed, validated, filtered, one candidate per SQ."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import IO

from iris_assets.errors import SourceContractError
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import open_member
from iris_assets.sources.candidate_columns import Layout, layout_of
from iris_assets.sources.candidate_members import members_of
from iris_assets.sources.candidate_rows import CandidateBatch, RowMaker, refuse_garbage
from iris_assets.sources.candidate_split import split_national
from iris_assets.sources.candidate_values import Filters
from iris_assets.sources.csv_records import Record, in_batches, read_header, read_records
from iris_assets.sources.text_files import opened_text


@dataclass(frozen=True, slots=True)
class Records:
    """Records that stand ready: the file's layout, where they have its columns, and what was not worth opening."""

    layout: Layout
    positions: Mapping[str, int]
    stream: Iterator[Record]
    text: str  # how the file is written
    elsewhere: CandidateBatch | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A file of candidates by its name, and what opens it."""

    name: str
    opened: Callable[[], AbstractContextManager[Records]]


@dataclass(slots=True)
class CandidateReading:
    """Iterates over batches; `notes`, `gaps` and `layout` are complete once the iteration has ended.

    A member that turns out damaged is followed by the next one, which gives its rows again; `gaps` are (code, text) of
    those.
    """

    _members: Sequence[Member]
    _new_maker: Callable[[], RowMaker]
    layout: Layout | None = None
    notes: list[str] = field(default_factory=list)
    gaps: list[tuple[str, str]] = field(default_factory=list)
    rows_read: int = 0
    _maker: RowMaker = field(init=False)

    def __post_init__(self) -> None:
        self._maker = self._new_maker()

    @property
    def generated(self) -> str:
        """The day on which the court made the file, as its first row says; empty when it does not."""
        return self._maker.generated

    def __iter__(self) -> Iterator[CandidateBatch]:
        for member, following in zip_longest(self._members, self._members[1:]):
            try:
                yield from self._counted(self._batches(member))
                break
            except SourceContractError as error:
                if following is None:
                    raise _named(error, member.name) from error
                self.gaps.append((error.code, f"{error.message} (in {member.name}; read from {following.name})"))
                self._maker = self._new_maker()
        yield from self._counted(iter([self._maker.finish()]))
        self.notes.extend(self._maker.notes())
        if self.rows_read == 0:
            self.notes.append(f"{member.name}: published, still empty")

    def _batches(self, member: Member) -> Iterator[CandidateBatch]:
        with member.opened() as records:
            self.layout = records.layout
            self.notes += [*records.layout.notes(), records.text]
            self._maker.use(records.positions)
            elsewhere = records.elsewhere or CandidateBatch([])
            yield elsewhere
            for number, batch in enumerate(map(self._maker.make, in_batches(records.stream))):
                if number == 0:
                    refuse_garbage(len(elsewhere.bad_rows) + len(batch.bad_rows), elsewhere.rows_read + batch.rows_read)
                yield batch

    def _counted(self, batches: Iterator[CandidateBatch]) -> Iterator[CandidateBatch]:
        for batch in batches:
            if batch.rows_read or batch.rows:
                self.rows_read += batch.rows_read
                yield batch


def read_candidates(
    archive: Archive, uf: str, *, election_year: int, offices: Sequence[str], splits: Path | None = None
) -> CandidateReading:
    """The candidates of one partition: from its own member, else (absent or damaged) from the national one filtered.

    With a folder `splits` the national member is cut into one file per UF there, once for all partitions.
    Raises SourceContractError MEMBER_MISSING at once; TEXT_ENCODING_BROKEN, CSV_COLUMN_MISSING, CSV_HEADER_MISSING or
    CSV_MOST_ROWS_INVALID before the first batch.
    """
    filters = Filters(election_year=election_year, state=uf, offices=frozenset(office.upper() for office in offices))
    maker = partial(RowMaker, filters, source_url=archive.url, collected_at=archive.collected_at)

    def member(name: str, national: bool) -> Member:
        if national and splits is not None:
            return Member(name, lambda: _of_split(archive, name, splits, uf, election_year))
        return Member(name, lambda: with_header(open_member(archive.path, name)))

    found = members_of(archive.path, uf)
    reading = CandidateReading([member(*each) for each in found], maker)
    if found[0][1]:
        reading.notes.append(f"{uf} has no file of its own: read from the national one")
    return reading


def read_candidates_file(name: str, opened: Callable[[], AbstractContextManager[IO[bytes]]]) -> CandidateReading:
    """Every valid row of a CSV, unfiltered but for by-elections; what `inspect` shows."""
    maker = partial(RowMaker, Filters(), source_url=name, collected_at=datetime.now(UTC))
    return CandidateReading([Member(name, lambda: with_header(opened()))], maker)


@contextmanager
def with_header(opened: AbstractContextManager[IO[bytes]]) -> Iterator[Records]:
    """The records of a stream that begins with a header; the stream is closed afterwards."""
    with opened_text(opened) as (text, facts):
        layout = layout_of(read_header(text))
        yield Records(layout, layout.positions, read_records(text, layout.width), facts.note())


@contextmanager
def _of_split(archive: Archive, member: str, splits: Path, uf: str, election_year: int) -> Iterator[Records]:
    """The records that the partition sees; those of the other UFs are only counted."""
    split = split_national(archive.path, archive.sha256, member, splits)
    skipped = split.elsewhere(uf, election_year)
    elsewhere = CandidateBatch([], list(split.bad), skipped, skipped.total() + len(split.bad))
    yield Records(split.layout, split.positions, split.records(uf), split.text, elsewhere)


def _named(error: SourceContractError, member: str) -> SourceContractError:
    return SourceContractError(error.code, f"{error.message} (in {member})", hint=error.hint, details=error.details)

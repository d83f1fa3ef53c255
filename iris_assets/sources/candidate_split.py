"""The national candidates file, cut once into one small file per UF: what 28 partitions then read costs one pass.

The small files hold the columns that we read and no others: nothing personal is copied.
"""

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from iris_assets.sources.archives import open_member
from iris_assets.sources.candidate_columns import ALIASES, Layout, layout_of
from iris_assets.sources.candidate_rows import refuse_garbage
from iris_assets.sources.candidate_values import DAMAGED, Columns
from iris_assets.sources.csv_blocks import FIRST_LINE, BadRow, record_blocks
from iris_assets.sources.csv_cells import Records, read_block, read_header
from iris_assets.sources.downloads import locked, write_atomically
from iris_assets.ufs import UF_NAMES

VERSION: Final = 1
NAMES: Final = tuple(ALIASES)
REST: Final = "rest"  # rows of no known UF: every partition sees them
KEPT_SPLITS: Final = 3


@dataclass(frozen=True, slots=True)
class NationalSplit:
    """The files of one split; `units` are those that have one."""

    folder: Path
    layout: Layout
    units: Mapping[str, Mapping[str, Any]]
    bad: tuple[BadRow, ...]

    def path(self, unit: str) -> Path:
        return self.folder / f"{unit}.csv"

    def lines(self, unit: str) -> NDArray[np.int64]:
        """For each record of the unit's file its line in the national one."""
        return np.fromfile(self.folder / f"{unit}.lines", dtype=np.int64)

    def elsewhere(self, uf: str, election_year: int | None) -> Counter[str]:
        """How the filters of year and UF would leave out the rows of the other UFs."""
        skipped: Counter[str] = Counter()
        for unit, figures in self.units.items():
            if unit not in (uf, REST):
                for year, rows in figures["years"].items():
                    other = election_year is not None and year not in ("", str(election_year))
                    skipped["year" if other else "uf"] += rows
        return skipped

    def is_whole(self) -> bool:
        """True when every file still has its size."""
        return all(
            self.path(unit).stat().st_size == figures["bytes"] and len(self.lines(unit)) == figures["rows"]
            for unit, figures in self.units.items()
        )


def split_national(path: Path, sha256: str, member: str, folder: Path) -> NationalSplit:
    """The split of one archive's national member below `folder`, made when it is not there.

    Raises SourceContractError as the reading of the member does (CSV_COLUMN_MISSING, MEMBER_UNREADABLE, …).
    """
    target = folder / f"{sha256}-{VERSION}"
    with locked(folder.parent / "locks" / "split"):
        known = _open(target)
        if known is not None:
            return known
        partial = folder / f"{target.name}.{os.getpid()}.part"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            _write(path, member, partial)
            shutil.rmtree(target, ignore_errors=True)
            partial.rename(target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        _drop_old(folder)
        made = _open(target)
        assert made is not None
        return made


def _open(target: Path) -> NationalSplit | None:
    try:
        index = json.loads((target / "index.json").read_text(encoding="utf-8"))
        split = NationalSplit(
            target, layout_of(index["header"]), index["units"], tuple(BadRow(*row) for row in index["bad"])
        )
        return split if split.is_whole() else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None  # absent, or cut by a full disk: it is made again


def _write(path: Path, member: str, folder: Path) -> None:
    bad: list[BadRow] = []
    with ExitStack() as stack:
        files = _Files(folder, stack)
        stream = stack.enter_context(open_member(path, member))
        header = read_header(stream)
        layout = layout_of(header)
        for number, block in enumerate(record_blocks(stream, FIRST_LINE)):
            for records in read_block(block, layout.width, layout.positions):
                bad += records.bad
                files.add(records)
            if number == 0:
                refuse_garbage(len(bad), len(bad) + files.rows())
    units = {
        unit: {
            "rows": sum(years.values()),
            "bytes": (folder / f"{unit}.csv").stat().st_size,
            "years": dict(years),
        }
        for unit, years in files.years.items()
    }
    index = {"header": header, "units": units, "bad": [(row.line, row.reason) for row in bad]}
    write_atomically(folder / "index.json", json.dumps(index).encode("utf-8"))


class _Files:
    """One CSV and one list of lines per unit, written as the blocks come; counts rows by unit and year."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._open: dict[str, tuple[IO[bytes], IO[bytes]]] = {}
        self.years: dict[str, Counter[str]] = {}

    def add(self, records: Records) -> None:
        if not len(records.lines):
            return
        columns = Columns(records.cells, len(records.lines))
        units, years = columns.text("SG_UF").upper(), columns.number("ANO_ELEICAO")
        present = [name for name in NAMES if name in records.cells]
        for unit in {_file_of(value) for value in units.different()}:
            rows = units.where(lambda value, unit=unit: _file_of(value) == unit)  # type: ignore[misc]
            table, lines = self._of(unit)
            table.write(records.cells.compact(present, rows))
            lines.write(records.lines[rows].tobytes())
            for year in years.different():
                found = int((rows & years.where(lambda value, year=year: value is year or value == year)).sum())  # type: ignore[misc]
                if found:
                    self.years[unit][_year_key(year)] += found

    def rows(self) -> int:
        return sum(years.total() for years in self.years.values())

    def _of(self, unit: str) -> tuple[IO[bytes], IO[bytes]]:
        if unit not in self._open:
            self._open[unit] = (
                self._stack.enter_context((self._folder / f"{unit}.csv").open("wb")),
                self._stack.enter_context((self._folder / f"{unit}.lines").open("wb")),
            )
            self.years[unit] = Counter()
        return self._open[unit]


def _file_of(unit: str | None) -> str:
    return unit if unit in UF_NAMES else REST


def _year_key(year: Any) -> str:
    return "" if year is None else "damaged" if year is DAMAGED else str(year)


def _drop_old(folder: Path) -> None:
    """The newest splits stay: another process may still be reading the one of an older archive."""
    splits = sorted((entry for entry in folder.iterdir() if entry.is_dir()), key=lambda entry: entry.stat().st_mtime)
    for entry in splits[:-KEPT_SPLITS]:
        shutil.rmtree(entry, ignore_errors=True)

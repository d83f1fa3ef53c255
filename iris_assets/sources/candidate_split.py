"""The national candidates file, cut once into one small file per UF: what 28 partitions then read costs one pass.

The small files hold the columns that we read and no others: nothing personal is copied.
"""

import csv
import json
import os
import shutil
from _csv import Writer
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from iris_assets.files import locked, write_atomically
from iris_assets.sources.archives import open_member
from iris_assets.sources.candidate_columns import ALIASES, Layout, layout_of
from iris_assets.sources.candidate_rows import refuse_garbage
from iris_assets.sources.candidate_values import DAMAGED, read_number, upper_or_none
from iris_assets.sources.csv_records import (
    DELIMITER,
    BadRow,
    Record,
    in_batches,
    read_header,
    read_records,
)
from iris_assets.sources.text_files import opened_text
from iris_assets.ufs import UF_NAMES

VERSION: Final = 4
ENCODING: Final = "utf-8"
REST: Final = "rest"  # rows of no known UF: every partition sees them
KEPT_SPLITS: Final = 3


@dataclass(frozen=True, slots=True)
class NationalSplit:
    """The files of one split: the line in the national file, then the columns that we read; `units` have one."""

    folder: Path
    layout: Layout
    units: Mapping[str, Mapping[str, Any]]
    bad: tuple[BadRow, ...]
    text: str  # how the member is written

    @property
    def positions(self) -> dict[str, int]:
        """Where the columns stand in the records of the parts."""
        return {name: place for place, name in enumerate(_present(self.layout), start=1)}

    def path(self, unit: str) -> Path:
        return self.folder / f"{unit}.csv"

    def records(self, uf: str) -> Iterator[Record]:
        """What a partition sees: its own rows and those of no known UF, each with its line in the national file."""
        width = len(self.positions) + 1
        for unit in (uf, REST):
            if unit in self.units:
                with self.path(unit).open(encoding=ENCODING, newline="") as text:
                    for _, cells, _ in read_records(text, width):
                        yield int(cells[0]), cells, ""

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
        return all(self.path(unit).stat().st_size == figures["bytes"] for unit, figures in self.units.items())


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
            target,
            layout_of(index["header"]),
            index["units"],
            tuple(BadRow(*row) for row in index["bad"]),
            index["text"],
        )
        return split if split.is_whole() else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None  # absent, or cut by a full disk: it is made again


def _write(path: Path, member: str, folder: Path) -> None:
    with ExitStack() as stack:
        text, facts = stack.enter_context(opened_text(open_member(path, member)))
        header = read_header(text)
        layout = layout_of(header)
        files = _Files(folder, layout, stack)
        for number, records in enumerate(in_batches(read_records(text, layout.width))):
            files.add(records)
            if number == 0:
                refuse_garbage(len(files.bad), files.rows_read())
    units = {
        unit: {"bytes": (folder / f"{unit}.csv").stat().st_size, "years": dict(years)}
        for unit, years in files.years.items()
    }
    index = {"header": header, "units": units, "bad": files.bad, "text": facts.note()}
    write_atomically(folder / "index.json", json.dumps(index).encode("utf-8"))


class _Files:
    """One CSV per unit, written as the records come; counts rows by unit and year."""

    def __init__(self, folder: Path, layout: Layout, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._take = itemgetter(*(layout.positions[name] for name in _present(layout)))
        self._unit_at, self._year_at = layout.positions["SG_UF"], layout.positions["ANO_ELEICAO"]
        self._writers: dict[str, Writer] = {}
        self.years: dict[str, Counter[str]] = {}
        self.bad: list[BadRow] = []

    def add(self, records: Iterable[Record]) -> None:
        for line, cells, fault in records:
            if fault:
                self.bad.append(BadRow(line, fault))
            else:
                unit = _file_of(cells[self._unit_at])
                self._of(unit).writerow((line, *self._take(cells)))
                self.years[unit][_year_key(cells[self._year_at])] += 1

    def rows_read(self) -> int:
        return len(self.bad) + sum(years.total() for years in self.years.values())

    def _of(self, unit: str) -> Writer:
        if unit not in self._writers:
            file = self._stack.enter_context((self._folder / f"{unit}.csv").open("w", encoding=ENCODING, newline=""))
            self._writers[unit] = csv.writer(file, delimiter=DELIMITER, lineterminator="\n")
            self.years[unit] = Counter()
        return self._writers[unit]


def _present(layout: Layout) -> list[str]:
    return [name for name in ALIASES if name in layout.positions]


def _file_of(text: str) -> str:
    unit = upper_or_none(text)
    return unit if unit in UF_NAMES else REST


@lru_cache(maxsize=1024)
def _year_key(text: str) -> str:
    year = read_number("ANO_ELEICAO", text)
    return "" if year is None else "damaged" if year is DAMAGED else str(year)


def _drop_old(folder: Path) -> None:
    """The newest splits stay: another process may still be reading the one of an older archive."""
    splits = sorted((entry for entry in folder.iterdir() if entry.is_dir()), key=lambda entry: entry.stat().st_mtime)
    for entry in splits[:-KEPT_SPLITS]:
        shutil.rmtree(entry, ignore_errors=True)

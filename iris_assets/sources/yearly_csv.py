"""The Câmara's yearly CSV files, record by record: optional BOM, semicolons, line breaks inside fields."""

import csv
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path

from iris_assets.errors import SourceContractError
from iris_assets.sources.csv_records import csv_reader
from iris_assets.sources.received import describe, is_html


def yearly_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The named columns of each record, as text. SourceContractError CSV_COLUMN_MISSING or CSV_TRUNCATED."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv_reader(file)
        header = next(reader, [])
        pick = _picker(header, columns)
        width = len(header)
        try:
            for row in reader:
                if len(row) != width:
                    raise _fault(
                        "CSV_TRUNCATED",
                        f"a record that ends in line {reader.line_num} has {len(row)} of {width} fields",
                    )
                yield pick(row)
        except (UnicodeDecodeError, csv.Error) as error:
            raise _fault("CSV_TRUNCATED", f"the file cannot be read after line {reader.line_num}") from error


def check_yearly_csv(path: Path, columns: Sequence[str]) -> None:
    """Refuse a page of HTML, an empty or cut file and an unknown header; a cut file is refused whole."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(1024)
        file.seek(max(0, size - 1))
        tail = file.read(1)
    if is_html(head) or size == 0:
        raise _fault("FILE_NOT_CSV", f"a CSV file was expected, {describe(head, size)} received")
    if tail != b"\n":
        raise _fault("CSV_TRUNCATED", f"the file ends in the middle of a line ({size} bytes)")
    for _ in yearly_rows(path, columns):
        pass


def _picker(header: Sequence[str], columns: Sequence[str]) -> Callable[[list[str]], tuple[str, ...]]:
    missing = [name for name in columns if name not in header]
    if missing:
        raise _fault("CSV_COLUMN_MISSING", f"the yearly file lacks {', '.join(missing)}")
    pick: Callable[[list[str]], tuple[str, ...]] = itemgetter(*(header.index(name) for name in columns))
    return pick


def _fault(code: str, message: str) -> SourceContractError:
    return SourceContractError(
        code, message, hint="the file at the source is damaged or changed; the last good one stays"
    )

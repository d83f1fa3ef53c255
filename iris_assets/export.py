"""The store as files for those who work in R, pandas or DuckDB: a table each, a data dictionary, a manifest."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from iris_assets.errors import UsageError
from iris_assets.extras import require_parquet
from iris_assets.files import sha256_of, write_atomically
from iris_assets.sources.data_contracts import DATA_CONTRACTS
from iris_assets.store import Store
from iris_assets.store.tables.dictionary import ColumnMeaning, columns, tables

Format = Literal["csv", "parquet"]
Row = dict[str, Any]  # by column name
MANIFEST: Final = "manifest.json"
DICTIONARY: Final = "data_dictionary.csv"
ASKED: Final = frozenset({"Answer", "AnswerEvidence"})  # what readers asked is theirs
INTERNAL: Final = frozenset({"SourceState"})  # notes of the stages
OF_SEARCH: Final = frozenset({"Embedding", "SearchText", "SearchTermCount"})


@dataclass(frozen=True)
class Exported:
    """One written table."""

    table: str
    file: str
    rows: int
    sha256: str


def export(store: Store, folder: Path, form: Format, *, with_answers: bool = False) -> list[Exported]:
    """Write every table into `folder`, then the data dictionary, and the manifest last: where it is, all is.

    Row ids join the files of one export and are no identity. Vectors and search terms stay out, and what readers asked
    unless `with_answers`. UsageError EXPORT_FOLDER_TAKEN for a folder that holds anything but an export.
    """
    if form == "parquet":
        require_parquet()
    _require_free(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    left_out = INTERNAL if with_answers else INTERNAL | ASKED
    names = [name for name in tables() if name not in left_out]
    written = [_written(store, name, folder / f"{name}.{form}", form) for name in names]
    write_atomically(folder / DICTIONARY, _dictionary(names).encode())
    write_atomically(folder / MANIFEST, _manifest(store, written).encode())
    return written


def _require_free(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not (folder / DICTIONARY).exists():
        raise UsageError(
            "EXPORT_FOLDER_TAKEN",
            f"{folder} holds other files",
            hint="name an empty folder, or one of an earlier export",
        )


def _written(store: Store, name: str, file: Path, form: Format) -> Exported:
    partial = file.with_name(f".{file.name}.partial")
    pages = (_plain(page) for page in store.table_rows(name, OF_SEARCH))
    rows = (_write_csv if form == "csv" else _write_parquet)(partial, _exported(name), pages)
    partial.replace(file)
    return Exported(name, file.name, rows, sha256_of(file))


def _exported(name: str) -> list[ColumnMeaning]:
    return [column for column in columns(name) if column.name not in OF_SEARCH]


def _plain(rows: Sequence[Row]) -> list[Row]:
    """JSON columns as JSON text; the other values as they are."""
    return [
        {key: _text(value) if isinstance(value, list | dict) else value for key, value in row.items()} for row in rows
    ]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_csv(file: Path, shape: list[ColumnMeaning], pages: Iterator[list[Row]]) -> int:
    total = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, [column.name for column in shape])
        writer.writeheader()
        for rows in pages:
            writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
            total += len(rows)
    return total


def _cell(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _write_parquet(file: Path, shape: list[ColumnMeaning], pages: Iterator[list[Row]]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {
        "integer": pa.int64(), "number": pa.float64(), "yes or no": pa.bool_(), "date": pa.date32(),
        "moment": pa.timestamp("us", tz="UTC"),
    }  # fmt: skip
    schema = pa.schema([(column.name, kinds.get(column.kind, pa.string())) for column in shape])
    total = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for rows in pages:
            writer.write_table(pa.Table.from_pylist(rows, schema))
            total += len(rows)
    return total


def _dictionary(names: Sequence[str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["table", "column", "kind", "required", "meaning"])
    for name in names:
        for column in _exported(name):
            writer.writerow([name, column.name, column.kind, "yes" if column.required else "no", column.meaning])
    return out.getvalue()


def _manifest(store: Store, written: Sequence[Exported]) -> str:
    sources = [
        {"source": name, "publisher": one.publisher, "licence": one.licence, "address": one.address}
        for name, one in DATA_CONTRACTS.items()
    ]
    tables = [vars(one) for one in written]
    made = {"exported_at": datetime.now(UTC).isoformat(timespec="seconds"), "store": store.url_safe}
    manifest = {**made, "schema_version": store.schema_version(), "tables": tables, "sources": sources}
    return json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"

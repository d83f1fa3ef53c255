"""`iris-assets inspect`: what we would make of a PDF, an archive or a registry CSV, without storing anything."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from iris_assets.commands.options import JsonOption, print_json, reports_errors
from iris_assets.errors import UsageError


@reports_errors
def inspect_file(
    file: Annotated[Path, typer.Argument(help="PDF, ZIP ou CSV.")],
    ocr: Annotated[bool, typer.Option("--ocr", help="Reconhece páginas sem texto (Tesseract).")] = False,
    as_json: JsonOption = False,
) -> None:
    """Mostra o que faríamos do arquivo, sem gravar nada."""
    if not file.is_file():
        raise UsageError("FILE_UNREADABLE", f"no file {file}", hint="give the path of a PDF, ZIP or CSV")
    result = _inspect(file, ocr)
    if as_json:
        print_json(result)
    else:
        Console().print_json(data=result, ensure_ascii=False)


def _inspect(file: Path, ocr: bool) -> dict[str, Any]:
    with file.open("rb") as stream:
        head = stream.read(1024)
    # The signature decides, not the name: the court's "PDF" resources are ZIP archives.
    if head.startswith(b"PK"):
        return _inspect_archive(file)
    if b"%PDF-" in head:
        from iris_assets.documents import inspect_pdf

        return inspect_pdf(file, ocr=ocr)
    return _inspect_csv(file)


def _inspect_archive(file: Path) -> dict[str, Any]:
    from iris_assets.sources.archives import inspect_archive

    return inspect_archive(file)


def _inspect_csv(file: Path) -> dict[str, Any]:
    from iris_assets.sources.candidates import read_candidates_file

    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    bad: list[dict[str, Any]] = []
    reading = read_candidates_file(file)
    for batch in reading:
        counts.update(read=batch.rows_read, accepted=len(batch.rows), failed=len(batch.bad_rows))
        skipped.update(batch.skipped)
        bad += [{"line": row.line, "reason": row.reason} for row in batch.bad_rows[: 20 - len(bad)]]
    return {
        "kind": "csv",
        "counts": dict(counts),
        "skipped": dict(skipped),
        "failed": bad,
        "notes": list(reading.notes),
    }

"""`iris-assets inspect`: what we would make of a PDF, an archive or a registry CSV, without storing anything."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from iris_assets.commands.options import EXIT_FAILED, JsonOption, print_json, reports_errors
from iris_assets.errors import DocumentError, SourceContractError, UsageError

BAD_ROWS_SHOWN = 20


@reports_errors
def inspect_file(
    file: Annotated[Path, typer.Argument(help="PDF, ZIP ou CSV.")],
    ocr: Annotated[bool, typer.Option("--ocr", help="Reconhece páginas sem texto (Tesseract).")] = False,
    as_json: JsonOption = False,
) -> None:
    """Mostra o que faríamos do arquivo, sem gravar nada; sai com 1 quando ele seria recusado."""
    if not file.is_file():
        raise UsageError("FILE_UNREADABLE", f"no file {file}", hint="give the path of a PDF, ZIP or CSV")
    result = _inspect(file, ocr)
    if as_json:
        print_json(result)
    else:
        Console().print_json(data=result, ensure_ascii=False)
    if result["status"] in ("REFUSED", "FAILED"):
        raise typer.Exit(EXIT_FAILED)


def _inspect(file: Path, ocr: bool) -> dict[str, Any]:
    with file.open("rb") as stream:
        head = stream.read(1024)
    # The signature decides, not the name: the court's "PDF" resources are ZIP archives. A name that promises one of
    # them and does not keep it is told what it is instead.
    if head.startswith(b"PK") or file.suffix.lower() == ".zip":
        return _inspect_archive(file)
    if b"%PDF-" in head or file.suffix.lower() == ".pdf":
        return _inspect_pdf(file, ocr)
    return _inspect_csv(file)


def _inspect_pdf(file: Path, ocr: bool) -> dict[str, Any]:
    from iris_assets.documents import inspect_pdf

    try:
        return inspect_pdf(file, ocr=ocr)
    except DocumentError as error:
        refusal = {"status": "FAILED", "error_code": error.code, "reason": error.message, "hint": error.hint}
        return {"kind": "pdf", "engine": None, "pages": [], "quality": {}, **refusal}


def _inspect_archive(file: Path) -> dict[str, Any]:
    from iris_assets.sources.inspection import inspect_archive

    return inspect_archive(file)


def _inspect_csv(file: Path) -> dict[str, Any]:
    from iris_assets.sources.candidates import read_candidates_file

    counts: Counter[str] = Counter(read=0, accepted=0, skipped=0, failed=0)
    skipped: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    bad: list[dict[str, Any]] = []
    reading = read_candidates_file(file)
    try:
        for batch in reading:
            counts.update(
                read=batch.rows_read,
                accepted=len(batch.rows),
                skipped=batch.skipped.total(),
                failed=len(batch.bad_rows),
            )
            skipped.update(batch.skipped)
            reasons.update(row.reason for row in batch.bad_rows)
            bad += [{"line": row.line, "reason": row.reason} for row in batch.bad_rows[: BAD_ROWS_SHOWN - len(bad)]]
    except SourceContractError as error:
        return {"kind": "csv", "status": "REFUSED", "error_code": error.code, "reason": error.message}
    return {
        "kind": "csv",
        "status": "PARTIAL" if counts["failed"] else "OK",
        "counts": dict(counts),
        "skipped": dict(skipped),
        "reasons": dict(reasons),
        "failed": bad,
        "notes": list(reading.notes),
    }

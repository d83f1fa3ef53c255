"""`iris-assets inspect`: what we would make of a PDF, an archive, a CSV or JSON file, without storing anything."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from iris_assets.commands.options import EXIT_FAILED, JsonOption, print_json, reports_errors
from iris_assets.errors import DocumentError, UsageError


@reports_errors
def inspect_file(
    file: Annotated[Path, typer.Argument(help="PDF, ZIP, CSV ou JSON.")],
    ocr: Annotated[bool, typer.Option("--ocr", help="Reconhece páginas sem texto (Tesseract).")] = False,
    as_json: JsonOption = False,
) -> None:
    """Mostra o que faríamos do arquivo, sem gravar nada; sai com 1 quando ele seria recusado."""
    if not file.is_file():
        raise UsageError("FILE_UNREADABLE", f"no file {file}", hint="give the path of a PDF, ZIP, CSV or JSON")
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
    return _inspect_table(file)


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


def _inspect_table(file: Path) -> dict[str, Any]:
    from iris_assets.sources.inspection import inspect_table

    return inspect_table(file)

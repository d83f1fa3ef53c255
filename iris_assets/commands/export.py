"""The command export: the store's tables as files for R, pandas or DuckDB."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from iris_assets.commands.options import DataOption, JsonOption, print_json, reports_errors, settings_for
from iris_assets.errors import UsageError

if TYPE_CHECKING:
    from iris_assets.export import Format

FORMATS = ("csv", "parquet")


@reports_errors
def export_tables(
    folder: Annotated[Path, typer.Argument(help="Pasta onde as tabelas são gravadas.")],
    form: Annotated[str, typer.Option("--format", help="csv ou parquet.")] = "csv",
    with_answers: Annotated[
        bool, typer.Option("--with-answers", help="Grava também o que as pessoas perguntaram.")
    ] = False,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Grava cada tabela, um dicionário de dados e um manifesto (hash, data, fonte, licença)."""
    from iris_assets.commands.asking import existing_platform
    from iris_assets.export import export

    if form not in FORMATS:
        raise UsageError("FORMAT_UNKNOWN", f"unknown format {form}", hint=f"use one of {', '.join(FORMATS)}")
    with existing_platform(settings_for(data)) as platform:
        written = export(platform.store, folder, cast("Format", form), with_answers=with_answers)
    if as_json:
        print_json([vars(one) for one in written])
        return
    for one in written:
        typer.echo(f"{one.file}\t{one.rows}")

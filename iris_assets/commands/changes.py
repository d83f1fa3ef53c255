"""`iris-assets changes`: what the court corrected in the registry, from the store."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from iris_assets.commands.options import DataOption, JsonOption, partitions, print_json, reports_errors, settings_for
from iris_assets.errors import UsageError


@reports_errors
def changes(
    since: Annotated[str, typer.Option("--since", help="Desde este dia ou instante (2026-08-15, UTC).")] = "",
    uf: Annotated[str, typer.Option("--uf", help="UFs, separadas por vírgula.")] = "",
    year: Annotated[int | None, typer.Option("--year", help="Ano da eleição.")] = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Lista as correções do tribunal: quando, candidatura, campo, antes, depois, execução."""
    from iris_assets.commands.asking import existing_platform

    moment = _moment(since)
    states = partitions(uf) if uf else ()
    with existing_platform(settings_for(data)) as platform:
        rows = platform.store.changes.since(moment, states=states, election_year=year)
    if as_json:
        print_json([{name: value for name, value in row.items() if name != "id"} for row in rows])
        return
    console = Console()
    for row in rows:
        when, who = row["changed_at"].strftime("%Y-%m-%d %H:%M"), f"{row['tse_id']}/{row['election_year']}"
        said = f"{row['field']}: {row['value_before'] or '—'} → {row['value_after'] or '—'}"
        console.print(Text(f"{when}  {who}  {said}  ({row['run_key'][:8]})"))
    if not rows:
        console.print("Nenhuma correção registrada.")


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError("DATE_INVALID", f"--since {text[:40]!r} is no date", hint="write it as 2026-08-15") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment

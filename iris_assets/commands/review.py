"""`iris-assets review`: the REVIEW cases with their evidence, and verified overrides (reversible)."""

import getpass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from iris_assets.commands.options import DataOption, JsonOption, print_json, reports_errors, settings_for

app = typer.Typer(
    help="Casos em REVIEW: lista com as evidências e registra decisões verificadas.", no_args_is_help=False
)


@app.callback(invoke_without_command=True)
@reports_errors
def review(
    context: typer.Context,
    suggested: Annotated[
        bool, typer.Option("--suggested", help="Só as sugestões por nome parecido (também em JSON).")
    ] = False,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Lista os casos em REVIEW com as evidências, e as sugestões por nome parecido, que não mudam nenhum status."""
    if context.invoked_subcommand is not None:
        return
    from iris_assets.commands.asking import existing_platform
    from iris_assets.ingest.review import review_cases, suggested_cases

    settings = settings_for(data)
    with existing_platform(settings) as platform:
        store = platform.store
        cases = [] if suggested else review_cases(store, settings)
        proposals = suggested_cases(store) if suggested or not as_json else []
    if as_json:
        print_json(proposals if suggested else cases)
        return
    console = Console()
    if not suggested:
        _print_cases(console, cases, "Nenhum caso em REVIEW.")
    if proposals:
        console.print(Text("\nSugestões (sem efeito até uma decisão verificada: iris-assets review accept)"))
    if proposals or suggested:
        _print_cases(console, proposals, "Nenhuma sugestão.")


def _print_cases(console: Console, cases: list[dict[str, Any]], none: str) -> None:
    if not cases:
        console.print(none)
    for case in cases:
        person = f"{case['tse_id']} {case['name']} ({case['ballot_name']})"
        console.print(Text(f"{person}, {case['office']} {case['state']} {case['election_year']}", style="bold"))
        for item in case["considered"]:
            name = f"{item['camara_deputy_id']} {item['deputy_name']}".strip()
            console.print(Text(f"   deputado {name}: {item['score']} — {item['explanation']}"))


@app.command("accept")
@reports_errors
def accept(
    tse_id: Annotated[str, typer.Argument(help="TSE_ID da candidatura.")],
    deputy_id: Annotated[int, typer.Argument(help="Id do deputado na Câmara.")],
    reason: Annotated[str, typer.Option("--reason", help="Por que a identidade é certa.")],
    who: Annotated[str | None, typer.Option("--who", help="Quem decidiu (padrão: o usuário do sistema).")] = None,
    data: DataOption = None,
) -> None:
    """Registra que a candidatura é do deputado; vale na próxima execução de camara."""
    _decide(tse_id, deputy_id, reason, who, data, same=True)
    typer.echo(f"{tse_id} → {deputy_id}: registrado; rode iris-assets run para aplicar")


@app.command("reject")
@reports_errors
def reject(
    tse_id: Annotated[str, typer.Argument(help="TSE_ID da candidatura.")],
    deputy_id: Annotated[int, typer.Argument(help="Id do deputado na Câmara.")],
    reason: Annotated[str, typer.Option("--reason", help="Por que não são a mesma pessoa.")],
    who: Annotated[str | None, typer.Option("--who", help="Quem decidiu (padrão: o usuário do sistema).")] = None,
    data: DataOption = None,
) -> None:
    """Registra que a candidatura não é do deputado: o par não volta a ser comparado nem sugerido."""
    _decide(tse_id, deputy_id, reason, who, data, same=False)
    typer.echo(f"{tse_id} ≠ {deputy_id}: registrado; rode iris-assets run para aplicar")


def _decide(tse_id: str, deputy_id: int, reason: str, who: str | None, data: Path | None, *, same: bool) -> None:
    from iris_assets.commands.asking import existing_platform
    from iris_assets.identity.overrides import write_override
    from iris_assets.ingest.review import require_known

    settings = settings_for(data)
    with existing_platform(settings) as platform:
        require_known(platform.store, tse_id, deputy_id)
    write_override(
        settings.iris_assets_data / "overrides.json", tse_id, deputy_id,
        reason=reason, who=who or getpass.getuser(), same=same,
    )  # fmt: skip


@app.command("remove")
@reports_errors
def remove(
    tse_id: Annotated[str, typer.Argument(help="TSE_ID da candidatura.")],
    who: Annotated[str | None, typer.Option("--who", help="Quem desfez.")] = None,
    data: DataOption = None,
) -> None:
    """Desfaz uma decisão; o histórico dela fica no arquivo."""
    from iris_assets.identity.overrides import remove_override

    remove_override(settings_for(data).iris_assets_data / "overrides.json", tse_id, who=who or getpass.getuser())
    typer.echo(f"{tse_id}: decisão desfeita; rode iris-assets run para aplicar")

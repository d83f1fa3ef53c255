"""`iris-assets review`: the REVIEW cases with their evidence, and verified overrides (reversible)."""

import getpass
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from iris_assets.commands.options import DataOption, JsonOption, print_json, reports_errors, settings_for

app = typer.Typer(
    help="Casos em REVIEW: lista com as evidências e registra decisões verificadas.", no_args_is_help=False
)


@app.callback(invoke_without_command=True)
@reports_errors
def review(context: typer.Context, data: DataOption = None, as_json: JsonOption = False) -> None:
    """Lista os casos em REVIEW com as evidências de cada deputado considerado."""
    if context.invoked_subcommand is not None:
        return
    from iris_assets.commands.services import opened_store
    from iris_assets.ingest.review import review_cases

    settings = settings_for(data)
    with opened_store(settings) as store:
        cases = review_cases(store, settings)
    if as_json:
        print_json(cases)
        return
    console = Console()
    if not cases:
        console.print("Nenhum caso em REVIEW.")
    for case in cases:
        console.print(
            Text(
                f"{case['tse_id']} {case['name']} ({case['ballot_name']}), {case['office']} {case['state']} {case['election_year']}",
                style="bold",
            )
        )
        for considered in case["considered"]:
            console.print(
                Text(
                    f"   deputado {considered['camara_deputy_id']}: {considered['score']} — {considered['explanation']}"
                )
            )


@app.command("accept")
@reports_errors
def accept(
    tse_id: Annotated[str, typer.Argument(help="TSE_ID da candidatura.")],
    deputy_id: Annotated[int, typer.Argument(help="Id do deputado na Câmara.")],
    reason: Annotated[str, typer.Option("--reason", help="Por que a identidade é certa.")],
    who: Annotated[str | None, typer.Option("--who", help="Quem decidiu (padrão: o usuário do sistema).")] = None,
    data: DataOption = None,
) -> None:
    """Registra uma decisão verificada; vale na próxima execução de camara."""
    from iris_assets.identity.overrides import write_override

    settings = settings_for(data)
    write_override(
        settings.iris_assets_data / "overrides.json", tse_id, deputy_id, reason=reason, who=who or getpass.getuser()
    )
    typer.echo(f"{tse_id} → {deputy_id}: registrado; rode iris-assets run para aplicar")


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

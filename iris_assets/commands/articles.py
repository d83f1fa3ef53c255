"""Commands of the article runtime: extract a page, build a profile, process one article, resend telemetry."""

from pathlib import Path
from typing import Annotated

import typer

from iris_assets.commands.options import DataOption, JsonOption, print_json, reports_errors, settings_for
from iris_assets.logs import only_errors_of

telemetry = typer.Typer(help="Telemetria do tratamento de notícias.", no_args_is_help=True)

news = typer.Typer(help="Notícias guardadas: versões e retirada.", no_args_is_help=True)
Page = Annotated[str, typer.Argument(help="Endereço da notícia.")]


@reports_errors
def article(
    file: Annotated[Path, typer.Argument(help="Objeto do artigo (JSON), como o de iris-assets extract.")],
    profile: Annotated[Path, typer.Option("--profile", help="Perfil (JSON), como o de iris-assets profile.")],
    out: Annotated[Path | None, typer.Option("--out", help="Pasta do manifesto e do Markdown.")] = None,
    state: Annotated[
        Path | None, typer.Option("--state", help="Arquivo de estado (padrão: articles.sqlite3 na pasta de --out).")
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", help="Configuração versionada.")] = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Trata uma notícia: limpa, confere se é sobre a candidatura e grava Markdown fundamentado; o resultado é JSON."""
    from iris_assets.articles.commands import article_command

    folder = out or settings_for(data).iris_assets_data / "articles"
    with only_errors_of("iris_assets.llm"):  # the runtime's own lines tell each call, with its step
        code, result = article_command(file, profile, folder, state=state, config=config)
    print_json(result)
    raise typer.Exit(code)


@reports_errors
def extract(
    page: Annotated[str, typer.Argument(help="Página salva (HTML) ou endereço http(s).")],
    url: Annotated[
        str | None, typer.Option("--url", help="Endereço da página; obrigatório para uma página salva.")
    ] = None,
    private: Annotated[bool, typer.Option("--allow-private-hosts", help="Permite endereços da rede privada.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Lê uma página com três extratores e escreve o objeto do artigo (JSON)."""
    from iris_assets.articles.commands import extract_command

    code, result = extract_command(page, url, private=private)
    print_json(result)
    raise typer.Exit(code)


@reports_errors
def profile(
    tse_id: Annotated[str, typer.Argument(help="TSE_ID (SQ_CANDIDATO).")],
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Escreve o perfil da candidatura (JSON) a partir do banco."""
    from iris_assets.articles.commands import profile_command
    from iris_assets.commands.asking import existing_platform

    with existing_platform(settings_for(data)) as platform:
        code, result = profile_command(platform.store, tse_id)
    print_json(result)
    raise typer.Exit(code)


@telemetry.command("resend")
@reports_errors
def resend(
    state: Annotated[
        Path | None, typer.Option("--state", help="Arquivo de estado (padrão: o da pasta de dados).")
    ] = None,
    data: DataOption = None,
) -> None:
    """Reenvia os eventos de telemetria pendentes."""
    from iris_assets.articles.commands import STATE_FILE, resend_command

    code, result = resend_command(state or settings_for(data).iris_assets_data / "articles" / STATE_FILE)
    print_json(result)
    raise typer.Exit(code)


@news.command("withdraw")
@reports_errors
def withdraw(
    url: Page,
    reason: Annotated[str, typer.Option("--reason", help="Por que a notícia sai.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Desfaz: a próxima execução publica de novo.")] = False,
    data: DataOption = None,
) -> None:
    """Retira uma notícia das buscas, em todas as versões; o texto continua legível e marcado."""
    from iris_assets.articles.commands import withdraw_command
    from iris_assets.commands.asking import existing_platform

    with existing_platform(settings_for(data)) as platform:
        code, result = withdraw_command(platform.store, url, reason, undo=undo)
    print_json(result)
    raise typer.Exit(code)


@news.command("versions")
@reports_errors
def versions(url: Page, data: DataOption = None) -> None:
    """Mostra cada versão guardada de uma notícia, com o texto e o que foi feito dela."""
    from iris_assets.articles.commands import versions_command
    from iris_assets.commands.asking import existing_platform

    with existing_platform(settings_for(data)) as platform:
        code, result = versions_command(platform.store, url)
    print_json(result)
    raise typer.Exit(code)

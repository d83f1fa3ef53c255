"""`iris-assets db`: schema upgrade, its SQL, checks, the vector column and its index, and moving between stores."""

import re
from pathlib import Path
from typing import Annotated

import typer

from iris_assets.commands.options import EXIT_FAILED, DataOption, print_json, reports_errors, settings_for
from iris_assets.errors import ConfigurationError, UsageError
from iris_assets.settings import Settings, read_environment

app = typer.Typer(help="Banco: atualizar o esquema, ver o SQL, conferir, mudar de banco.", no_args_is_help=True)

ENV = "env:"
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="URL do banco, ou env:NOME da variável que a guarda (padrão: a das configurações)."),
]


@app.command("upgrade")
@reports_errors
def upgrade(url: UrlOption = None, data: DataOption = None) -> None:
    """Leva o esquema à versão atual."""
    from iris_assets.store import admin

    settings = settings_for(data)
    typer.echo(admin.upgrade(store_url(url, settings), dimension=settings.embedding_dimension))


@app.command("sql")
@reports_errors
def sql(url: UrlOption = None, data: DataOption = None) -> None:
    """Escreve o DDL completo sem conectar."""
    from iris_assets.store import admin

    settings = settings_for(data)
    typer.echo(admin.ddl(store_url(url, settings), dimension=settings.embedding_dimension))


@app.command("check")
@reports_errors
def check(url: UrlOption = None, data: DataOption = None) -> None:
    """Confere conexão, versão do esquema e integridade; sai com 1 quando algo não está certo."""
    from iris_assets.store import admin

    settings = settings_for(data)
    result = admin.check(store_url(url, settings))
    print_json(result)
    if not result["ok"]:
        raise typer.Exit(EXIT_FAILED)


@app.command("backup")
@reports_errors
def backup(
    folder: Annotated[
        Path | None, typer.Argument(help="Pasta da cópia (padrão: backups, na pasta de dados).", show_default=False)
    ] = None,
    data: DataOption = None,
) -> None:
    """Copia o banco enquanto outros o usam; inteira ou nada. De um servidor cuida o próprio servidor."""
    from iris_assets.commands.asking import existing_platform

    settings = settings_for(data)
    with existing_platform(settings) as platform:
        copy = platform.store.backup(folder or settings.iris_assets_data / "backups")
        engine = platform.store.engine.name
    if copy is None:
        raise UsageError(
            "BACKUP_BY_SERVER",
            f"a store of {engine} is backed up by its server",
            hint="docs/operations.md: Backup and restore",
        )
    typer.echo(str(copy))


@app.command("set-dimension")
@reports_errors
def set_dimension(
    dimension: Annotated[int, typer.Argument(min=1, max=8192, help="Dimensão dos vetores.")],
    url: UrlOption = None,
    data: DataOption = None,
) -> None:
    """Reconstrói a coluna de vetores de um servidor com outra dimensão (os vetores ficam pendentes)."""
    from iris_assets.store import admin

    settings = settings_for(data)
    pending = admin.set_dimension(store_url(url, settings), dimension)
    if pending is None:
        typer.echo("Este banco guarda vetores de qualquer dimensão: nada a mudar.")
    else:
        typer.echo(f"dimensão {dimension}; {pending} trechos sem vetor: rode iris-assets run")


@app.command("index")
@reports_errors
def index(url: UrlOption = None, data: DataOption = None) -> None:
    """Constrói o índice HNSW de um servidor depois da carga e atualiza as estatísticas do banco."""
    from iris_assets.store import admin

    settings = settings_for(data)
    built = admin.build_vector_index(store_url(url, settings))
    if built is None:
        typer.echo("A busca do SQLite é exata: nenhum índice a construir.")
    else:
        typer.echo("índice HNSW construído" if built else "o índice HNSW já existe; estatísticas atualizadas")


@app.command("copy")
@reports_errors
def copy(
    source: Annotated[
        str | None,
        typer.Option(
            "--from", help="Banco de origem: URL ou env:NOME (padrão: o das configurações).", show_default=False
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--to", help="Banco de destino: URL ou env:NOME (padrão: o das configurações).", show_default=False
        ),
    ] = None,
    data: DataOption = None,
) -> None:
    """Copia um banco para outro (SQLite ↔ IRIS ↔ PostgreSQL), conferindo contagens e hashes; pode ser retomado."""
    from iris_assets.store import admin

    settings = settings_for(data)
    print_json(admin.copy(store_url(source, settings), store_url(target, settings)))


def store_url(given: str | None, settings: Settings) -> str:
    """The URL of an option: itself, the variable that `env:NAME` names, or the one of the settings.

    What stands on the command line is seen by everybody on the machine (`ps`): a password there is warned of.
    Raises ConfigurationError URL_VARIABLE_UNSET.
    """
    if given is None:
        return settings.store_url
    if given.startswith(ENV):
        name = given.removeprefix(ENV)
        url = read_environment().get(name)
        if url is None:
            raise ConfigurationError("URL_VARIABLE_UNSET", f"no variable {name}", hint=f"export {name} with the URL")
        return settings.completed_url(url)
    if re.match(r"[^:/]+://[^/]*:[^/]+@", given):
        typer.echo(
            "A senha fica visível na lista de processos: prefira env:NOME, IRIS_PASSWORD ou POSTGRES_PASSWORD.",
            err=True,
        )
    return settings.completed_url(given)

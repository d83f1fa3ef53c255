"""`iris-assets db`: schema upgrade, its SQL, checks, the vector column's dimension, and moving between stores."""

from typing import Annotated

import typer

from iris_assets.commands.options import EXIT_FAILED, DataOption, print_json, reports_errors, settings_for

app = typer.Typer(help="Banco: atualizar o esquema, ver o SQL, conferir, mudar de banco.", no_args_is_help=True)

UrlOption = Annotated[str | None, typer.Option("--url", help="URL SQLAlchemy (padrão: a das configurações).")]


@app.command("upgrade")
@reports_errors
def upgrade(url: UrlOption = None, data: DataOption = None) -> None:
    """Leva o esquema à versão atual."""
    from iris_assets.store import admin

    settings = settings_for(data)
    typer.echo(
        admin.upgrade(
            url or settings.store_url, schema=settings.iris_sql_schema, dimension=settings.embedding_dimension
        )
    )


@app.command("sql")
@reports_errors
def sql(url: UrlOption = None, data: DataOption = None) -> None:
    """Escreve o DDL completo sem conectar."""
    from iris_assets.store import admin

    settings = settings_for(data)
    typer.echo(
        admin.ddl(url or settings.store_url, schema=settings.iris_sql_schema, dimension=settings.embedding_dimension)
    )


@app.command("check")
@reports_errors
def check(url: UrlOption = None, data: DataOption = None) -> None:
    """Confere conexão, versão do esquema e integridade; sai com 1 quando algo não está certo."""
    from iris_assets.store import admin

    settings = settings_for(data)
    result = admin.check(url or settings.store_url, schema=settings.iris_sql_schema)
    print_json(result)
    if not result["ok"]:
        raise typer.Exit(EXIT_FAILED)


@app.command("set-dimension")
@reports_errors
def set_dimension(
    dimension: Annotated[int, typer.Argument(min=1, max=8192, help="Dimensão dos vetores.")],
    url: UrlOption = None,
    data: DataOption = None,
) -> None:
    """Reconstrói a coluna de vetores do IRIS com outra dimensão (os vetores ficam pendentes)."""
    from iris_assets.store import admin

    settings = settings_for(data)
    admin.set_dimension(url or settings.store_url, dimension, schema=settings.iris_sql_schema)
    typer.echo(f"dimensão {dimension}")


@app.command("copy")
@reports_errors
def copy(
    source: Annotated[str, typer.Option("--from", help="URL do banco de origem.")],
    target: Annotated[str, typer.Option("--to", help="URL do banco de destino.")],
    data: DataOption = None,
) -> None:
    """Copia um banco para outro (SQLite ↔ IRIS), conferindo contagens e hashes; pode ser retomado."""
    from iris_assets.store import admin

    settings = settings_for(data)
    print_json(admin.copy(source, target, schema=settings.iris_sql_schema))

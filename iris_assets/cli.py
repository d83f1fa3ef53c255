"""The command line: registers the commands of `iris_assets.commands` under `iris-assets`."""

from importlib.metadata import version
from typing import Annotated

import typer

from iris_assets import logs
from iris_assets.commands import (
    articles,
    changes,
    database,
    evaluation,
    export,
    inspect,
    operations,
    questions,
    review,
    run,
)
from iris_assets.settings import read_environment

app = typer.Typer(
    name="iris-assets",
    help="Registros oficiais de candidaturas, planos de governo e da Câmara: coleta, busca e respostas com citações verificadas.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"iris-assets {version('iris-assets')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Mostra a versão.")
    ] = False,
) -> None:
    """Options of the program itself."""
    logs.set_up(read_environment())


app.command("run")(run.run)
app.command("ask")(questions.ask)
app.command("search")(questions.search)
app.command("status")(operations.status)
app.command("doctor")(operations.doctor)
app.command("serve")(operations.serve_page)
app.command("mcp")(operations.serve_assistant)
app.command("sample")(operations.sample)
app.command("pools")(operations.pools)
app.command("watch")(operations.watch)
app.command("inspect")(inspect.inspect_file)
app.command("check-answer")(questions.check_answer_file)
app.command("changes")(changes.changes)
app.command("export")(export.export_tables)
app.command("evaluate")(evaluation.evaluate)
app.command("lint-questions")(evaluation.lint_question_file)
app.command("calibrate")(evaluation.calibrate_threshold)
app.command("article")(articles.article)
app.command("extract")(articles.extract)
app.command("profile")(articles.profile)
app.add_typer(review.app, name="review")
app.add_typer(database.app, name="db")
app.add_typer(articles.news, name="news")
app.add_typer(articles.telemetry, name="telemetry")


def main() -> None:
    """Entry point of the `iris-assets` program."""
    app()


if __name__ == "__main__":
    main()

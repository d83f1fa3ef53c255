"""Commands that measure: evaluate a question set or a public collection, calibrate the evidence floor."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from iris_assets.commands.options import EXIT_FAILED, DataOption, JsonOption, print_json, reports_errors, settings_for
from iris_assets.errors import UsageError

MODES = ("lexical", "vector", "hybrid")


@reports_errors
def evaluate(
    collection: Annotated[
        Path | None,
        typer.Option("--collection", help="Pasta no formato TREC/BEIR: corpus.jsonl[.gz], queries.tsv, qrels.txt."),
    ] = None,
    questions: Annotated[
        Path | None, typer.Option("--questions", help="Conjunto de perguntas em YAML (padrão: o do projeto).")
    ] = None,
    articles: Annotated[
        Path | None,
        typer.Option("--articles", help="Páginas de notícia com texto de referência: ground-truth.json e html/."),
    ] = None,
    mode: Annotated[str, typer.Option("--mode", help="lexical, vector ou hybrid.")] = "lexical",
    export: Annotated[Path | None, typer.Option("--export", help="Pasta para os arquivos run e qrels (TREC).")] = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Avalia a busca (--collection ou o conjunto de perguntas sobre o banco) ou a extração de notícias (--articles)."""
    if mode not in MODES:
        raise UsageError("MODE_UNKNOWN", f"unknown mode {mode}", hint=f"use one of {', '.join(MODES)}")
    settings = settings_for(data)
    if articles is not None:
        from iris_assets.articles.commands import evaluate_command

        result: dict[str, Any] = evaluate_command(articles)[1]
    elif collection is not None:
        from iris_assets.evaluation.collections import evaluate_collection

        result = evaluate_collection(collection, mode, settings=settings, export=export)
    else:
        from iris_assets.commands.services import answer_service
        from iris_assets.evaluation.runner import evaluate_questions

        with answer_service(settings) as service:
            result = evaluate_questions(service, questions, export=export)
    if as_json:
        print_json(result)
    else:
        Console().print(_table(result))
    if result.get("failed"):
        raise typer.Exit(EXIT_FAILED)


@reports_errors
def calibrate_floor(data: DataOption = None, as_json: JsonOption = False) -> None:
    """Calibra o piso de evidência do modelo de embeddings e o grava no banco."""
    from iris_assets.commands.services import retrieval_service
    from iris_assets.evaluation.calibration import calibrate

    with retrieval_service(settings_for(data)) as service:
        result = calibrate(service)
    if as_json:
        print_json(result)
    else:
        Console().print(_table(result))


def _table(result: dict[str, Any]) -> Table:
    table = Table()
    table.add_column("figure")
    table.add_column("value", justify="right")
    for name, value in result.items():
        if isinstance(value, int | float | str):
            table.add_row(name, f"{value:.4f}" if isinstance(value, float) else str(value))
    return table

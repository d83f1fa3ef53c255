"""Commands that measure: evaluate a question set or a public collection, check a set, calibrate the relevance threshold."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from iris_assets.commands.options import (
    EXIT_FAILED,
    DataOption,
    JsonOption,
    partitions,
    print_json,
    reports_errors,
    settings_for,
)
from iris_assets.errors import UsageError
from iris_assets.settings import Settings

if TYPE_CHECKING:
    from iris_assets.evaluation.partition import PartitionEvaluation

MODES = ("lexical", "vector", "hybrid")


@reports_errors
def evaluate(
    collection: Annotated[
        Path | None,
        typer.Option("--collection", help="Pasta no formato TREC/BEIR: corpus.jsonl[.gz], queries.tsv, qrels.txt."),
    ] = None,
    uf: Annotated[
        str | None, typer.Option("--uf", help="UFs separadas por vírgula (padrão: todas as perguntas de uma vez).")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions", help="Conjunto de perguntas em YAML (ou EVALUATION_QUESTIONS; padrão: o do projeto)."
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--floors", help="Pisos fixados (padrão: floors.json ao lado das perguntas).")
    ] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Fixa os números medidos como pisos.")] = False,
    allow_lower: Annotated[bool, typer.Option("--allow-lower", help="Com --pin: aceita pisos mais baixos.")] = False,
    articles: Annotated[
        Path | None,
        typer.Option("--articles", help="Páginas de notícia com texto de referência: ground-truth.json e html/."),
    ] = None,
    reading: Annotated[
        Path | None,
        typer.Option("--reading", help="Perguntas rotuladas (JSONL): mede como as perguntas são lidas."),
    ] = None,
    from_readers: Annotated[
        bool,
        typer.Option("--from-readers", help="Mostra as perguntas que leitores julgaram: candidatas ao conjunto."),
    ] = False,
    mode: Annotated[str, typer.Option("--mode", help="Com --collection: lexical, vector ou hybrid.")] = "lexical",
    export: Annotated[Path | None, typer.Option("--export", help="Pasta para os arquivos run e qrels (TREC).")] = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Avalia a busca (uma coleção pública ou o conjunto de perguntas sobre o banco) ou a extração de notícias.

    Sai com 1 quando algum número caiu abaixo do piso ou da última avaliação boa.
    """
    if mode not in MODES:
        raise UsageError("MODE_UNKNOWN", f"unknown mode {mode}", hint=f"use one of {', '.join(MODES)}")
    if allow_lower and not pin:
        raise UsageError("OPTION_ALONE", "--allow-lower says nothing without --pin")
    if articles is not None:
        from iris_assets.articles.commands import evaluate_command

        _show(evaluate_command(articles)[1], as_json)
        return
    settings = settings_for(data, evaluation_questions=questions)
    if reading is not None:
        from iris_assets.evaluation.reading import evaluate_reading

        print_json(evaluate_reading(reading))
        return
    if from_readers:
        print_json(_from_readers(settings))
        return
    if collection is not None:
        from iris_assets.evaluation.collections import evaluate_collection

        _show(evaluate_collection(collection, mode, settings=settings, export=export), as_json)
        return
    ufs: list[str | None] = [*partitions(uf)] if uf else [None]
    done = _evaluated(settings, ufs, baseline=baseline, export=export, pin=pin, allow_lower=allow_lower)
    results = {one.partition: _result(one) for one in done}
    _show(results if uf else results.popitem()[1], as_json)
    if any(one.verdict.regressions for one in done):
        raise typer.Exit(EXIT_FAILED)


def _from_readers(settings: Settings) -> list[dict[str, Any]]:
    from iris_assets.answers.feedback import Feedback, candidates_for_the_set
    from iris_assets.commands.asking import existing_platform

    with existing_platform(settings) as platform:
        return candidates_for_the_set(platform.store, Feedback(settings.iris_assets_data))


@reports_errors
def lint_question_file(
    files: Annotated[list[Path] | None, typer.Argument(help="Arquivos YAML (padrão: os que a avaliação usa).")] = None,
    store: Annotated[
        bool, typer.Option("--store", help="Confere também se fontes, páginas e candidaturas estão no banco.")
    ] = False,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Confere conjuntos de perguntas; sai com 1 e uma linha por problema."""
    from iris_assets.commands.asking import existing_platform
    from iris_assets.evaluation import question_files
    from iris_assets.evaluation.choice import question_file
    from iris_assets.evaluation.linter import lint_questions

    settings = settings_for(data)
    with existing_platform(settings) if store else nullcontext() as platform:
        opened = platform.store if platform else None
        used = [question_file(settings, opened)] if opened else question_files(settings)
        found = {str(file): lint_questions(file, opened) for file in files or used}
    if as_json:
        print_json(found)
    else:
        for name, problems in found.items():
            typer.echo("\n".join(f"{name}: {problem}" for problem in problems) or f"{name}: nenhum problema")
    if any(found.values()):
        raise typer.Exit(EXIT_FAILED)


@reports_errors
def calibrate_threshold(data: DataOption = None, as_json: JsonOption = False) -> None:
    """Calibra o piso de evidência do modelo de embeddings e o grava no banco."""
    from iris_assets.commands.asking import looked_at_platform
    from iris_assets.evaluation.calibration import calibrate

    with looked_at_platform(settings_for(data)) as platform:
        _show(calibrate(platform.retrieval), as_json)


def _evaluated(
    settings: Settings,
    ufs: list[str | None],
    *,
    baseline: Path | None,
    export: Path | None,
    pin: bool,
    allow_lower: bool,
) -> list["PartitionEvaluation"]:
    from iris_assets.commands.asking import looked_at_platform
    from iris_assets.evaluation import baseline_file
    from iris_assets.evaluation.choice import question_file
    from iris_assets.evaluation.partition import evaluate_partition
    from iris_assets.evaluation.questions import load_questions

    with looked_at_platform(settings) as platform:
        store = platform.store
        file = question_file(settings, store)
        questions = load_questions(file)
        return [
            evaluate_partition(
                platform.answers, store, questions, uf, baseline=baseline or baseline_file(file),
                export=_folder(export, uf), pin=pin, allow_lower=allow_lower,
            )
            for uf in ufs
        ]  # fmt: skip


def _folder(export: Path | None, uf: str | None) -> Path | None:
    return export / uf if export and uf else export


def _result(one: "PartitionEvaluation") -> dict[str, Any]:
    verdict = one.verdict
    return {
        "partition": one.partition,
        "evaluation_run": one.run_key,
        **one.figures,
        "regressions": list(verdict.regressions),
        "warnings": list(verdict.warnings),
        "notes": list(verdict.notes),
        "changes": [str(change) for change in verdict.changes if change.difference],
        **({"pinned": one.pinned} if one.pinned is not None else {}),
    }


def _show(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(result)
        return
    console = Console()
    for one in result.values() if all(isinstance(value, dict) for value in result.values()) else [result]:
        console.print(_table(one))
        for kind in ("regressions", "warnings", "notes", "failed", "changes"):
            for line in one.get(kind, ()):
                console.print(Text(f"{kind}: {line}"))
        for key, what in one.get("wrong", {}).items():
            console.print(Text(f"wrong: {key}: {what}"))


def _table(result: dict[str, Any]) -> Table:
    table = Table()
    table.add_column("figure")
    table.add_column("value", justify="right")
    for name, value in result.items():
        if isinstance(value, int | float | str):
            table.add_row(name, f"{value:.4f}" if isinstance(value, float) else str(value))
    return table

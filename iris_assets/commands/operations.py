"""Commands for those who run the platform: status, doctor, serve, mcp, sample, pools."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from iris_assets.commands.options import EXIT_FAILED, DataOption, JsonOption, print_json, reports_errors, settings_for
from iris_assets.store import Store


@reports_errors
def status(data: DataOption = None, as_json: JsonOption = False) -> None:
    """Mostra as tabelas, a identificação, os vetores pendentes e as últimas execuções."""
    from iris_assets.commands.asking import looked_at_platform

    settings = settings_for(data)
    with looked_at_platform(settings) as platform:
        result = _status(platform.store, settings.embedding_model, settings.embedding_dimension)
    if as_json:
        print_json(result)
        return
    console = Console()
    for name in ("tables", "match"):
        console.print(_pairs(name, result[name]))
    console.print(f"pending vectors: {result['pending_vectors']}")
    console.print(_runs(result["runs"]))


def _status(store: Store, model: str, dimension: int) -> dict[str, Any]:
    return {
        **store.statistics(),
        "pending_vectors": store.chunks.pending_count(model, dimension),
        "runs": [_run_json(run) for run in store.runs.latest(limit=10)],
    }


def _run_json(run: Any) -> dict[str, Any]:
    names = (
        "run_key", "source", "run_partition", "election_year", "status", "started_at", "finished_at", "records_read", "records_created",
        "records_updated", "records_skipped", "records_failed", "source_hash", "error_code", "error_message",
    )  # fmt: skip
    return {name: getattr(run, name) for name in names}


def _pairs(title: str, pairs: dict[str, Any]) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD)
    table.add_column("name")
    table.add_column("n", justify="right")
    for name, value in pairs.items():
        table.add_row(name, str(value))
    return table


def _runs(runs: list[dict[str, Any]]) -> Table:
    table = Table(title="runs", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in ("started_at", "source", "UF", "year", "status", "error_code"):
        table.add_column(name, no_wrap=name != "error_code", overflow="fold")
    for run in runs:
        values = (str(run[name] or "") for name in ("source", "run_partition", "election_year", "status", "error_code"))
        table.add_row(f"{run['started_at']:%Y-%m-%d %H:%M:%S}", *values)
    return table


@reports_errors
def doctor(data: DataOption = None, as_json: JsonOption = False) -> None:
    """Confere o ambiente: banco, índice, programas, chaves; diz o que fazer quando algo falta."""
    from iris_assets.commands.diagnosis import diagnose

    findings = diagnose(settings_for(data))
    if as_json:
        print_json([finding.as_json() for finding in findings])
    else:
        console = Console()
        for finding in findings:
            console.print(finding.line(), markup=False, highlight=False, soft_wrap=True)
    if any(finding.level == "error" for finding in findings):
        raise typer.Exit(EXIT_FAILED)


@reports_errors
def serve_page(
    data: DataOption = None,
    host: Annotated[str, typer.Option("--host", help="Endereço em que o servidor escuta.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Porta.")] = 8000,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="Processos que atendem juntos.")] = 1,
) -> None:
    """Abre a página e a API HTTP."""
    from iris_assets.web.app import serve

    serve(settings_for(data), host=host, port=port, workers=workers)


@reports_errors
def serve_assistant(data: DataOption = None) -> None:
    """Atende assistentes pelo Model Context Protocol (entrada e saída padrão): perguntar, buscar, conferir citações."""
    from iris_assets.commands.asking import asked_platform
    from iris_assets.extras import require_mcp

    require_mcp()
    from iris_assets.assistant import assistant_server

    with asked_platform(settings_for(data)) as platform:
        assistant_server(platform).run()


@reports_errors
def sample(
    folder: Annotated[Path, typer.Argument(help="Pasta onde a amostra sintética é gravada.")],
    seed: Annotated[int, typer.Option("--seed", help="Semente do gerador.")] = 2026,
) -> None:
    """Grava a amostra sintética (nomes e partidos inventados), que serve de --replay."""
    from iris_assets.sample.generator import generate

    generate(folder, seed=seed)
    typer.echo(f"sample written to {folder}", err=True)


@reports_errors
def watch(data: DataOption = None, as_json: JsonOption = False) -> None:
    """Olha o Dagster uma vez: daemon parado, código que não carrega, tick com falha, agenda perdida; avisa uma vez de cada.

    Sai com 1 quando há algo. Feito para um cron ou timer do systemd, que continua quando o Dagster para.
    """
    from datetime import UTC, datetime

    from iris_assets.defs.launch import dagster_home, open_instance
    from iris_assets.defs.watching import alert_once, as_rows

    home = dagster_home(settings_for(data))
    with open_instance(home) as instance:
        found = alert_once(instance, datetime.now(UTC), home)
    if as_json:
        print_json(as_rows(found))
    else:
        for trouble in found:
            typer.echo(trouble.what)
    if found:
        raise typer.Exit(EXIT_FAILED)


@reports_errors
def pools(data: DataOption = None) -> None:
    """Define os limites dos pools do Dagster (tse, camara, store, llm) na instância; pode ser repetido."""
    from iris_assets.defs.pools import set_pool_limits

    for name, limit in set_pool_limits(settings_for(data)).items():
        typer.echo(f"{name}\t{limit}")

"""`iris-assets run`: materialise the five assets for some UFs through Dagster, in this process."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from iris_assets.commands.options import (
    EXIT_FAILED,
    DataOption,
    JsonOption,
    partitions,
    print_json,
    reports_errors,
)
from iris_assets.errors import ConfigurationError
from iris_assets.ingest.reporting import StageReport
from iris_assets.ingest.stages import STAGES
from iris_assets.settings import Settings, load_settings

FLAGS = {"INGEST_ELECTION_YEAR": "--year", "IRIS_ASSETS_REPLAY": "--replay", "AS_OF": "--as-of"}


@reports_errors
def run(
    uf: Annotated[
        str | None, typer.Option("--uf", help="UFs separadas por vírgula, BR incluída (padrão: INGEST_STATES).")
    ] = None,
    year: Annotated[int | None, typer.Option("--year", help="Ano da eleição (padrão: INGEST_ELECTION_YEAR).")] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", help="Pasta que substitui as fontes oficiais, sem rede.")
    ] = None,
    data: DataOption = None,
    as_of: Annotated[
        datetime | None, typer.Option("--as-of", formats=["%Y-%m-%d"], help="Data de referência das janelas.")
    ] = None,
    full_refresh: Annotated[
        bool, typer.Option("--full-refresh", help="Refaz o trabalho mesmo sem mudança nas fontes.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Materializa candidates, proposals, camara, chunks e embeddings das UFs pedidas."""
    overrides = _overrides(year, replay, data, as_of)
    settings = _settings(overrides)
    ufs = partitions(uf) if uf is not None else list(settings.ingest_states)
    # Dagster is imported here: other commands start without it.
    from iris_assets.defs.launch import run_partitions

    console = Console(stderr=True)
    with _Display(console, quiet=as_json and not console.is_terminal) as display:
        reports = run_partitions(overrides, ufs, full_refresh=full_refresh, progress=display.update)
    result = {name: _stages(done) for name, done in reports.items()}
    if as_json:
        print_json(result)
    else:
        Console().print(_table(reports))
    for line in _problems(reports) if settings.log_format == "text" else ():  # the log has them as JSON
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if any(stage["status"] in {"FAILED", "NOT_RUN"} for stages in result.values() for stage in stages.values()):
        raise typer.Exit(EXIT_FAILED)


def _overrides(year: int | None, replay: Path | None, data: Path | None, as_of: datetime | None) -> dict[str, str]:
    if replay is not None and not replay.is_dir():
        raise ConfigurationError(
            "REPLAY_FOLDER_MISSING", f"no folder {replay}", hint="give --replay an existing folder"
        )
    chosen = {
        "INGEST_ELECTION_YEAR": str(year) if year is not None else None,
        "IRIS_ASSETS_REPLAY": str(replay.resolve()) if replay else None,
        "IRIS_ASSETS_DATA": str(data.resolve()) if data else None,
        "AS_OF": as_of.date().isoformat() if as_of else None,
    }
    return {name: value for name, value in chosen.items() if value is not None}


def _settings(overrides: dict[str, str]) -> Settings:
    """The settings with the options over them; what is wrong with an option is told by its flag."""
    try:
        return load_settings(**{name.lower(): value for name, value in overrides.items()})
    except ConfigurationError as error:
        said = error.message
        for variable, flag in FLAGS.items():
            said = said.replace(variable, flag) if variable in overrides else said
        raise ConfigurationError(error.code, said, hint="correct it and start again") from None


def _stages(reports: list[StageReport]) -> dict[str, Any]:
    done = {report.stage: _as_json(report) for report in reports}
    return {stage: done.get(stage, {"status": "NOT_RUN"}) for stage in STAGES}


def _as_json(report: StageReport) -> dict[str, Any]:
    return {
        "status": report.status,
        **{f"records_{name}": report.counters[name] for name in ("read", "created", "updated", "skipped", "failed")},
        "duration_s": round(report.duration_s, 3),
        "work": dict(sorted(report.work.items())),
        "figures": report.figures,
        "error_code": report.error_code,
        "gaps": report.gaps,
        "errors": report.errors,
        "notes": report.notes,
        "ingestion_run": report.run_key,
    }


def _table(reports: dict[str, list[StageReport]]) -> Table:
    # Narrow enough for 80 columns, the width of a pipe or a log: no word is ever cut.
    table = Table(title="iris-assets run", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in ("UF", "stage", "status", "read", "created", "updated", "skipped", "failed", "s"):
        table.add_column(name, justify="left" if name in {"UF", "stage", "status"} else "right", no_wrap=True)
    for uf, done in reports.items():
        by_stage = {report.stage: report for report in done}
        for stage in STAGES:
            report = by_stage.get(stage)
            if report is None:
                table.add_row(uf, stage, "NOT_RUN")
                continue
            counts = [str(report.counters[name]) for name in ("read", "created", "updated", "skipped", "failed")]
            table.add_row(uf, stage, report.status, *counts, f"{report.duration_s:.2f}")
    return table


def _problems(reports: dict[str, list[StageReport]]) -> list[str]:
    lines = []
    for uf, done in reports.items():
        for report in done:
            found = [report.error_message or ""] if report.status == "FAILED" else [*report.gaps, *report.errors[:5]]
            if report.stage == "candidates" and not report.figures.get("rows_stored"):
                found += report.notes  # they say why nobody is there
            lines += [f"{uf} {report.stage} {report.status}: {line}" for line in found if line]
    return lines


class _Display:
    """A progress bar on stderr; silent when stderr is no terminal and the caller wants JSON."""

    def __init__(self, console: Console, *, quiet: bool) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=None)

    def __enter__(self) -> "_Display":
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def update(self, what: str, done: int, total: int | None) -> None:
        self._progress.update(self._task, description=what, completed=done, total=total)

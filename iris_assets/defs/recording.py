"""From a stage's report to Dagster: one function turns the audit row into metadata, check and outcome."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import dagster as dg

from iris_assets.defs.describing import COURT
from iris_assets.defs.lineage import column_lineage
from iris_assets.defs.partitions import uf_of, year_of
from iris_assets.ingest.checks import CHECKS, CheckOutcome, check_stage, rows_stored
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.ingest.standing import Failing, failing_partitions, named, remember

MAX_ERRORS_SHOWN = 20
MAX_TABLE_ROWS = 50

StageFunction = Callable[..., StageReport]
Recorded = dg.MaterializeResult[Any] | dg.AssetCheckResult
BLOCKING: Final = frozenset({"row_count"})


class StageConfig(dg.Config):
    """Run configuration of a stage."""

    full_refresh: bool = False


def stage_checks(stage: str) -> list[dg.AssetCheckSpec]:
    """The checks of a stage; they run inside its step, since a separate check would be a separate step."""
    return [
        dg.AssetCheckSpec(name, asset=stage, description=text, blocking=name in BLOCKING)
        for name, text in CHECKS[stage].items()
    ]


def run_stage(
    context: dg.AssetExecutionContext, stage: StageFunction, ingest: IngestContext, config: StageConfig
) -> Iterator[Recorded]:
    """Run `stage` for every partition of the run; FAILED ones fail the step after the others are done.

    The checks are told also of a step that fails. The step gives a server's connection back when it ends.
    """
    with ingest.store.work():
        yield from _run_stage(context, stage, ingest, config)


def _run_stage(
    context: dg.AssetExecutionContext, stage: StageFunction, ingest: IngestContext, config: StageConfig
) -> Iterator[Recorded]:
    done = {}
    for key in context.partition_keys:
        election = ingest.of_election(year_of(key))
        report = stage(election, uf_of(key), full_refresh=config.full_refresh)
        if report.undone:  # what was committed before is kept: once more, the stage does the rest
            report = stage(election, uf_of(key), full_refresh=config.full_refresh)
        done[key] = report
        ingest.reports.append(report)
    reports = list(done.values())
    checked = _check_results(context.asset_key, ingest, reports)
    if any(report.status == "FAILED" for report in reports):
        yield from checked
        raise _failure(reports)
    metadata = {key: _with_rows(ingest, report) for key, report in done.items()}
    if len(done) > 1:
        for key, values in metadata.items():
            context.add_asset_metadata(values, partition_key=key)
    yield dg.MaterializeResult(
        metadata=next(iter(metadata.values())) if len(done) == 1 else None, check_results=checked
    )


def _with_rows(ingest: IngestContext, report: StageReport) -> dict[str, dg.MetadataValue[Any]]:
    rows = rows_stored(ingest.of_election(report.election_year), report.stage, report.partition)
    beside = {"dagster/partition_row_count": dg.MetadataValue.int(rows), **column_lineage(report.stage)}
    return {**report_metadata(report), **beside}


def report_metadata(report: StageReport) -> dict[str, dg.MetadataValue[Any]]:
    """The audit row as asset metadata, with the figures, tables and at most 20 errors beside."""
    plain: dict[str, Any] = {
        "status": report.status,
        "election_year": report.election_year or 0,
        **{f"records_{name}": report.counters[name] for name in ("read", "created", "updated", "skipped", "failed")},
        "source_hash": report.source_hash or "",
        "started_at": report.started_at.isoformat(),
        "finished_at": report.finished_at.isoformat() if report.finished_at else "",
        "duration_s": round(report.duration_s, 3),
        "ingestion_run": report.run_key,
        **{f"work/{name}": value for name, value in sorted(report.work.items())},
        **{f"figures/{name}": value for name, value in sorted(report.figures.items())},
    }
    metadata = {name: _value(value) for name, value in plain.items()}
    metadata["summary"] = dg.MetadataValue.md(summary(report))
    metadata["parameters"] = dg.MetadataValue.json(finite(report.parameters))
    if report.error_code:
        metadata["error_code"] = dg.MetadataValue.text(report.error_code)
    if report.gaps or report.errors or report.error_message:
        metadata["errors"] = dg.MetadataValue.md(_error_list(report))
    if report.notes:
        metadata["notes"] = dg.MetadataValue.md(
            "\n".join(f"* {_escape(note)}" for note in report.notes[:MAX_ERRORS_SHOWN])
        )
    for name, rows in report.tables.items():
        if rows:
            metadata[f"table/{name}"] = table_of(rows)
    if "dataset" in report.parameters:
        metadata["official_source"] = dg.MetadataValue.url(f"{COURT}{report.parameters['dataset']}")
    return metadata


def summary(report: StageReport) -> str:
    """The run in a few sentences, for somebody who does not know the stages."""
    counts = report.counters
    changed = f"{counts['created']} new, {counts['updated']} changed, {counts['skipped']} as before"
    lines = [
        f"**{named(report.partition, report.election_year)}, {report.stage}: {report.status}.** {counts['read']} records read: {changed}."
    ]
    if counts["failed"]:
        lines.append(f"{counts['failed']} could not be used; see *errors*.")
    if report.status == "PARTIAL":
        lines.append(
            "Everything that the source has is stored but for what *errors* names; a later run fills it where it can."
        )
    if report.status == "FAILED":
        lines.append(f"Nothing stored before was lost. {_escape(report.error_message or '')[:500]}")
    return "\n\n".join(lines)


def finite(value: Any) -> Any:
    """`value` with NaN and infinities as None: they would make the metadata invalid JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(name): finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def _failure(reports: Sequence[StageReport]) -> dg.Failure:
    failed = [report for report in reports if report.status == "FAILED"]
    return dg.Failure(
        description="; ".join(
            f"{named(report.partition, report.election_year)}: {report.error_message}" for report in failed
        ),
        metadata=report_metadata(failed[0]),
        allow_retries=False,
    )


def _check_results(
    key: dg.AssetKey, ingest: IngestContext, reports: Sequence[StageReport]
) -> list[dg.AssetCheckResult]:
    """One result per check over every partition: it fails while it fails for the newest run of any UF."""
    own: dict[str, list[tuple[str, CheckOutcome]]] = {}
    for report in reports:
        outcomes = check_stage(ingest.of_election(report.election_year), report)
        if report.status != "FAILED":  # what is stored was not looked at: the last outcomes stand
            remember(ingest, report, outcomes)
        for outcome in outcomes:
            own.setdefault(outcome.name, []).append((named(report.partition, report.election_year), outcome))
    failing = failing_partitions(ingest.store, reports[0].stage, reports[0].source)
    return [_check_result(key, name, outcomes, failing.get(name, [])) for name, outcomes in own.items()]


def _check_result(
    key: dg.AssetKey, name: str, own: Sequence[tuple[str, CheckOutcome]], failing: Sequence[Failing]
) -> dg.AssetCheckResult:
    """ERROR, which holds back the next stages of this run, only for damage of its own partitions; else WARN."""
    damaged = any(outcome.damage for _, outcome in own) or any(one.failed_run for one in failing)
    passed = "; ".join(f"{where}: {outcome.description}" for where, outcome in own)
    text = "; ".join(
        f"{named(one.partition, one.election_year)} since {one.since:%Y-%m-%d %H:%M} UTC: {one.description}"
        for one in failing
    )
    figures = {f"{where}/{figure}": value for where, outcome in own for figure, value in outcome.figures.items()}
    return dg.AssetCheckResult(
        check_name=name,
        asset_key=key,
        passed=not failing,
        severity=dg.AssetCheckSeverity.ERROR if damaged else dg.AssetCheckSeverity.WARN,
        description=(text or passed)[:2000],
        metadata={
            "failing_partitions": dg.MetadataValue.int(len(failing)),
            **({"partitions": table_of([_failing_row(one) for one in failing])} if failing else {}),
            **{figure: _value(value) for figure, value in list(figures.items())[:MAX_TABLE_ROWS]},
        },
    )


def _failing_row(one: Failing) -> dict[str, Any]:
    return {
        "partition": one.partition,
        "election": one.election_year or "",
        "since": one.since.isoformat(timespec="seconds"),
        "what": one.description[:500],
    }


def _value(value: Any) -> dg.MetadataValue[Any]:
    value = finite(value)
    if isinstance(value, bool):
        return dg.MetadataValue.bool(value)
    if isinstance(value, int):
        return dg.MetadataValue.int(value)
    if isinstance(value, float):
        return dg.MetadataValue.float(value)
    if isinstance(value, dict | list):
        return dg.MetadataValue.json(value)
    return dg.MetadataValue.text("" if value is None else str(value))


def _escape(text: str) -> str:
    # Text from outside inside Markdown: HTML and emphasis must not act.
    return "".join("\\" + char if char in "\\`*_[]<>#|" else char for char in text.replace("\n", " "))


def _error_list(report: StageReport) -> str:
    lines = [*report.gaps, *report.errors] or [report.error_message or ""]
    shown = [f"* {_escape(line)}" for line in lines[:MAX_ERRORS_SHOWN]]
    if len(lines) > MAX_ERRORS_SHOWN:
        shown.append(f"* … {len(lines) - MAX_ERRORS_SHOWN} more in IngestionRun {report.run_key}")
    return "\n".join(shown)


def table_of(rows: list[dict[str, Any]]) -> dg.MetadataValue[Any]:
    """Rows of one shape as a table of the UI, at most 50."""
    return dg.MetadataValue.table(
        [
            dg.TableRecord(
                {name: value if isinstance(value, int | float | bool) else str(value) for name, value in row.items()}
            )
            for row in finite(rows[:MAX_TABLE_ROWS])
        ]
    )

"""Runs whose process ended without a word, as when the code server's container dies: closed here, then retried by Dagster.

Dagster's own launcher of processes sees a dead worker only from the code server that started it.
"""

from typing import Final

import dagster as dg
from dagster._core.launcher import DefaultRunLauncher

from iris_assets.defs.launch import PROCESS_TAG
from iris_assets.store.process import started_at

PID: Final = "pid"  # in the metadata of the event by which a run's process announces itself
CLOCK_SLACK_SECONDS: Final = 2.0


@dg.sensor(
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,  # it starts nothing of its own: Dagster retries what it closes
    description="Closes runs whose process is gone (a code server that was killed with its runs); each is retried once.",
)
def lost_runs(context: dg.SensorEvaluationContext) -> dg.SkipReason:
    if not isinstance(context.instance.run_launcher, DefaultRunLauncher):
        return dg.SkipReason("runs have containers of their own: Dagster's run monitoring watches them")
    lost = close_lost_runs(context.instance)
    return dg.SkipReason(f"closed {len(lost)} runs without a process: {', '.join(lost)}" if lost else "no run was lost")


def close_lost_runs(instance: dg.DagsterInstance) -> list[str]:
    """Report the started runs without a process as failed; their ids. Those of a command line are its own affair."""
    lost = []
    for run in instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])):
        if PROCESS_TAG not in run.tags and _is_lost(instance, run.run_id) and _still_open(instance, run.run_id):
            instance.report_run_failed(run, "RUN_DIED: the process of this run is gone (was the code server killed?)")
            lost.append(run.run_id)
    return lost


def _is_lost(instance: dg.DagsterInstance, run_id: str) -> bool:
    """Whether the process that announced itself is gone, or its number belongs to a later one."""
    announced = _announced(instance, run_id)
    if announced is None:
        return False
    pid, moment = announced
    started = started_at(pid)
    return started is None or started > moment + CLOCK_SLACK_SECONDS


def _announced(instance: dg.DagsterInstance, run_id: str) -> tuple[int, float] | None:
    records = instance.get_records_for_run(run_id, of_type=dg.DagsterEventType.ENGINE_EVENT).records
    for record in reversed(records):
        event = record.event_log_entry.dagster_event
        pid = event.engine_event_data.metadata.get(PID) if event else None
        if pid is not None:
            return int(str(pid.value)), record.event_log_entry.timestamp
    return None


def _still_open(instance: dg.DagsterInstance, run_id: str) -> bool:
    run = instance.get_run_by_id(run_id)
    return run is not None and run.status is dg.DagsterRunStatus.STARTED

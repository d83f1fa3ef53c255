"""Schedules: the daily refresh of the configured UFs and the weekly maintenance, both in Brazilian time."""

from typing import Final
from zoneinfo import ZoneInfo

import dagster as dg

from iris_assets.defs.automation import schedule_status
from iris_assets.defs.jobs import refresh
from iris_assets.defs.maintenance import maintenance
from iris_assets.settings import load_settings

TIME_ZONE: Final = "America/Sao_Paulo"
DAY_TAG: Final = "refresh_day"


@dg.schedule(
    job=refresh,
    cron_schedule="0 4 * * *",
    execution_timezone=TIME_ZONE,
    default_status=schedule_status(),
    description="04:00 in São Paulo: one refresh run for each UF of INGEST_STATES, at most one per UF and day.",
)
def daily_refresh(context: dg.ScheduleEvaluationContext) -> list[dg.RunRequest] | dg.SkipReason:
    day = context.scheduled_execution_time.astimezone(ZoneInfo(TIME_ZONE)).date().isoformat()
    wanted = [uf for uf in dict.fromkeys(load_settings().ingest_states) if not _refreshed(context.instance, day, uf)]
    if not wanted:
        return dg.SkipReason(f"every UF of INGEST_STATES has its refresh of {day}")
    return [dg.RunRequest(run_key=f"daily:{day}:{uf}", partition_key=uf, tags={DAY_TAG: day}) for uf in wanted]


def _refreshed(instance: dg.DagsterInstance, day: str, uf: str) -> bool:
    # Dagster compares a schedule's run keys within one scheduled time only: after a change of the cron the same
    # key would be launched a second time on the same day.
    tags = {DAY_TAG: day, "dagster/partition": uf}
    return instance.get_runs_count(dg.RunsFilter(tags=tags)) > 0


weekly_maintenance = dg.ScheduleDefinition(
    name="weekly_maintenance",
    job=maintenance,
    cron_schedule="0 3 * * 0",
    execution_timezone=TIME_ZONE,
    default_status=schedule_status(),
    description="Sundays 03:00: prune old runs, close dead ones, check and back up the store.",
)

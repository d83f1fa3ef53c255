"""Schedules: the daily refresh of the configured UFs and the weekly maintenance, both in Brazilian time."""

from typing import Final
from zoneinfo import ZoneInfo

import dagster as dg

from iris_assets.defs.jobs import refresh
from iris_assets.defs.maintenance import maintenance
from iris_assets.settings import load_settings

TIME_ZONE: Final = "America/Sao_Paulo"


@dg.schedule(
    job=refresh,
    cron_schedule="0 4 * * *",
    execution_timezone=TIME_ZONE,
    description="04:00 in São Paulo: one refresh run for each UF of INGEST_STATES, at most one per UF and day.",
)
def daily_refresh(context: dg.ScheduleEvaluationContext) -> list[dg.RunRequest]:
    # The key is the local day: a changed cron, a missed tick or a second daemon asks for the same runs again.
    day = context.scheduled_execution_time.astimezone(ZoneInfo(TIME_ZONE)).date().isoformat()
    return [
        dg.RunRequest(run_key=f"daily:{day}:{uf}", partition_key=uf, tags={"refresh_day": day})
        for uf in load_settings().ingest_states
    ]


weekly_maintenance = dg.ScheduleDefinition(
    name="weekly_maintenance",
    job=maintenance,
    cron_schedule="0 3 * * 0",
    execution_timezone=TIME_ZONE,
    description="Sundays 03:00: prune old runs, close dead ones, check and back up the store.",
)

"""Schedules: the daily refresh of the configured UFs and the weekly maintenance, both in Brazilian time."""

from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

import dagster as dg

from iris_assets.defs.automation import TIME_ZONE, schedule_status
from iris_assets.defs.jobs import refresh
from iris_assets.defs.maintenance import maintenance
from iris_assets.defs.official_sources import observe_sources
from iris_assets.defs.partitions import key_of
from iris_assets.defs.unchanged import is_unchanged, observed_today
from iris_assets.settings import load_settings

DAY_TAG: Final = "refresh_day"


@dg.schedule(
    job=refresh,
    cron_schedule="0 4 * * *",
    execution_timezone=TIME_ZONE,
    default_status=schedule_status(),
    description=(
        "04:00 in São Paulo: INGEST_ELECTION_YEAR of each UF of INGEST_STATES whose sources changed, at most one per UF and day."
    ),
)
def daily_refresh(context: dg.ScheduleEvaluationContext) -> list[dg.RunRequest] | dg.SkipReason:
    day = context.scheduled_execution_time.astimezone(ZoneInfo(TIME_ZONE)).date().isoformat()
    settings = load_settings()
    states, year = list(dict.fromkeys(settings.ingest_states)), settings.ingest_election_year
    waiting = [uf for uf in states if not _refreshed(context.instance, day, key_of(uf, year))]
    observed = observed_today(context.instance, date.fromisoformat(day), ZoneInfo(TIME_ZONE))
    wanted = [uf for uf in waiting if not is_unchanged(context.instance, uf, observed, year)]
    if not wanted:
        why = "its refresh" if not waiting else "its refresh, or sources that did not change since the last one"
        return dg.SkipReason(f"every UF of INGEST_STATES ({', '.join(states)}) has {why} of {day}")
    keys = [key_of(uf, year) for uf in wanted]
    return [dg.RunRequest(run_key=f"daily:{day}:{key}", partition_key=key, tags={DAY_TAG: day}) for key in keys]


def _refreshed(instance: dg.DagsterInstance, day: str, partition: str) -> bool:
    # Dagster compares a schedule's run keys within one scheduled time only: after a change of the cron the same
    # key would be launched a second time on the same day.
    tags = {DAY_TAG: day, "dagster/partition": partition}
    return instance.get_runs_count(dg.RunsFilter(tags=tags)) > 0


daily_observation = dg.ScheduleDefinition(
    name="daily_observation",
    job=observe_sources,
    cron_schedule="30 3 * * *",
    execution_timezone=TIME_ZONE,
    default_status=schedule_status(),
    description="03:30 in São Paulo: ask each official source whether it changed, before the refresh.",
)

weekly_maintenance = dg.ScheduleDefinition(
    name="weekly_maintenance",
    job=maintenance,
    cron_schedule="0 3 * * 0",
    execution_timezone=TIME_ZONE,
    default_status=schedule_status(),
    description="Sundays 03:00: prune old runs, close dead ones, check and back up the store.",
)

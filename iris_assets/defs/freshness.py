"""The check `fresh` of each stage: which scheduled UFs are stale, beside Dagster's policy, which sees the whole asset."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

import dagster as dg

from iris_assets.defs.automation import TIME_ZONE, schedule_status
from iris_assets.defs.jobs import FRESH, FRESH_CHECKS
from iris_assets.defs.recording import table_of
from iris_assets.defs.resources import SourcesResource
from iris_assets.defs.unchanged import is_unchanged, observed_today
from iris_assets.ingest.freshness import FAIL_AFTER, WARN_AFTER, Refreshed, refreshed
from iris_assets.ingest.stages import STAGES

TEXT: Final = "Every UF of INGEST_STATES was refreshed within 26 hours (WARN), 50 hours (ERROR), or its sources did not change since."


@dg.multi_asset_check(
    name="freshness",
    specs=[dg.AssetCheckSpec(FRESH, asset=stage, description=TEXT) for stage in STAGES],
    description="Looks at the audit of every scheduled UF; asks no source.",
    can_subset=True,
)
def freshness(context: dg.AssetCheckExecutionContext, sources: SourcesResource) -> Iterator[dg.AssetCheckResult]:
    ingest, now = sources.context(), datetime.now(UTC)
    zone = ZoneInfo(TIME_ZONE)
    observed = observed_today(context.instance, now.astimezone(zone).date(), zone)
    states = list(dict.fromkeys(ingest.settings.ingest_states))
    unchanged = {
        uf for uf in states if is_unchanged(context.instance, uf, observed, ingest.settings.ingest_election_year)
    }
    with ingest.store.work():
        for stage in (key.asset_key.to_user_string() for key in context.selected_asset_check_keys):
            yield result(
                stage, refreshed(ingest.store, stage, states, ingest.settings.ingest_election_year), unchanged, now
            )


def result(stage: str, ufs: Sequence[Refreshed], unchanged: set[str], now: datetime) -> dg.AssetCheckResult:
    """The check of one stage; ERROR when a UF missed a night, or was never refreshed."""
    stale = [one for one in ufs if one.uf not in unchanged and ((age := one.age(now)) is None or age > WARN_AFTER)]
    missed = any((age := one.age(now)) is None or age > FAIL_AFTER for one in stale)
    oldest = ufs[0] if ufs else None
    return dg.AssetCheckResult(
        check_name=FRESH,
        asset_key=dg.AssetKey(stage),
        passed=not stale,
        severity=dg.AssetCheckSeverity.ERROR if missed else dg.AssetCheckSeverity.WARN,
        description="; ".join(_said(one, now) for one in stale)
        or (f"oldest: {_said(oldest, now)}" if oldest else "no UF"),
        metadata={
            "stale_partitions": dg.MetadataValue.int(len(stale)),
            "scheduled": table_of([_row(one, now, one.uf in unchanged) for one in ufs]),
        },
    )


def _said(one: Refreshed, now: datetime) -> str:
    age = one.age(now)
    return f"{one.uf}: never refreshed" if age is None else f"{one.uf}: {age.total_seconds() / 3600:.1f} hours ago"


def _row(one: Refreshed, now: datetime, unchanged: bool) -> dict[str, object]:
    at = "never" if one.at is None else one.at.isoformat(timespec="seconds")
    return {"uf": one.uf, "refreshed": at, "sources_unchanged_today": unchanged}


freshness_job = dg.define_asset_job(
    "freshness_job",
    selection=FRESH_CHECKS,
    description="Which scheduled UFs are stale.",
)

hourly_freshness = dg.ScheduleDefinition(
    name="hourly_freshness",
    job=freshness_job,
    cron_schedule="15 * * * *",
    default_status=schedule_status(),
    description="A quarter past each hour: the check `fresh` of every stage.",
)

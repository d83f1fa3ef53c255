"""The daily refresh: one run per UF and local day, whatever happens to the clock, the daemon or the cron."""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test, freeze_time, in_process_test_workspace
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._core.workspace.context import WorkspaceRequestContext
from dagster._scheduler.scheduler import launch_scheduled_runs

from iris_assets.defs.schedules import DAY_TAG, daily_refresh

SAO_PAULO = ZoneInfo("America/Sao_Paulo")
UTC = ZoneInfo("UTC")


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    """An instance whose runs stay in the queue: what was asked for can be counted."""
    queue = {"run_coordinator": {"module": "dagster.core.run_coordinator", "class": "QueuedRunCoordinator"}}
    with dg.DagsterInstance.local_temp(str(tmp_path), overrides=queue) as local:
        yield local


@pytest.fixture(autouse=True)
def _states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INGEST_STATES", "SP,BR,SP")


def _requests(moment: datetime, instance: dg.DagsterInstance) -> list[tuple[str | None, str | None]]:
    result = daily_refresh(dg.build_schedule_context(instance=instance, scheduled_execution_time=moment))
    return [] if isinstance(result, dg.SkipReason) else [(r.partition_key, r.run_key) for r in result]


def test_each_configured_uf_gets_one_request_with_the_local_day_in_its_key(instance: dg.DagsterInstance) -> None:
    assert _requests(datetime(2026, 8, 15, 4, 0, tzinfo=SAO_PAULO), instance) == [
        ("SP|2026", "daily:2026-08-15:SP|2026"),
        ("BR|2026", "daily:2026-08-15:BR|2026"),
    ]


def test_a_moment_in_utc_is_counted_by_its_day_in_sao_paulo(instance: dg.DagsterInstance) -> None:
    assert _requests(datetime(2026, 8, 15, 2, 30, tzinfo=UTC), instance)[0][1] == "daily:2026-08-14:SP|2026"


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE])
def test_after_a_change_of_the_cron_a_uf_that_ran_today_is_not_asked_again(
    status: dg.DagsterRunStatus, instance: dg.DagsterInstance
) -> None:
    """Dagster compares run keys within one scheduled time only; the schedule itself has to look at the day."""
    tags = {DAY_TAG: "2026-08-15", "dagster/partition": "SP|2026"}
    create_run_for_test(instance, job_name="refresh", status=status, tags=tags)
    later = datetime(2026, 8, 15, 5, 30, tzinfo=SAO_PAULO)
    assert [uf for uf, _ in _requests(later, instance)] == ["BR|2026"]
    create_run_for_test(instance, job_name="refresh", tags={**tags, "dagster/partition": "BR|2026"})
    assert _requests(later, instance) == []
    assert len(_requests(later + timedelta(days=1), instance)) == 2


class _Scheduler:
    """Dagster's own scheduler over the project's definitions, ticked at chosen moments."""

    def __init__(self, instance: dg.DagsterInstance, workspace: WorkspaceRequestContext) -> None:
        self.instance, self.workspace = instance, workspace
        self.iterations: dict[str, Any] = {}

    def start(self, moment: datetime) -> None:
        repository = next(iter(self.workspace.code_locations[0].get_repositories().values()))
        with freeze_time(moment):
            self.instance.start_schedule(repository.get_schedule("daily_refresh"))

    def tick(self, moment: datetime) -> None:
        with freeze_time(moment):
            process, utc = self.workspace.process_context, moment.astimezone(UTC)
            for _ in launch_scheduled_runs(process, logging.getLogger("test"), utc, self.iterations):
                pass

    def days(self) -> Counter[tuple[str, str]]:
        """(day, UF) → runs."""
        return Counter((run.tags[DAY_TAG], run.tags["dagster/partition"]) for run in self.instance.get_runs())


@pytest.fixture
def scheduler(instance: dg.DagsterInstance) -> Iterator[_Scheduler]:
    origin = LoadableTargetOrigin(module_name="iris_assets_tests.defs.location", attribute="definitions")
    with in_process_test_workspace(instance, origin) as workspace:
        yield _Scheduler(instance, workspace)


@pytest.mark.parametrize(
    "first",
    [datetime(2018, 11, 3, tzinfo=SAO_PAULO), datetime(2018, 2, 17, tzinfo=SAO_PAULO)],
    ids=["into summer time", "out of summer time"],
)
def test_around_a_change_of_clocks_each_day_has_one_refresh(
    first: datetime, scheduler: _Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INGEST_STATES", "SP")
    scheduler.start(first)
    for hours in range(1, 24 * 3 + 2, 6):  # real hours: three local days and a bit
        scheduler.tick((first.astimezone(UTC) + timedelta(hours=hours)).astimezone(SAO_PAULO))
    days = [(first + timedelta(days=number)).date().isoformat() for number in range(3)]
    assert scheduler.days() == {(day, "SP|2026"): 1 for day in days}


def test_missed_ticks_are_made_good_once_each(scheduler: _Scheduler) -> None:
    scheduler.start(datetime(2026, 8, 10, 12, 0, tzinfo=SAO_PAULO))
    scheduler.tick(datetime(2026, 8, 11, 4, 1, tzinfo=SAO_PAULO))
    for minute in (0, 1, 2):  # the daemon comes back after three days and looks three times
        scheduler.tick(datetime(2026, 8, 14, 9, minute, tzinfo=SAO_PAULO))
    days = scheduler.days()
    assert set(days.values()) == {1}
    assert {day for day, _ in days} <= {f"2026-08-{number}" for number in (11, 12, 13, 14)}
    assert days["2026-08-14", "SP|2026"] == days["2026-08-14", "BR|2026"] == 1

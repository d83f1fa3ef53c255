"""Troubles that no run tells of, seen from the instance alone: each is told once and forgotten when it is over."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import dagster as dg
import pytest
from dagster._core.scheduler.instigation import TickData, TickStatus
from dagster._core.test_utils import freeze_time, in_process_test_workspace
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._daemon.types import DaemonHeartbeat
from dagster_shared.error import SerializableErrorInfo
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets.defs import watching
from iris_assets.defs.watching import alert_once, troubles

SAO_PAULO = ZoneInfo("America/Sao_Paulo")
NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as local:
        beat(local, NOW)
        yield local


def beat(instance: dg.DagsterInstance, moment: datetime, error: str = "") -> None:
    errors = [SerializableErrorInfo(error, [], "DagsterUserCodeUnreachableError")] if error else []
    instance.add_daemon_heartbeat(DaemonHeartbeat(moment.timestamp(), "SENSOR", "one", errors))


def said(instance: dg.DagsterInstance, now: datetime) -> list[str]:
    return [trouble.what for trouble in troubles(instance, now)]


def test_a_daemon_that_beats_is_no_trouble_and_one_that_stopped_is(instance: dg.DagsterInstance) -> None:
    assert said(instance, NOW + timedelta(minutes=4)) == []
    assert said(instance, NOW + timedelta(minutes=12)) == ["the daemon SENSOR has been silent for 12 minutes"]


def test_an_instance_without_any_daemon_is_told(tmp_path: Path) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as empty:
        assert [trouble.key for trouble in troubles(empty, NOW)] == ["daemon"]


def test_a_code_location_that_does_not_load_is_what_the_daemon_reports(instance: dg.DagsterInstance) -> None:
    beat(instance, NOW, "Could not reach user code server")
    assert said(instance, NOW) == ["the daemon SENSOR reports (a code location?): Could not reach user code server"]


def test_a_missed_schedule_and_a_failed_tick_are_told(instance: dg.DagsterInstance) -> None:
    origin = LoadableTargetOrigin(module_name="iris_assets_tests.defs.location", attribute="definitions")
    with in_process_test_workspace(instance, origin) as workspace:
        repository = next(iter(workspace.code_locations[0].get_repositories().values()))
        schedule = repository.get_schedule("daily_refresh")
        start = datetime(2026, 8, 19, 3, tzinfo=SAO_PAULO)
        with freeze_time(start):
            state = instance.start_schedule(schedule)
    beat(instance, start)
    assert said(instance, start + timedelta(minutes=1)) == []
    late = datetime(2026, 8, 19, 6, tzinfo=SAO_PAULO)
    beat(instance, late)
    assert said(instance, late) == ["daily_refresh was due at 2026-08-19 04:00 -03 and did not tick"]
    ticked = datetime(2026, 8, 19, 4, tzinfo=SAO_PAULO)
    error = SerializableErrorInfo("SETTING_INVALID: INGEST_STATES", [], "ConfigurationError")
    instance.create_tick(
        TickData(
            instigator_origin_id=state.instigator_origin_id, instigator_name=state.name,
            instigator_type=state.instigator_type, status=TickStatus.FAILURE, timestamp=ticked.timestamp(), error=error,
            selector_id=state.selector_id,
        )
    )  # fmt: skip
    assert said(instance, late) == ["the last tick of daily_refresh failed: SETTING_INVALID: INGEST_STATES"]


def test_each_trouble_is_told_once_until_it_is_over(
    instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(watching, "deliver", lambda alert: sent.append(alert["error"]))
    silent = NOW + timedelta(minutes=12)
    for _ in range(3):
        assert len(alert_once(instance, silent, tmp_path)) == 1
    assert len(sent) == 1
    beat(instance, silent)
    assert alert_once(instance, silent, tmp_path) == []
    assert len(alert_once(instance, silent + timedelta(minutes=12), tmp_path)) == 1 and len(sent) == 2


def test_what_no_target_took_is_told_the_next_time(
    instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: dict[str, str]) -> None:
        raise OSError

    silent = NOW + timedelta(minutes=12)
    sent: list[dict[str, str]] = []
    monkeypatch.setattr(watching, "deliver", refuse)
    with pytest.raises(OSError):
        alert_once(instance, silent, tmp_path)
    monkeypatch.setattr(watching, "deliver", sent.append)
    alert_once(instance, silent, tmp_path)
    assert len(sent) == 1


def test_the_command_exits_with_one_and_names_what_is_wrong(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["watch", "--data", str(tmp_path / "data"), "--json"])
    assert done.exit_code == 1 and [row["key"] for row in json.loads(done.stdout)] == ["daemon"]

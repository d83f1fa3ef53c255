"""The daily refresh: one request per UF and local day, whatever happens to the clock or the cron."""

from datetime import datetime
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from iris_assets.defs.schedules import daily_refresh

SAO_PAULO = ZoneInfo("America/Sao_Paulo")


def _keys(moment: datetime) -> list[tuple[str | None, str | None]]:
    context = dg.build_schedule_context(scheduled_execution_time=moment)
    return [(request.partition_key, request.run_key) for request in daily_refresh(context)]


@pytest.fixture(autouse=True)
def _states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INGEST_STATES", "SP,BR")


def test_each_configured_uf_gets_one_request_with_the_local_day_in_its_key() -> None:
    assert _keys(datetime(2026, 8, 15, 4, 0, tzinfo=SAO_PAULO)) == [
        ("SP", "daily:2026-08-15:SP"),
        ("BR", "daily:2026-08-15:BR"),
    ]


def test_a_moment_in_utc_is_counted_by_its_day_in_sao_paulo() -> None:
    assert _keys(datetime(2026, 8, 15, 2, 30, tzinfo=ZoneInfo("UTC")))[0][1] == "daily:2026-08-14:SP"


def test_two_ticks_of_one_day_ask_for_the_same_runs() -> None:
    """A changed cron, a missed tick caught up or a second daemon: Dagster launches a run key once."""
    assert _keys(datetime(2018, 11, 4, 4, 0, tzinfo=SAO_PAULO)) == _keys(datetime(2018, 11, 4, 23, 0, tzinfo=SAO_PAULO))


def test_the_days_around_a_clock_change_give_one_key_each() -> None:
    # Brazil's last change of clocks into summer time was on 4 November 2018.
    days = [_keys(datetime(2018, 11, day, 4, 0, tzinfo=SAO_PAULO))[0][1] for day in (3, 4, 5)]
    assert days == ["daily:2018-11-03:SP", "daily:2018-11-04:SP", "daily:2018-11-05:SP"]

"""What no run tells of: a daemon that is gone, a code location that does not load, a failed tick, a missed schedule."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import dagster as dg
from dagster._core.scheduler.instigation import InstigatorState, ScheduleInstigatorData, TickStatus
from dagster._utils.schedules import schedule_execution_time_iterator

from iris_assets.defs.alerts import deliver
from iris_assets.defs.automation import TIME_ZONE
from iris_assets.files import write_atomically

SILENT_AFTER: Final = timedelta(minutes=5)  # a daemon writes every half a minute
LATE_AFTER: Final = timedelta(hours=1)
TOLD: Final = "watch.json"  # beside the instance: troubles that an alert was sent for
LONGEST: Final = 2000


@dataclass(frozen=True, slots=True)
class Trouble:
    """`key` is equal while it is the same trouble; `what` is for a person."""

    key: str
    what: str


def troubles(instance: dg.DagsterInstance, now: datetime) -> list[Trouble]:
    """All present troubles, by the instance alone: no code location is loaded for it."""
    found = list(_of_daemons(instance, now))
    for state in instance.all_instigator_state():
        if state.is_running:
            found += _of_ticks(instance, state, now)
    return found


def alert_once(instance: dg.DagsterInstance, now: datetime, home: Path) -> list[Trouble]:
    """Tell each new trouble to the targets of alerts, and forget those that are over; all present ones.

    Raises AlertError ALERT_NOT_SENT; what could not be told is told the next time.
    """
    present, place = troubles(instance, now), home / TOLD
    told = set(json.loads(place.read_text(encoding="utf-8"))) if place.exists() else set()
    told &= {trouble.key for trouble in present}
    for trouble in present:
        if trouble.key not in told:
            deliver({"job": "watch", "partition": "", "run_id": "", "error": trouble.what})
            told.add(trouble.key)
            write_atomically(place, json.dumps(sorted(told)).encode())
    write_atomically(place, json.dumps(sorted(told)).encode())
    return present


def as_rows(found: list[Trouble]) -> list[dict[str, str]]:
    """The troubles as JSON values."""
    return [asdict(trouble) for trouble in found]


def _of_daemons(instance: dg.DagsterInstance, now: datetime) -> Iterator[Trouble]:
    beats = instance.get_daemon_heartbeats()
    if not beats:
        yield Trouble("daemon", "no daemon has run on this instance: schedules and sensors wait (dagster-daemon run)")
    for name, beat in sorted(beats.items()):
        age = now - datetime.fromtimestamp(beat.timestamp, UTC)
        if age > SILENT_AFTER:
            yield Trouble(
                f"daemon:{name}", f"the daemon {name} has been silent for {age.total_seconds() / 60:.0f} minutes"
            )
        elif beat.errors:
            message = beat.errors[0].message.strip()[:LONGEST]
            yield Trouble(f"daemon:{name}:{message[:200]}", f"the daemon {name} reports (a code location?): {message}")


def _of_ticks(instance: dg.DagsterInstance, state: InstigatorState, now: datetime) -> Iterator[Trouble]:
    ticks = instance.get_ticks(state.instigator_origin_id, state.selector_id, limit=1)
    if ticks and ticks[0].status is TickStatus.FAILURE:
        error = ticks[0].error.message.strip()[:LONGEST] if ticks[0].error else "no error was kept"
        yield Trouble(f"tick:{state.name}", f"the last tick of {state.name} failed: {error}")
    if isinstance(state.instigator_data, ScheduleInstigatorData):
        since = ticks[0].timestamp if ticks else state.instigator_data.start_timestamp
        due = _next(state.instigator_data, since)
        if due is not None and now - due > LATE_AFTER:
            yield Trouble(
                f"missed:{state.name}:{due:%Y-%m-%d}",
                f"{state.name} was due at {due:%Y-%m-%d %H:%M %Z} and did not tick",
            )


def _next(schedule: ScheduleInstigatorData, since: float | None) -> datetime | None:
    if since is None:
        return None
    times = schedule_execution_time_iterator(since, schedule.cron_schedule, TIME_ZONE)
    return next(moment for moment in times if moment.timestamp() > since + 1)

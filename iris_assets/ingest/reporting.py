"""One stage run: its counters, work done, notes and outcome, kept in step with the IngestionRun row."""

import logging
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from iris_assets import logs
from iris_assets.errors import IrisAssetsError, StoreError
from iris_assets.store import Store, Tx

Status = Literal["SUCCESS", "PARTIAL", "FAILED"]
Progress = Callable[[str, int, int | None], None]  # (what, done, total or None)

log = logging.getLogger(__name__)

MAX_ERRORS_KEPT = 200
PLACES_SHOWN = 4


@dataclass(slots=True)
class StageReport:
    """What one stage did for one partition; the only thing that Dagster, the command line and tests look at."""

    stage: str
    source: str
    partition: str
    run_id: int
    run_key: str
    started_at: datetime
    parameters: dict[str, Any]
    election_year: int | None = None
    finished_at: datetime | None = None
    status: Status = "SUCCESS"
    counters: Counter[str] = field(default_factory=Counter)  # read, created, updated, skipped, failed
    work: Counter[str] = field(default_factory=Counter)  # rows_read, pdfs_extracted, http_calls, …
    figures: dict[str, Any] = field(default_factory=dict)  # extra numbers shown beside, e.g. matches
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # shown as tables
    notes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # "CODE: what (unit)", at most MAX_ERRORS_KEPT
    gaps: list[str] = field(default_factory=list)  # a gap at a source: makes the stage PARTIAL
    source_hash: str | None = None
    error_code: str | None = None
    error_message: str | None = None
    undone: bool = (
        False  # FAILED because the store undid a unit for a reason that may be over (a lost link, a deadlock)
    )

    @property
    def duration_s(self) -> float:
        return 0.0 if self.finished_at is None else (self.finished_at - self.started_at).total_seconds()

    def gap(self, code: str, text: str) -> None:
        """Something the source owes us is missing; the stage goes on and ends PARTIAL."""
        self.gaps.append(f"{code}: {text}")

    def unit_failed(self, code: str, text: str) -> None:
        """Remember one failed unit (the `failed` counter is written with the unit's transaction)."""
        if len(self.errors) < MAX_ERRORS_KEPT:
            self.errors.append(f"{code}: {text}")


class StageRun:
    """The running stage: counts units inside their own transaction, so that counters and data agree after a crash."""

    def __init__(self, store: Store, report: StageReport) -> None:
        self._store = store
        self.report = report

    def count(self, tx: Tx, **counts: int) -> None:
        """Add to read, created, updated, skipped, failed in the transaction that they describe."""
        present = {name: value for name, value in counts.items() if value}
        if not present:
            return
        self._store.runs.count(tx, self.report.run_id, **present)
        self.report.counters.update(present)


@contextmanager
def stage_run(
    store: Store, stage: str, source: str, partition: str, parameters: dict[str, Any], election_year: int | None = None
) -> Iterator[StageRun]:
    """Open an IngestionRun, hand out its StageRun, close it as SUCCESS, PARTIAL (gaps or failed units) or FAILED.

    A typed error and a bug (UNEXPECTED, with the places it came through) are recorded on the row and on the report and
    do not leave the block: callers look at `report.status`. An interrupt is recorded where possible and raised.
    """
    about = logs.about(stage=stage, partition=partition)
    with about, _recorded(store, stage, source, partition, parameters, election_year) as run:
        yield run


@contextmanager
def _recorded(
    store: Store, stage: str, source: str, partition: str, parameters: dict[str, Any], election_year: int | None
) -> Iterator[StageRun]:
    row = store.runs.start(source, partition, parameters, election_year)
    logs.event(log, "stage started", logging.DEBUG)
    report = StageReport(stage, source, partition, row.id, row.run_key, row.started_at, parameters, election_year)
    try:
        yield StageRun(store, report)
        report.status = "PARTIAL" if report.gaps or report.counters["failed"] else "SUCCESS"
        if report.status == "PARTIAL":
            report.error_message = "\n".join([*report.gaps, *report.errors])
            report.error_code = (report.gaps or report.errors or ["UNITS_FAILED"])[0].split(":", 1)[0]
    except IrisAssetsError as error:
        report.status, report.error_code, report.error_message = "FAILED", error.code, str(error)
        report.undone = isinstance(error, StoreError) and error.retryable
    except Exception as error:  # noqa: BLE001 - the border of a stage: reported, never dropped
        report.status, report.error_code, report.error_message = "FAILED", "UNEXPECTED", _bug(error)
    except BaseException as error:
        report.status, report.error_code, report.error_message = "FAILED", "INTERRUPTED", type(error).__name__
        raise
    finally:
        done = store.runs.finish(
            report.run_id,
            report.status,
            source_hash=report.source_hash,
            error_code=report.error_code,
            error_message=report.error_message,
            work=dict(report.work),
        )
        report.finished_at = done.finished_at
        _log_end(report)


def _log_end(report: StageReport) -> None:
    level = {"FAILED": logging.ERROR, "PARTIAL": logging.WARNING}.get(report.status, logging.INFO)
    counted = {name: report.counters[name] for name in ("read", "created", "updated", "skipped", "failed")}
    logs.event(
        log, "stage ended", level, status=report.status, seconds=report.duration_s, code=report.error_code, **counted,
        problem="; ".join((report.error_message or "").splitlines()),
    )  # fmt: skip


def _bug(error: Exception) -> str:
    """The kind of error and where it arose; never its text, which may quote a record."""
    frames = traceback.extract_tb(error.__traceback__)[-PLACES_SHOWN:]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    return f"UNEXPECTED: {type(error).__name__} at {places} (an error of the program: please report this line)"

"""Materialise partitions in this process, as the command line does: same assets, same instance as the Dagster UI."""

import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import dagster as dg
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES
from dagster._core.storage.event_log import SqlEventLogStorage

from iris_assets.defs.partitions import ELECTION_PARTITIONS, key_of
from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.files import locked
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import Progress, StageReport
from iris_assets.platform import forget_process_platforms, process_platform
from iris_assets.settings import PROJECT_ROOT, Settings, load_settings
from iris_assets.store.process import is_dead, parse_process, this_process

WAKE_SECONDS: Final = 2.0
PROCESS_TAG = "iris_assets/process"
MINIMAL_INSTANCE = "telemetry:\n  enabled: false\nnux:\n  enabled: false\n"


def dagster_home(settings: Settings) -> Path:
    """The Dagster home inside the data folder, created with the project's dagster.yaml when new.

    Raises ConfigurationError DATA_FOLDER_NAME for a path that Dagster, which escapes nothing, would read as another.
    """
    home = settings.iris_assets_data / "dagster_home"
    if "?" in str(home.resolve()) or unquote(str(home.resolve())) != str(home.resolve()):
        raise ConfigurationError(
            "DATA_FOLDER_NAME",
            f"Dagster cannot keep its runs below {settings.iris_assets_data}: its path holds a `?` or an escape like %20",
            hint="choose a data folder of another name",
        )
    home.mkdir(parents=True, exist_ok=True)
    target = home / "dagster.yaml"
    if not target.exists():
        template = PROJECT_ROOT / "dagster.yaml"
        if template.is_file():
            shutil.copyfile(template, target)
        else:
            target.write_text(MINIMAL_INSTANCE, encoding="utf-8")
    return home.resolve()


def run_partitions(
    overrides: dict[str, str], ufs: Sequence[str], *, full_refresh: bool, progress: Progress
) -> dict[str, list[StageReport]]:
    """Run the `refresh` job for each UF, one after the other; a UF's failure leaves the others.

    Returns per UF the reports of the stages that ran (a stage behind a FAILED one did not run).
    """
    settings = load_settings(**{name.lower(): value for name, value in overrides.items()})
    _check_planned(settings)
    home = dagster_home(settings)
    forget_process_platforms()
    os.environ.setdefault("DAGSTER_DISABLE_TELEMETRY", "1")
    reports: dict[str, list[StageReport]] = {}
    try:
        context = process_platform(settings).ingest
        context.progress = progress
        with open_instance(home) as instance, waking_steps(instance):
            release_dead_runs(instance)
            for uf in ufs:
                progress(uf, 0, None)
                reports[uf] = _run_one(context, overrides, uf, full_refresh, instance)
    finally:
        forget_process_platforms()
    return reports


def _check_planned(settings: Settings) -> None:
    year = settings.ingest_election_year
    if not ELECTION_PARTITIONS.has_partition_key(key_of(settings.ingest_states[0], year)):
        raise ConfigurationError(
            "ELECTION_NOT_PLANNED",
            f"{year} is no planned election",
            hint="set FIRST_ELECTION_YEAR and LAST_ELECTION_YEAR around it, or INGEST_ELECTION_YEAR to it",
        )


@contextmanager
def open_instance(home: Path) -> Iterator[dg.DagsterInstance]:
    """The instance in `home`. One process at a time makes its tables: Dagster creates them without a lock.

    Raises StoreError DAGSTER_STORAGE_FAILED where its database cannot be read or written.
    """
    with telling_storage():
        with locked(home / "opening.lock"):
            instance = dg.DagsterInstance.from_config(str(home))
        with instance:
            yield instance


@contextmanager
def telling_storage() -> Iterator[None]:
    """What a database of Dagster's says in the block, as StoreError DAGSTER_STORAGE_FAILED."""
    try:
        yield
    except Exception as error:
        said = getattr(error, "orig", None)  # below SQLAlchemy's own error
        if said is None:
            raise
        hint = "check the rights and the free space of its folder"
        raise StoreError("DAGSTER_STORAGE_FAILED", f"Dagster's database: {said}", hint=hint) from error


@contextmanager
def waking_steps(instance: dg.DagsterInstance) -> Iterator[None]:
    """Let steps that wait for a free slot of their pool go on, as long as the block runs.

    Dagster 1.13 looks for a free slot before it enters a step as waiting: a slot given back in between wakes nobody,
    and two command lines can wait for each other's free pool for ever.
    """
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(WAKE_SECONDS):
            wake_steps(instance)

    watcher = threading.Thread(target=watch, name="pool-slots", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def wake_steps(instance: dg.DagsterInstance) -> None:
    """Assign, in every pool with a free slot, the step that has waited longest."""
    storage = instance.event_log_storage
    if not isinstance(storage, SqlEventLogStorage):
        return
    for pool in storage.get_concurrency_keys():
        free = storage.get_concurrency_info(pool)
        if free.pending_step_count and not free.assigned_step_count and free.active_slot_count < free.slot_count:
            storage.assign_pending_steps([pool])


def _run_one(
    context: IngestContext, overrides: dict[str, str], uf: str, full_refresh: bool, instance: dg.DagsterInstance
) -> list[StageReport]:
    from iris_assets.definitions import build
    from iris_assets.ingest.stages import STAGES

    context.reports.clear()
    job = build(overrides).resolve_job_def("refresh")
    job.execute_in_process(
        partition_key=key_of(uf, context.settings.ingest_election_year),
        instance=instance,
        raise_on_error=False,
        tags={PROCESS_TAG: this_process().key},
        run_config={
            "ops": {stage: {"config": {"full_refresh": full_refresh}} for stage in STAGES},
            "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
        },
    )
    return list(context.reports)


def release_dead_runs(instance: dg.DagsterInstance) -> int:
    """Fail the runs of killed command lines and free their pool slots: no daemon watches them. How many."""
    closed = 0
    for run in instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES))):
        process = parse_process(run.tags.get(PROCESS_TAG))
        if process is not None and is_dead(process):
            instance.report_run_failed(run, "the process of this run ended without closing it")
            instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
            closed += 1
    return closed

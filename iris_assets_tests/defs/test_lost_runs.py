"""A started run whose process is gone is closed; one at work, a command line's and a finished one are left alone."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.events import EngineEventData
from dagster._core.test_utils import create_run_for_test, freeze_time

from iris_assets.defs.launch import PROCESS_TAG
from iris_assets.defs.lost_runs import close_lost_runs

STARTED = dg.DagsterRunStatus.STARTED


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as local:
        yield local


@pytest.fixture
def gone() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def run_of(instance: dg.DagsterInstance, pid: int, **values: object) -> str:
    run = create_run_for_test(instance, **{"status": STARTED, **values})
    instance.report_engine_event("Started process", run, EngineEventData.in_process(pid))
    return run.run_id


def status(instance: dg.DagsterInstance, run_id: str) -> dg.DagsterRunStatus:
    run = instance.get_run_by_id(run_id)
    assert run is not None
    return run.status


def test_only_a_run_without_its_process_is_closed(instance: dg.DagsterInstance, gone: int) -> None:
    lost, alive = run_of(instance, gone), run_of(instance, os.getpid())
    finished = run_of(instance, gone, status=dg.DagsterRunStatus.SUCCESS)
    of_a_command = run_of(instance, gone, tags={PROCESS_TAG: "host|boot|1|1"})
    unannounced = create_run_for_test(instance, status=STARTED).run_id
    assert close_lost_runs(instance) == [lost]
    assert status(instance, lost) is dg.DagsterRunStatus.FAILURE
    assert {status(instance, run) for run in (alive, of_a_command, unannounced)} == {STARTED}
    assert status(instance, finished) is dg.DagsterRunStatus.SUCCESS
    assert close_lost_runs(instance) == []


def test_a_later_process_of_the_same_number_is_another_one(instance: dg.DagsterInstance) -> None:
    """A container that starts anew gives out the same numbers."""
    with freeze_time(datetime(2026, 1, 1, tzinfo=UTC)):  # long before this process began
        lost = run_of(instance, os.getpid())
    alive = run_of(instance, os.getpid())
    assert close_lost_runs(instance) == [lost]
    assert status(instance, alive) is STARTED

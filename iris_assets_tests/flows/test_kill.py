"""kill -9 in the middle of a stage, then the same command again: nothing lost, nothing twice, the dead run closed."""

import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from iris_assets_tests.flows.commands import Done, command_line, environment, iris_assets
from iris_assets_tests.flows.conftest import SAMPLE_UFS
from iris_assets_tests.flows.rows import database, logical_rows, runs


def _arguments(replay: Path, data: Path) -> tuple[str | Path, ...]:
    return "run", "--uf", SAMPLE_UFS, "--year", "2026", "--replay", replay, "--data", data, "--json"


def _wait_for_running(data: Path, source: str, process: subprocess.Popen[bytes]) -> None:
    """Until the stage's audit row is RUNNING (or the process has ended)."""
    while process.poll() is None:
        try:
            with sqlite3.connect(f"file:{database(data)}?mode=ro", uri=True, timeout=1) as connection:
                query = 'SELECT 1 FROM "IngestionRun" WHERE "Source" = ? AND "Status" = \'RUNNING\''
                if connection.execute(query, (source,)).fetchone():
                    return
        except sqlite3.OperationalError:
            pass
        time.sleep(0.002)


@pytest.mark.parametrize("source", ["TSE_CANDIDATES", "CAMARA"])
def test_a_killed_stage_is_made_good_by_the_next_run(
    source: str, sample_replay: Path, sample_run: tuple[Path, Done], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    process = subprocess.Popen(
        command_line(_arguments(sample_replay, data)), cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _wait_for_running(data, source, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (source, "RUNNING", None) in runs(data)

    again = iris_assets(*_arguments(sample_replay, data), cwd=tmp_path)
    assert again.code == 0, again.err
    assert (source, "FAILED", "RUN_DIED") in runs(data)
    assert all(status != "RUNNING" for _, status, _ in runs(data))
    assert logical_rows(data) == logical_rows(sample_run[0])

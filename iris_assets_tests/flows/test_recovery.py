"""Each process killed during a backfill of eight UFs: a supervisor, as compose is, restarts it; the rest mends itself."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
import pytest

from iris_assets_tests.flows.commands import Done
from iris_assets_tests.flows.daemon import Platform, running_platform, wait_for
from iris_assets_tests.flows.rows import logical_rows, runs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
UFS = tuple(
    f"{uf}|2026" for uf in ("AC", "BR", "SP", "AL", "AM", "AP", "BA", "CE")
)  # the sample has the first three; of the others it has nothing
PARENT = "dagster/parent_run_id"


@pytest.fixture
def platform(sample_replay: Path, tmp_path: Path) -> Iterator[Platform]:
    with running_platform(tmp_path, sample_replay) as running:
        settings = (running.home / "dagster.yaml").read_text(encoding="utf-8")
        # A run that was lost before its process began is retried after this time: three minutes are long for a test.
        (running.home / "dagster.yaml").write_text(
            settings.replace("start_timeout_seconds: 180", "start_timeout_seconds: 60")
        )
        process_of(running, "dagster-daemon").kill()  # to read it
        with kept_alive(running):
            yield running


@contextmanager
def kept_alive(platform: Platform) -> Iterator[None]:
    """Restart what ends, as `restart: unless-stopped` does."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            for process in [one for one in platform.processes if one.poll() is not None]:
                platform.processes.remove(process)
                platform.start(*map(str, process.args))  # type: ignore[call-overload]

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def process_of(platform: Platform, word: str) -> subprocess.Popen[bytes]:
    (found,) = [one for one in platform.processes if one.poll() is None and word in " ".join(map(str, one.args))]  # type: ignore[arg-type]
    return found


def workers_of(server: subprocess.Popen[bytes]) -> list[int]:
    """The children of the code server: the processes of its runs."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if int(fields[1]) == server.pid:
            found.append(int(stat.parent.name))
    return found


def wait_for_first_tries(platform: Platform, backfill: str) -> list[dg.DagsterRun]:
    """Runs at work none of which is a second try: a third is not made."""

    def ask() -> list[dg.DagsterRun] | None:
        found = [run for run in platform.runs(**{"dagster/backfill": backfill}) if not run.is_finished]
        started = [run for run in found if run.status is dg.DagsterRunStatus.STARTED]
        return started if started and not any(PARENT in run.tags for run in found) else None

    return wait_for(ask, 300, "a run of the backfill at work", pause=0.1)


def newest_by_uf(platform: Platform, backfill: str) -> dict[str, str]:
    found = platform.runs(**{"dagster/backfill": backfill})  # the newest first
    return {run.tags["dagster/partition"]: run.status.value for run in reversed(found)}


def test_a_backfill_ends_green_whatever_process_dies(platform: Platform, sample_run: tuple[Path, Done]) -> None:
    backfill = platform.backfill(UFS)
    wait_for_first_tries(platform, backfill)
    for word in ("dagster-daemon", "dagster-webserver"):
        process_of(platform, word).kill()
    lost = {run.run_id for run in wait_for_first_tries(platform, backfill)}
    server = process_of(platform, "grpc")
    children = workers_of(server)
    server.kill()
    for pid in children:  # as a container ends: with all that runs in it
        os.kill(pid, signal.SIGKILL)

    def all_green() -> bool | None:
        return True if newest_by_uf(platform, backfill) == dict.fromkeys(UFS, "SUCCESS") else None

    wait_for(all_green, 600, "eight green UFs", pause=1)
    retried = {run.tags[PARENT] for run in platform.runs(**{"dagster/backfill": backfill}) if PARENT in run.tags}
    assert retried & lost
    assert platform.wait_backfill(backfill, 300) == "COMPLETED_SUCCESS"
    with platform.instance() as instance:
        assert instance.get_materialized_partitions(dg.AssetKey("embeddings")) == set(UFS)
    assert all(status != "RUNNING" for _, status, _ in runs(platform.data))
    assert logical_rows(platform.data) == logical_rows(sample_run[0])

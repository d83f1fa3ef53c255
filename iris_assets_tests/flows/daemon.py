"""The platform as an operator runs it: code server, webserver and daemons as processes over one Dagster home."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import dagster as dg

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
STAGES = ("candidates", "proposals", "camara", "chunks", "embeddings")
T = TypeVar("T")

BACKFILL = """mutation($params: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $params) {
  __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }"""
LAUNCH = """mutation($params: ExecutionParams!) { launchRun(executionParams: $params) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
BACKFILL_STATE = """query($id: String!) { partitionBackfillOrError(backfillId: $id) {
  ... on PartitionBackfill { status } } }"""


@dataclass
class Platform:
    """Running processes; `home` is the Dagster home, `data` the data folder, `url` the webserver's address."""

    folder: Path
    environment: dict[str, str]
    url: str
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started: int = 0

    @property
    def home(self) -> Path:
        return self.folder / "dagster_home"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """A process of its own session whose output goes to a file of the folder."""
        log = self.folder / f"log-{self.started}-{command[0].rpartition('/')[2]}.txt"
        self.started += 1
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=output, stderr=output, start_new_session=True
            )
        self.processes.append(process)
        return process

    def start_daemon(self) -> subprocess.Popen[bytes]:
        return self.start(str(BIN / "dagster-daemon"), "run", "-w", str(self.folder / "workspace.yaml"))

    def stop(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def graphql(self, query: str, **variables: Any) -> dict[str, Any]:
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(f"{self.url}/graphql", data=body, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            answer: dict[str, Any] = json.load(response)
        assert "errors" not in answer, answer["errors"]
        data: dict[str, Any] = answer["data"]
        return data

    def backfill(self, ufs: Sequence[str], assets: Sequence[str] = STAGES) -> str:
        """Launch a backfill as the page does; its id."""
        params = {"partitionNames": list(ufs), "assetSelection": [{"path": [name]} for name in assets]}
        answer = self.graphql(BACKFILL, params=params)["launchPartitionBackfill"]
        assert answer["__typename"] == "LaunchBackfillSuccess", answer
        return str(answer["backfillId"])

    def launch(self, job: str, uf: str) -> str:
        """Launch one partition of a job as the page does; the run's id."""
        selector = {
            "repositoryLocationName": "iris_assets", "repositoryName": "__repository__", "pipelineName": job
        }  # fmt: skip
        tags = [{"key": "dagster/partition", "value": uf}]
        params = {"selector": selector, "mode": "default", "executionMetadata": {"tags": tags}}
        answer = self.graphql(LAUNCH, params=params)["launchRun"]
        assert answer["__typename"] == "LaunchRunSuccess", answer
        return str(answer["run"]["runId"])

    def wait_backfill(self, backfill: str, seconds: float) -> str:
        """The final status of a backfill."""
        final = {"COMPLETED_SUCCESS", "COMPLETED_FAILED", "COMPLETED", "FAILED", "CANCELED"}

        def state() -> str | None:
            status = self.graphql(BACKFILL_STATE, id=backfill)["partitionBackfillOrError"]["status"]
            return status if status in final else None

        return wait_for(state, seconds, f"backfill {backfill}", pause=1.0)

    @contextmanager
    def instance(self) -> Iterator[dg.DagsterInstance]:
        with dg.DagsterInstance.from_config(str(self.home)) as instance:
            yield instance

    def runs(self, **tags: str) -> list[dg.DagsterRun]:
        with self.instance() as instance:
            return list(instance.get_runs(dg.RunsFilter(tags=tags)))

    def wait_runs(self, seconds: float, **tags: str) -> list[dg.DagsterRun]:
        """The runs with these tags once there are some and all are finished."""

        def finished() -> list[dg.DagsterRun] | None:
            runs = self.runs(**tags)
            return runs if runs and all(run.is_finished for run in runs) else None

        return wait_for(finished, seconds, f"runs {tags}", pause=0.5)


def wait_for(ask: Callable[[], T | None], seconds: float, what: str, pause: float = 0.2) -> T:
    """What `ask` returns once it returns something."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = ask()
        if found is not None:
            return found
        time.sleep(pause)
    raise AssertionError(f"{what}: not within {seconds} s")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running_platform(folder: Path, replay: Path, *, daemons: int = 1, **extra: str) -> Iterator[Platform]:
    """The project's dagster.yaml and definitions over `replay`; `extra` are further environment variables."""
    code_port, web_port = free_port(), free_port()
    platform = Platform(folder, _environment(folder, replay, extra), f"http://127.0.0.1:{web_port}")
    platform.home.mkdir(parents=True)
    shutil.copy(ROOT / "dagster.yaml", platform.home)
    workspace = f"load_from:\n  - grpc_server: {{host: 127.0.0.1, port: {code_port}, location_name: iris_assets}}\n"
    (folder / "workspace.yaml").write_text(workspace, encoding="utf-8")
    try:
        platform.start(
            str(BIN / "dagster"), "api", "grpc", "-h", "127.0.0.1", "-p", str(code_port),
            "-m", "iris_assets.definitions",
        )  # fmt: skip
        _wait_port(code_port)
        platform.start(
            str(BIN / "dagster-webserver"), "-h", "127.0.0.1", "-p", str(web_port), "-w", str(folder / "workspace.yaml")
        )
        for _ in range(daemons):
            platform.start_daemon()
        wait_for(lambda: _answers(f"{platform.url}/server_info"), 120, "the webserver")
        yield platform
    finally:
        platform.stop()


def _environment(folder: Path, replay: Path, extra: dict[str, str]) -> dict[str, str]:
    return {
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "HOME": str(folder),
        "DAGSTER_HOME": str(folder / "dagster_home"),
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "DAGSTER_BACKFILL_RETRY_DEFINITION_CHANGED_ERROR": "1",  # as in compose
        "IRIS_ASSETS_DATA": str(folder / "data"),
        "IRIS_ASSETS_REPLAY": str(replay),
        "INGEST_ELECTION_YEAR": "2026",
        "AS_OF": "2026-10-01",
        "OCR": "off",
        **extra,
    }


def _wait_port(port: int) -> None:
    def accepted() -> bool | None:
        with socket.socket() as probe:
            return True if probe.connect_ex(("127.0.0.1", port)) == 0 else None

    wait_for(accepted, 120, "the code server")


def _answers(url: str) -> bool | None:
    try:
        urllib.request.urlopen(url, timeout=5).close()
    except OSError:
        return None
    return True

"""The platform's processes as the compose file starts them, over a real PostgreSQL when one is installed."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from iris_assets_tests.docker.test_compose import program

ROOT = Path(__file__).resolve().parents[2]
SERVICES = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))["services"]
BIN = Path(sys.executable).parent


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _quietly(command: list[Any]) -> None:
    subprocess.run(command, check=True, cwd="/tmp", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _postgres_programs() -> Path:
    found = shutil.which("postgres")
    if found is None or not (Path(found).resolve().parent / "initdb").exists():
        # Optional by design: the team's store, not a tool that `make system` installs.
        pytest.skip("PostgreSQL is not installed")
    assert found is not None
    return Path(found).resolve().parent


@pytest.fixture
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A fresh PostgreSQL on a free port, run by an unprivileged user; the port."""
    programs = _postgres_programs()
    folder = Path(f"/tmp/iris-assets-postgres-{os.getpid()}")
    folder.mkdir(mode=0o777)
    as_user: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    port = _free_port()
    data = folder / "data"
    try:
        _quietly([*as_user, programs / "initdb", "-D", data, "-U", "dagster", "-A", "trust"])
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        start = [*as_user, programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"]
        _quietly(start)
        create = [programs / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "dagster", "dagster"]
        _quietly(create)
        yield port
    finally:
        _quietly([*as_user, programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"])
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _process(command: list[str], environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*program(command[0]), *command[1:]], env=environment, stdout=output, stderr=output, start_new_session=True
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(check: list[str] | str, environment: dict[str, str], seconds: float, log: Path) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if isinstance(check, str):
            try:
                urllib.request.urlopen(check, timeout=5).close()
                return
            except OSError:
                pass
        elif (
            subprocess.run(
                [*program(check[0]), *check[1:]], env=environment, capture_output=True, check=False
            ).returncode
            == 0
        ):
            return
        time.sleep(1)
    pytest.fail(f"{check} did not become well: {log.read_text(errors='replace')[-2000:]}")


def _command(name: str, **replaced: str) -> list[str]:
    parts = [str(part) for part in SERVICES[name]["command"]]
    return [replaced.get("p" + part, part) if part.isdigit() else part for part in parts]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_processes_of_the_platform_come_up_on_postgres(tmp_path: Path, postgres: int) -> None:
    home = tmp_path / "dagster"
    (home / "storage").mkdir(parents=True)
    shutil.copy(ROOT / "docker" / "dagster.yaml", home)
    code_port, web_port, page_port = (str(_free_port()) for _ in range(3))
    workspace = tmp_path / "workspace.yaml"
    text = (ROOT / "docker" / "workspace.yaml").read_text(encoding="utf-8")
    workspace.write_text(text.replace("host: code", "host: 127.0.0.1").replace("4000", code_port), encoding="utf-8")
    environment = {
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "DAGSTER_HOME": str(home),
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "IRIS_ASSETS_DATA": str(tmp_path / "data"),
        "DAGSTER_POSTGRES_HOST": "127.0.0.1",
        "DAGSTER_POSTGRES_PORT": str(postgres),
        "DAGSTER_POSTGRES_USER": "dagster",
        "DAGSTER_POSTGRES_PASSWORD": "any",
        "DAGSTER_POSTGRES_DB": "dagster",
    }
    pools = subprocess.run(
        [*program("iris-assets"), *_command("pools")[1:]], env=environment, capture_output=True, text=True, check=False
    )
    assert pools.returncode == 0 and "store\t2" in pools.stdout, pools.stderr
    # As in the compose file: the page is not started before the migration has made the store.
    migrate = [*program("iris-assets"), *_command("migrate")[1:]]
    subprocess.run(migrate, env=environment, capture_output=True, text=True, check=True)
    webserver = [
        str(workspace) if part == "/app/workspace.yaml" else part for part in _command("webserver", p3000=web_port)
    ]
    daemon = [str(workspace) if part == "/app/workspace.yaml" else part for part in _command("daemon")]
    log = tmp_path / "log"
    with _process(_command("code", p4000=code_port), environment, log):
        _wait(["dagster", "api", "grpc-health-check", "-p", code_port], environment, 240, log)
        with (
            _process(webserver, environment, tmp_path / "webserver"),
            _process(daemon, environment, tmp_path / "daemon"),
            _process(_command("web", p8000=page_port), environment, tmp_path / "web"),
        ):
            _wait(f"http://127.0.0.1:{web_port}/server_info", environment, 180, tmp_path / "webserver")
            _wait(f"http://127.0.0.1:{page_port}/api/health", environment, 180, tmp_path / "web")
            _wait(["dagster-daemon", "liveness-check"], environment, 240, tmp_path / "daemon")
    # The rest of the Dagster home is read-only in the container.
    assert {path.name for path in home.iterdir()} == {"dagster.yaml", "storage"}

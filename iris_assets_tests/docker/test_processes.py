"""The platform's processes as the compose file starts them, over a real PostgreSQL."""

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

import pytest
import yaml

from iris_assets.store import open_store
from iris_assets_tests.docker.test_compose import program
from iris_assets_tests.postgres import PostgresServer
from iris_assets_tests.store.proxy import Proxy

ROOT = Path(__file__).resolve().parents[2]
SERVICES = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))["services"]
BIN = Path(sys.executable).parent


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


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
def test_the_processes_of_the_platform_come_up_on_postgres(tmp_path: Path, postgres_server: PostgresServer) -> None:
    """Dagster's instance and the store in two databases of one server, as in the compose file."""
    for database in ("dagster", "iris_assets"):
        postgres_server.fresh(database)
    with Proxy(postgres_server.socket) as proxy:
        _come_up(tmp_path, str(proxy.port))
    with open_store(postgres_server.url_of("iris_assets")).snapshot() as tx:
        assert tx.connection.exec_driver_sql('SELECT count(*) FROM "Candidate"').scalar_one() == 0


def _come_up(tmp_path: Path, port: str) -> None:
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
        "DAGSTER_POSTGRES_PORT": port,
        "DAGSTER_POSTGRES_USER": "postgres",
        "DAGSTER_POSTGRES_PASSWORD": "any",
        "DAGSTER_POSTGRES_DB": "dagster",
        "STORE": "postgres",
        "POSTGRES_HOST": "127.0.0.1",
        "POSTGRES_PORT": port,
        "POSTGRES_USER": "postgres",
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

"""The application over the invented election, in process and on loopback."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from iris_assets.documents import PlanFiles
from iris_assets.store import Store
from iris_assets.web.app import create_app
from iris_assets_tests.answers.world import ANA, PLAN_ANA, build_world, candidate_values
from iris_assets_tests.documents.pdfs import pdf


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The application without a model, with room for many requests."""
    settings, store = build_world(tmp_path_factory.mktemp("web") / "data")
    store.close()
    return create_app(settings, rate_per_minute=1_000_000)


@pytest.fixture(scope="session")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`iris-assets serve` as a user starts it, on a free port."""
    folder = tmp_path_factory.mktemp("server") / "data"
    _, store = build_world(folder)
    _keep_plan(store, folder)
    with store.transaction() as tx:  # two of one name, without plans
        names = {"260000000004": "DIANA MOTA", "260000000005": "DIANA REIS"}
        store.candidates.upsert(tx, [candidate_values(one, name, name, "PXC", 40) for one, name in names.items()])
    store.close()
    port = free_port()
    command = [sys.executable, "-m", "iris_assets.cli", "serve", "--data", str(folder), "--port", str(port)]
    environment = {**os.environ, "RATE_LIMIT_PER_MINUTE": "1000000", "AS_OF": "2026-08-15"}
    with (folder / "serve.log").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/api/health", running)
        yield url
    finally:
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0, (folder / "serve.log").read_text()


def _keep_plan(store: Store, folder: Path) -> None:
    """Ana's plan as a PDF of the same words; the file of Bruno's was not kept."""
    ana = store.candidates.by_tse_id(ANA)
    assert ana is not None
    [plan] = store.documents.of_candidate(ana["id"])
    pages = [textwrap.wrap(text, 60) for _, text in PLAN_ANA]
    PlanFiles(folder / "plans").keep(plan["document_hash"], pdf(pages))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, running: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert running.poll() is None, "the server ended at its start"
        try:
            httpx2.get(url, trust_env=False)
        except httpx2.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not start")


@pytest.fixture
def screenshots() -> Path:
    """Where screenshots to look at are put (ignored by version control)."""
    folder = Path(__file__).resolve().parents[2] / "benchmarks" / "out"
    folder.mkdir(parents=True, exist_ok=True)
    return folder

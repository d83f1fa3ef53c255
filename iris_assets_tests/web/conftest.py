"""The application over the invented election, in process and on loopback."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from iris_assets.web.app import create_app
from iris_assets_tests.answers.world import build_world


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
    """The application on a loopback port."""
    settings, store = build_world(tmp_path_factory.mktemp("server") / "data")
    store.close()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = uvicorn.Config(
        create_app(settings, rate_per_minute=1_000_000), host="127.0.0.1", port=port, log_level="error"
    )
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    for _ in range(200):
        if running.started:
            break
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(10)


@pytest.fixture
def screenshots() -> Path:
    """Where screenshots to look at are put (ignored by version control)."""
    folder = Path(__file__).resolve().parents[2] / "benchmarks" / "out"
    folder.mkdir(parents=True, exist_ok=True)
    return folder

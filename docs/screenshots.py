"""The pictures of the tutorial: the sample in a temporary folder, the page and Dagster's UI in Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
BIN = Path(sys.executable).parent
SIZE = {"width": 1200, "height": 800}
QUESTION = "O que os planos de governo propõem para a saúde?"


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not installed: make system")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data, replay = Path(folder) / "data", Path(folder) / "replay"
        _do("sample", str(replay))
        _do("run", "--uf", "SP,AC,BR", "--year", "2026", "--replay", str(replay), "--data", str(data))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE, locale="pt-BR")
        _page(page, data)
        _dagster(page, data, replay)
        browser.close()


def _page(page: Page, data: Path) -> None:
    port = _free_port()
    with _served([str(BIN / "iris-assets"), "serve", "--data", str(data), "--port", str(port)], port, {}):
        page.goto(f"http://127.0.0.1:{port}/?q={QUESTION}")
        page.get_by_text("Fontes").first.wait_for()
        page.screenshot(path=IMAGES / "page-answer.png")


def _dagster(page: Page, data: Path, replay: Path) -> None:
    port, home = _free_port(), data / "dagster_home"
    variables = {"DAGSTER_HOME": str(home), "IRIS_ASSETS_DATA": str(data), "IRIS_ASSETS_REPLAY": str(replay)}
    command = [str(BIN / "dagster-webserver"), "-w", "workspace.yaml", "-h", "127.0.0.1", "-p", str(port)]
    with _served(command, port, variables):
        page.goto(f"http://127.0.0.1:{port}/assets/chunks?view=lineage&lineageScope=neighbors")
        page.get_by_text("proposals", exact=True).first.wait_for(timeout=90_000)
        page.wait_for_timeout(3_000)  # the graph is laid out by a worker
        page.screenshot(path=IMAGES / "dagster-assets.png")


def _do(*arguments: str) -> None:
    subprocess.run([str(BIN / "iris-assets"), *arguments], check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _served(command: list[str], port: int, variables: dict[str, str]) -> Iterator[None]:
    running = subprocess.Popen(command, env={**os.environ, "DAGSTER_DISABLE_TELEMETRY": "1", **variables})
    try:
        _wait_for(f"http://127.0.0.1:{port}/")
        yield
    finally:
        running.terminate()
        running.wait(30)


def _wait_for(url: str) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.5)
    raise SystemExit(f"nothing answers at {url}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()

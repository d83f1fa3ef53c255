"""The runtime with the store around it, a silent telemetry host, and processes that are killed."""

import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from iris_assets.articles.inbox import process_inbox
from iris_assets.articles.profile import build_profile
from iris_assets.articles.runtime import run_article
from iris_assets.articles.state import StateStore
from iris_assets.articles.telemetry import resend
from iris_assets.store import open_store
from iris_assets_tests.articles import samples
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI

CANDIDATE = {
    "tse_id": "250001", "election_year": 2026, "name": "ANA LIMA DE SOUZA", "ballot_name": "ANA LIMA", "party": "PSX",
    "office": "DEPUTADO FEDERAL", "state": "SP", "removed_at_source": False,
}  # fmt: skip


def test_an_inbox_becomes_unofficial_sources_once(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    with store.transaction() as tx:
        store.candidates.upsert(tx, [CANDIDATE])
    assert build_profile(store, "250001").uf == "SP"
    inbox = tmp_path / "inbox" / "SP" / "250001"
    inbox.mkdir(parents=True)
    for number in (1, 2):  # the same agency text in two papers
        (inbox / f"{number}.json").write_text(json.dumps(samples.article(number=number)), "utf-8")
    (inbox / "3.json").write_text("{", "utf-8")

    def process() -> dict[str, Any]:
        return process_inbox(
            tmp_path / "inbox", "SP", store=store, config=samples.config(model.url), environment=samples.KEYS,
            stream=io.StringIO(), **samples.paths(tmp_path),
        )  # fmt: skip

    first = process()
    assert (first["completed"], first["published"], first["duplicates"], first["failed"]) == (2, 1, 1, 1)
    assert first["errors"] == [{"file": "3.json", "code": "INPUT_NOT_JSON"}]
    rows = store.articles.of_candidate("250001")
    assert len(rows) == 1 and samples.PARAGRAPHS[1] in rows[0]["body_text"]
    assert json.loads(rows[0]["manifest_json"])["official"] is False
    calls = model.calls[CHAT]
    second = process()
    assert (second["repeated"], second["published"], second["model_calls"], model.calls[CHAT]) == (2, 0, 0, calls)
    store.close()


def test_a_silent_telemetry_host_adds_two_seconds_at_most(
    model: FakeOpenAI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.reply = samples.reply()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("LANGFUSE_HOST", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("LANGFUSE_SECRET_KEY", "segredo-tres")
        stream, started = io.StringIO(), time.monotonic()
        outcome = run_article(
            samples.article(), samples.PROFILE, config=samples.config(model.url), environment=samples.KEYS,
            stream=stream, **samples.paths(tmp_path),
        )  # fmt: skip
        assert outcome.manifest.status == "completed_text"
        seconds = time.monotonic() - started
    assert seconds - outcome.manifest.latency - sum(s.seconds for s in outcome.manifest.states) < 3.0
    assert stream.getvalue().count("TELEMETRY_UNSENT") == 1 and "segredo" not in stream.getvalue()
    state = StateStore(tmp_path / "state.sqlite3")
    pending = state.pending_events()
    assert len(pending) >= 9 and "transporte" not in json.dumps(pending)
    # The model server answers 404 elsewhere: what it refuses stays pending too.
    monkeypatch.setenv("LANGFUSE_HOST", model.url)
    assert resend(state, 2.0) == {"sent": 0, "pending": len(pending)}


WORKER = """
import io, json, sys
from pathlib import Path
from iris_assets.articles.runtime import run_article
from iris_assets_tests.articles import samples
folder, url, first, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for i in range(count):
    value = samples.article(number=(first + i) % count)
    run_article(value, samples.PROFILE, config=samples.config(url), environment=samples.KEYS, stream=io.StringIO(),
                **samples.paths(folder))
"""


def _worker(folder: Path, url: str, first: int, count: int) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen([sys.executable, "-W", "ignore", "-c", WORKER, str(folder), url, str(first), str(count)],
                            env=environment)  # fmt: skip


def test_killed_processes_lose_nothing_and_double_nothing(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    count = 8
    doomed = [_worker(tmp_path, model.url, first, count) for first in (0, 4)]
    deadline = time.monotonic() + 40
    while model.calls[CHAT] < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    for process in doomed:
        process.send_signal(signal.SIGKILL)
        process.wait()
    again = [_worker(tmp_path, model.url, first, count) for first in (0, 4)]
    assert [process.wait(60) for process in again] == [0, 0]
    out = tmp_path / "out"
    assert len(list(out.glob("*.result.json"))) == len(list(out.glob("*.md"))) == count
    assert not list(out.glob(".*.tmp"))
    calls = model.calls[CHAT]
    assert calls <= 3 * count + 2  # at most the call in flight of each killed process is asked again
    assert _worker(tmp_path, model.url, 0, count).wait(60) == 0
    assert model.calls[CHAT] == calls

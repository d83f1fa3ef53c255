"""Telemetry to a loopback Langfuse that takes, refuses, or keeps silent: results are the same, nothing is lost."""

import base64
import io
import json
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from iris_assets.articles.runtime import Outcome, run_article
from iris_assets.articles.state import KEPT_EVENTS, StateStore
from iris_assets.articles.telemetry import INGESTION, resend
from iris_assets.cli import app
from iris_assets_tests.articles import samples
from iris_assets_tests.articles.site import Answer, Site, site
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI, unavailable

TAKEN = Answer(b'{"successes": [], "errors": []}', 207, {"Content-Type": "application/json"})
STEPS = ["receive", "validate", "hygiene", "gate", "enrichment"]


@pytest.fixture
def host() -> Iterator[Site]:
    with site() as found:
        found.paths = {INGESTION: TAKEN}
        yield found


@contextmanager
def silence() -> Iterator[str]:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        yield f"http://127.0.0.1:{silent.getsockname()[1]}"


def run(
    model: FakeOpenAI, folder: Path, url: str | None, number: int = 1, **operation: Any
) -> tuple[Outcome, list[Any]]:
    """The outcome and the log lines."""
    model.reply = samples.reply()
    keys = {"LANGFUSE_HOST": url, "LANGFUSE_PUBLIC_KEY": "pk-um", "LANGFUSE_SECRET_KEY": "sk-segredo"} if url else {}
    stream = io.StringIO()
    outcome = run_article(
        samples.article(number=number), samples.PROFILE, config=samples.config(model.url, **operation),
        environment={**samples.KEYS, **keys}, stream=stream, **samples.paths(folder),
    )  # fmt: skip
    return outcome, [json.loads(line) for line in stream.getvalue().splitlines()]


def pending(folder: Path) -> int:
    return StateStore(folder / "state.sqlite3").pending_count()


def test_spans_and_generations_arrive_without_text(model: FakeOpenAI, host: Site, tmp_path: Path) -> None:
    model.fail(CHAT, unavailable())
    outcome, _ = run(model, tmp_path, host.url)
    assert pending(tmp_path) == 0
    ((_, _, headers, _),) = host.requests
    assert headers["Authorization"] == "Basic " + base64.b64encode(b"pk-um:sk-segredo").decode()
    spans = [e["body"] for e in host.events if e["type"] == "span-create"]
    attempts = [e["body"] for e in host.events if e["type"] == "generation-create"]
    assert [span["name"] for span in spans] == STEPS  # fixed names: no model, provider, URL or id
    assert [a["metadata"]["status"] for a in attempts] == ["LLM_UNAVAILABLE", "ok", "ok", "ok"]
    (trace,) = [e["body"] for e in host.events if e["type"] == "trace-create"]
    assert {body["traceId"] for body in (*spans, *attempts)} == {trace["id"]}
    assert trace["metadata"]["status"] == outcome.manifest.status == "completed_text"
    text = json.dumps(host.events, ensure_ascii=False)
    assert not any(word in text for word in ("transporte", "Lima", "segredo", "jornal"))
    run(model, tmp_path, host.url)  # again: the same trace, another run
    traces = [e["body"] for e in host.events if e["type"] == "trace-create"]
    assert traces[0]["id"] == traces[1]["id"] and traces[0]["metadata"]["run_id"] != traces[1]["metadata"]["run_id"]


def test_a_switch_lets_title_and_rationale_out_and_nothing_more(model: FakeOpenAI, host: Site, tmp_path: Path) -> None:
    run(model, tmp_path, host.url, telemetry_text=True)
    (trace,) = [e["body"] for e in host.events if e["type"] == "trace-create"]
    assert (trace["input"], trace["output"]) == (samples.TITLE, "ok")
    assert "municípios" not in json.dumps(host.events, ensure_ascii=False)


def test_a_silent_host_costs_two_seconds_and_its_events_arrive_later(
    model: FakeOpenAI, host: Site, tmp_path: Path
) -> None:
    plain, _ = run(model, tmp_path / "plain", None)
    with silence() as url:
        started = time.monotonic()
        outcome, lines = run(model, tmp_path, url)
        seconds = time.monotonic() - started
    work = sum(step.seconds for step in outcome.manifest.states)
    assert 2.0 <= seconds < work + 2.0 + 1.5  # the flush, and what the machine's load adds
    assert (outcome.markdown, outcome.manifest.fingerprint) == (plain.markdown, plain.manifest.fingerprint)
    assert [line["error_code"] for line in lines if line["event"] == "telemetry_pending"] == ["TELEMETRY_UNSENT"]
    state = StateStore(tmp_path / "state.sqlite3")
    waiting = state.pending_count()
    assert waiting == len(STEPS) + 3 + 1
    host.paths = {}
    assert resend(state, {"LANGFUSE_HOST": host.url}) == {"sent": 0, "pending": waiting}  # refused: still pending
    host.paths = {INGESTION: TAKEN}
    host.requests.clear()
    assert resend(state, {"LANGFUSE_HOST": host.url}) == {"sent": waiting, "pending": 0}
    assert [event["body"]["name"] for event in host.events if event["type"] == "span-create"] == STEPS
    assert resend(state, {"LANGFUSE_HOST": host.url}) == {"sent": 0, "pending": 0} and len(host.requests) == 1


def test_single_events_that_the_host_refuses_stay_pending(model: FakeOpenAI, host: Site, tmp_path: Path) -> None:
    run(model, tmp_path, None)
    state = StateStore(tmp_path / "state.sqlite3")
    waiting = state.pending_events()
    errors = {"successes": [], "errors": [{"id": waiting[2][1]["id"], "status": 500}]}
    host.paths = {INGESTION: Answer(json.dumps(errors).encode(), 207)}
    assert resend(state, {"LANGFUSE_HOST": host.url}) == {"sent": len(waiting) - 1, "pending": 1}
    assert state.pending_events() == [waiting[2]]


def test_many_articles_send_once(model: FakeOpenAI, host: Site, tmp_path: Path) -> None:
    for number in range(3):
        run_article(
            samples.article(number=number), samples.PROFILE, config=samples.config(model.url), send=False,
            environment={**samples.KEYS, "LANGFUSE_HOST": host.url}, stream=io.StringIO(), **samples.paths(tmp_path),
        )  # fmt: skip
    assert host.requests == [] and pending(tmp_path) > 0
    with silence() as url:  # in all, not for each batch
        started = time.monotonic()
        resend(StateStore(tmp_path / "state.sqlite3"), {"LANGFUSE_HOST": url}, seconds=0.5)
        assert time.monotonic() - started < 3


def test_log_lines_say_what_happened_and_no_text(model: FakeOpenAI, tmp_path: Path) -> None:
    model.fail(CHAT, unavailable())
    outcome, lines = run(model, tmp_path, None)
    assert all({"timestamp", "level", "run_id", "fingerprint", "event"} <= set(line) for line in lines)
    assert {line["fingerprint"] for line in lines} == {outcome.manifest.fingerprint}
    assert len({line["run_id"] for line in lines}) == 1
    assert [line["state"] for line in lines if line["event"] == "state"] == [
        "received", "validated", "content_cleaned", "ecp_approved", "enriched", "completed_text",
    ]  # fmt: skip
    first = next(line for line in lines if line["event"] == "attempt")
    assert (first["provider"], first["model"], first["error_code"]) == ("groq", "openai/gpt-oss-20b", "LLM_UNAVAILABLE")
    assert first["prompt"].startswith("1.") and first["duration"] >= 0
    assert not any(word in json.dumps(lines, ensure_ascii=False) for word in ("transporte", "Lima", "segredo"))


def test_resend_from_the_command_line(
    model: FakeOpenAI, host: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(model, tmp_path, None)
    state = tmp_path / "state.sqlite3"
    waiting = pending(tmp_path)

    def command(file: Path) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["telemetry", "resend", "--state", str(file)])
        return done.exit_code, done.stdout or done.stderr

    assert command(tmp_path / "no")[0] == 2
    code, text = command(state)
    assert code == 2 and "LANGFUSE_HOST_MISSING" in text
    monkeypatch.setenv("LANGFUSE_HOST", host.url)
    host.paths = {}
    assert command(state) == (4, json.dumps({"sent": 0, "pending": waiting}, indent=2) + "\n")
    host.paths = {INGESTION: TAKEN}
    assert command(state) == (0, json.dumps({"sent": waiting, "pending": 0}, indent=2) + "\n")


def test_events_that_arrived_are_pruned_and_those_that_wait_never(tmp_path: Path) -> None:
    with closing(StateStore(tmp_path / "state.sqlite3")) as state:
        waiting = state.add_events([{"n": -1}])
        for start in range(0, KEPT_EVENTS + 500, 500):
            state.mark_sent(state.add_events([{"n": start + i} for i in range(500)]))
        with sqlite3.connect(tmp_path / "state.sqlite3") as file:
            (kept,) = file.execute("SELECT count(*) FROM event WHERE sent = 1").fetchone()
        assert kept == KEPT_EVENTS and [item for item, _ in state.pending_events()] == waiting

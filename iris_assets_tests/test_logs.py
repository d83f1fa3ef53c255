"""The log: one line per event with stage, partition and file or address, on stderr, without secrets."""

import json
import logging
import threading
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from iris_assets import logs
from iris_assets.cli import app
from iris_assets.errors import ModelError
from iris_assets.llm.chat import ChatClient
from iris_assets.llm.embeddings import EmbeddingClient
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient
from iris_assets_tests.answers.fake_llm import fake_model, says

log = logging.getLogger("iris_assets.test")


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("iris_assets")
    handlers, level = list(root.handlers), ours.level
    yield
    root.handlers[:] = handlers
    ours.setLevel(level)


class Lines:
    """What was written to stderr so far, as JSON objects."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.text = ""

    def all(self, event: str | None = None) -> list[dict[str, Any]]:
        self.text += self._capsys.readouterr().err
        found = [json.loads(line) for line in self.text.splitlines()]
        return [line for line in found if event in (None, line["event"])]


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    logs.set_up({"LOG_FORMAT": "json"})
    return Lines(capsys)


def test_an_event_is_one_line_of_text_with_the_fields_of_its_block(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up({})
    with logs.about(stage="candidates", partition="SP"):
        logs.event(log, "file skipped", file='two\nlines "quoted"', reason="", code=None, seconds=1.23456)
    logs.event(log, "model call", logging.WARNING, model="m")
    logs.event(log, "quiet", logging.DEBUG)
    first, second = capsys.readouterr().err.splitlines()
    said = 'file skipped stage=candidates partition=SP file="two\\nlines \\"quoted\\"" seconds=1.235'
    assert first.partition("Z INFO ")[2] == said
    assert second.partition("Z WARNING ")[2] == "model call model=m"


def test_json_lines_hold_numbers_and_threads_that_copy_the_context(lines: Lines) -> None:
    with logs.about(stage="s"):
        thread = threading.Thread(target=copy_context().run, args=(lambda: logs.event(log, "x", n=1, flag=True),))
        thread.start()
        thread.join()
    logs.set_up({"LOG_FORMAT": "json", "LOG_LEVEL": "ERROR"})
    logs.event(log, "x")
    (line,) = lines.all()
    assert {name: line[name] for name in ("level", "event", "stage", "n", "flag")} == {
        "level": "INFO", "event": "x", "stage": "s", "n": 1, "flag": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:secret@host:8443/v1?key=secret#x", "https://host:8443/v1"),
        ("http://[::1]:9/v1", "http://[::1]:9/v1"),
        ("http://[", "unreadable address"),
    ],
)
def test_an_address_loses_its_secrets(url: str, shown: str) -> None:
    assert logs.without_secrets(url) == shown


def test_a_run_logs_stages_downloads_and_skipped_files_and_stdout_stays_json(tmp_path: Path) -> None:
    replay, data = tmp_path / "replay", tmp_path / "data"
    assert CliRunner().invoke(app, ["sample", str(replay)]).exit_code == 0
    command = ["run", "--uf", "AC", "--year", "2026", "--replay", str(replay), "--data", str(data), "--json"]
    done = CliRunner().invoke(app, command, env={"LOG_FORMAT": "json"})
    stages = json.loads(done.stdout)["AC"]
    said = [json.loads(line) for line in done.stderr.splitlines()]
    ended = {line["stage"]: line for line in said if line["event"] == "stage ended"}
    assert {stage: line["status"] for stage, line in ended.items()} == {
        stage: figures["status"] for stage, figures in stages.items()
    }
    assert ended["candidates"]["created"] == stages["candidates"]["records_created"] > 0
    assert {line["partition"] for line in said} == {"AC"}
    downloads = [line["url"].rpartition("/")[2] for line in said if line["event"] == "download"]
    assert {"consulta_cand_2026.zip", "proposta_governo_2026_AC.zip"} <= set(downloads)
    assert len(downloads) == len(set(downloads))
    skipped = [(line["stage"], line["file"], line["reason"]) for line in said if line["event"] == "file skipped"]
    assert skipped == [("proposals", "leiame.pdf", "no plan")]


def test_a_retry_and_a_failed_download_are_told(tmp_path: Path, lines: Lines) -> None:
    from iris_assets.sample.faults import Faults
    from iris_assets.sample.simulator import replay_transport

    CliRunner().invoke(app, ["sample", str(tmp_path / "replay")])
    logs.set_up({"LOG_FORMAT": "json"})
    faults = Faults()
    url = "https://cdn.tse.jus.br/estatistica/sead/odsele/consulta_cand/consulta_cand_2026.zip"
    faults.script("/estatistica/sead/odsele/consulta_cand/consulta_cand_2026.zip", [503])
    settings = load_settings({}, iris_assets_data=tmp_path)
    http = HttpClient(settings, replay_transport(tmp_path / "replay", faults), sleep=lambda _: None)
    with http, logs.about(stage="candidates", partition="SP"):
        file = http.download(url, tmp_path / "files")
    (retry,), (download,) = lines.all("retry"), lines.all("download")
    assert (retry["url"], retry["attempt"], retry["code"], retry["stage"]) == (
        url,
        2,
        "SOURCE_UNAVAILABLE",
        "candidates",
    )
    assert (download["url"], download["unchanged"], download["partition"]) == (url, False, "SP")
    assert download["bytes"] == file.path.stat().st_size


def test_model_calls_and_their_retries_are_told_without_key_or_text(lines: Lines) -> None:
    with fake_model(lambda request, call: (500, {}) if call == 1 else (200, ("Resposta secreta", "stop"))) as fake:
        url = fake.url.replace("http://", "http://user:password@")
        chat = ChatClient(url, "sk-secret", "modelo", api="chat", pause=0.01)
        with logs.about(stage="articles", partition="SP"):
            chat.complete("sistema secreto", "pergunta secreta", max_output_tokens=300)
    (retry,), (call,) = lines.all("retry"), lines.all("model call")
    assert (retry["code"], retry["attempt"], retry["model"]) == ("LLM_UNAVAILABLE", 2, "modelo")
    assert (call["finish"], call["model"], call["url"], call["stage"]) == ("stop", "modelo", fake.url, "articles")
    assert not any(secret in lines.text for secret in ("secret", "password", "user:"))


def test_a_failed_model_call_is_told_with_its_code(lines: Lines) -> None:
    with fake_model(says("x")) as fake:
        gone = fake.url
    with pytest.raises(ModelError):
        EmbeddingClient(gone, None, "m", None, 3, attempts=1).embed_documents(["texto"])
    (call,) = lines.all("model call")
    assert (call["level"], call["code"], call["inputs"]) == ("WARNING", "LLM_UNAVAILABLE", 1)

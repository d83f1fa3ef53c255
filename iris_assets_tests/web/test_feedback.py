"""Whether an answer helped: kept in the data folder, nothing of the reader; candidates for the question set."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from iris_assets.answers.feedback import Feedback
from iris_assets.cli import app as command_line
from iris_assets.platform import open_platform
from iris_assets.settings import load_settings
from iris_assets.web.app import create_app
from iris_assets_tests.answers.world import ANA, build_world


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    settings, store = build_world(folder)
    store.close()
    with TestClient(create_app(settings, rate_per_minute=1_000_000)) as client:
        yield client


def asked(client: TestClient, question: str) -> str:
    reply = client.post("/api/ask", json={"question": question, "candidate": ANA})
    return str(reply.json()["answer_id"])


def test_a_verdict_is_kept_with_the_answer_alone(client: TestClient, folder: Path) -> None:
    answer = asked(client, "O que o plano propõe para as creches?")
    for helped in (True, False, False):
        done = client.post(f"/api/answers/{answer}/feedback", json={"helped": helped}, headers={"User-Agent": "Ana"})
        assert (done.status_code, done.content) == (204, b"")
    lines = [json.loads(line) for line in (folder / "feedback.jsonl").read_text().splitlines()]
    assert [line.keys() for line in lines] == [{"answer_id", "helped", "at"}] * 3
    assert Feedback(folder).verdicts() == {answer: Counter({False: 2, True: 1})}


def test_an_unknown_answer_and_another_body_are_refused(client: TestClient, folder: Path) -> None:
    unknown = client.post(f"/api/answers/{'0' * 8}-0000-0000-0000-{'0' * 12}/feedback", json={"helped": True})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "ANSWER_UNKNOWN")
    answer = asked(client, "O que o plano propõe para as creches?")
    for body in ({}, {"helped": "yes"}, {"helped": True, "name": "Ana"}):
        assert client.post(f"/api/answers/{answer}/feedback", json=body).status_code == 400
    assert not (folder / "feedback.jsonl").exists()


def test_judged_questions_are_candidates_for_the_set_the_unhelpful_first(client: TestClient, folder: Path) -> None:
    good, bad = asked(client, "O que o plano propõe para as creches?"), asked(client, "Quantas proposições há?")
    client.post(f"/api/answers/{good}/feedback", json={"helped": True})
    client.post(f"/api/answers/{bad}/feedback", json={"helped": False})
    done = CliRunner().invoke(command_line, ["evaluate", "--from-readers", "--data", str(folder)])
    found = json.loads(done.stdout)
    assert [(one["answer_id"], one["helped"], one["did_not_help"]) for one in found] == [(bad, 0, 1), (good, 1, 0)]
    assert found[1]["question"] == "O que o plano propõe para as creches?" and found[1]["shown"]


def test_the_file_stays_small_and_a_cut_line_costs_itself_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iris_assets.answers.feedback.LARGEST_BYTES", 1_000)
    feedback = Feedback(tmp_path)
    for number in range(100):
        feedback.add(f"a{number}", True)
    assert (tmp_path / "feedback.jsonl").stat().st_size <= 1_200
    assert "a99" in feedback.verdicts() and "a0" not in feedback.verdicts()
    with (tmp_path / "feedback.jsonl").open("a") as file:
        file.write('{"answer_id": "a1')
    feedback.add("after", False)
    assert {"a99", "after"} <= feedback.verdicts().keys()


def test_a_look_at_the_judged_answers_does_not_keep_them_longer(client: TestClient, folder: Path) -> None:
    answer = asked(client, "O que o plano propõe para as creches?")
    client.post(f"/api/answers/{answer}/feedback", json={"helped": True})
    settings = load_settings({}, iris_assets_data=folder)
    with open_platform(settings) as platform, platform.store.transaction() as tx:
        tx.connection.exec_driver_sql("UPDATE Answer SET CreatedAt = '2026-01-01 00:00:00.000000', OpenedAt = NULL")
    CliRunner().invoke(command_line, ["evaluate", "--from-readers", "--data", str(folder)])
    with open_platform(settings) as platform:
        row = platform.store.answers.find(answer)
    assert row is not None and row["opened_at"] is None


def test_a_folder_that_takes_nothing_is_said_with_a_code(client: TestClient, folder: Path) -> None:
    answer = asked(client, "O que o plano propõe para as creches?")
    (folder / "feedback.jsonl").mkdir()
    refused = client.post(f"/api/answers/{answer}/feedback", json={"helped": True})
    assert (refused.status_code, refused.json()["code"]) == (503, "FEEDBACK_UNWRITABLE")

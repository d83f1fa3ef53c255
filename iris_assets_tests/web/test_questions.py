"""Many questions at once: turns, room, readers who leave, slow connections; health answers meanwhile."""

import asyncio
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from iris_assets.errors import BusyError
from iris_assets.platform import Platform
from iris_assets.web import connections
from iris_assets.web.app import create_app
from iris_assets.web.connections import PatientProtocol
from iris_assets.web.questions import Question, Questions
from iris_assets_tests.answers.world import build_world
from iris_assets_tests.web.conftest import free_port

LONG = 20.0  # seconds after which a test has failed


async def finished(question: Question) -> Any:
    while True:
        event = await question.next(LONG)
        assert event is not None
        if event.kind == "failure":
            raise event.what
        if event.kind == "value":
            return event.what


def test_one_core_computes_one_question_at_a_time() -> None:
    questions, running, most = Questions(cores=1), [0], [0]

    def work(step: Callable[[str], None]) -> str:
        running[0] += 1
        most[0] = max(most[0], running[0])
        threading.Event().wait(0.01)
        running[0] -= 1
        return "ok"

    async def ask() -> list[str]:
        return await asyncio.gather(*(finished(questions.begin(work)) for _ in range(5)))

    assert asyncio.run(ask()) == ["ok"] * 5 and most == [1]


def test_who_waits_for_a_model_holds_neither_core_nor_queue() -> None:
    questions, model = Questions(cores=1, queue=1), threading.Event()

    def slow(step: Callable[[str], None]) -> str:
        step("generation")
        assert model.wait(LONG)
        step("verification")
        return "slow"

    async def ask() -> list[str]:
        waiting = []
        for _ in range(3):
            waiting.append(questions.begin(slow))
            assert (await waiting[-1].next(LONG)).what == "generation"  # type: ignore[union-attr]
            while questions._room < 1:
                await asyncio.sleep(0.001)
        quick = await finished(questions.begin(lambda step: "quick"))
        model.set()
        return [quick, *[await finished(one) for one in waiting]]

    assert asyncio.run(ask()) == ["quick", "slow", "slow", "slow"]


def test_beyond_the_room_a_question_is_refused_at_once() -> None:
    questions, end = Questions(cores=1, queue=2), threading.Event()

    async def ask() -> None:
        begun = [questions.begin(lambda step: end.wait(LONG)) for _ in range(2)]
        with pytest.raises(BusyError) as raised:
            questions.begin(lambda step: None)
        assert raised.value.code == "SERVER_BUSY"
        end.set()
        assert [await finished(one) for one in begun] == [True, True]
        while questions._room < 2:
            await asyncio.sleep(0.001)
        assert await finished(questions.begin(lambda step: "again")) == "again"

    asyncio.run(ask())


def test_more_generations_than_allowed_are_refused() -> None:
    questions, model = Questions(cores=2, generations=1, wait=0.01), threading.Event()

    def slow(step: Callable[[str], None]) -> bool:
        step("generation")
        return model.wait(LONG)

    async def ask() -> None:
        first = questions.begin(slow)
        while questions.generations._value:
            await asyncio.sleep(0.001)
        with pytest.raises(BusyError):
            await finished(questions.begin(slow))
        model.set()
        assert await finished(first)

    asyncio.run(ask())


def test_nothing_is_paid_for_a_reader_who_has_left() -> None:
    questions, paid, found, left = Questions(cores=1), [], threading.Event(), threading.Event()
    ended = threading.Event()

    def work(step: Callable[[str], None]) -> None:
        try:
            found.set()
            assert left.wait(LONG)
            step("generation")
            paid.append("call")
        finally:
            ended.set()

    async def ask() -> None:
        question = questions.begin(work)
        while not found.is_set():
            await asyncio.sleep(0.001)
        question.leave()
        left.set()
        while not ended.is_set():
            await asyncio.sleep(0.001)

    asyncio.run(ask())
    assert paid == []


class _Answers:
    """Answers that come when they are let go."""

    generates = True

    def __init__(self) -> None:
        self.go, self.begun = threading.Event(), threading.Semaphore(0)

    def ask(self, question: str, *, progress: Callable[[str], None], **_: Any) -> Any:
        progress("generation")
        self.begun.release()
        assert self.go.wait(LONG)
        raise BusyError("SERVER_BUSY", "let go", details={"retry_after": 2})


def test_health_answers_while_every_question_waits_for_a_model(tmp_path: Path) -> None:
    settings, store = build_world(tmp_path / "data")
    answers = _Answers()
    platform = Platform(settings, store=store, answers=answers)
    with TestClient(create_app(settings, platform=platform, rate_per_minute=1_000_000)) as client:
        replies: list[Any] = []

        def ask() -> None:
            replies.append(client.post("/api/ask", json={"question": "O que propõe?"}))

        threads = [threading.Thread(target=ask) for _ in range(12)]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert answers.begun.acquire(timeout=LONG)
        assert client.get("/api/health").status_code == 200
        assert client.get("/api/candidates").json()["total"] == 3
        answers.go.set()
        for thread in threads:
            thread.join(LONG)
        assert {(reply.status_code, reply.headers["Retry-After"]) for reply in replies} == {(503, "2")}


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(connections, "most_connections", lambda: 4)
    settings, store = build_world(tmp_path / "data")
    store.close()
    number = free_port()
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=number, http=PatientProtocol, log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    yield number
    server.should_exit = True
    thread.join(LONG)


def test_a_head_that_does_not_come_closes_its_connection(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        assert slow.recv(100) == b""


def test_idle_connections_make_room_for_a_request(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 600.0)
    idle = [socket.create_connection(("127.0.0.1", port), timeout=LONG) for _ in range(12)]
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as asking:
        asking.sendall(b"GET /sobre HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert asking.recv(12) == b"HTTP/1.1 200"
    assert idle[0].recv(100) == b""
    for one in idle:
        one.close()

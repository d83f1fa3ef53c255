"""A loopback OpenAI-compatible server: embeddings by hashed words, scripted chat, faults on demand, every call kept."""

import base64
import hashlib
import json
import re
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

Json = dict[str, Any]
EMBEDDINGS, RESPONSES, CHAT = "/embeddings", "/responses", "/chat/completions"


@dataclass(frozen=True)
class Fault:
    """What happens to one call in place of a good answer; `change` edits the good answer."""

    status: int = 200
    code: str | None = None
    message: str = "scripted"
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    change: Callable[[Json], Any] | None = None
    body: bytes | None = None
    drop: bool = False


def rate_limited(retry_after: str | None = "0") -> Fault:
    return Fault(429, "rate_limit_exceeded", headers={"Retry-After": retry_after} if retry_after else {})


def quota() -> Fault:
    return Fault(429, "insufficient_quota")


def unavailable(status: int = 503) -> Fault:
    return Fault(status)


def slow(seconds: float) -> Fault:
    return Fault(delay=seconds)


def dropped() -> Fault:
    return Fault(drop=True)


def short_answer() -> Fault:
    return Fault(change=lambda answer: {**answer, "data": answer["data"][:-1]})


def wrong_dimension() -> Fault:
    return Fault(change=lambda answer: {**answer, "data": [{**d, "embedding": [1.0, 2.0]} for d in answer["data"]]})


def shuffled() -> Fault:
    """The same vectors in another order, each with its true index."""
    return Fault(change=lambda answer: {**answer, "data": answer["data"][::-1]})


def renumbered() -> Fault:
    return Fault(change=lambda answer: {**answer, "data": [{**d, "index": 0} for d in answer["data"]]})


@dataclass(frozen=True)
class Reply:
    """A scripted chat answer; `finish` is one of stop, length, content_filter, refusal."""

    text: str
    finish: str = "stop"


class FakeOpenAI:
    """The state of one server; tests read `calls`, `bodies` and `inputs`, and script `faults` and `replies`."""

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.calls: Counter[str] = Counter()
        self.bodies: list[tuple[str, Json]] = []
        self.keys: list[str] = []
        self.inputs: list[str] = []  # every text that got a vector
        self.faults: dict[str, deque[Fault]] = {route: deque() for route in (EMBEDDINGS, RESPONSES, CHAT)}
        self.replies: deque[Reply | str] = deque()
        self.reply: Callable[[str, str], str] = lambda system, user: "Resposta [E1]."
        self.routes = {EMBEDDINGS, RESPONSES, CHAT}
        self.longest_input = 40_000  # characters; longer inputs are refused as the API refuses 8,192 tokens
        self.refuses: Callable[[str, Json], str | None] = lambda route, body: None  # a message → 400
        self.most_at_once = 0
        self.url = ""
        self._now = 0
        self._lock = threading.Lock()

    def fail(self, route: str, *faults: Fault) -> None:
        """The next calls of the route meet these faults, one each."""
        self.faults[route].extend(faults)

    def vector(self, text: str, model: str = "m", dimension: int | None = None) -> np.ndarray:
        """The vector of a text: its words hashed into signed positions, normalised; another model, other positions."""
        found = np.zeros(dimension or self.dimension, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()) or ["·"]:
            digest = hashlib.sha256(f"{model}|{word}".encode()).digest()
            found[int.from_bytes(digest[:4], "big") % len(found)] += 1 if digest[4] % 2 else -1
        if not found.any():
            found[0] = 1
        return found / np.linalg.norm(found)

    @contextmanager
    def _counted(self, route: str) -> Iterator[None]:
        with self._lock:
            self.calls[route] += 1
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            yield
        finally:
            with self._lock:
                self._now -= 1

    def answer(self, route: str, body: Json) -> tuple[int, Json]:
        refusal = self.refuses(route, body)
        if refusal is not None:
            return 400, _error(refusal)
        return self._embeddings(body) if route == EMBEDDINGS else self._chat(route, body)

    def _embeddings(self, body: Json) -> tuple[int, Json]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        if len(texts) > 2048:
            return 400, _error("too many inputs")
        if any(not text.strip() for text in texts):
            return 400, _error("'$.input' is invalid: input cannot be an empty string")
        if any(len(text) > self.longest_input for text in texts):
            return 400, _error("This model's maximum context length is 8192 tokens")
        vectors = [self.vector(text, body["model"], body.get("dimensions")) for text in texts]
        with self._lock:
            self.inputs.extend(texts)
        data = [
            {"object": "embedding", "index": index, "embedding": _encoded(vector, body.get("encoding_format"))}
            for index, vector in enumerate(vectors)
        ]
        tokens = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return 200, {"object": "list", "data": data, "model": body["model"], "usage": usage}

    def _chat(self, route: str, body: Json) -> tuple[int, Json]:
        if route == RESPONSES:
            system, user = body.get("instructions") or "", body["input"]
        else:
            system, user = (message["content"] for message in body["messages"])
        with self._lock:
            scripted = self.replies.popleft() if self.replies else self.reply(system, user)
        reply = scripted if isinstance(scripted, Reply) else Reply(scripted)
        return 200, (_response if route == RESPONSES else _chat_completion)(reply, body["model"])


def _encoded(vector: np.ndarray, encoding: str | None) -> Any:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode() if encoding == "base64" else vector.tolist()


def _error(message: str, code: str | None = None) -> Json:
    return {"error": {"message": message, "type": code or "invalid_request_error", "code": code, "param": None}}


def _response(reply: Reply, model: str) -> Json:
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    part = (
        {"type": "refusal", "refusal": reply.text}
        if reply.finish == "refusal"
        else {"type": "output_text", "text": reply.text, "annotations": []}
    )
    message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
    incomplete = reply.finish in reasons
    return {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "model": model,
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": {"reason": reasons[reply.finish]} if incomplete else None,
        "output": [{"type": "reasoning", "id": "x", "summary": []}, message],
        "usage": {"input_tokens": 11, "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 3}},
    }


def _chat_completion(reply: Reply, model: str) -> Json:
    refused = reply.finish == "refusal"
    message = {
        "role": "assistant",
        "content": None if refused else reply.text,
        "refusal": reply.text if refused else None,
    }
    finish = "stop" if refused else reply.finish
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


class _Handler(BaseHTTPRequestHandler):
    fake: FakeOpenAI
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        route = self.path.removeprefix("/v1")
        fake = self.fake
        if route not in fake.routes:
            self._send(404, _error("no such route"))
            return
        with fake._counted(route):
            fake.bodies.append((route, body))
            fake.keys.append(self.headers.get("Authorization", ""))
            try:
                fault = fake.faults[route].popleft()
            except IndexError:
                fault = Fault()
            self._answer(route, body, fault)

    def _answer(self, route: str, body: Json, fault: Fault) -> None:
        time.sleep(fault.delay)
        if fault.drop:
            self.close_connection = True
            return
        if fault.status != 200:
            self._send(fault.status, _error(fault.message, fault.code), fault.headers)
            return
        status, answer = self.fake.answer(route, body)
        changed = fault.change(answer) if fault.change and status == 200 else answer
        self._send(status, changed, raw=fault.body)

    def _send(self, status: int, answer: Json, headers: dict[str, str] | None = None, raw: bytes | None = None) -> None:
        data = raw if raw is not None else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if raw is not None else "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        return None  # a client that gave up waiting is part of the tests


@contextmanager
def fake_openai(dimension: int = 64) -> Iterator[FakeOpenAI]:
    """A running server on a free port of the loopback; `fake.url` is its base URL."""
    fake = FakeOpenAI(dimension)
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"fake": fake}))
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

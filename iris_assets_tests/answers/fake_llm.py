"""A loopback OpenAI-compatible server that says what it is told to say, and counts its calls."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[dict[str, Any], int], tuple[int, Any]]


@dataclass
class FakeModel:
    """`script(request, call number)` gives (status, text or (text, finish) or error body); `requests` are kept."""

    script: Script
    url: str = ""
    delay: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)


def says(text: str, finish: str = "stop") -> Script:
    """Always the same answer."""
    return lambda request, call: (200, (text, finish))


@contextmanager
def fake_model(script: Script, delay: float = 0.0) -> Iterator[FakeModel]:
    """Serve on loopback while the block runs."""
    fake = FakeModel(script, delay=delay)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fake.requests.append(request)
            time.sleep(fake.delay)
            status, said = fake.script(request, len(fake.requests))
            body = json.dumps(_completion(*said) if status == 200 else said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    fake.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()


def _completion(text: str, finish: str) -> dict[str, Any]:
    return {
        "id": "c1", "object": "chat.completion", "created": 0, "model": "fake-model",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }  # fmt: skip

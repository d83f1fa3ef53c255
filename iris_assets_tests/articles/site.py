"""A loopback web site: pages, redirects, slow and endless answers, a telemetry host; every request kept."""

import gzip
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What a path answers; `drip` sends a byte each so many seconds."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html; charset=utf-8"})
    drip: float = 0.0


@dataclass
class Site:
    """Scripted paths; `requests` holds (method, path, headers, body)."""

    url: str
    paths: dict[str, Answer] = field(default_factory=dict)
    requests: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def events(self) -> list[dict[str, Any]]:
        """The telemetry events that arrived."""
        return [event for _, _, _, body in self.requests if body for event in json.loads(body)["batch"]]


def redirect(target: str) -> Answer:
    return Answer(status=302, headers={"Location": target})


def packed(body: bytes) -> Answer:
    return Answer(gzip.compress(body), headers={"Content-Type": "text/html", "Content-Encoding": "gzip"})


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, body: bytes) -> None:
        self.site.requests.append((self.command, self.path, dict(self.headers), body))
        found = self.site.paths.get(self.path, Answer(b"not here", 404))
        self.send_response(found.status)
        for name, value in found.headers.items():
            self.send_header(name, value)
        self.end_headers()
        pieces = [found.body[i : i + 1] for i in range(len(found.body))] if found.drip else [found.body]
        for piece in pieces:
            self.wfile.write(piece)
            time.sleep(found.drip)

    def log_message(self, format: str, *args: Any) -> None:
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        return None  # a client that gave up is part of the tests


@contextmanager
def site() -> Iterator[Site]:
    """A running site on a free port of the loopback."""
    found = Site("")
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": found}))
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()

"""One application that answers as the official hosts do, from a replay folder: in process or on loopback."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import parse_qs, urlsplit

import httpx2

from iris_assets.sample.camara_service import CamaraService
from iris_assets.sample.faults import ConnectionDropped, Faults, spoil
from iris_assets.sample.replay import ReplayFolder, validators
from iris_assets.sample.reply import Reply, html_reply, json_reply

CATALOGUE: Final = "/api/3/action/package_show"
CAMARA_API: Final = "/api/v2/"
BLOCK: Final = 64 * 1024


class Simulator:
    """Routes by path: the paths of the three hosts never overlap. `requests` counts what arrived, by path."""

    def __init__(self, folder: Path, faults: Faults | None = None) -> None:
        self.replay = ReplayFolder(folder)
        self.faults = faults or Faults()
        self.requests: list[str] = []
        self._camara = CamaraService(self.replay)
        self._lock = Lock()

    def answer(self, method: str, target: str, headers: Mapping[str, str]) -> Reply:
        """The reply to `target` (path and query), spoiled when a fault is due; ConnectionDropped for a lost one."""
        parts = urlsplit(target)
        with self._lock:
            self.requests.append(target)
        fault = self.faults.next_for(parts.path)
        if fault is None:
            return self._true_answer(method, parts.path, parts.query, headers)
        return spoil(self._true_answer(method, parts.path, parts.query, headers), fault)

    def _true_answer(self, method: str, path: str, query: str, headers: Mapping[str, str]) -> Reply:
        if method != "GET" or "accept-charset" in {name.lower() for name in headers}:
            return html_reply(403, "Forbidden")
        if path == CATALOGUE:
            return self._package(query)
        if path.startswith(CAMARA_API):
            return self._camara.answer(path.removeprefix(CAMARA_API), query)
        return self._file(path, headers)

    def _package(self, query: str) -> Reply:
        dataset = parse_qs(query).get("id", [""])[0]
        package = self.replay.package(dataset)
        if package is None:
            return json_reply(
                {"success": False, "error": {"__type": "Not Found Error", "message": "Não encontrado"}}, 404
            )
        return json_reply(package)

    def _file(self, path: str, headers: Mapping[str, str]) -> Reply:
        place = self.replay.file(path.rsplit("/", 1)[-1])
        if place is None:
            return html_reply(404, "Not Found")
        asked = {name.lower(): value for name, value in headers.items()}
        etag, modified = validators(place)
        about = {"ETag": etag, "Last-Modified": modified, "Accept-Ranges": "bytes"}
        matches = (
            asked["if-none-match"] == etag if "if-none-match" in asked else asked.get("if-modified-since") == modified
        )
        if matches:
            return Reply(304, headers=about)
        kind = "application/zip" if place.suffix == ".zip" else "application/octet-stream"
        return _ranged(place.read_bytes(), asked.get("range"), {**about, "Content-Type": kind})


def _ranged(body: bytes, asked: str | None, headers: Mapping[str, str]) -> Reply:
    """The whole body, or the part that `Range: bytes=first-last` names."""
    if asked is None or not asked.startswith("bytes=") or "," in asked:
        return Reply(200, body, headers)
    first, _, last = asked.removeprefix("bytes=").partition("-")
    start = int(first) if first.isdigit() else max(0, len(body) - int(last))
    stop = min(int(last), len(body) - 1) if first.isdigit() and last.isdigit() else len(body) - 1
    if start > stop:
        return Reply(416, headers={**headers, "Content-Range": f"bytes */{len(body)}"})
    return Reply(206, body[start : stop + 1], {**headers, "Content-Range": f"bytes {start}-{stop}/{len(body)}"})


class ReplayTransport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """The simulator as an httpx2 transport, sync and async; addresses stay those of the official hosts."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.simulator.faults.latency_s:
            time.sleep(self.simulator.faults.latency_s)
        return self._respond(request)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.simulator.faults.latency_s:
            await asyncio.sleep(self.simulator.faults.latency_s)
        return self._respond(request)

    def _respond(self, request: httpx2.Request) -> httpx2.Response:
        target = request.url.raw_path.decode("ascii")
        try:
            reply = self.simulator.answer(request.method, target, request.headers)
        except ConnectionDropped as error:
            raise httpx2.RemoteProtocolError(
                "server disconnected without sending a response", request=request
            ) from error
        length = {"Content-Length": str(len(reply.body) if reply.declared is None else reply.declared)}
        return httpx2.Response(
            reply.status, headers={**reply.headers, **length}, stream=_Body(reply, request), request=request
        )


class _Body(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """The body in blocks; one that is shorter than declared ends as a broken connection does."""

    def __init__(self, reply: Reply, request: httpx2.Request) -> None:
        self._reply = reply
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        body = self._reply.body
        for start in range(0, len(body), BLOCK):
            yield body[start : start + BLOCK]
        if self._reply.declared is not None and self._reply.declared > len(body):
            raise httpx2.RemoteProtocolError("peer closed connection before the whole body came", request=self._request)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for block in self:
            yield block


def replay_transport(folder: Path, faults: Faults | None = None) -> ReplayTransport:
    """A transport for HttpClient over a replay folder; ConfigurationError REPLAY_FOLDER_MISSING when there is none."""
    return ReplayTransport(Simulator(folder, faults))

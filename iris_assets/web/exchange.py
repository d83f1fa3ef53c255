"""How replies travel: versioned addresses, HEAD, compression, and tags by which a client knows that nothing changed."""

import hashlib
from typing import Final

from brotli_asgi import BrotliMiddleware
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

VERSION: Final = "/api/v1"
SMALLEST_COMPRESSED: Final = 1000  # bytes
COMPRESSED_ALREADY: Final = (".png", ".pdf")


class Versioned:
    """Serves `/api/v1/…` as `/api/…`; the addresses without a version stay."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(f"{VERSION}/"):
            path = "/api" + scope["path"].removeprefix(VERSION)
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await self._app(scope, receive, send)


class Head:
    """Answers HEAD with what GET would answer, without its body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._app({**scope, "method": "GET"}, receive, without_body)


class Compressed:
    """Brotli or gzip for whoever accepts it; pictures and PDFs are compressed already, events are not held back."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._compressed = app, BrotliMiddleware(app, minimum_size=SMALLEST_COMPRESSED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        plain = scope["type"] != "http" or scope["path"].endswith(COMPRESSED_ALREADY) or _wants_events(scope)
        await (self._app if plain else self._compressed)(scope, receive, send)


def _wants_events(scope: Scope) -> bool:
    return "text/event-stream" in Headers(scope=scope).get("accept", "")


class Tagged:
    """A weak ETag on every JSON reply to GET below /api; 304 to a client that has it. Only such replies are held."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, _Reply(send, Headers(scope=scope).get("if-none-match", "")).send)


class _Reply:
    """One reply on its way: held until it is whole when it gets a tag."""

    def __init__(self, send: Send, known: str) -> None:
        self._send, self._known = send, known
        self._start: Message | None = None
        self._parts: list[bytes] = []

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _gets_tag(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._tagged(self._start, b"".join(self._parts))

    async def _tagged(self, start: Message, body: bytes) -> None:
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = MutableHeaders(raw=list(start["headers"]))
        headers["ETag"] = tag
        headers.setdefault("Cache-Control", "no-cache")
        if tag in self._known:
            del headers["content-length"], headers["content-type"]
            await self._send({**start, "status": 304, "headers": headers.raw})
            await self._send({"type": "http.response.body", "body": b""})
            return
        await self._send({**start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})


def _gets_tag(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_json = headers.get("content-type", "").startswith("application/json")
    return start["status"] == 200 and is_json and "etag" not in headers

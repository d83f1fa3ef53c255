"""What stands before the routes: size of the body, pace of a client, security headers. Plain ASGI."""

import asyncio
import time
from collections import OrderedDict
from math import ceil

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from iris_assets.web.errors import error_body, error_response, language_of

MAX_BODY_BYTES = 128 * 1024
BODY_SECONDS = 10.0  # for a body to come whole
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class SecurityHeaders:
    """Adds the headers to every response; API responses are not kept by caches."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(SECURITY_HEADERS)
                if scope["path"].startswith("/api"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, with_headers)


class BodyLimit:
    """413 for bodies over the limit, whether declared or streamed."""

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > self._limit:
            await error_response(error_body(413, language_of(scope)), {"Connection": "close"})(scope, receive, send)
            return
        try:
            body = await asyncio.wait_for(self._read(receive), BODY_SECONDS)
        except TimeoutError:
            await error_response(error_body(408, language_of(scope)), {"Connection": "close"})(scope, receive, send)
            return
        if body is None:
            await error_response(error_body(413, language_of(scope)), {"Connection": "close"})(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body, None when it is too large (at most the limit is ever held)."""
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                break
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            more = message.get("more_body", False)
            if size > self._limit:
                return None
        return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


class RateLimit:
    """A token bucket for each client address over the API; the excess gets 429 with Retry-After.

    The address is that of the connection: forwarded headers can be written by anybody.
    """

    MAX_CLIENTS = 10_000

    def __init__(self, app: ASGIApp, per_minute: int) -> None:
        self._app = app
        self._rate = per_minute / 60
        self._burst = float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limited = scope["type"] == "http" and scope["path"].startswith("/api/") and scope["path"] != "/api/health"
        wait = self._take(scope["client"][0] if scope.get("client") else "") if limited else 0.0
        if wait > 0:
            await error_response(error_body(429, language_of(scope)), {"Retry-After": str(ceil(wait))})(
                scope, receive, send
            )
            return
        await self._app(scope, receive, send)

    def _take(self, client: str) -> float:
        """Take one token; the seconds until there is one when there is none now."""
        now = time.monotonic()
        tokens, before = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - before) * self._rate)
        allowed = tokens >= 1
        self._buckets[client] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > self.MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self._rate

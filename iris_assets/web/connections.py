"""Connections of the server: a request's head comes within seconds, and idle ones make room for new ones."""

import asyncio
import resource
import time
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_SECONDS: Final = 10.0  # for the head of a request to come whole
MOST_CONNECTIONS: Final = 1_000
FILES_KEPT: Final = 100  # of those that the process may open, for the store, the models and the page
Protocol: Any = AutoHTTPProtocol


class PatientProtocol(Protocol):  # type: ignore[misc]
    """uvicorn's protocol with a deadline for heads; beyond the limit the connection that is idle longest is closed."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.since = time.monotonic()
        self._deadline: asyncio.TimerHandle | None = None
        self._expect_head()
        if len(self.connections) > most_connections():
            idle = [one for one in self.connections if one is not self and one.is_idle]
            (min(idle, key=lambda one: one.since) if idle else self).transport.close()

    def data_received(self, data: bytes) -> None:
        if self.is_idle:
            self._expect_head()
        super().data_received(data)
        if not self.is_idle:
            self._forget_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._close_late)

    def _close_late(self) -> None:
        self._deadline = None
        if self.is_idle:
            self.transport.close()

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def most_connections() -> int:
    """How many connections may be open at once: what the limit of open files leaves."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(16, min(MOST_CONNECTIONS, files - FILES_KEPT))

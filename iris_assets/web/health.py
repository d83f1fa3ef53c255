"""The state of the store, told within a moment whatever else runs."""

import asyncio
import threading
import time
from contextlib import suppress
from typing import Final

from iris_assets.errors import StoreError
from iris_assets.platform import Platform
from iris_assets.web.schemas import HealthReply

FRESH_SECONDS: Final = 0.05  # for which a caller waits for what is true now
OLDEST_SECONDS: Final = 30.0  # after which a store that has not answered is told as one that does not


class Health:
    """Reads the state in a thread of its own, one reading at a time; who asks meanwhile hears of the last one."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._reading: asyncio.Future[HealthReply] | None = None
        self._last: HealthReply | StoreError | None = None
        self._since = 0.0

    async def now(self) -> HealthReply:
        """The state; StoreError when the store does not answer."""
        if self._reading is None:
            self._begin()
        assert self._reading is not None
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(self._reading), FRESH_SECONDS if self._last else None)
        if time.monotonic() - self._since > OLDEST_SECONDS:
            raise StoreError(
                "STORE_BUSY", "the store has not answered for long", hint="see what holds it", retryable=True
            )
        if isinstance(self._last, HealthReply):
            return self._last
        raise self._last or StoreError("STORE_BUSY", "the store has not answered yet", retryable=True)

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        reading: asyncio.Future[HealthReply] = loop.create_future()
        reading.add_done_callback(self._note)
        self._reading, self._since = reading, time.monotonic()

        def end(state: HealthReply | BaseException) -> None:
            if reading.done():
                return
            if isinstance(state, BaseException):
                reading.set_exception(state)
            else:
                reading.set_result(state)

        def read() -> None:
            try:
                with self._platform.store.work():
                    state: HealthReply | BaseException = health_of(self._platform)
            except Exception as error:  # noqa: BLE001 - handed to those who wait
                state = error
            with suppress(RuntimeError):  # the loop is closed: the server has ended
                loop.call_soon_threadsafe(end, state)

        threading.Thread(target=read, daemon=True, name="health").start()

    def _note(self, reading: "asyncio.Future[HealthReply]") -> None:
        self._reading = None
        error = None if reading.cancelled() else reading.exception()
        if isinstance(error, StoreError):
            self._last = error
        elif error is None and not reading.cancelled():
            self._last = reading.result()


def health_of(platform: Platform) -> HealthReply:
    """Store reachable, schema version, lexical index in step, pending vectors."""
    settings, store = platform.settings, platform.store
    lexical = store.lexical.verify()
    return HealthReply(
        status="ok" if lexical.ok else "degraded",
        store=store.url_safe.split(":")[0],
        schema_version=store.schema_version(),
        lexical_ok=lexical.ok,
        lexical_message=lexical.text,
        pending_vectors=store.chunks.pending_count(settings.embedding_model, settings.embedding_dimension),
        generation=platform.answers.generates,
        vectors=store.vectors.has(settings.embedding_model, settings.embedding_dimension),
    )

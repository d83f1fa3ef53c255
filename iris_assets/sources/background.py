"""An event loop of its own in one thread, so that every partition of the process shares one set of connections."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from iris_assets.errors import IrisAssetsError

Item = TypeVar("Item")
Result = TypeVar("Result")


class BackgroundLoop:
    """Runs coroutines for synchronous callers; the thread starts at the first use and can start again after close()."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, coroutine: Coroutine[Any, Any, Result]) -> "Future[Result]":
        return asyncio.run_coroutine_threadsafe(coroutine, self._running())

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """The coroutine's result; its error is raised here."""
        return self.submit(coroutine).result()

    def stream(
        self, items: Iterable[Item], work: Callable[[Item], Coroutine[Any, Any, Result]], window: int
    ) -> Iterator[tuple[Item, Result | IrisAssetsError]]:
        """Results in order of arrival, at most `window` under way; a typed error is a result, others are raised."""
        finished: SimpleQueue[Future[Result]] = SimpleQueue()
        under_way: dict[Future[Result], Item] = {}
        waiting = iter(items)
        try:
            while True:
                for item in waiting:
                    future = self.submit(work(item))
                    under_way[future] = item
                    future.add_done_callback(finished.put)
                    if len(under_way) >= window:
                        break
                if not under_way:
                    return
                future = finished.get()
                item = under_way.pop(future)
                yield item, _outcome(future)
        finally:
            for future in under_way:
                future.cancel()

    def close(self) -> None:
        with self._lock:
            loop, self._loop = self._loop, None
            thread, self._thread = self._thread, None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
                self._thread.start()
            return self._loop


def _outcome(future: "Future[Any]") -> Any:
    try:
        return future.result()
    except IrisAssetsError as error:
        return error

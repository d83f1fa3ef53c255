"""How many calls may be in flight: a fixed number at most, fewer while the host complains, more when it is well."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType


class AdaptiveLimiter:
    """A gate for the tasks of one event loop: halves its limit on a complaint (429, 503), grows by one per full round
    of good answers, and lets nobody through before a time that the host asked for.

    `async with limiter.slot() as slot:` … `slot.complaint(retry_after)` or `slot.well()`.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        if most < 1:
            raise ValueError("at least one call must be allowed")
        self.most = most
        self.limit = most
        self.in_flight = 0
        self.peak = 0
        self._clock = clock
        self._not_before = 0.0
        self._good = 0
        self._epoch = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def slot(self) -> "Slot":
        """The right to make one call, to be entered with `async with`."""
        return Slot(self)

    def pause(self) -> float:
        """Seconds that a call must still wait because the host asked for it."""
        return max(0.0, self._not_before - self._clock())

    async def acquire(self) -> int:
        while self.in_flight >= self.limit:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                # Whoever was woken and leaves must wake the next, or a free slot stays unused.
                if turn.done() and not turn.cancelled():
                    self._wake()
                raise
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        return self._epoch

    def release(self) -> None:
        self.in_flight -= 1
        self._wake()

    def complain(self, epoch: int, retry_after: float | None) -> None:
        """One refusal; calls that left before the last shrink do not shrink again."""
        self._good = 0
        if retry_after:
            self._not_before = max(self._not_before, self._clock() + retry_after)
        if epoch == self._epoch:
            self.limit = max(1, self.limit // 2)
            self._epoch += 1

    def praise(self) -> None:
        """One good answer; a full round of them allows one call more."""
        self._good += 1
        if self.limit < self.most and self._good >= self.limit:
            self.limit += 1
            self._good = 0
            self._wake()

    def _wake(self) -> None:
        free = self.limit - self.in_flight
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1


class Slot:
    """One call's place in an AdaptiveLimiter."""

    def __init__(self, limiter: AdaptiveLimiter) -> None:
        self._limiter = limiter
        self._epoch = 0

    async def __aenter__(self) -> "Slot":
        self._epoch = await self._limiter.acquire()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limiter.release()

    def complaint(self, retry_after: float | None) -> None:
        self._limiter.complain(self._epoch, retry_after)

    def well(self) -> None:
        self._limiter.praise()

"""Questions at work: as many threads compute as there are cores, more wait their turn or for a model, the rest is refused."""

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Final, Literal

from iris_assets.errors import BusyError

QUEUE: Final = 64  # questions that compute or wait for their turn
GENERATIONS: Final = 48  # questions that wait for a model
GENERATION_WAIT: Final = 10.0  # seconds for which a question waits until another one's model has answered
RETRY_SECONDS: Final = 2
WAITING_STEPS: Final = frozenset({"generation"})  # steps in which a question waits for others and computes nothing

Step = Callable[[str], None]


class ReaderLeft(Exception):
    """Nobody waits for the answer any more."""


@dataclass(frozen=True, slots=True)
class Event:
    """A step begun, the value in the end, or the failure in its place."""

    kind: Literal["step", "value", "failure"]
    what: Any


class Questions:
    """The questions of one process. `begin` refuses at once what would wait too long."""

    def __init__(
        self,
        cores: int | None = None,
        queue: int = QUEUE,
        generations: int = GENERATIONS,
        wait: float = GENERATION_WAIT,
    ) -> None:
        self.turns = threading.Semaphore(cores or os.cpu_count() or 2)
        self.generations = threading.Semaphore(generations)
        self.wait = wait
        self._room = queue
        self._lock = threading.Lock()

    def begin(self, work: Callable[[Step], Any]) -> "Question":
        """`work` in a thread of its own; it tells its steps, and stops at the next one when its reader has left.

        Raises BusyError SERVER_BUSY.
        """
        self.enter()
        question = Question(self, work, asyncio.get_running_loop())
        threading.Thread(target=copy_context().run, args=(question.run,), daemon=True, name="question").start()
        return question

    def enter(self) -> None:
        """Take a place in the queue."""
        with self._lock:
            if self._room <= 0:
                raise busy()
            self._room -= 1

    def leave(self) -> None:
        """Give the place back; who comes back from a model takes one whether there is room or not."""
        with self._lock:
            self._room += 1

    def reenter(self) -> None:
        with self._lock:
            self._room -= 1


class Question:
    """One admitted question; its events are read in the event loop that asked it."""

    def __init__(self, questions: Questions, work: Callable[[Step], Any], loop: asyncio.AbstractEventLoop) -> None:
        self._questions, self._work, self._loop = questions, work, loop
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._left = threading.Event()
        self._waits = False

    async def next(self, seconds: float) -> Event | None:
        """The next event, None when there is none for so long."""
        try:
            return await asyncio.wait_for(self._events.get(), seconds)
        except TimeoutError:
            return None

    def leave(self) -> None:
        """The reader is gone: nothing that was not begun yet is begun."""
        self._left.set()

    def run(self) -> None:
        """The work, in its thread."""
        self._questions.turns.acquire()
        try:
            self._step("begin", told=False)
            self._tell(Event("value", self._work(self._step)))
        except ReaderLeft:
            pass
        except BaseException as error:  # noqa: BLE001 - handed to the loop that waits
            self._tell(Event("failure", error))
        finally:
            if self._waits:
                self._end_waiting()
            self._questions.turns.release()
            self._questions.leave()

    def _step(self, name: str, *, told: bool = True) -> None:
        if self._left.is_set():
            raise ReaderLeft
        if told:
            self._tell(Event("step", name))
        if name in WAITING_STEPS and not self._waits:
            self._begin_waiting()
        elif name not in WAITING_STEPS and self._waits:
            self._end_waiting()
        if self._left.is_set():  # it may have waited long
            raise ReaderLeft

    def _begin_waiting(self) -> None:
        self._questions.turns.release()
        self._questions.leave()
        if not self._questions.generations.acquire(timeout=self._questions.wait):
            self._questions.reenter()
            self._questions.turns.acquire()
            raise busy()
        self._waits = True

    def _end_waiting(self) -> None:
        self._waits = False
        self._questions.generations.release()
        self._questions.reenter()
        self._questions.turns.acquire()

    def _tell(self, event: Event) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server has ended
            self._loop.call_soon_threadsafe(self._events.put_nowait, event)


def busy() -> BusyError:
    """The refusal of a question for which there is no room."""
    return BusyError(
        "SERVER_BUSY",
        "more questions are being answered than this server has room for",
        hint="ask again in a moment",
        details={"retry_after": RETRY_SECONDS},
        retryable=True,
    )

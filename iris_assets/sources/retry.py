"""What is worth another try, and when: the one retry policy of the official hosts."""

import logging
import random
from collections.abc import Callable
from typing import Final

from iris_assets import logs
from iris_assets.errors import IrisAssetsError
from iris_assets.sources.hosts import shown

log = logging.getLogger(__name__)

RETRIED_STATUS: Final = frozenset({429, 500, 502, 503, 504})
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 30.0
FORBIDDEN_WAIT_S: Final = 5.0
LONGEST_RETRY_AFTER_S: Final = 120.0  # a host that asks for more is not waited for


class SourceFault(Exception):
    """One failed try: the typed error that the caller gets when no other try follows."""

    def __init__(self, error: IrisAssetsError, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.status = status
        self.retry_after = retry_after

    @property
    def transient(self) -> bool:
        """True for a lost connection, a timeout and the statuses of RETRIED_STATUS."""
        return self.error.retryable and (self.status is None or self.status in RETRIED_STATUS)


class RetryPlan:
    """Decides after each failed try of one call; `delay` is the pause (seconds) before the next one.

    A stamina back-off hook: it answers False (give up) or 0.0, because the pause itself is made by the
    client, whose sleep can be replaced and whose slot is free while it waits.
    """

    def __init__(self, jitter: Callable[[], float] = random.random) -> None:
        self.delay = 0.0
        self._code = ""
        self._failures = 0
        self._forbidden = False
        self._jitter = jitter

    def __call__(self, fault: Exception) -> bool | float:
        wait = self._wait(fault) if isinstance(fault, SourceFault) else None
        if wait is None:
            return False
        self.delay = wait
        self._code = fault.error.code if isinstance(fault, SourceFault) else ""
        return 0.0

    def log(self, url: str, number: int) -> None:
        """Say that `url` is asked for the `number`th time, and what the last try ended with."""
        logs.event(log, "retry", logging.WARNING, url=shown(url), attempt=number, code=self._code, wait=self.delay)

    def _wait(self, fault: SourceFault) -> float | None:
        if fault.status == 403 and not self._forbidden:
            self._forbidden = True
            return self._asked(fault, FORBIDDEN_WAIT_S)
        if not fault.transient:
            return None
        self._failures += 1
        growing = min(FIRST_WAIT_S * 2 ** (self._failures - 1), LONGEST_WAIT_S)
        return self._asked(fault, growing + growing * self._jitter())

    @staticmethod
    def _asked(fault: SourceFault, otherwise: float) -> float | None:
        if fault.retry_after is None:
            return otherwise
        return fault.retry_after if fault.retry_after <= LONGEST_RETRY_AFTER_S else None

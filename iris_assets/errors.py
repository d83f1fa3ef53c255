"""Typed errors: each carries a stable code and tells the reader what to do."""

from collections.abc import Mapping
from typing import Any


class IrisAssetsError(Exception):
    """Base of every error that we raise on purpose.

    `code` is stable interface (UPPER_SNAKE); `hint` says what to do; `retryable` tells an
    orchestrator whether the same call may succeed later without a change by a human.
    """

    retryable = False

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str = "",
        details: Mapping[str, Any] | None = None,
        retryable: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.details = dict(details or {})
        if retryable is not None:
            self.retryable = retryable

    def __str__(self) -> str:
        text = f"{self.code}: {self.message}"
        return f"{text} ({self.hint})" if self.hint else text

    def __reduce__(self) -> tuple[Any, ...]:
        # Keyword-only arguments do not survive the default pickling across a process border.
        return (_rebuild, (type(self), self.code, self.message, self.hint, self.details, self.retryable))


def _rebuild(
    kind: type[IrisAssetsError], code: str, message: str, hint: str, details: dict[str, Any], retryable: bool
) -> IrisAssetsError:
    return kind(code, message, hint=hint, details=details, retryable=retryable)


class ConfigurationError(IrisAssetsError):
    """A setting or command-line value is wrong; nothing was started."""


class UsageError(IrisAssetsError):
    """A caller's request cannot be understood (unknown UF, unknown source type, empty question)."""


class SourceUnavailableError(IrisAssetsError):
    """An official host did not answer, or refused, after the bounded retries."""

    retryable = True


class SourceContractError(IrisAssetsError):
    """An official source answered something that breaks its contract; a retry does not help."""


class DocumentError(IrisAssetsError):
    """One PDF cannot be read; it costs itself only."""


class StoreError(IrisAssetsError):
    """The store refused or lost a unit of work; what was committed before stays."""


class ModelError(IrisAssetsError):
    """A language-model or embedding endpoint failed or answered something unusable."""


class BusyError(IrisAssetsError):
    """There is no room for the request now; `details["retry_after"]` says in how many seconds to ask again."""


class NotFoundError(IrisAssetsError):
    """The thing asked for by its identifier is not in the store."""

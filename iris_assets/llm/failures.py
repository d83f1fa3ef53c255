"""What went wrong at a model endpoint, decided in one place: stable code, retryable or not, how long to wait."""

import logging
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from iris_assets import logs
from iris_assets.errors import ModelError
from iris_assets.retry_after import parse_retry_after

log = logging.getLogger(__name__)

T = TypeVar("T")

NO_QUOTA: Final = frozenset({"insufficient_quota", "insufficient_balance", "billing_hard_limit_reached"})
RATE_LIMITED: Final = frozenset({"429", "rate_limit_exceeded", "rate_limit_error", "too_many_requests"})
OVERLOADED: Final = frozenset({"500", "502", "503", "504", "529", "overloaded_error", "server_error", "timeout"})
LONGEST_WAIT_SECONDS: Final = 60.0
LONGEST_MESSAGE: Final = 200


def model_error(error: Exception) -> ModelError:
    """The typed error for an exception of the SDK; no key and no text of ours gets into it.

    Retryable: LLM_RATE_LIMITED, LLM_UNAVAILABLE (5xx, no connection), LLM_TIMEOUT. Not: LLM_QUOTA_EXHAUSTED,
    LLM_UNAUTHORIZED, LLM_NOT_FOUND, LLM_BAD_REQUEST, LLM_ANSWER_INVALID.
    """
    import openai

    if isinstance(error, openai.APITimeoutError):
        return ModelError(
            "LLM_TIMEOUT", "the endpoint did not answer in time", hint="try again, or a faster model", retryable=True
        )
    if isinstance(error, openai.APIConnectionError):
        return ModelError(
            "LLM_UNAVAILABLE",
            "the endpoint cannot be reached",
            hint="check the base URL and that the server runs",
            retryable=True,
        )
    if isinstance(error, openai.APIStatusError):
        return _status_error(error)
    return ModelError(
        "LLM_ANSWER_INVALID",
        f"the endpoint's answer cannot be read ({type(error).__name__})",
        hint="check that the base URL is an OpenAI-compatible one",
    )


def _status_error(error: Any) -> ModelError:
    status = int(error.status_code)
    details = {"status": status, "retry_after": parse_retry_after(error.response.headers.get("retry-after"))}
    if status == 429:
        return _too_many(error, details)
    if status == 408 or status == 409 or status >= 500:
        return ModelError("LLM_UNAVAILABLE", f"the endpoint answered {status}", details=details, retryable=True)
    if status == 402:
        return _no_quota(details)
    if status in (401, 403):
        return ModelError(
            "LLM_UNAUTHORIZED", f"the endpoint answered {status}", hint="check the API key", details=details
        )
    message = f"the endpoint answered {status}: {_message(error)}"
    if status in (404, 405, 501):
        return ModelError("LLM_NOT_FOUND", message, hint="check the base URL and the model's name", details=details)
    return ModelError("LLM_BAD_REQUEST", message, hint="check the model and its settings", details=details)


def _too_many(error: Any, details: dict[str, Any]) -> ModelError:
    if NO_QUOTA & {error.code, error.type}:
        return _no_quota(details)
    return ModelError("LLM_RATE_LIMITED", "the endpoint refuses more calls for now", details=details, retryable=True)


def _no_quota(details: dict[str, Any]) -> ModelError:
    return ModelError(
        "LLM_QUOTA_EXHAUSTED",
        "the account at the endpoint has no quota left",
        hint="add credit or use another key, then run again: what is done is kept",
        details=details,
    )


def failure_told(code: object, kind: object, message: object) -> ModelError:
    """The typed error of a failure that came as the body of an answer with status 200."""
    named = {str(code).lower(), str(kind).lower()}
    if named & (NO_QUOTA | {"402"}):
        return _no_quota({})
    if named & RATE_LIMITED:
        return ModelError("LLM_RATE_LIMITED", "the endpoint refuses more calls for now", retryable=True)
    if named & OVERLOADED:
        return ModelError("LLM_UNAVAILABLE", f"the endpoint told {code or kind}", retryable=True)
    said = " ".join(str(message or "no reason given").split())[:LONGEST_MESSAGE]
    return ModelError(
        "LLM_ANSWER_INVALID", f"the endpoint told a failure with status 200: {said}", hint="see what the endpoint says"
    )


def _message(error: Any) -> str:
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(message or "no reason given").split())[:LONGEST_MESSAGE]


def with_retries(call: Callable[[], T], *, attempts: int, seconds: float | None = None, pause: float = 0.5) -> T:
    """The only retry layer: `call` again after a retryable failure, at most `attempts` times and `seconds` in all.

    Raises ModelError.
    """
    import stamina

    # Its default hook prints each retry to stdout, where results go.
    stamina.instrumentation.set_on_retry_hooks(())
    started = time.monotonic()

    def again(error: Exception) -> bool | float:
        if not isinstance(error, ModelError) or not error.retryable:
            return False
        wait = error.details.get("retry_after")
        left = LONGEST_WAIT_SECONDS if seconds is None else seconds - (time.monotonic() - started)
        if wait is None:
            return left > 0
        return float(wait) if wait <= min(left, LONGEST_WAIT_SECONDS) else False

    code = ""
    for attempt in stamina.retry_context(
        on=again, attempts=attempts, timeout=seconds, wait_initial=pause, wait_jitter=pause, wait_max=20.0
    ):
        if attempt.num > 1:
            logs.event(log, "retry", logging.WARNING, attempt=attempt.num, code=code)
        with attempt:
            try:
                return _typed(call)
            except ModelError as error:
                code = error.code
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


def _typed(call: Callable[[], T]) -> T:
    try:
        return call()
    except ModelError:
        raise
    except Exception as error:
        raise model_error(error) from error

"""One question to a chat model over Responses or Chat Completions: typed outcome, time budget, structured output."""

import json
import logging
import threading
import time
from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from pydantic import SecretStr

from iris_assets import logs
from iris_assets.errors import ModelError
from iris_assets.llm import wire
from iris_assets.llm.connection import Endpoint
from iris_assets.llm.failures import with_retries
from iris_assets.llm.wire import Finish, Tokens
from iris_assets.settings import Settings

log = logging.getLogger(__name__)

Api = Literal["responses", "chat", "auto"]

BUDGET_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    `finish` is `stop` (complete), `length` (cut by the token limit), `refusal`, `content_filter` or `incomplete`.
    `latency` is in seconds, retries included; `api` the interface that answered.
    """

    text: str
    finish: Finish
    tokens: Tokens
    model: str
    latency: float
    api: str

    @property
    def problem(self) -> str | None:
        """LLM_REFUSED, LLM_EMPTY or LLM_TRUNCATED; None for a whole answer."""
        if self.finish in ("refusal", "content_filter"):
            return "LLM_REFUSED"
        if not self.text.strip():
            return "LLM_EMPTY"
        return None if self.finish == "stop" else "LLM_TRUNCATED"

    def require_complete(self) -> "Completion":
        """Itself, or ModelError with the code of the problem."""
        if self.problem is not None:
            raise ModelError(self.problem, f"the model's answer ended as {self.finish}", hint=_HINTS[self.problem])
        return self

    def data(self) -> Any:
        """The JSON value of a structured answer. Raises ModelError with the code of `problem`, or LLM_NOT_JSON."""
        text = self.require_complete().text.strip()
        if text.startswith("```") and text.endswith("```"):
            text = text.strip("`").removeprefix("json")
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ModelError("LLM_NOT_JSON", "the structured answer is not JSON", hint="ask again") from error


_HINTS: Final = {
    "LLM_REFUSED": "the model declined; another wording or model may answer",
    "LLM_EMPTY": "ask again with a larger LLM_MAX_OUTPUT_TOKENS",
    "LLM_TRUNCATED": "ask again with a larger LLM_MAX_OUTPUT_TOKENS",
}


class ChatClient:
    """One chat model at one endpoint; thread-safe. With `auto` the interface is found at the first call and kept."""

    def __init__(
        self,
        base_url: str | None,
        api_key: SecretStr | str | None,
        model: str,
        *,
        api: Api = "auto",
        attempts: int = 4,
        budget: float = BUDGET_SECONDS,
        pause: float = 0.5,
    ) -> None:
        key = SecretStr(api_key) if isinstance(api_key, str) else api_key
        self._endpoint = Endpoint(base_url, key, budget)
        self.model = model
        self.identity = f"{model} {base_url or ''}"  # whose texts these are
        self._attempts, self._budget, self._pause = attempts, budget, pause
        self._options = wire.Options(
            api=api, limit_name="max_completion_tokens" if self._endpoint.is_openai else "max_tokens"
        )

    @classmethod
    def from_settings(cls, settings: Settings) -> "ChatClient | None":
        """The model of LLM_*, or None when neither a key nor a base URL is set."""
        if settings.llm_api_key is None and settings.llm_base_url is None:
            return None
        return cls(
            settings.llm_base_url,
            settings.llm_api_key,
            settings.llm_model,
            api=settings.llm_api,
            attempts=settings.http_max_retries,
        )

    def complete(
        self,
        system: str,
        user: str,
        *,
        max_output_tokens: int,
        schema: Mapping[str, Any] | None = None,
        budget: float | None = None,
    ) -> Completion:
        """The model's answer within `budget` seconds (retries included); nothing is kept at the provider.

        `schema` (JSON Schema) asks for structured output; read it with `Completion.data()`. An answer that is cut,
        empty or refused is returned as such. Raises ModelError: LLM_TIMEOUT, LLM_RATE_LIMITED, LLM_QUOTA_EXHAUSTED,
        LLM_UNAVAILABLE, LLM_UNAUTHORIZED, LLM_NOT_FOUND, LLM_BAD_REQUEST, LLM_ANSWER_INVALID.
        """
        seconds = self._budget if budget is None else budget
        ask = wire.Ask(self.model, system, user, max_output_tokens, schema)
        started = time.monotonic()
        about = {"model": self.model, "url": self._endpoint.shown}
        with logs.about(**about), logs.timed(log, "model call") as said:
            answer, api = _within(seconds, lambda: self._negotiate(ask, started + seconds))
            said |= {"api": api, "finish": answer.finish}
            said |= {"input_tokens": answer.tokens.input, "output_tokens": answer.tokens.output}
        return Completion(
            answer.text, answer.finish, answer.tokens, answer.model or self.model, time.monotonic() - started, api
        )

    def _negotiate(self, ask: wire.Ask, deadline: float) -> tuple[wire.Answer, str]:
        """Ask; when the server does not know a part of the request, ask in the older way and remember it."""
        first = self._options
        while True:
            options = self._options
            try:
                answer = self._call(ask, options, deadline)
            except ModelError as error:
                older = wire.older(options, error)
                if older is None:
                    if error.details.get("status") in wire.NO_SUCH_ROUTE:
                        self._options = first  # neither interface: nothing is known of this server
                    raise
                self._options = older
                continue
            # The first interface that answers is the server's: later failures no longer look for another.
            self._options = replace(self._options, api=options.interface)
            return answer, options.interface

    def _call(self, ask: wire.Ask, options: wire.Options, deadline: float) -> wire.Answer:
        left = deadline - time.monotonic()

        def call() -> wire.Answer:
            timeout = max(deadline - time.monotonic(), 0.001)
            return wire.send(self._endpoint.client, ask, options, timeout)

        return with_retries(call, attempts=self._attempts, seconds=max(left, 0.001), pause=self._pause)


def _within(seconds: float, work: Any) -> Any:
    """`work()` in at most `seconds`: a server that sends a byte a second must hold nobody longer."""
    outcome: list[tuple[bool, Any]] = []

    def run() -> None:
        try:
            outcome.append((True, work()))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            outcome.append((False, error))

    worker = threading.Thread(target=copy_context().run, args=(run,), daemon=True, name="chat")
    worker.start()
    worker.join(seconds)
    if not outcome:
        raise ModelError("LLM_TIMEOUT", f"no answer within {seconds:g} s", hint="try again later", retryable=True)
    succeeded, value = outcome[0]
    if not succeeded:
        raise value
    return value

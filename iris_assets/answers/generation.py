"""One model call with one larger retry, inside a time budget: text, or the reason why there is none."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from iris_assets.answers.prompts import Prompt
from iris_assets.errors import ModelError

LARGEST_OUTPUT = 8000
BUDGET_SECONDS = 60.0


class Completed(Protocol):
    """What a chat client gives back; `problem` is the code of why it is not usable (LLM_REFUSED, …)."""

    @property
    def text(self) -> str: ...

    @property
    def problem(self) -> str | None: ...

    @property
    def model(self) -> str: ...

    def data(self) -> Any: ...


class Chat(Protocol):
    """The chat client of `llm`, as far as answers need it: an answer or a ModelError within `budget` seconds."""

    @property
    def identity(self) -> str: ...

    def complete(
        self,
        system: str,
        user: str,
        *,
        max_output_tokens: int,
        schema: Mapping[str, Any] | None = None,
        budget: float | None = None,
    ) -> Completed: ...


@dataclass(frozen=True, slots=True)
class Generated:
    """`text` is None when nothing usable came; `problem` is then the stable code of why."""

    text: str | None
    problem: str | None
    model: str | None
    seconds: float


class Generator:
    """Asks the model; a slow, failing, refusing or truncating one costs at most the budget.

    The client keeps the time: it is told what is left of the budget, and there is no second timer.
    """

    def __init__(self, chat: Chat, prompt: Prompt, max_output_tokens: int, budget: float = BUDGET_SECONDS) -> None:
        self._chat = chat
        self._prompt = prompt
        self._limit = max_output_tokens
        self._budget = budget

    @property
    def identity(self) -> str:
        """Whose texts these are: another model at another place writes another answer."""
        return f"{self._chat.identity} {self._limit}"

    def generate(self, user: str, before_call: Callable[[], None] = lambda: None) -> Generated:
        """The model's text for a user message (context and question); `before_call` may raise in place of a paid call."""
        started = time.monotonic()
        text, problem, model = self._attempts(user, started + self._budget, before_call)
        return Generated(text, problem, model, time.monotonic() - started)

    def _attempts(
        self, user: str, deadline: float, before_call: Callable[[], None]
    ) -> tuple[str | None, str | None, str | None]:
        larger = min(max(2 * self._limit, 4000), LARGEST_OUTPUT)
        problem, model = None, None
        for limit in (self._limit, larger):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            before_call()
            try:
                completion = self._chat.complete(self._prompt.text, user, max_output_tokens=limit, budget=left)
            except ModelError as error:
                return None, error.code, model
            model, problem = completion.model, completion.problem
            if problem is None:
                return completion.text, None, model
            if problem == "LLM_REFUSED":
                break
        return None, problem or "LLM_TIMEOUT", model

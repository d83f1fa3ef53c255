"""One model call with one larger retry, inside a time budget: text, or the reason why there is none."""

import threading
import time
from dataclasses import dataclass
from typing import Protocol

from iris_assets.answers.prompts import Prompt
from iris_assets.errors import ModelError

LARGEST_OUTPUT = 8000
BUDGET_SECONDS = 60.0
COMPLETE = frozenset({"stop", "completed", "end_turn"})
REFUSED = frozenset({"refusal", "content_filter"})


class Completed(Protocol):
    """What a chat client gives back."""

    @property
    def text(self) -> str: ...

    @property
    def finish(self) -> str: ...

    @property
    def model(self) -> str: ...


class Chat(Protocol):
    """The chat client of `llm`, as far as answers need it; raises ModelError."""

    def complete(self, system: str, user: str, *, max_output_tokens: int) -> Completed: ...


@dataclass(frozen=True, slots=True)
class Generated:
    """`text` is None when nothing usable came; `problem` is then the stable code of why."""

    text: str | None
    problem: str | None
    model: str | None
    seconds: float


class Generator:
    """Asks the model; a slow, failing, refusing or truncating one costs at most the budget."""

    def __init__(self, chat: Chat, prompt: Prompt, max_output_tokens: int, budget: float = BUDGET_SECONDS) -> None:
        self._chat = chat
        self._prompt = prompt
        self._limit = max_output_tokens
        self._budget = budget

    def generate(self, user: str) -> Generated:
        """The model's text for a user message (context and question)."""
        started = time.monotonic()
        outcome: list[tuple[str | None, str | None, str | None]] = []
        # A daemon thread: a server that never answers must hold neither the caller nor the end of the process.
        worker = threading.Thread(target=lambda: outcome.append(self._attempts(user, started)), daemon=True)
        worker.start()
        worker.join(self._budget)
        text, problem, model = outcome[0] if outcome else (None, "PROVIDER_TIMEOUT", None)
        return Generated(text, problem, model, time.monotonic() - started)

    def _attempts(self, user: str, started: float) -> tuple[str | None, str | None, str | None]:
        larger = min(max(2 * self._limit, 4000), LARGEST_OUTPUT)
        problem, model = None, None
        for limit in (self._limit, larger):
            if time.monotonic() - started > self._budget:
                break
            try:
                completion = self._chat.complete(self._prompt.text, user, max_output_tokens=limit)
            except ModelError as error:
                return None, error.code, model
            model, problem = completion.model, _problem(completion)
            if problem is None:
                return completion.text, None, model
            if problem == "PROVIDER_REFUSED":
                break
        return None, problem or "PROVIDER_TIMEOUT", model


def _problem(completion: Completed) -> str | None:
    if completion.finish in REFUSED:
        return "PROVIDER_REFUSED"
    if not completion.text.strip():
        return "ANSWER_EMPTY"
    return None if completion.finish in COMPLETE else "ANSWER_INCOMPLETE"

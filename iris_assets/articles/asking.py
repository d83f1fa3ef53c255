"""One question to the primary model, then to the fallback: schema and grounding decide who is believed."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from iris_assets.articles.configuration import Operation
from iris_assets.articles.contracts import CONTRACTS, AttemptRecord
from iris_assets.articles.prompts import load
from iris_assets.errors import ConfigurationError, ModelError
from iris_assets.llm.roles import FALLBACK, PRIMARY, Attempt, RoleGateway

Result = TypeVar("Result")
ROLES: Final = (PRIMARY, FALLBACK)


@dataclass(slots=True)
class Asker:
    """Asks by role and keeps every attempt."""

    gateway: RoleGateway
    operation: Operation
    attempts: list[AttemptRecord] = field(default_factory=list)

    def ask(self, step: str, material: Any, check: Callable[[Any], Result]) -> tuple[Result, str]:
        """(what `check` makes of the first believable answer, the role that gave it).

        Raises ModelError with the code of the last failure when neither role is believable.
        """
        problem: ModelError | ConfigurationError | None = None
        for role in ROLES:
            try:
                return self._role(step, role, material, check), role
            except (ModelError, ConfigurationError) as error:
                problem = error
        assert problem is not None
        raise ModelError(problem.code, f"{step}: neither model gave a usable answer", hint=problem.hint)

    def _role(self, step: str, role: str, material: Any, check: Callable[[Any], Result]) -> Result:
        prompt = load(step)
        try:
            answer = self.gateway.complete(
                role,
                prompt.text,
                json.dumps(material, ensure_ascii=False),
                schema=prompt.schema(),
                seconds=self.operation.call_seconds,
            )
        except ModelError as error:
            self._note(step, error.details.get("attempts", ()))
            raise
        except ConfigurationError as error:
            self.attempts.append(_unasked(step, role, self.gateway, error.code))
            raise
        self._note(step, answer.attempts)
        try:
            return check(_typed(CONTRACTS[prompt.contract], answer.data))
        except ModelError as error:
            self.attempts[-1] = self.attempts[-1].model_copy(update={"status": error.code})
            raise

    def _note(self, step: str, attempts: tuple[Attempt, ...]) -> None:
        for item in attempts:
            self.attempts.append(
                AttemptRecord(
                    step=step, role=item.role, provider=item.provider, model=item.model, number=item.number,
                    status=item.status, input_tokens=item.tokens.input, output_tokens=item.tokens.output,
                    cost=item.cost, latency=round(item.latency, 6),
                )
            )  # fmt: skip


def _unasked(step: str, role: str, gateway: RoleGateway, code: str) -> AttemptRecord:
    config = gateway.roles.roles[role]
    return AttemptRecord(
        step=step, role=role, provider=config.provider, model=config.model, number=1, status=code,
        input_tokens=0, output_tokens=0, cost=None, latency=0.0,
    )  # fmt: skip


def _typed(contract: type[BaseModel], data: Any) -> BaseModel:
    try:
        return contract.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise ModelError(
            "ANSWER_SCHEMA_INVALID", f"the answer breaks its schema in {error.error_count()} places"
        ) from None
    except (ValueError, RecursionError):  # nested too deep to be written down
        raise ModelError("ANSWER_SCHEMA_INVALID", "the answer cannot be read as its schema") from None

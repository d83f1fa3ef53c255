"""Models by role: which endpoint and model play `runtime_primary` and `runtime_fallback`, and what an attempt cost."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from iris_assets.errors import ConfigurationError, ModelError
from iris_assets.llm.chat import ChatClient, Completion
from iris_assets.llm.failures import with_retries
from iris_assets.llm.wire import Tokens
from iris_assets.settings import read_environment

PRIMARY: Final = "runtime_primary"
FALLBACK: Final = "runtime_fallback"
RETRY_EMPTY: Final = "LLM_EMPTY"


class RoleConfig(BaseModel):
    """One role. `key_variable` names the environment variable with the key (empty: the endpoint needs none).

    Prices are US dollars per million tokens; None = unknown, then no cost is reported.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: str
    base_url: str = Field(pattern=r"^https?://")
    key_variable: str = ""
    model: str
    api: Literal["responses", "chat", "auto"] = "chat"
    input_price: float | None = Field(None, ge=0)
    output_price: float | None = Field(None, ge=0)


class RolesConfig(BaseModel):
    """The versioned configuration of the roles; only models on `certified` are accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    certified: tuple[str, ...]
    roles: dict[str, RoleConfig]


# Prices as listed by the providers in 2026; they change, and only the reported cost depends on them.
DEFAULT_ROLES: Final = RolesConfig(
    version="1.0.0",
    certified=("openai/gpt-oss-20b", "deepseek-v4-flash"),
    roles={
        PRIMARY: RoleConfig(
            provider="groq",
            base_url="https://api.groq.com/openai/v1",
            key_variable="GROQ_API_KEY",
            model="openai/gpt-oss-20b",
            input_price=0.075,
            output_price=0.30,
        ),
        FALLBACK: RoleConfig(
            provider="deepseek",
            base_url="https://api.deepseek.com",
            key_variable="DEEPSEEK_API_KEY",
            model="deepseek-v4-flash",
            input_price=0.14,
            output_price=0.28,
        ),
    },
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call: `status` is `ok` or the code of the failure; `latency` in seconds, `cost` in US dollars or None."""

    role: str
    provider: str
    model: str
    number: int
    status: str
    tokens: Tokens
    cost: float | None
    latency: float


@dataclass(frozen=True, slots=True)
class RoleAnswer:
    """What a role answered: the structured value, the completion, and every attempt that led there."""

    data: Any
    completion: Completion
    attempts: tuple[Attempt, ...]

    @property
    def cost(self) -> float | None:
        """US dollars of all attempts; None when a price is unknown."""
        costs = [attempt.cost for attempt in self.attempts]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


@dataclass(slots=True)
class _Call:
    """The attempts of one question, also kept when it fails."""

    role: str
    config: RoleConfig
    attempts: list[Attempt] = field(default_factory=list)

    def note(self, status: str, tokens: Tokens, latency: float) -> None:
        number = len(self.attempts) + 1
        cost = _cost(self.config, tokens)
        self.attempts.append(
            Attempt(self.role, self.config.provider, self.config.model, number, status, tokens, cost, latency)
        )


def load_roles(config: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> RolesConfig:
    """The roles of a versioned configuration (default: DEFAULT_ROLES), with `<ROLE>_BASE_URL` and `<ROLE>_MODEL` of
    the environment over it.

    Raises ConfigurationError ROLES_INVALID, ROLE_MISSING, MODEL_NOT_CERTIFIED.
    """
    environment = read_environment() if environment is None else environment
    try:
        loaded = DEFAULT_ROLES if config is None else RolesConfig.model_validate(config)
        roles = {name: _overridden(name, role, environment) for name, role in loaded.roles.items()}
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError("ROLES_INVALID", f"{place}: {first['msg']}", hint="correct the roles") from None
    for name in (PRIMARY, FALLBACK):
        if name not in roles:
            raise ConfigurationError("ROLE_MISSING", f"no model is configured for {name}", hint="add the role")
    for name, role in roles.items():
        if role.model not in loaded.certified:
            raise ConfigurationError(
                "MODEL_NOT_CERTIFIED",
                f"{name}: {role.model} is not on the certified list",
                hint=f"use one of: {', '.join(loaded.certified)}",
            )
    return loaded.model_copy(update={"roles": roles})


def _overridden(name: str, role: RoleConfig, environment: Mapping[str, str]) -> RoleConfig:
    given = {key: environment.get(f"{name}_{key}".upper(), "").strip() for key in ("base_url", "model")}
    return RoleConfig.model_validate({**role.model_dump(), **{key: value for key, value in given.items() if value}})


class RoleGateway:
    """Asks the model of a role; the caller decides when another role takes over. Thread-safe."""

    def __init__(
        self,
        roles: RolesConfig,
        *,
        environment: Mapping[str, str] | None = None,
        attempts: int = 3,
        pause: float = 0.5,
    ) -> None:
        self.roles = roles
        self._environment = read_environment() if environment is None else environment
        self._attempts, self._pause = attempts, pause
        self._clients: dict[str, ChatClient] = {}

    def complete(
        self,
        role: str,
        system: str,
        user: str,
        *,
        schema: Mapping[str, Any],
        max_output_tokens: int = 4000,
        seconds: float = 60.0,
    ) -> RoleAnswer:
        """Structured output of the role's model within `seconds`, passing failures and empty answers tried again.

        Raises ModelError (its `details["attempts"]` holds the Attempts): the codes of ChatClient, LLM_REFUSED,
        LLM_TRUNCATED, LLM_EMPTY, LLM_NOT_JSON, MODEL_NOT_SERVED; ConfigurationError ROLE_KEY_MISSING.
        """
        client, call = self._client(role), _Call(role, self.roles.roles[role])
        deadline = time.monotonic() + seconds

        def ask() -> tuple[Any, Completion]:
            return _asked(client, call, system, user, schema, max_output_tokens, deadline)

        try:
            data, completion = with_retries(ask, attempts=self._attempts, seconds=seconds, pause=self._pause)
        except ModelError as error:
            error.details["attempts"] = tuple(call.attempts)
            raise
        return RoleAnswer(data, completion, tuple(call.attempts))

    def _client(self, role: str) -> ChatClient:
        if role not in self._clients:
            config = self.roles.roles[role]
            key = self._environment.get(config.key_variable, "").strip() if config.key_variable else ""
            if config.key_variable and not key:
                raise ConfigurationError(
                    "ROLE_KEY_MISSING", f"{role} has no key", hint=f"set {config.key_variable} in the environment"
                )
            secret = SecretStr(key) if key else None
            self._clients[role] = ChatClient(config.base_url, secret, config.model, api=config.api, attempts=1)
        return self._clients[role]


def _asked(
    client: ChatClient,
    call: _Call,
    system: str,
    user: str,
    schema: Mapping[str, Any],
    max_output_tokens: int,
    deadline: float,
) -> tuple[Any, Completion]:
    started = time.monotonic()
    try:
        completion = client.complete(
            system, user, max_output_tokens=max_output_tokens, schema=schema, budget=max(deadline - started, 0.001)
        )
    except ModelError as error:
        call.note(error.code, Tokens(), time.monotonic() - started)
        raise
    try:
        _check_served(call.config.model, completion.model)
        data = completion.data()
    except ModelError as error:
        call.note(error.code, completion.tokens, completion.latency)
        error.retryable = error.code == RETRY_EMPTY  # technically empty; another decision is never asked for
        raise
    call.note("ok", completion.tokens, completion.latency)
    return data, completion


def _check_served(certified: str, served: str) -> None:
    """A server may leave out the maker's prefix or add a date; another name is another model, which nobody certified."""
    asked, told = certified.casefold().rpartition("/")[2], served.casefold().rpartition("/")[2]
    if told != asked and not told.startswith((f"{asked}-", f"{asked}:", f"{asked}@")):
        raise ModelError(
            "MODEL_NOT_SERVED",
            f"asked for {certified}, answered by another model",
            hint="check what the endpoint serves under that name",
        )


def _cost(config: RoleConfig, tokens: Tokens) -> float | None:
    if config.input_price is None or config.output_price is None:
        return None
    return (tokens.input * config.input_price + tokens.output * config.output_price) / 1_000_000

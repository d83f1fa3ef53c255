"""The versioned functional configuration of the runtime: thresholds, limits, models by role."""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from iris_assets.errors import ConfigurationError
from iris_assets.llm.roles import RolesConfig, load_roles


class Thresholds(BaseModel):
    """What is measured on the golden set and stored beside it; a change gives another fingerprint."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    minimum_characters: int = Field(200, ge=1)  # of the selected extractor's text
    minimum_kept_share: float = Field(0.6, ge=0, le=1)  # of what the extractors agree on
    repair_similarity: float = Field(80.0, ge=0, le=100)  # rapidfuzz ratio of fragment and replacement


class Operation(BaseModel):
    """Operational settings; they stay out of the fingerprint."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    call_seconds: float = Field(60.0, gt=0)
    attempts: int = Field(3, ge=1, le=10)
    pause: float = Field(0.5, ge=0)
    busy_timeout_seconds: float = Field(30.0, gt=0)
    flush_seconds: float = Field(2.0, gt=0, le=2.0)
    telemetry_text: bool = False  # whether title and rationale may leave in telemetry; no other text ever does


class RuntimeConfig(BaseModel):
    """Everything the runtime is told besides article, profile and secrets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str = "1.0.0"
    thresholds: Thresholds = Thresholds.model_construct()
    operation: Operation = Operation.model_construct()
    role_settings: dict[str, Any] | None = None  # as written; None: the roles of the package
    roles: RolesConfig | None = None  # once `certified` accepted them


def read_config(path: Path | None = None) -> RuntimeConfig:
    """The configuration of a JSON file, or the one in the package; its models are not yet accepted.

    Raises ConfigurationError RUNTIME_CONFIG_INVALID.
    """
    try:
        data: dict[str, Any] = json.loads(path.read_text("utf-8") if path else _packaged())
        roles = data.pop("roles", None)
        sections = {name: data.get(name, {}) for name in ("thresholds", "operation")}
        return RuntimeConfig.model_validate({**data, **sections, "role_settings": roles})
    except (OSError, ValueError, ValidationError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            "RUNTIME_CONFIG_INVALID", f"the configuration cannot be read ({type(error).__name__})", hint="correct it"
        ) from None


def certified(config: RuntimeConfig, environment: Mapping[str, str] | None = None) -> RuntimeConfig:
    """The same with its roles, certified models only. Raises ConfigurationError with the codes of `load_roles`."""
    if config.roles is not None:
        return config
    return config.model_copy(update={"roles": load_roles(config.role_settings, environment)})


def load_config(path: Path | None = None, environment: Mapping[str, str] | None = None) -> RuntimeConfig:
    """A configuration that is read and certified at once."""
    return certified(read_config(path), environment)


def _packaged() -> str:
    return files("iris_assets.articles").joinpath("runtime.json").read_text("utf-8")

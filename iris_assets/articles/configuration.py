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
    gate_confidence: float = Field(0.5, ge=0, le=1)


class Operation(BaseModel):
    """Operational settings; they stay out of the fingerprint."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    call_seconds: float = Field(60.0, gt=0)
    attempts: int = Field(3, ge=1, le=10)
    pause: float = Field(0.5, ge=0)
    busy_timeout_seconds: float = Field(30.0, gt=0)
    flush_seconds: float = Field(2.0, gt=0, le=2.0)


class RuntimeConfig(BaseModel):
    """Everything the runtime is told besides article, profile and secrets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str = "1.0.0"
    thresholds: Thresholds = Thresholds.model_construct()
    operation: Operation = Operation.model_construct()
    roles: RolesConfig | None = None


def load_config(path: Path | None = None, environment: Mapping[str, str] | None = None) -> RuntimeConfig:
    """The configuration of a JSON file, or the one in the package, with certified models only.

    Raises ConfigurationError RUNTIME_CONFIG_INVALID, MODEL_NOT_CERTIFIED and the other codes of `load_roles`.
    """
    try:
        text = path.read_text("utf-8") if path else _packaged()
        data: dict[str, Any] = json.loads(text)
        roles = load_roles(data.pop("roles", None), environment)
        config = RuntimeConfig.model_validate({**data, "thresholds": data.get("thresholds", {}),
                                               "operation": data.get("operation", {})})  # fmt: skip
    except (OSError, ValueError, ValidationError, AttributeError) as error:
        raise ConfigurationError(
            "RUNTIME_CONFIG_INVALID", f"the configuration cannot be read ({type(error).__name__})", hint="correct it"
        ) from None
    return config.model_copy(update={"roles": roles})


def _packaged() -> str:
    return files("iris_assets.articles").joinpath("runtime.json").read_text("utf-8")

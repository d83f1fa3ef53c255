"""Prompts as files: name, semantic version, schema and hash, the same at run time and in evaluation."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from iris_assets.articles.contracts import CONTRACTS

NAMES: Final = ("hygiene", "gate", "enrichment")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file."""

    name: str
    version: str
    hash: str
    contract: str
    text: str

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the answer: closed, every property required, as strict structured output wants it."""
        closed: dict[str, Any] = strict(CONTRACTS[self.contract].model_json_schema())
        return closed

    @property
    def stamp(self) -> str:
        """`version+hash`, as it stands in fingerprints and manifests."""
        return f"{self.version}+{self.hash[:12]}"


@cache
def load(name: str) -> Prompt:
    """The prompt of that name."""
    raw = files("iris_assets.articles").joinpath("prompts", f"{name}.md").read_text("utf-8")
    _, head, text = raw.split("---\n", 2)
    facts = dict(line.split(": ", 1) for line in head.strip().splitlines())
    return Prompt(facts["name"], facts["version"], sha256(raw.encode()).hexdigest(), facts["schema"], text.strip())


def strict(schema: Any) -> Any:
    """A JSON Schema without defaults and titles, in which objects are closed and need all their properties."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    cleaned = {key: strict(value) for key, value in schema.items() if key not in ("default", "title")}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        cleaned["properties"] = {key: strict(value) for key, value in properties.items()}
        cleaned["required"] = list(properties)
        cleaned["additionalProperties"] = False
    return cleaned

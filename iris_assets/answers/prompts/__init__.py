"""Versioned prompt files: each has a name, a semantic version and a hash that is recorded with every answer."""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from iris_assets.errors import ConfigurationError

_FOLDER = Path(__file__).parent
_FILE = re.compile(r"---\nname: (?P<name>[a-z_]+)\nversion: (?P<version>\d+\.\d+\.\d+)\n---\n(?P<text>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system prompt; `hash` is the SHA-256 of its whole file."""

    name: str
    version: str
    hash: str
    text: str


@lru_cache
def load_prompt(name: str) -> Prompt:
    """The prompt file `name`.md; ConfigurationError PROMPT_INVALID when its head is missing."""
    data = (_FOLDER / f"{name}.md").read_bytes()
    match = _FILE.fullmatch(data.decode("utf-8"))
    if match is None:
        raise ConfigurationError(
            "PROMPT_INVALID", f"prompt {name} has no head", hint="name and semantic version between --- lines"
        )
    return Prompt(match["name"], match["version"], hashlib.sha256(data).hexdigest(), match["text"].strip())

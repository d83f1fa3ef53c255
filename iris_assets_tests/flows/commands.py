"""Runs the command line as a user does: a process of its own, an environment without anybody's keys."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEYS = ("LLM_API_KEY", "LLM_BASE_URL", "EMBEDDING_API_KEY", "EMBEDDING_BASE_URL", "DATABASE_URL", "DAGSTER_HOME")


@dataclass(frozen=True)
class Done:
    """What a command left: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(**extra: str) -> dict[str, str]:
    """The tests' environment without model keys, with OCR off unless a test turns it on."""
    base = {name: value for name, value in os.environ.items() if name not in KEYS}
    return {**base, "OCR": "off", "DAGSTER_DISABLE_TELEMETRY": "1", **extra}


def command_line(arguments: Sequence[str | Path]) -> list[str]:
    return [sys.executable, "-m", "iris_assets.cli", *map(str, arguments)]


def iris_assets(*arguments: str | Path, cwd: Path, timeout: float = 300, **extra: str) -> Done:
    """Run one command to its end."""
    done = subprocess.run(
        command_line(arguments),
        cwd=cwd,
        env=environment(**extra),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)

"""What the simulator answers, before a transport or a loopback server carries it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. `declared`: the Content-Length to state when it is not that of `body` (a cut transfer)."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    declared: int | None = None


def json_reply(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return Reply(status, body, {"Content-Type": "application/json;charset=UTF-8", **(headers or {})})


def html_reply(status: int, title: str) -> Reply:
    body = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
    return Reply(status, body.encode("utf-8"), {"Content-Type": "text/html; charset=utf-8"})

"""What a run tells about itself: JSON log lines, spans and generations; events wait in the state file until sent."""

import base64
import http.client
import json
import os
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TextIO
from urllib.parse import urlsplit

from iris_assets.articles.state import StateStore, now

INGESTION: Final = "/api/public/ingestion"  # Langfuse's public batch interface
BATCH: Final = 200


@dataclass(slots=True)
class Telemetry:
    """Of one run; nothing in it holds text of an article or of an answer."""

    trace_id: str
    stream: TextIO | None = None
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    fingerprint: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)

    def log(self, event: str, *, level: str = "INFO", **facts: Any) -> None:
        """One JSON line on the stream (default stderr)."""
        line = {"timestamp": now(), "level": level, "run_id": self.run_id, "fingerprint": self.fingerprint,
                "event": event, **facts}  # fmt: skip
        print(json.dumps(line, ensure_ascii=False), file=self.stream or sys.stderr, flush=True)

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """A step; `name` is fixed, never a model, URL or id."""
        started, clock = now(), time.monotonic()
        try:
            yield
        finally:
            body = {"id": uuid.uuid4().hex, "traceId": self.trace_id, "name": name, "startTime": started,
                    "endTime": now(), "metadata": {"seconds": round(time.monotonic() - clock, 6)}}  # fmt: skip
            self.events.append(_event("span-create", body))

    def generation(self, step: str, facts: Mapping[str, Any]) -> None:
        """One attempt of a model."""
        body = {"id": uuid.uuid4().hex, "traceId": self.trace_id, "name": step, "model": facts["model"],
                "usage": {"input": facts["input_tokens"], "output": facts["output_tokens"]},
                "metadata": {key: facts[key] for key in ("role", "status", "number", "latency", "cost")}}  # fmt: skip
        self.events.append(_event("generation-create", body))

    def finish(self, status: str, error_code: str | None) -> None:
        """The trace itself: outcome without text."""
        body = {"id": self.trace_id, "name": "article",
                "metadata": {"run_id": self.run_id, "status": status, "error_code": error_code}}  # fmt: skip
        self.events.append(_event("trace-create", body))


def _event(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"id": uuid.uuid4().hex, "type": kind, "timestamp": now(), "body": body}


def flush(telemetry: Telemetry, state: StateStore, seconds: float) -> bool:
    """Keep the events in the state file and send them for at most `seconds`; True when they arrived."""
    ids = state.add_events(telemetry.events)
    batch = list(zip(ids, telemetry.events, strict=True))
    telemetry.events = []
    return _send_within(batch, state, seconds, telemetry)


def _send_within(
    batch: list[tuple[int, dict[str, Any]]], state: StateStore, seconds: float, telemetry: Telemetry | None = None
) -> bool:
    """A silent host holds nobody longer: the sender is a daemon thread that is left behind."""
    if not batch or not os.environ.get("LANGFUSE_HOST"):
        return False
    arrived = threading.Event()

    def send() -> None:
        try:
            if _post([body for _, body in batch], seconds):
                arrived.set()
        except (OSError, http.client.HTTPException, ValueError):
            return  # reported below: the events stay pending

    threading.Thread(target=send, daemon=True, name="langfuse").start()
    if not arrived.wait(seconds):
        if telemetry is not None:
            telemetry.log("telemetry_pending", level="WARNING", error_code="TELEMETRY_UNSENT", events=len(batch))
        return False
    state.mark_sent([key for key, _ in batch])
    return True


def _post(events: list[dict[str, Any]], seconds: float) -> bool:
    parts = urlsplit(os.environ["LANGFUSE_HOST"])
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=seconds)
    pair = f"{os.environ.get('LANGFUSE_PUBLIC_KEY', '')}:{os.environ.get('LANGFUSE_SECRET_KEY', '')}"
    headers = {"Content-Type": "application/json", "Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    try:
        connection.request("POST", parts.path.rstrip("/") + INGESTION, json.dumps({"batch": events}), headers)
        return connection.getresponse().status in (200, 201, 207)
    finally:
        connection.close()


def resend(state: StateStore, seconds: float = 10.0) -> dict[str, int]:
    """Send what is pending, oldest first: {"sent", "pending"}."""
    sent = 0
    while batch := state.pending_events(BATCH):
        if not _send_within(batch, state, seconds):
            break
        sent += len(batch)
    return {"sent": sent, "pending": len(state.pending_events(1_000_000))}

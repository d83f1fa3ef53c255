"""What a run tells about itself: JSON log lines, spans and generations; events wait in the state file until sent."""

import base64
import http.client
import json
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
HOST: Final = "LANGFUSE_HOST"

Events = list[tuple[int, dict[str, Any]]]


@dataclass(slots=True)
class Telemetry:
    """Of one run; nothing in it holds text of an article or of an answer, unless `finish` is given some."""

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

    def generation(self, facts: Mapping[str, Any], prompt: str) -> None:
        """One attempt of a model: an event and a log line."""
        step, failed = facts["step"], facts["status"] != "ok"
        body = {"id": uuid.uuid4().hex, "traceId": self.trace_id, "name": step, "model": facts["model"],
                "usage": {"input": facts["input_tokens"], "output": facts["output_tokens"]},
                "metadata": {key: facts[key] for key in ("role", "status", "number", "latency", "cost")}}  # fmt: skip
        self.events.append(_event("generation-create", body))
        self.log("attempt", level="WARNING" if failed else "INFO", step=step, provider=facts["provider"],
                 model=facts["model"], prompt=prompt, duration=facts["latency"],
                 error_code=facts["status"] if failed else None)  # fmt: skip

    def finish(self, status: str, error_code: str | None, text: Mapping[str, Any] | None = None) -> None:
        """The trace itself: the outcome, and text only when it is given."""
        body = {"id": self.trace_id, "name": "article", **(text or {}),
                "metadata": {"run_id": self.run_id, "status": status, "error_code": error_code}}  # fmt: skip
        self.events.append(_event("trace-create", body))


def _event(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"id": uuid.uuid4().hex, "type": kind, "timestamp": now(), "body": body}


def flush(telemetry: Telemetry, state: StateStore, environment: Mapping[str, str], seconds: float) -> None:
    """Keep the events in the state file and send them for at most `seconds`; 0 only keeps them."""
    batch = list(zip(state.add_events(telemetry.events), telemetry.events, strict=True))
    telemetry.events = []
    if seconds and environment.get(HOST) and not _sent(batch, state, environment, seconds):
        telemetry.log("telemetry_pending", level="WARNING", error_code="TELEMETRY_UNSENT", events=len(batch))


def resend(
    state: StateStore, environment: Mapping[str, str], *, batch_seconds: float = 10.0, seconds: float | None = None
) -> dict[str, int]:
    """Send what is pending, oldest first, until a batch fails or `seconds` are over: {"sent", "pending"}."""
    ends, before = time.monotonic() + (seconds or 1e9), state.pending_count()
    while environment.get(HOST) and (batch := state.pending_events(BATCH)):
        left = min(batch_seconds, ends - time.monotonic())
        if left <= 0 or not _sent(batch, state, environment, left):
            break
    pending = state.pending_count()
    return {"sent": max(before - pending, 0), "pending": pending}


def _sent(batch: Events, state: StateStore, environment: Mapping[str, str], seconds: float) -> bool:
    """Whether the whole batch arrived in time.

    A silent host holds nobody longer: the sender is a daemon thread that is left behind.
    """
    refused: list[set[str]] = []

    def send() -> None:
        try:
            refused.append(_post([body for _, body in batch], environment, seconds))
        except (OSError, http.client.HTTPException, ValueError):
            return  # the caller sees that nothing arrived: the events stay pending

    sender = threading.Thread(target=send, daemon=True, name="langfuse")
    sender.start()
    sender.join(seconds)
    if not refused:
        return False
    state.mark_sent([key for key, body in batch if body["id"] not in refused[0]])
    return not refused[0]


def _post(events: list[dict[str, Any]], environment: Mapping[str, str], seconds: float) -> set[str]:
    """Send a batch; the ids that the host refused. Raises OSError when it took none."""
    parts = urlsplit(environment[HOST])
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=seconds)
    pair = f"{environment.get('LANGFUSE_PUBLIC_KEY', '')}:{environment.get('LANGFUSE_SECRET_KEY', '')}"
    headers = {"Content-Type": "application/json", "Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    try:
        connection.request("POST", parts.path.rstrip("/") + INGESTION, json.dumps({"batch": events}), headers)
        response = connection.getresponse()
        if response.status not in (200, 201, 207):
            raise OSError(f"the telemetry host answered {response.status}")
        return _refused(response.read()) if response.status == 207 else set()
    finally:
        connection.close()


def _refused(answer: bytes) -> set[str]:
    """The ids under `errors` of a multi-status answer."""
    errors = json.loads(answer or b"{}").get("errors") or ()
    return {str(item.get("id")) for item in errors}

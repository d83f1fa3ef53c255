"""Logging: one line per event on stderr, as text or JSON (LOG_FORMAT), with the stage and partition it belongs to.

A line holds names of files, addresses without credentials, figures and codes: never a key, a text or a person's data.
"""

import json
import logging
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from iris_assets.errors import IrisAssetsError

Fields = dict[str, Any]

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
LONGEST_VALUE: Final = 300

_fields: ContextVar[Mapping[str, Any]] = ContextVar("fields of the log lines", default=MappingProxyType({}))


@contextmanager
def about(**fields: Any) -> Iterator[None]:
    """Every event inside the block, also in tasks and threads that copy its context, carries these fields."""
    token = _fields.set({**_fields.get(), **fields})
    try:
        yield
    finally:
        _fields.reset(token)


def event(log: logging.Logger, what: str, level: int = logging.INFO, **fields: Any) -> None:
    """One line: what happened, then the fields of the context and of this event that hold something."""
    if log.isEnabledFor(level):
        said = {**_fields.get(), **fields}
        found = {name: _plain(value) for name, value in said.items() if value not in (None, "")}
        log.log(level, "%s", _line(what, found), extra={"event": what, "fields": found})


@contextmanager
def only_errors_of(name: str) -> Iterator[None]:
    """Inside the block the logger says errors alone: somebody else tells the rest."""
    log = logging.getLogger(name)
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


@contextmanager
def timed(log: logging.Logger, what: str, *, expected: frozenset[str] = frozenset(), **fields: Any) -> Iterator[Fields]:
    """One line as the block ends: `fields`, what the block adds to those it is given, seconds, the code of a failure.

    A line with a code is a warning, unless the code is one of `expected`: a state that the caller judges.
    """
    started, said = time.monotonic(), {**fields}
    try:
        yield said
    except IrisAssetsError as error:
        said["code"] = error.code
        raise
    finally:
        code = said.get("code")
        level = logging.WARNING if code and code not in expected else logging.INFO
        event(log, what, level, **said, seconds=time.monotonic() - started)


def without_secrets(url: str) -> str:
    """Scheme, host, port and path of an address: neither credentials nor parameters."""
    try:
        parts = urlsplit(url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "unreadable address"
    return f"{parts.scheme}://{host}{port}{parts.path}"


def set_up(environment: Mapping[str, str]) -> None:
    """Send this process's log to stderr, in the format and from the level that LOG_FORMAT and LOG_LEVEL say.

    A wrong value is the default here; the settings refuse it by its name. Called again it replaces what it set up.
    """
    root, ours = logging.getLogger(), logging.getLogger("iris_assets")
    for handler in [handler for handler in root.handlers if isinstance(handler, StderrHandler)]:
        root.removeHandler(handler)
    handler = StderrHandler()
    handler.setFormatter(JsonLines() if environment.get("LOG_FORMAT", "").lower() == "json" else TextLines())
    root.addHandler(handler)
    level = environment.get("LOG_LEVEL", "").upper()
    ours.setLevel(level if level in LEVELS else logging.INFO)


class StderrHandler(logging.Handler):
    """Writes to what stderr is at the moment: a progress bar or a test may stand in its place."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError, ValueError):  # stderr is gone: nobody can be told
            sys.stderr.write(self.format(record) + "\n")


class TextLines(logging.Formatter):
    """`2026-08-15T12:00:00.000Z INFO download stage=candidates partition=SP url=…`."""

    def format(self, record: logging.LogRecord) -> str:
        what, fields = _said(record)
        line = f"{_time(record)} {record.levelname} {_line(what, fields)}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, event, and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        what, fields = _said(record)
        line = {"time": _time(record), "level": record.levelname, "logger": record.name, "event": what, **fields}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _said(record: logging.LogRecord) -> tuple[str, Mapping[str, Any]]:
    """The event and its fields; of another library's record its message. Other handlers may have rewritten `msg`."""
    fields: Mapping[str, Any] = getattr(record, "fields", {})
    return getattr(record, "event", None) or record.getMessage(), fields


def _line(what: str, fields: Mapping[str, Any]) -> str:
    return " ".join([what, *(f"{name}={_quoted(str(value))}" for name, value in fields.items())])


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3)
    return value if isinstance(value, bool | int) else str(value)[:LONGEST_VALUE]


def _quoted(text: str) -> str:
    """On one line, in quotes where it holds a blank."""
    return text if text.isprintable() and not set(text) & {" ", '"', "="} else json.dumps(text, ensure_ascii=False)

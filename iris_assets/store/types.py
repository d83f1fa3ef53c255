"""Column types whose rendering differs between engines: exact keys, long text, JSON, UTC time, vectors."""

import json
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import DateTime, LargeBinary, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine


class ShortText(TypeDecorator[str]):
    """VARCHAR with a length; an empty string is stored as NULL on every engine, since IRIS cannot tell them apart."""

    impl = String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value or None


class ExactText(ShortText):
    """A natural key: compared with its case (IRIS ignores case unless told otherwise)."""

    cache_ok = True


class LongText(TypeDecorator[str]):
    """Text without a practical limit (a stream on IRIS): never compared, sorted, grouped or unique."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value or None


class JsonText(TypeDecorator[Any]):
    """A JSON value kept as text with sorted keys, so that equal values are equal text."""

    impl = String
    cache_ok = True

    def __init__(self, length: int = 32000) -> None:
        super().__init__(length)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: bound as naive UTC, returned aware in UTC; a naive value is refused."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored moment needs a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Vector(TypeDecorator[NDArray[np.float32]]):
    """An embedding: a float32 blob here, `VECTOR(DOUBLE, n)` on IRIS (store/iris.py renders it)."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        return None if value is None else np.ascontiguousarray(value, dtype=np.float32).tobytes()

    def process_result_value(self, value: Any, dialect: Dialect) -> NDArray[np.float32] | None:
        return None if value is None else np.frombuffer(value, dtype=np.float32)


def utc_now() -> datetime:
    """The present moment, aware, in whole microseconds."""
    return datetime.now(UTC)


AnyType = TypeEngine[Any]

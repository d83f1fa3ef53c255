"""Column types whose rendering differs between engines: exact keys, long text, JSON, UTC time, vectors."""

import json
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BindParameter, DateTime, LargeBinary, Numeric, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.visitors import InternalTraversal
from sqlalchemy.types import TypeDecorator, TypeEngine


def _iris_types() -> Any:
    # Asked for by the dialect of IRIS alone: the extra that it needs may be absent elsewhere.
    from iris_assets.store.iris import types as iris_types

    return iris_types


class ShortText(TypeDecorator[str]):
    """VARCHAR with a length; an empty string is stored as NULL on every engine, since IRIS cannot tell them apart."""

    impl = String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return _iris_types().exact_varchar(self) if dialect.name == "iris" else super().load_dialect_impl(dialect)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value or None


class ExactText(ShortText):
    """A natural key. (Every text column is compared with its case on both engines; a key says that it must be.)"""

    cache_ok = True


class LongText(TypeDecorator[str]):
    """Text without a practical limit (a stream on IRIS): never compared, sorted, grouped or unique."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return _iris_types().stream() if dialect.name == "iris" else super().load_dialect_impl(dialect)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value or None


class JsonText(TypeDecorator[Any]):
    """A JSON value kept as text with sorted keys, so that equal values are equal text."""

    impl = String
    cache_ok = True

    def __init__(self, length: int = 32000) -> None:
        super().__init__(length)

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return _iris_types().exact_varchar(self) if dialect.name == "iris" else super().load_dialect_impl(dialect)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


class Points(TypeDecorator[float]):
    """A score with two decimals, always a float in Python (SQLite gives 95 back for 95.0)."""

    impl = Numeric
    cache_ok = True

    def __init__(self) -> None:
        super().__init__(5, 2, asdecimal=False)

    def process_bind_param(self, value: float | None, dialect: Dialect) -> float | None:
        return None if value is None else round(float(value), 2)

    def process_result_value(self, value: Any, dialect: Dialect) -> float | None:
        return None if value is None else float(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: bound as naive UTC, returned aware in UTC; a naive value is refused."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return _iris_types().timestamp(dialect) if dialect.name == "iris" else super().load_dialect_impl(dialect)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored moment needs a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Vector(TypeDecorator[NDArray[np.float32]]):
    """An embedding: a float32 blob here; on IRIS `VECTOR(DOUBLE, n)`, bound as text through TO_VECTOR."""

    impl = LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return _iris_types().VectorColumn() if dialect.name == "iris" else super().load_dialect_impl(dialect)

    def bind_expression(self, bindparam: BindParameter[Any]) -> ColumnElement[Any]:
        return BoundVector(bindparam)

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | str | None:
        if value is None:
            return None
        if dialect.name == "iris":
            return str(_iris_types().vector_text(value))
        return np.ascontiguousarray(value, dtype=np.float32).tobytes()

    def process_result_value(self, value: Any, dialect: Dialect) -> NDArray[np.float32] | None:
        if value is None:
            return None
        if isinstance(value, str):
            return np.array(value.strip("[]").split(","), dtype=np.float32)
        return np.frombuffer(value, dtype=np.float32)


class BoundVector(ColumnElement[Any]):
    """A bound vector: the plain parameter, except on IRIS (store/iris/types.py)."""

    inherit_cache = True
    type = LargeBinary()

    def __init__(self, parameter: ColumnElement[Any]) -> None:
        self.parameter = parameter

    _traverse_internals = [("parameter", InternalTraversal.dp_clauseelement)]  # noqa: RUF012 - SQLAlchemy's protocol


@compiles(BoundVector)
def _plain_parameter(element: BoundVector, compiler: Any, **options: Any) -> str:
    return str(compiler.process(element.parameter, **options))


def utc_now() -> datetime:
    """The present moment, aware, in whole microseconds."""
    return datetime.now(UTC)


AnyType = TypeEngine[Any]

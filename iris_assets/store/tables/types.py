"""Column types whose rendering differs between engines: exact keys, long text, JSON, UTC time, vectors."""

import json
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BindParameter, DateTime, LargeBinary, Numeric, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.visitors import InternalTraversal
from sqlalchemy.types import TypeDecorator, TypeEngine


class ColumnTypes:
    """How an engine keeps the columns of this module. This one does as plain SQL has it, with vectors as float32 blobs."""

    def short_text(self, length: int) -> TypeEngine[Any]:
        """Text up to a length, compared with its case."""
        return String(length)

    def long_text(self) -> TypeEngine[Any]:
        """Text without a practical limit."""
        return Text()

    def moment(self) -> TypeEngine[Any]:
        """A naive moment with fractions of seconds."""
        return DateTime()

    def vector(self) -> TypeEngine[Any]:
        """A vector of numbers."""
        return LargeBinary()

    def bind_vector(self, vector: NDArray[np.float32]) -> Any:
        """What the driver is given of a vector."""
        return vector.tobytes()

    def read_vector(self, value: Any) -> NDArray[np.float32]:
        """The vector of what the driver gives."""
        return np.frombuffer(value, dtype=np.float32)


_PLAIN: Final = ColumnTypes()
_OF_DIALECT: Final[dict[str, ColumnTypes]] = {}


def register_types(dialect_name: str, types: ColumnTypes) -> None:
    """Let the columns of a dialect be kept in its engine's way (called as the engine's module is imported)."""
    _OF_DIALECT[dialect_name] = types


def types_of(dialect: Dialect) -> ColumnTypes:
    """How the engine of a dialect keeps the columns."""
    return _OF_DIALECT.get(dialect.name, _PLAIN)


class ShortText(TypeDecorator[str]):
    """VARCHAR with a length; an empty string is stored as NULL: it says nothing, and rows are equal on every engine."""

    impl = String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(types_of(dialect).short_text(self.length))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value or None


class ExactText(ShortText):
    """A natural key. (Every text column is compared with its case on both engines; a key says that it must be.)"""

    cache_ok = True


class LongText(TypeDecorator[str]):
    """Text without a practical limit (a stream on some engines): never compared, sorted, grouped or unique."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(types_of(dialect).long_text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return value or None


class JsonText(TypeDecorator[Any]):
    """A JSON value kept as text with sorted keys, so that equal values are equal text."""

    impl = String
    cache_ok = True

    def __init__(self, length: int = 32000) -> None:
        super().__init__(length)
        self.length = length

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(types_of(dialect).short_text(self.length))

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
        return dialect.type_descriptor(types_of(dialect).moment())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else _naive(value)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


@lru_cache(maxsize=64)  # the rows of a transaction share their moments
def _naive(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a stored moment needs a time zone")
    return value.astimezone(UTC).replace(tzinfo=None)


class Vector(TypeDecorator[NDArray[np.float32]]):
    """An embedding: float32 in Python, in the database as the engine keeps vectors."""

    impl = LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(types_of(dialect).vector())

    def bind_expression(self, bindparam: BindParameter[Any]) -> ColumnElement[Any]:
        return BoundVector(bindparam)

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else types_of(dialect).bind_vector(np.ascontiguousarray(value, dtype=np.float32))

    def process_result_value(self, value: Any, dialect: Dialect) -> NDArray[np.float32] | None:
        return None if value is None else types_of(dialect).read_vector(value)


class BoundVector(ColumnElement[Any]):
    """A bound vector: the plain parameter, unless an engine compiles it otherwise."""

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

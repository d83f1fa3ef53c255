"""Column types as InterSystems IRIS knows them: exact text, streams, time stamps, vectors of doubles."""

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sqlalchemy import TIMESTAMP, Column, Exists, String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.types import TypeEngine, UserDefinedType

from iris_assets.store.tables.types import BoundVector, ColumnTypes, register_types

DEFAULT_DIMENSION: Final = 1536


class ExactVarchar(String):
    """VARCHAR compared as it is: IRIS ignores case by default, and then gives grouped values back in capitals."""


@compiles(ExactVarchar, "iris")
def _exact_varchar(type_: ExactVarchar, _compiler: Any, **options: Any) -> str:
    collation = " COLLATE %EXACT" if isinstance(options.get("type_expression"), Column) else ""
    return f"VARCHAR({type_.length}){collation}"


class Stream(String):
    """%Stream.GlobalCharacter: no limit, and never compared, sorted, grouped or unique."""


@compiles(Stream, "iris")
def _stream(_type: Stream, _compiler: Any, **_options: Any) -> str:
    return "LONGVARCHAR"


class VectorColumn(UserDefinedType[Any]):
    """VECTOR(DOUBLE, n); n is an attribute of the dialect, set by whoever makes the engine."""

    cache_ok = True


@compiles(VectorColumn, "iris")
def _vector_column(_type: VectorColumn, compiler: Any, **_options: Any) -> str:
    return f"VECTOR(DOUBLE, {getattr(compiler.dialect, 'vector_dimension', DEFAULT_DIMENSION)})"


@compiles(BoundVector, "iris")
def _to_vector(element: BoundVector, compiler: Any, **options: Any) -> str:
    # Without a length argument: with one the server pads or cuts in silence.
    return f"TO_VECTOR({compiler.process(element.parameter, **options)}, DOUBLE)"


@compiles(Exists, "iris")
def _exists(element: Exists, compiler: Any, **options: Any) -> str:
    # The dialect writes EXISTS((SELECT …)), which not every SQL parser takes.
    return f"EXISTS {compiler.process(element.element, **options)}"


class IrisTypes(ColumnTypes):
    """Exact text, streams, time stamps with fractions, vectors as comma text."""

    def short_text(self, length: int) -> TypeEngine[Any]:
        return ExactVarchar(length)

    def long_text(self) -> TypeEngine[Any]:
        return Stream()

    def moment(self) -> TypeEngine[Any]:
        return TIMESTAMP()  # the dialect's DATETIME need not keep fractions of seconds

    def vector(self) -> TypeEngine[Any]:
        return VectorColumn()

    def bind_vector(self, vector: NDArray[np.float32]) -> str:
        return vector_text(vector)

    def read_vector(self, value: Any) -> NDArray[np.float32]:
        return np.array(str(value).strip("[]").split(","), dtype=np.float32)


def vector_text(vector: ArrayLike) -> str:
    """Comma text of a vector; nine digits bring every float32 back."""
    return ",".join(f"{number:.9g}" for number in np.asarray(vector, dtype=np.float32).tolist())


register_types("iris", IrisTypes())

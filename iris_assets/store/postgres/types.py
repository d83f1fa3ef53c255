"""Column types as PostgreSQL knows them: text in the order of its bytes, pgvector's vectors of any dimension."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import String, Text, UnaryExpression
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.operators import desc_op
from sqlalchemy.types import TypeEngine, UserDefinedType

from iris_assets.store.tables.types import ColumnTypes, register_types

BYTES_ORDER = "C"  # the same order on every server, whatever its locale, and the one of the embedded engine


class VectorColumn(UserDefinedType[Any]):
    """pgvector's vector without a dimension: several stamps fit side by side; an index is for one of them."""

    cache_ok = True

    def get_col_spec(self, **_options: Any) -> str:
        return "VECTOR"


@compiles(UnaryExpression, "postgresql")
def _descending(element: UnaryExpression[Any], compiler: Any, **options: Any) -> str:
    # Rows without a value come last here, as on the other engines; the server would put them first.
    text = str(compiler.visit_unary(element, **options))
    return f"{text} NULLS LAST" if element.modifier is desc_op else text


class PostgresTypes(ColumnTypes):
    """Text without the server's locale, vectors in pgvector's binary form."""

    def short_text(self, length: int) -> TypeEngine[Any]:
        return String(length, collation=BYTES_ORDER)

    def long_text(self) -> TypeEngine[Any]:
        return Text(collation=BYTES_ORDER)

    def vector(self) -> TypeEngine[Any]:
        return VectorColumn()

    def bind_vector(self, vector: NDArray[np.float32]) -> Any:
        from pgvector import Vector  # of the extra that only those install who use this engine

        return Vector(vector)

    def read_vector(self, value: Any) -> NDArray[np.float32]:
        return np.asarray(value.to_numpy(), dtype=np.float32)


ischema_names["vector"] = VectorColumn  # so that the dialect knows the column that it finds
TYPES: Final = PostgresTypes()
register_types("postgresql", TYPES)

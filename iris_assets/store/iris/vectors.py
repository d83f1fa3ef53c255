"""Nearest neighbours in the server: VECTOR_COSINE with TOP and ORDER BY … DESC, which an HNSW index can serve."""

from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, Float, bindparam, func, select, text

from iris_assets.errors import StoreError
from iris_assets.store.engine import Access
from iris_assets.store.iris.filters import filter_conditions
from iris_assets.store.search import SearchFilter, VectorHit
from iris_assets.store.tables.schema import political_chunk, source_state

# Where the dimension of the embedding column is noted: (stage, unit) of SourceState.
DIMENSION_NOTE: Final = ("schema", "embedding_dimension")
ROUNDING: Final = 5  # as the embedded engine rounds: smaller differences are the processor's


class IrisVectorSearch:
    """Cosine search over the vectors of one stamp."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def has(self, model: str, dimension: int) -> bool:
        """Whether any chunk has a vector of this stamp."""
        one = select(political_chunk.c.id).where(*_stamp(model, dimension)).order_by(political_chunk.c.id).limit(1)
        with self._access.snapshot() as tx:
            return tx.connection.execute(one).first() is not None

    def search(self, vector: Any, model: str, dimension: int, restriction: SearchFilter, limit: int) -> list[VectorHit]:
        """The nearest chunks of the stamp, best first; equal ones in the order of their identity."""
        question = np.asarray(vector, dtype=np.float32)
        if question.shape != (dimension,):
            raise StoreError("VECTOR_DIMENSION", f"a vector of {question.shape} numbers, the stamp has {dimension}")
        if not np.isfinite(question).all():
            raise StoreError("VECTOR_NOT_FINITE", "the question's vector holds NaN or infinity")
        statement = nearest(model, dimension, restriction, limit)
        with self._access.snapshot() as tx:
            rows = tx.connection.execute(statement, {"question": question}).all()
        hits = [(-round(float(row[4]), ROUNDING), row[1], row[2], row[3], row[0]) for row in rows]
        return [VectorHit(hit[4], -hit[0]) for hit in sorted(hits)]


def nearest(model: str, dimension: int, restriction: SearchFilter, limit: int) -> Any:
    """SELECT TOP n …, VECTOR_COSINE(Embedding, TO_VECTOR(:question, DOUBLE)) … ORDER BY Score DESC."""
    c = political_chunk.c
    question = bindparam("question", type_=c.embedding.type)
    score = func.VECTOR_COSINE(c.embedding, question, type_=Float).label("Score")
    return (
        select(c.id, c.source_type, c.source_id, c.chunk_index, score)
        .prefix_with(f"TOP {int(limit)}")  # a literal: the vector index is not used with a parameter, LIMIT or FETCH
        .where(*_stamp(model, dimension), *filter_conditions(restriction))
        .order_by(score.desc())
    )


def _stamp(model: str, dimension: int) -> tuple[Any, ...]:
    c = political_chunk.c
    return (c.embedding.is_not(None), c.embedding_model == model, c.embedding_dimension == dimension)


def column_dimension(connection: Connection) -> int | None:
    """The dimension that the embedding column was made with, as the migration noted it; None when it did not."""
    statement = select(source_state.c.consumed_key).where(
        source_state.c.stage == DIMENSION_NOTE[0], source_state.c.unit_key == DIMENSION_NOTE[1]
    )
    value = connection.execute(statement).scalar()
    return None if value is None else int(value)


def has_index(connection: Connection, schema: str, name: str) -> bool:
    """Whether the chunk table has an index of this name."""
    statement = text(
        "SELECT COUNT(*) FROM INFORMATION_SCHEMA.INDEXES "
        "WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = 'PoliticalChunk' AND INDEX_NAME = :name"
    )
    return bool(connection.execute(statement, {"schema": schema, "name": name}).scalar_one())

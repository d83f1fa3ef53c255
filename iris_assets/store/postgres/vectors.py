"""Nearest neighbours in the server: exact over up to 10,000 rows, beyond that by HNSW where its index was built."""

import hashlib
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection

from iris_assets.errors import StoreError
from iris_assets.store.engine import Access
from iris_assets.store.postgres.search import filter_conditions
from iris_assets.store.postgres.types import TYPES
from iris_assets.store.search import SearchFilter, VectorHit

EXACT_UP_TO: Final = 10_000  # rows left by a filter that are compared one by one sooner than an index is asked
INDEXED_DIMENSIONS: Final = 4_000  # of a half-precision vector that HNSW takes
PREFIX: Final = "ChunkVector"
OVERFETCH: Final = 4  # the index knows half precision: more are fetched and ordered by the whole vectors
SEARCH_WIDTH: Final = 200  # hnsw.ef_search: recall before speed
ROUNDING: Final = 5  # as the embedded engine rounds: smaller differences are the processor's

Stamp = tuple[str, int]

_STAMP: Final = '"EmbeddingModel" = %s AND "EmbeddingDimension" = %s AND "Embedding" IS NOT NULL'
_ROWS: Final = 'FROM "PoliticalChunk"'
_FILTERED: Final = f'{_ROWS} JOIN "ChunkSearch" ON "ChunkId" = "Id"'
# A vector of zeros is near to nothing: its distance is 1, as elsewhere, not NaN.
_DISTANCE: Final = "coalesce(nullif(\"Embedding\" <=> %s, 'NaN'), 1) AS distance"
_KEY: Final = '"Id", "SourceType", "SourceId", "ChunkIndex"'


class PostgresVectorSearch:
    """Cosine search over the vectors of one stamp."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def has(self, model: str, dimension: int) -> bool:
        """Whether any chunk has a vector of this stamp."""
        with self._access.snapshot() as tx:
            return (
                tx.connection.exec_driver_sql(f"SELECT 1 {_ROWS} WHERE {_STAMP} LIMIT 1", (model, dimension)).first()
                is not None
            )

    def search(self, vector: Any, model: str, dimension: int, restriction: SearchFilter, limit: int) -> list[VectorHit]:
        """The nearest chunks of the stamp, best first; equal ones in the order of their identity."""
        question = np.asarray(vector, dtype=np.float32)
        if question.shape != (dimension,):
            raise StoreError("VECTOR_DIMENSION", f"a vector of {question.shape} numbers, the stamp has {dimension}")
        if not np.isfinite(question).all():
            raise StoreError("VECTOR_NOT_FINITE", "the question's vector holds NaN or infinity")
        with self._access.snapshot() as tx:
            search = _Search(tx.connection, TYPES.bind_vector(question), (model, dimension), restriction)
            rows = search.nearest(limit)
        hits = [(-round(1 - float(row[4]), ROUNDING), row[1], row[2], row[3], row[0]) for row in rows]
        return [VectorHit(hit[4], -hit[0]) for hit in sorted(hits)][:limit]


class _Search:
    """One question in one read transaction."""

    def __init__(self, connection: Connection, question: Any, stamp: Stamp, restriction: SearchFilter) -> None:
        self._connection, self._question, self._stamp = connection, question, stamp
        filters, tokens = filter_conditions(restriction)
        self._filtered = not restriction.is_empty
        self._rows = _FILTERED if self._filtered else _ROWS
        self._where = f"WHERE {_STAMP}{filters}"
        self._bound = (*stamp, *tokens)

    def nearest(self, limit: int) -> list[Any]:
        """Exact where few rows are left to compare or no index was built."""
        name = index_name(*self._stamp)
        by_index = has_index(self._connection, name) and (not self._filtered or self._rows_left() > EXACT_UP_TO)
        return self._by_index(limit) if by_index else self._exact(limit)

    def _rows_left(self) -> int:
        sql = f"SELECT count(*) FROM (SELECT 1 {self._rows} {self._where} LIMIT %s) AS limited"
        return int(self._connection.exec_driver_sql(sql, (*self._bound, EXACT_UP_TO + 1)).scalar_one())

    def _exact(self, limit: int) -> list[Any]:
        # As far as the last one that is wanted, and what rounding makes equal to it: identity tells those apart.
        sql = (
            f'WITH compared AS MATERIALIZED (SELECT "Id" AS id, {_DISTANCE} {self._rows} {self._where}), '
            "last AS (SELECT max(distance) AS distance FROM (SELECT distance FROM compared ORDER BY 1 LIMIT %s) AS nearest) "
            f"SELECT {_KEY}, compared.distance FROM compared JOIN last ON compared.distance <= last.distance + %s "
            f'JOIN "PoliticalChunk" ON "Id" = id'
        )
        return list(self._connection.exec_driver_sql(sql, (self._question, *self._bound, limit, 10**-ROUNDING)))

    def _by_index(self, limit: int) -> list[Any]:
        for setting in (f"hnsw.ef_search = {SEARCH_WIDTH}", "hnsw.iterative_scan = relaxed_order"):
            self._connection.exec_driver_sql(f"SET LOCAL {setting}")
        half = f"halfvec({int(self._stamp[1])})"
        sql = (
            f'SELECT {_KEY}, {_DISTANCE} {_ROWS} WHERE "Id" IN (SELECT "Id" {self._rows} {self._where} '
            f'ORDER BY "Embedding"::{half} <=> %s::vector::{half} LIMIT %s)'
        )
        bound = (self._question, *self._bound, self._question, OVERFETCH * limit)
        return list(self._connection.exec_driver_sql(sql, bound))


def index_name(model: str, dimension: int) -> str:
    """The name of the HNSW index of one stamp."""
    return f"{PREFIX}{dimension}_{hashlib.sha256(model.encode()).hexdigest()[:12]}"


def has_index(connection: Connection, name: str = "") -> bool:
    """Whether an HNSW index (of this name) was built and can be used."""
    sql = (
        "SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE indisvalid AND relnamespace = current_schema()::regnamespace AND relname LIKE %s"
    )
    return connection.exec_driver_sql(sql, (name or f"{PREFIX}%",)).first() is not None

"""Vector search of the embedded store: the truth is in the chunk table, a resident float32 matrix answers.

Each process keeps its matrix in step by a change table that triggers fill, so that another process's writes are seen
by the next search.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from iris_assets.errors import StoreError
from iris_assets.store.search import SearchFilter, VectorHit
from iris_assets.store.search.vector_matrix import VectorMatrix
from iris_assets.store.sqlite.index import change_number, filtered_ids
from iris_assets.store.sqlite.search import Session

Floats = NDArray[np.float32]

WRITING = "iris_assets_writing"  # execution option of a connection inside a write transaction
LOAD_BATCH = 2000
KEPT_STAMPS = 2  # a change of model needs both for a while
KEPT_FILTERS = 64
ROUNDING = 5  # similarities that differ by less are equal: the sum's order is the processor's, not ours

DDL = (
    "CREATE TABLE IF NOT EXISTS vector_change (chunk_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS vector_change_seq ON vector_change (seq)",
    """CREATE TRIGGER IF NOT EXISTS vector_change_added AFTER INSERT ON PoliticalChunk
        WHEN NEW.Embedding IS NOT NULL BEGIN
        INSERT OR REPLACE INTO vector_change
            VALUES (NEW.Id, (SELECT coalesce(max(seq), 0) + 1 FROM vector_change)); END""",
    """CREATE TRIGGER IF NOT EXISTS vector_change_set
        AFTER UPDATE OF Embedding, EmbeddingModel, EmbeddingDimension ON PoliticalChunk BEGIN
        INSERT OR REPLACE INTO vector_change
            VALUES (NEW.Id, (SELECT coalesce(max(seq), 0) + 1 FROM vector_change)); END""",
    """CREATE TRIGGER IF NOT EXISTS vector_change_removed AFTER DELETE ON PoliticalChunk
        WHEN OLD.Embedding IS NOT NULL BEGIN
        INSERT OR REPLACE INTO vector_change
            VALUES (OLD.Id, (SELECT coalesce(max(seq), 0) + 1 FROM vector_change)); END""",
)


def create(connection: Connection) -> None:
    """Create the change table and its triggers where they are not there yet (a rebuilt chunk table loses triggers)."""
    for statement in DDL:
        connection.exec_driver_sql(statement)


class SqliteVectorSearch:
    """Exact cosine search over the vectors of one stamp; `read` opens a short read transaction of the store."""

    def __init__(self, read: Session) -> None:
        self._read = read
        self._lock = threading.RLock()
        self._matrices: OrderedDict[tuple[str, int], VectorMatrix] = OrderedDict()
        self._filters: OrderedDict[tuple[SearchFilter, int], NDArray[np.int64]] = OrderedDict()

    def has(self, model: str, dimension: int) -> bool:
        """Whether any chunk has a vector of this stamp."""
        with self._read() as connection:
            row = connection.exec_driver_sql(
                "SELECT 1 FROM PoliticalChunk WHERE EmbeddingModel = ? AND EmbeddingDimension = ? "
                "AND Embedding IS NOT NULL LIMIT 1",
                (model, dimension),
            ).one_or_none()
        return row is not None

    def search(
        self, vector: Floats, model: str, dimension: int, restriction: SearchFilter, limit: int
    ) -> list[VectorHit]:
        """The nearest chunks of the stamp, best first; equal ones in the order of their identity.

        StoreError VECTOR_DIMENSION when the question's vector is not of the stamp's dimension, VECTOR_NOT_FINITE when it
        holds NaN or infinity.
        """
        return self.search_many(np.asarray(vector)[None, :], model, dimension, restriction, limit)[0]

    def search_many(
        self, vectors: NDArray[Any], model: str, dimension: int, restriction: SearchFilter, limit: int
    ) -> list[list[VectorHit]]:
        """`search` for several questions (n, dimension) at once."""
        questions = transaction_rows(vectors, dimension)
        if not np.isfinite(questions).all():  # NaN is near to nothing: the search would find nothing and say nothing
            raise StoreError("VECTOR_NOT_FINITE", "the question's vector holds NaN or infinity")
        with self._lock, self._read() as connection:
            matrix = self._refreshed(connection, model, dimension)
            allowed = None if restriction.is_empty else self._allowed(connection, restriction)
            found = matrix.nearest(questions, limit, allowed)
            return [self._hits(connection, ids, scores, limit) for ids, scores in found]

    def _refreshed(self, connection: Connection, model: str, dimension: int) -> VectorMatrix:
        if connection.get_execution_options().get(WRITING):
            # What an open transaction has written may yet be undone: nothing of it may stay in memory.
            return _load(connection, model, dimension)
        # The number is read before the rows: a change in between is applied once more by the next search.
        last = connection.exec_driver_sql("SELECT coalesce(max(seq), 0) FROM vector_change").scalar_one()
        matrix = self._matrices.get((model, dimension))
        if matrix is None:
            matrix = self._matrices[(model, dimension)] = _load(connection, model, dimension)
        elif matrix.seq != last:
            _apply_changes(connection, matrix, model, dimension)
        matrix.seq = last
        self._matrices.move_to_end((model, dimension))
        while len(self._matrices) > KEPT_STAMPS:
            self._matrices.popitem(last=False)
        return matrix

    def _allowed(self, connection: Connection, restriction: SearchFilter) -> NDArray[np.int64]:
        key = (restriction, change_number(connection))
        if key not in self._filters:
            self._filters[key] = filtered_ids(connection, restriction)
            while len(self._filters) > KEPT_FILTERS:
                self._filters.popitem(last=False)
        return self._filters[key]

    def _hits(self, connection: Connection, ids: NDArray[np.int64], scores: Floats, limit: int) -> list[VectorHit]:
        rounded = [round(float(score), ROUNDING) for score in scores]
        identity = _identities(connection, [int(id_) for id_ in ids])
        hits = [VectorHit(int(id_), score) for id_, score in zip(ids, rounded, strict=True) if int(id_) in identity]
        return sorted(hits, key=lambda hit: (-hit.similarity, identity[hit.chunk_id]))[:limit]


def transaction_rows(vectors: NDArray[Any], dimension: int) -> Floats:
    """Vectors as float32 rows of length one; a row of zeros stays. StoreError VECTOR_DIMENSION for another width."""
    rows = np.ascontiguousarray(vectors, dtype=np.float32)
    if rows.ndim != 2 or rows.shape[1] != dimension:
        raise StoreError(
            "VECTOR_DIMENSION",
            f"a vector of {rows.shape[-1]} numbers cannot be compared with vectors of {dimension}",
            hint="set EMBEDDING_DIMENSION to what the model gives and run the embeddings again",
        )
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats = np.asarray(rows / np.where(norms > 0, norms, np.float32(1)), dtype=np.float32)
    return units


def _load(connection: Connection, model: str, dimension: int) -> VectorMatrix:
    stamp = (model, dimension)
    where = "FROM PoliticalChunk WHERE EmbeddingModel = ? AND EmbeddingDimension = ? AND Embedding IS NOT NULL"
    count = connection.exec_driver_sql(f"SELECT count(*) {where}", stamp).scalar_one()
    matrix = VectorMatrix(dimension, capacity=count)
    rows = connection.execution_options(yield_per=LOAD_BATCH).exec_driver_sql(
        f"SELECT Id, Embedding {where} ORDER BY Id", stamp
    )
    for part in rows.partitions(LOAD_BATCH):
        matrix.put([row[0] for row in part], _decoded([row[1] for row in part], dimension))
    return matrix


def _apply_changes(connection: Connection, matrix: VectorMatrix, model: str, dimension: int) -> None:
    rows = connection.exec_driver_sql(
        "SELECT change.chunk_id, chunk.Embedding FROM vector_change AS change LEFT JOIN PoliticalChunk AS chunk "
        "ON chunk.Id = change.chunk_id AND chunk.EmbeddingModel = ? AND chunk.EmbeddingDimension = ? "
        "WHERE change.seq > ?",
        (model, dimension, matrix.seq),
    )
    for part in rows.partitions(LOAD_BATCH):
        matrix.remove([row[0] for row in part if row[1] is None])
        kept = [row for row in part if row[1] is not None]
        matrix.put([row[0] for row in kept], _decoded([row[1] for row in kept], dimension))


def _decoded(blobs: Sequence[bytes], dimension: int) -> Floats:
    if any(len(blob) != 4 * dimension for blob in blobs):
        raise StoreError(
            "VECTOR_DAMAGED",
            f"a stored vector does not have {dimension} numbers",
            hint="run `iris-assets run` with the embeddings to write the vectors again",
        )
    rows = np.frombuffer(b"".join(blobs), dtype=np.float32).reshape(len(blobs), dimension)
    return transaction_rows(rows, dimension)


def _identities(connection: Connection, ids: list[int]) -> dict[int, tuple[Any, ...]]:
    found: dict[int, tuple[Any, ...]] = {}
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        marks = ",".join("?" * len(part))
        rows = connection.exec_driver_sql(
            f"SELECT Id, SourceType, SourceId, ChunkIndex FROM PoliticalChunk WHERE Id IN ({marks})", tuple(part)
        )
        found |= {row[0]: tuple(row[1:]) for row in rows}
    return found

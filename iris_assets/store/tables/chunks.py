"""Text passages with their vectors: replaced per source by difference, found again by stamp and by hash."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Select, bindparam, delete, exists, func, or_, select, update

from iris_assets.errors import StoreError
from iris_assets.store.engine import Row, RowMapping, Tx
from iris_assets.store.inputs import ChunkValues
from iris_assets.store.records import ChunkRow
from iris_assets.store.search import PreparedText
from iris_assets.store.tables.filters import chunk_ids, source_tokens
from iris_assets.store.tables.rows import Repository, batches, fetch, fetch_in, insert_rows, select_rows, update_rows
from iris_assets.store.tables.schema import candidate, political_chunk, source_candidate
from iris_assets.store.tables.values import differences, normalised

KEY: Final = ("source_type", "source_id", "chunk_index")
HEAVY: Final = ("embedding", "search_text")
WINDOW: Final = ("chunk_index", "content", "span_start", "span_end")
PENDING_COLUMNS: Final = ("id", *KEY, "title", "header", "content", "token_count", "embedded_text_hash")
SAME_PASSAGE: Final = ("content_hash", "embedded_text_hash")
STAMP: Final = ("embedding", "embedding_model", "embedding_dimension")


@dataclass(frozen=True, slots=True)
class ReplaceResult:
    """What replacing the chunks of one source did: rows kept with their vector, new rows, rows that went.

    Not `whole`: the source changes more rows than were allowed, and the same call in further transactions does the rest.
    """

    kept: int
    created: int
    removed: int
    whole: bool = True

    @property
    def changed(self) -> bool:
        return bool(self.created or self.removed)


class Chunks(Repository):
    """PoliticalChunk."""

    def replace(
        self, tx: Tx, source_type: str, source_id: str, rows: Sequence[ChunkValues], *, most: int | None = None
    ) -> ReplaceResult:
        """Make `rows` the chunks of this source; each carries `prepared: PreparedText` beside its columns.

        A row with the same index, content and embedded text keeps its id and vector (its other columns and words
        are refreshed when they differ); a new row whose embedded text was there before takes that vector over.
        With `most`, at most so many rows change, from the first chunk on.
        """
        stored = {row["chunk_index"]: row for row in fetch(tx, _of_source(source_type, source_id))}
        wanted = {row["chunk_index"]: _stored_form(row, source_type, source_id) for row in rows}
        end = None if most is None else _first_beyond(stored, wanted, most)
        old, new = (
            {index: row for index, row in side.items() if end is None or index < end} for side in (stored, wanted)
        )
        kept = [index for index, row in new.items() if index in old and _same_passage(old[index], row)]
        stale = [row for index, row in old.items() if index not in kept]
        tokens = source_tokens(tx, source_type, source_id)
        _delete(tx, [row["id"] for row in stale])
        _refresh(tx, {old[index]["id"]: (old[index], new[index]) for index in kept}, _prepared(rows), tokens)
        created = [row for index, row in new.items() if index not in kept]
        vectors = {row["embedded_text_hash"]: row for row in stored.values() if row["embedding"] is not None}
        for row in created:
            known = vectors.get(row["embedded_text_hash"])
            if known is not None:
                row.update({name: known[name] for name in STAMP})
        insert_rows(tx, political_chunk, KEY, created)
        _index_new(tx, source_type, source_id, {row["chunk_index"] for row in created}, _prepared(rows), tokens)
        return ReplaceResult(len(kept), len(created), len(stale), end is None)

    def retire(self, tx: Tx, source_type: str, source_id: str) -> int:
        """Delete the chunks of a source with their words and vectors; how many."""
        return retire_chunks(tx, source_type, source_id)

    def pending(
        self, model: str, dimension: int, *, partition: str | None = None, after_id: int = 0, limit: int = 500
    ) -> list[ChunkRow]:
        """Chunks without a vector of this stamp, by id after `after_id`, of sources linked to a candidate of the UF."""
        columns: list[Any] = [political_chunk.c[name].label(name) for name in PENDING_COLUMNS]
        statement = _pending(select(*columns), model, dimension, partition)
        statement = statement.where(political_chunk.c.id > after_id).order_by(political_chunk.c.id).limit(limit)
        with self._access.snapshot() as tx:
            return fetch(tx, statement)

    def pending_count(self, model: str, dimension: int, *, partition: str | None = None) -> int:
        """How many chunks have no vector of this stamp."""
        statement = _pending(select(func.count()).select_from(political_chunk), model, dimension, partition)
        with self._access.snapshot() as tx:
            return int(tx.connection.execute(statement).scalar_one())

    def known_vectors(self, hashes: Iterable[str], model: str, dimension: int) -> dict[str, NDArray[np.float32]]:
        """embedded_text_hash → vector of this stamp, for the texts that were embedded already."""
        statement = select(
            political_chunk.c.embedded_text_hash.label("hash"), political_chunk.c.embedding.label("vector")
        ).where(
            political_chunk.c.embedding_model == model,
            political_chunk.c.embedding_dimension == dimension,
            political_chunk.c.embedding.is_not(None),
        )
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, statement, political_chunk.c.embedded_text_hash, hashes)
        return {row["hash"]: row["vector"] for row in rows}

    def set_vectors(self, tx: Tx, items: Sequence[tuple[int, Any]], model: str, dimension: int) -> int:
        """Write (chunk id, vector) pairs under one stamp; how many. Raises StoreError VECTOR_DIMENSION."""
        statement = (
            update(political_chunk)
            .where(political_chunk.c.id == bindparam("row_id"))
            .values(
                embedding=bindparam("vector", type_=political_chunk.c.embedding.type),
                embedding_model=bindparam("model"),
                embedding_dimension=bindparam("dimension"),
                updated_at=bindparam("now", type_=political_chunk.c.updated_at.type),
            )
        )
        tx.engine.check_dimension(tx.connection, dimension)
        stamp = {"model": model, "dimension": dimension, "now": tx.now}
        parameters = [{"row_id": row_id, "vector": _vector(value, dimension), **stamp} for row_id, value in items]
        for part in batches(parameters):
            tx.connection.execute(statement, list(part))
        return len(parameters)

    def get(self, ids: Iterable[int]) -> dict[int, ChunkRow]:
        """Chunks by row id, without their vector and search text."""
        statement = select_rows(political_chunk, without=HEAVY)
        with self._access.snapshot() as tx:
            return {row["id"]: row for row in fetch_in(tx, statement, political_chunk.c.id, ids)}

    def places(self, ids: Iterable[int]) -> dict[int, tuple[str, str, int]]:
        """chunk id → (source_type, source_id, chunk_index): its identity, whatever the row ids."""
        statement = select_rows(political_chunk, only=("id", *KEY))
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, statement, political_chunk.c.id, ids)
        return {row["id"]: (row["source_type"], row["source_id"], row["chunk_index"]) for row in rows}

    def terms(self, ids: Iterable[int]) -> dict[int, frozenset[str]]:
        """chunk id → the stemmed terms of its title, header and text, as the index has them."""
        statement = select_rows(political_chunk, only=("id", "search_text"))
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, statement, political_chunk.c.id, ids)
        return {row["id"]: PreparedText.split(row["search_text"]).terms for row in rows}

    def of_source(self, source_type: str, source_id: str) -> list[ChunkRow]:
        """The chunks of one source in document order, without their vector and search text."""
        with self._access.snapshot() as tx:
            return fetch(tx, _of_source(source_type, source_id, without=HEAVY))

    def around(self, source_type: str, source_id: str, first: int, last: int) -> list[ChunkRow]:
        """Index, text and span of the chunks `first` to `last` of one source, in order: what a reader's window needs."""
        c = political_chunk.c
        statement = (
            select_rows(political_chunk, only=WINDOW)
            .where(c.source_type == source_type, c.source_id == source_id, c.chunk_index.between(first, last))
            .order_by(c.chunk_index)
        )
        with self._access.snapshot() as tx:
            return fetch(tx, statement)

    def of_candidate(self, candidate_id: int, source_types: Sequence[str] = ()) -> list[ChunkRow]:
        """Every chunk linked to a candidate, in document order: by type, source and index."""
        c = political_chunk.c
        statement = (
            select_rows(political_chunk, without=HEAVY)
            .join(source_candidate, _link())
            .where(source_candidate.c.candidate_id == candidate_id)
            .order_by(c.source_type, c.source_id, c.chunk_index)
        )
        if source_types:
            statement = statement.where(c.source_type.in_(list(source_types)))
        with self._access.snapshot() as tx:
            return fetch(tx, statement)

    def candidates_of(self, ids: Iterable[int]) -> dict[int, list[int]]:
        """chunk id → row ids of the candidates that its source is linked to."""
        statement = (
            select(political_chunk.c.id.label("chunk_id"), source_candidate.c.candidate_id.label("candidate_id"))
            .join(source_candidate, _link())
            .order_by(political_chunk.c.id, source_candidate.c.candidate_id)
        )
        found: dict[int, list[int]] = {}
        with self._access.snapshot() as tx:
            for row in fetch_in(tx, statement, political_chunk.c.id, ids):
                found.setdefault(row["chunk_id"], []).append(row["candidate_id"])
        return found

    def orphan_count(self) -> int:
        """How many chunks belong to a source without any link (always 0 unless something is broken)."""
        linked = exists(select(source_candidate.c.id).where(_link()))
        with self._access.snapshot() as tx:
            statement = select(func.count()).select_from(political_chunk).where(~linked)
            return int(tx.connection.execute(statement).scalar_one())

    def duplicate_count(self) -> int:
        """How many chunks repeat the content of another chunk of their source (a place is unique by the schema)."""
        c = political_chunk.c
        copies = select(func.count()).select_from(political_chunk)
        repeated = copies.group_by(c.source_type, c.source_id, c.content_hash).having(func.count() > 1)
        with self._access.snapshot() as tx:
            return sum(int(row[0]) - 1 for row in tx.connection.execute(repeated))

    def sources(self, partition: str | None = None) -> dict[tuple[str, str], int]:
        """(source_type, source_id) → number of chunks, of sources linked to a candidate of the UF (None: of all)."""
        c = political_chunk.c
        statement = select(c.source_type, c.source_id, func.count()).group_by(c.source_type, c.source_id)
        if partition is not None:
            statement = statement.where(_linked_to(partition))
        with self._access.snapshot() as tx:
            return {(row[0], row[1]): int(row[2]) for row in tx.connection.execute(statement)}


def retire_chunks(tx: Tx, source_type: str, source_id: str, *, first: int = 0) -> int:
    """Delete the chunks of a source, those before `first` excepted, in the caller's transaction; how many."""
    ids = chunk_ids(tx, source_type, source_id)[first:]
    _delete(tx, ids)
    return len(ids)


def _link() -> Any:
    return (source_candidate.c.source_type == political_chunk.c.source_type) & (
        source_candidate.c.source_id == political_chunk.c.source_id
    )


def _linked_to(partition: str) -> Any:
    # A join would give a chunk once per candidate of its source.
    return exists(
        select(source_candidate.c.id)
        .join(candidate, candidate.c.id == source_candidate.c.candidate_id)
        .where(_link(), candidate.c.state == partition)
    )


def _pending(statement: Select[Any], model: str, dimension: int, partition: str | None) -> Select[Any]:
    c = political_chunk.c
    statement = statement.where(
        or_(
            c.embedding_model.is_(None),
            c.embedding_model != model,
            c.embedding_dimension.is_(None),
            c.embedding_dimension != dimension,
        )
    )
    return statement if partition is None else statement.where(_linked_to(partition))


def _of_source(source_type: str, source_id: str, without: Iterable[str] = ()) -> Select[Any]:
    return (
        select_rows(political_chunk, without=without)
        .where(political_chunk.c.source_type == source_type, political_chunk.c.source_id == source_id)
        .order_by(political_chunk.c.chunk_index)
    )


def _stored_form(row: ChunkValues, source_type: str, source_id: str) -> Row:
    columns = {key: value for key, value in row.items() if key != "prepared"}
    prepared = row["prepared"]
    counted = {"search_text": prepared.joined, "search_term_count": prepared.term_count}
    return normalised(political_chunk, {**columns, **counted, "source_type": source_type, "source_id": source_id})


def _prepared(rows: Sequence[ChunkValues]) -> dict[int, Any]:
    return {row["chunk_index"]: row["prepared"] for row in rows}


def _first_beyond(old: dict[int, Row], new: dict[int, Row], most: int) -> int | None:
    """The index from which on more than `most` rows would change; None when all changes are allowed."""
    if len(old) + len(new) <= most:
        return None
    changes = 0
    for index in sorted({*old, *new}):
        before, after = old.get(index), new.get(index)
        if before is None or after is None:
            changes += 1
        elif not _same_passage(before, after):
            changes += 2
        else:
            changes += bool(differences(political_chunk, before, after))
        if changes > most:
            return index
    return None


def _same_passage(old: RowMapping, new: RowMapping) -> bool:
    return all(old[name] == new[name] for name in SAME_PASSAGE)


def _refresh(tx: Tx, pairs: dict[int, tuple[Row, Row]], prepared: dict[int, Any], tokens: tuple[str, ...]) -> None:
    """Kept rows: write what differs around the passage (title, pages, words), never the vector."""
    changes = {}
    for row_id, (old, new) in pairs.items():
        different = differences(political_chunk, old, new)
        if not different:
            continue
        changes[row_id] = new
        if "search_text" in different:
            tx.engine.index_chunk(tx.connection, row_id, prepared[new["chunk_index"]], tokens)
    update_rows(tx, political_chunk, changes)


def _index_new(
    tx: Tx,
    source_type: str,
    source_id: str,
    indexes: set[int],
    prepared: dict[int, Any],
    tokens: tuple[str, ...],
) -> None:
    if not indexes:
        return
    statement = select(political_chunk.c.id, political_chunk.c.chunk_index).where(
        political_chunk.c.source_type == source_type, political_chunk.c.source_id == source_id
    )
    for row_id, index in tx.connection.execute(statement).all():
        if index in indexes:
            tx.engine.index_chunk(tx.connection, row_id, prepared[index], tokens)


def _delete(tx: Tx, ids: Sequence[int]) -> None:
    for part in batches(ids, tx.engine.limits.listed):
        tx.engine.unindex_chunks(tx.connection, list(part))
        tx.connection.execute(delete(political_chunk).where(political_chunk.c.id.in_(part)))


def _vector(value: Any, dimension: int) -> NDArray[np.float32]:
    vector = np.asarray(value, dtype=np.float32)
    if vector.shape != (dimension,):
        raise StoreError("VECTOR_DIMENSION", f"the vector has shape {vector.shape}, the stamp says {dimension}")
    if not np.isfinite(vector).all():
        raise StoreError("VECTOR_NOT_FINITE", "the vector holds NaN or infinity")
    return vector

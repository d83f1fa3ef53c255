"""What a chunk can be filtered by: tokens made from the candidates that its source is linked to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, select

from iris_assets.store.engine import RowMapping, Tx
from iris_assets.store.search import filter_tokens
from iris_assets.store.tables.rows import batches
from iris_assets.store.tables.schema import candidate, political_chunk, source_candidate

LINKED: Final = ("id", "state", "party", "office", "election_year")


def source_tokens(tx: Tx, source_type: str, source_id: str) -> tuple[str, ...]:
    """The sorted filter tokens of one source, from its links and the linked candidates."""
    statement = (
        select(*(candidate.c[name].label(name) for name in LINKED))
        .join(source_candidate, source_candidate.c.candidate_id == candidate.c.id)
        .where(source_candidate.c.source_type == source_type, source_candidate.c.source_id == source_id)
    )
    rows = [dict(row) for row in tx.connection.execute(statement).mappings()]
    return _tokens(source_type, rows)


def tokens_of_chunks(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """chunk id → filter tokens, for many chunks at once (what a rebuild of the index needs)."""
    chunk, link = political_chunk.c, source_candidate.c
    columns = [candidate.c[name].label(name) for name in LINKED]
    statement = (
        select(chunk.id.label("chunk_id"), chunk.source_type.label("source_type"), *columns)
        .outerjoin(source_candidate, (link.source_type == chunk.source_type) & (link.source_id == chunk.source_id))
        .outerjoin(candidate, candidate.c.id == link.candidate_id)
    )
    found: dict[int, list[RowMapping]] = {}
    for part in batches(ids):
        for row in connection.execute(statement.where(chunk.id.in_(part))).mappings():
            found.setdefault(row["chunk_id"], []).append(dict(row))
    return {chunk_id: _tokens(rows[0]["source_type"], rows) for chunk_id, rows in found.items()}


def _tokens(source_type: str, candidates: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return filter_tokens(
        source_type=source_type,
        candidate_ids=[row["id"] for row in candidates],
        states=[row["state"] for row in candidates],
        parties=[row["party"] for row in candidates],
        offices=[row["office"] for row in candidates],
        years=[row["election_year"] for row in candidates],
    )


def refresh_filters(tx: Tx, sources: Iterable[tuple[str, str]]) -> int:
    """Write the filter tokens of these sources' chunks anew (links or candidates changed); how many chunks."""
    refreshed = 0
    for source_type, source_id in dict.fromkeys(sources):
        ids = chunk_ids(tx, source_type, source_id)
        if not ids:
            continue
        tokens = source_tokens(tx, source_type, source_id)
        for chunk_id in ids:
            tx.engine.refilter_chunk(tx.connection, chunk_id, tokens)
        refreshed += len(ids)
    return refreshed


def chunk_ids(tx: Tx, source_type: str, source_id: str) -> list[int]:
    """Row ids of one source's chunks, in document order."""
    statement = (
        select(political_chunk.c.id)
        .where(political_chunk.c.source_type == source_type, political_chunk.c.source_id == source_id)
        .order_by(political_chunk.c.chunk_index)
    )
    return [row[0] for row in tx.connection.execute(statement)]


def sources_of_candidates(tx: Tx, candidate_ids: Iterable[int]) -> list[tuple[str, str]]:
    """The sources linked to any of these candidates."""
    found: dict[tuple[str, str], None] = {}
    for part in batches(list(candidate_ids), tx.engine.limits.listed):
        statement = select(source_candidate.c.source_type, source_candidate.c.source_id).where(
            source_candidate.c.candidate_id.in_(part)
        )
        found.update(((row[0], row[1]), None) for row in tx.connection.execute(statement))
    return list(found)

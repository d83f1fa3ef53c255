"""Whether the full-text index of the embedded store is in step with the chunks."""

from collections.abc import Iterator

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from iris_assets.store import sqlite_index
from iris_assets.store import sqlite_postings as postings
from iris_assets.store.search import Health, PreparedText
from iris_assets.store.sqlite_index import TokensOf


def verified(connection: Connection, tokens_of: TokensOf | None = None) -> Health:
    """`health`, where an index that cannot even be read is not in step."""
    try:
        return health(connection, tokens_of)
    except DatabaseError as error:
        return Health(False, 0, 0, f"the index cannot be read: {error.orig}")


def health(connection: Connection, tokens_of: TokensOf | None = None) -> Health:
    """Counts and checksums of the index and the chunks; with `tokens_of` every term and filter token as well."""
    chunks = _pair(connection, "SELECT count(*), sum(Id) FROM PoliticalChunk")
    indexed = _pair(connection, "SELECT count(*), sum(id) FROM chunk_search_docsize")
    detail = _counts(connection, chunks, indexed) or (_deep(connection, tokens_of) if tokens_of else "")
    return Health(not detail, chunks[0], indexed[0], detail)


def _counts(connection: Connection, chunks: tuple[int, int], indexed: tuple[int, int]) -> str:
    rows = _pair(connection, "SELECT count(*), sum(chunk_id) FROM chunk_search_row")
    if not chunks == rows == indexed:
        return "the index and the chunks hold different rows"
    state = _pair(connection, "SELECT row_count, signature FROM chunk_search_state")
    if state != _pair(connection, "SELECT count(*), sum(signature) FROM chunk_search_row"):
        return "the checksum of the index does not hold"
    blocks, tail = (
        _pair(connection, f"SELECT {figure}, 0 FROM {table}")[0]
        for figure, table in (("sum(row_count)", "chunk_search_block"), ("count(*)", "chunk_search_tail"))
    )
    inverted, _ = _pair(connection, "SELECT EXISTS (SELECT 1 FROM chunk_search_posting), 0")
    holds = blocks + tail == rows[0] and bool(inverted) == bool(blocks)
    return "" if holds else "the postings and the index hold different rows"


def _deep(connection: Connection, tokens_of: TokensOf) -> str:
    connection.exec_driver_sql("INSERT INTO chunk_search (chunk_search) VALUES ('integrity-check')")
    for block, chunks in _blocks(connection):
        tokens = tokens_of(connection, [chunk_id for chunk_id, _ in chunks])
        packed = []
        for chunk_id, prepared in chunks:
            if sqlite_index.texts(connection, [chunk_id]) != {chunk_id: prepared}:
                return f"chunk {chunk_id} was indexed with other terms"
            packed.append((chunk_id, postings.packed(prepared, tokens.get(chunk_id, ()))))
        if not _holds(connection, block, packed):
            return f"the postings of chunks {chunks[0][0]} to {chunks[-1][0]} do not hold"
    return ""


def _blocks(connection: Connection) -> Iterator[tuple[int, list[tuple[int, PreparedText]]]]:
    """The chunks with their terms, block by block."""
    ids = connection.exec_driver_sql(
        f"SELECT DISTINCT Id >> {postings.BLOCK_BITS} FROM PoliticalChunk ORDER BY 1"
    ).scalars()
    for block in ids.all():
        rows = connection.exec_driver_sql(
            "SELECT Id, SearchText FROM PoliticalChunk WHERE Id >= ? AND Id < ? ORDER BY Id",
            (block * postings.BLOCK, (block + 1) * postings.BLOCK),
        )
        yield block, [(row[0], PreparedText.split(row[1])) for row in rows]


def _holds(connection: Connection, block: int, packed: list[tuple[int, bytes]]) -> bool:
    """Whether tail and postings of a block hold exactly these chunks' terms."""
    first, last = packed[0][0], packed[-1][0]
    rows = connection.exec_driver_sql(
        "SELECT chunk_id, terms FROM chunk_search_tail WHERE chunk_id BETWEEN ? AND ? ORDER BY chunk_id", (first, last)
    )
    waiting = [(row[0], row[1]) for row in rows]
    if waiting:
        return waiting == packed
    return list(postings.block_contents(connection, block)) == postings.inverted(packed)


def _pair(connection: Connection, sql: str) -> tuple[int, int]:
    row = connection.exec_driver_sql(sql).one()
    return int(row[0] or 0), int(row[1] or 0)

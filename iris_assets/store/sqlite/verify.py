"""Whether the full-text index of the embedded store is in step with the chunks.

Three depths: counts and sums; checksums of what is stored, of all or of a share; everything derived anew from the chunks.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from iris_assets.store.search import Health, PreparedText
from iris_assets.store.sqlite import index
from iris_assets.store.sqlite import postings as postings
from iris_assets.store.sqlite.damage import tells_of_damage
from iris_assets.store.sqlite.index import TokensOf

Check = Callable[[Connection], str]  # what does not hold; empty text when all does

READ_AT_START: Final = 5000  # chunks: what a start reads of a store in about a tenth of a second
EARLIER: Final = "an earlier version wrote the index; opening the store brings it up to date"


def verified(connection: Connection, *checks: Check) -> Health:
    """The health that these checks find, in this order; an index that cannot even be read is not in step."""
    chunks = indexed = 0
    try:
        chunks = _row(connection, "SELECT count(*) FROM PoliticalChunk")[0]
        if index.is_of_first_versions(connection):
            return Health(False, chunks, 0, EARLIER)
        indexed = _row(connection, "SELECT count(*) FROM chunk_search_docsize")[0]
        details = (check(connection) for check in checks)
        detail = next((detail for detail in details if detail), "")
    except DatabaseError as error:
        if not tells_of_damage(error):
            raise
        detail = f"the index cannot be read: {error.orig}"
    return Health(not detail, chunks, indexed, detail)


def counted(connection: Connection) -> str:
    """Rows and sums of every table against the chunks and the state, and whether somebody else changed one."""
    chunks = _row(connection, "SELECT count(*), sum(Id) FROM PoliticalChunk")
    words = _row(connection, "SELECT count(*), sum(id) FROM chunk_search_docsize")
    rows = _row(connection, "SELECT count(*), sum(chunk_id), sum(terms), sum(signature) FROM chunk_search_row")
    if not chunks == words == rows[:2]:
        return "the index and the chunks hold different rows"
    state = _row(connection, "SELECT row_count, term_count, signature, suspect FROM chunk_search_state")
    if not state:
        return "the index has lost its state"
    if state[:3] != (rows[0], *rows[2:]):
        return "the sums of the index do not hold"
    if state[3]:
        return "something else than its writer has changed the index"
    blocks = _row(connection, "SELECT sum(row_count) FROM chunk_search_block")
    tail = _row(connection, "SELECT count(*) FROM chunk_search_tail")
    if blocks[0] + tail[0] != rows[0]:
        return "the postings and the index hold different rows"
    return "" if _watched(connection) else "the triggers that watch the index are gone"


def started(connection: Connection) -> str:
    """The counts, and the checksums of as much as a start has time for: of a large store another share each time."""
    detail = counted(connection)
    return detail or _checksums(connection, -(-index.size(connection) // READ_AT_START))


def repair(connection: Connection, tokens_of: TokensOf) -> str:
    """Bring the index of an earlier version up to date; write one that does not hold anew, and return why."""
    try:
        if index.is_of_first_versions(connection):
            index.adopt(connection)
    except DatabaseError as error:
        if not tells_of_damage(error):
            raise
    health = verified(connection, started)
    if not health.ok:
        index.rebuild(connection, tokens_of)
    return health.detail


def words(connection: Connection) -> str:
    """FTS5's own check of its index against its texts; raises DatabaseError when it does not hold. A write to SQLite."""
    connection.exec_driver_sql("INSERT INTO chunk_search (chunk_search) VALUES ('integrity-check')")
    return ""


def derived(connection: Connection, tokens_of: TokensOf) -> str:
    """Counts, all checksums, and every term, filter and posting derived anew from the chunks and their links."""
    detail = counted(connection) or _checksums(connection, 1)
    parts = (_block(connection, block, tokens_of) for block in _blocks(connection))
    return detail or next((part for part in parts if part), "")


def _watched(connection: Connection) -> bool:
    rows = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    return index.WATCHES.keys() <= set(rows.scalars())


def _checksums(connection: Connection, share: int) -> str:
    """What the index holds against the checksums of its writing; of a `share` of chunks and blocks, drawn anew."""
    turn = (share, random.randrange(share)) if share > 1 else (1, 0)
    return _texts(connection, turn) or _tail(connection) or _postings(connection, turn)


def _texts(connection: Connection, turn: tuple[int, int]) -> str:
    rows = connection.exec_driver_sql(
        "SELECT r.chunk_id, r.signature, coalesce(c.SearchText, char(10, 10, 10)), "
        "s.title || char(10) || s.header || char(10) || s.body || char(10) || s.exact FROM chunk_search_row AS r "
        "LEFT JOIN PoliticalChunk AS c ON c.Id = r.chunk_id LEFT JOIN chunk_search AS s ON s.rowid = r.chunk_id "
        "WHERE r.chunk_id % ? = ?",
        turn,
    )
    wrong = (
        chunk_id for chunk_id, signature, text, indexed in rows if text != indexed or index.signature(text) != signature
    )
    return next((f"chunk {chunk_id} was indexed with other terms" for chunk_id in wrong), "")


def _tail(connection: Connection) -> str:
    rows = connection.exec_driver_sql("SELECT chunk_id, terms, checksum FROM chunk_search_tail")
    wrong = (chunk_id for chunk_id, terms, checksum in rows if postings.checksum(chunk_id, terms) != checksum)
    return next((f"the checksum of chunk {chunk_id} does not hold" for chunk_id in wrong), "")


def _postings(connection: Connection, turn: tuple[int, int]) -> str:
    blocks = connection.exec_driver_sql("SELECT block, checksum FROM chunk_search_block WHERE block % ? = ?", turn)
    for block, checksum in blocks.all():
        if postings.block_checksum(postings.block_contents(connection, block)) != checksum:
            first = block << postings.BLOCK_BITS
            return f"the checksum of the postings of chunks {first} to {first + postings.BLOCK - 1} does not hold"
    return ""


def _blocks(connection: Connection) -> Sequence[int]:
    return connection.exec_driver_sql(
        f"SELECT DISTINCT Id >> {postings.BLOCK_BITS} FROM PoliticalChunk ORDER BY 1"
    ).scalars().all()  # fmt: skip


def _block(connection: Connection, block: int, tokens_of: TokensOf) -> str:
    """What does not hold of the chunks of one block."""
    bounds = (block << postings.BLOCK_BITS, (block + 1) << postings.BLOCK_BITS)
    rows = connection.exec_driver_sql(
        "SELECT c.Id, c.SearchText, r.terms, r.filter FROM PoliticalChunk AS c "
        "JOIN chunk_search_row AS r ON r.chunk_id = c.Id WHERE c.Id >= ? AND c.Id < ? ORDER BY c.Id",
        bounds,
    ).all()
    tokens = tokens_of(connection, [row[0] for row in rows])
    packed = []
    for chunk_id, text, terms, filters in rows:
        prepared, mine = PreparedText.split(text), sorted(set(tokens.get(chunk_id, ())))
        if (terms, filters.split()) != (prepared.term_count, mine):
            return f"chunk {chunk_id} was indexed with other filters or another length"
        packed.append((chunk_id, postings.packed(prepared, mine)))
    return "" if _holds(connection, block, packed) else f"the postings of chunks {bounds[0]} to {bounds[1] - 1} differ"


def _holds(connection: Connection, block: int, packed: list[tuple[int, bytes]]) -> bool:
    """Whether tail and postings of a block hold exactly these chunks' terms."""
    first, last = packed[0][0], packed[-1][0]
    rows = connection.exec_driver_sql(
        "SELECT chunk_id, terms FROM chunk_search_tail WHERE chunk_id BETWEEN ? AND ? ORDER BY chunk_id", (first, last)
    )
    waiting = [(row[0], row[1]) for row in rows]
    if waiting:
        return waiting == packed
    return postings.block_contents(connection, block) == postings.inverted(packed)


def _row(connection: Connection, sql: str) -> tuple[int, ...]:
    """The row of figures that the statement gives, NULL as 0; empty when it gives none."""
    row = connection.exec_driver_sql(sql).first()
    return tuple(int(value or 0) for value in row or ())

"""The full-text index of the embedded store: one FTS5 table, written in the chunk's own transaction.

It holds each chunk's prepared terms by its row id, and beside them the tokens that a filter asks for.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from iris_assets.store.search import Health, PreparedText, SearchFilter
from iris_assets.store.sqlite.damage import readable, tells_of_damage

TokensOf = Callable[[Connection, Sequence[int]], Mapping[int, Sequence[str]]]  # chunk id → filter tokens

BATCH: Final = 500
FILTER_MARK: Final = "="  # no word of a text holds it: a filter's token is never counted as a word
TABLES: Final = (
    "chunk_search_vocabulary",
    *(f"chunk_search_{part}" for part in ("data", "idx", "content", "docsize", "config")),  # gone with chunk_search
    "chunk_search_change",
)
# The number of the change is drawn, not counted: after a rollback the next change must not look like the undone one.
DDL: Final = (
    f"""CREATE VIRTUAL TABLE IF NOT EXISTS chunk_search USING fts5(
        title, header, body, filter, tokenize = "unicode61 remove_diacritics 0 tokenchars '/-.,$%{FILTER_MARK}'")""",
    "CREATE VIRTUAL TABLE IF NOT EXISTS chunk_search_vocabulary USING fts5vocab(chunk_search, row)",
    "CREATE TABLE IF NOT EXISTS chunk_search_change (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL)",
    "INSERT OR IGNORE INTO chunk_search_change VALUES (1, random())",
)
PUT: Final = "INSERT OR REPLACE INTO chunk_search (rowid, title, header, body, filter) VALUES (?, ?, ?, ?, ?)"


def create(connection: Connection) -> None:
    """Create the index tables that are not there yet."""
    for statement in DDL:
        connection.exec_driver_sql(statement)


def drop(connection: Connection) -> None:
    """Drop all index tables, whatever state they are in."""
    try:
        connection.exec_driver_sql("DROP TABLE IF EXISTS chunk_search")
    except DatabaseError as error:
        if not tells_of_damage(error):
            raise
        # FTS5 does not drop what it cannot open: its entry in the schema goes, and its tables one by one.
        connection.exec_driver_sql("PRAGMA writable_schema = ON")
        connection.exec_driver_sql("DELETE FROM sqlite_master WHERE name = 'chunk_search'")
        connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    for name in TABLES:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")


def rebuild(connection: Connection, tokens_of: TokensOf) -> int:
    """Write the whole index anew from the chunks; returns the number of rows."""
    drop(connection)
    create(connection)
    last = count = 0
    while True:
        rows = connection.exec_driver_sql(
            "SELECT Id, SearchText FROM PoliticalChunk WHERE Id > ? ORDER BY Id LIMIT ?", (last, BATCH)
        ).all()
        if not rows:
            return count
        tokens = tokens_of(connection, [row[0] for row in rows])
        put = [_row(id_, PreparedText.split(text), tokens.get(id_, ())) for id_, text in rows]
        connection.exec_driver_sql(PUT, put)
        last, count = rows[-1][0], count + len(rows)


def write(connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]) -> None:
    """Index one chunk (again)."""
    connection.exec_driver_sql(PUT, _row(chunk_id, prepared, filter_tokens))
    _note_change(connection)


def delete(connection: Connection, chunk_ids: Iterable[int]) -> None:
    """Take chunks out of the index; unknown ids are no error."""
    rows = [(chunk_id,) for chunk_id in chunk_ids]
    if rows:
        connection.exec_driver_sql("DELETE FROM chunk_search WHERE rowid = ?", rows)
        _note_change(connection)


def set_filters(connection: Connection, chunk_id: int, filter_tokens: Iterable[str]) -> None:
    """Change whom a chunk belongs to; its words stay."""
    tokens = _marked(filter_tokens)
    changed = connection.exec_driver_sql(
        "UPDATE chunk_search SET filter = ? WHERE rowid = ? AND filter <> ?", (tokens, chunk_id, tokens)
    )
    if changed.rowcount:
        _note_change(connection)


def size(connection: Connection) -> int:
    """How many chunks are indexed."""
    return _count(connection, "SELECT count(*) FROM chunk_search_docsize")[0]


def health(connection: Connection) -> Health:
    """Whether the index can be read and holds the rows of the chunk table."""
    chunks = _count(connection, "SELECT count(*), sum(Id) FROM PoliticalChunk")
    try:
        indexed = _count(connection, "SELECT count(*), sum(id) FROM chunk_search_docsize")
        connection.exec_driver_sql("SELECT 1 FROM chunk_search, chunk_search_change LIMIT 1").all()
        connection.exec_driver_sql("SELECT 1 FROM chunk_search_vocabulary LIMIT 1").all()
    except DatabaseError as error:
        return unreadable(error, chunks[0])
    detail = "" if chunks == indexed else "the index and the chunks hold different rows"
    return Health(not detail, chunks[0], indexed[0], detail)


def sound(connection: Connection) -> Health:
    """`health` after FTS5's own check of its index against its texts, which is a write to SQLite."""
    try:
        connection.exec_driver_sql("INSERT INTO chunk_search (chunk_search) VALUES ('integrity-check')")
    except DatabaseError as error:
        return unreadable(error, _count(connection, "SELECT count(*) FROM PoliticalChunk")[0])
    return health(connection)


def unreadable(error: DatabaseError, chunks: int) -> Health:
    """The health of an index of which the driver says this; another error (a busy store, say) is raised again."""
    if not tells_of_damage(error):
        raise error
    return Health(False, chunks, 0, f"the index cannot be read: {error.orig}")


def change_number(connection: Connection) -> int:
    """A number that is another one after every change of the index or of its filters."""
    return _count(connection, "SELECT number FROM chunk_search_change")[0]


def filtered_ids(connection: Connection, restriction: SearchFilter) -> NDArray[np.int64]:
    """Row ids, ascending, of the chunks that a filter lets through which restricts something."""
    with readable():
        rows = connection.exec_driver_sql(
            "SELECT rowid FROM chunk_search WHERE chunk_search MATCH ? ORDER BY rowid",
            (filter_expression(restriction),),
        )
        return np.fromiter(rows.scalars(), dtype=np.int64)


def filter_expression(restriction: SearchFilter) -> str:
    """FTS5's expression for the chunks that a filter lets through; empty when it restricts nothing."""
    fields = (" OR ".join(f'"{FILTER_MARK}{token}"' for token in tokens) for tokens in restriction.tokens())
    return " AND ".join(f"filter : ({tokens})" for tokens in fields)


def _note_change(connection: Connection) -> None:
    connection.exec_driver_sql("UPDATE chunk_search_change SET number = random()")


def _row(chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]) -> tuple[int, str, str, str, str]:
    return chunk_id, prepared.title, prepared.header, prepared.body, _marked(filter_tokens)


def _marked(filter_tokens: Iterable[str]) -> str:
    return " ".join(f"{FILTER_MARK}{token}" for token in sorted(set(filter_tokens)))


def _count(connection: Connection, sql: str) -> tuple[int, ...]:
    """The row of figures that the statement gives, NULL as 0."""
    return tuple(int(value or 0) for value in connection.exec_driver_sql(sql).one())

"""Writing the full-text index of the embedded store, in the chunk's own transaction.

An FTS5 table holds each chunk's prepared terms by its row id (what is rescored, where phrases are found); postings
rank; a small table holds lengths, checksums and filter tokens, and one row of state counts them.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy.engine import Connection

from iris_assets.store import sqlite_postings as postings
from iris_assets.store.search import PreparedText

TokensOf = Callable[[Connection, Sequence[int]], Mapping[int, Sequence[str]]]  # chunk id → filter tokens

BATCH: Final = 500
TABLES: Final = (
    "chunk_search_vocabulary",
    "chunk_search",
    "chunk_search_row",
    "chunk_search_state",
    *postings.TABLES,
)

# The number of the change is drawn, not counted: after a rollback the next change must not look like the undone one.
DDL: Final = (
    """CREATE VIRTUAL TABLE IF NOT EXISTS chunk_search USING fts5(
        title, header, body, exact UNINDEXED, tokenize = "unicode61 remove_diacritics 0 tokenchars '/-.,$%'")""",
    """CREATE TABLE IF NOT EXISTS chunk_search_row (
        chunk_id INTEGER PRIMARY KEY, terms INTEGER NOT NULL, signature INTEGER NOT NULL, filter TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS chunk_search_state (
        id INTEGER PRIMARY KEY CHECK (id = 1), row_count INTEGER NOT NULL, term_count INTEGER NOT NULL,
        signature INTEGER NOT NULL, change INTEGER NOT NULL)""",
    "INSERT OR IGNORE INTO chunk_search_state VALUES (1, 0, 0, 0, random())",
    """CREATE TRIGGER IF NOT EXISTS chunk_search_row_added AFTER INSERT ON chunk_search_row BEGIN
        UPDATE chunk_search_state SET row_count = row_count + 1, term_count = term_count + NEW.terms,
            signature = signature + NEW.signature, change = random(); END""",
    """CREATE TRIGGER IF NOT EXISTS chunk_search_row_removed AFTER DELETE ON chunk_search_row BEGIN
        UPDATE chunk_search_state SET row_count = row_count - 1, term_count = term_count - OLD.terms,
            signature = signature - OLD.signature, change = random(); END""",
    """CREATE TRIGGER IF NOT EXISTS chunk_search_row_filtered AFTER UPDATE OF filter ON chunk_search_row BEGIN
        UPDATE chunk_search_state SET change = random(); END""",
    *postings.DDL,
)


def create(connection: Connection) -> None:
    """Create the index tables that are not there yet."""
    for statement in DDL:
        connection.exec_driver_sql(statement)


def drop(connection: Connection) -> None:
    """Drop all index tables, whatever state they are in."""
    for name in TABLES:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")


def rebuild(connection: Connection, tokens_of: TokensOf) -> int:
    """Write the whole index anew from the chunks; returns the number of rows."""
    drop(connection)
    create(connection)
    last, count = 0, 0
    while True:
        rows = connection.exec_driver_sql(
            "SELECT Id, SearchText FROM PoliticalChunk WHERE Id > ? ORDER BY Id LIMIT ?", (last, BATCH)
        ).all()
        if not rows:
            return count
        tokens = tokens_of(connection, [row[0] for row in rows])
        for id_, text in rows:
            write(connection, id_, PreparedText.split(text), tokens.get(id_, ()))
        last, count = rows[-1][0], count + len(rows)


def write(connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]) -> None:
    """Index one chunk (again)."""
    delete(connection, [chunk_id])
    tokens = sorted(set(filter_tokens))
    connection.exec_driver_sql(
        "INSERT INTO chunk_search (rowid, title, header, body, exact) VALUES (?, ?, ?, ?, ?)",
        (chunk_id, prepared.title, prepared.header, prepared.body, prepared.exact),
    )
    connection.exec_driver_sql(
        "INSERT INTO chunk_search_row (chunk_id, terms, signature, filter) VALUES (?, ?, ?, ?)",
        (chunk_id, prepared.term_count, signature(prepared), " ".join(tokens)),
    )
    postings.add(connection, chunk_id, prepared, tokens)


def delete(connection: Connection, chunk_ids: Iterable[int]) -> None:
    """Take chunks out of the index; unknown ids are no error."""
    for chunk_id in chunk_ids:
        tokens = _tokens(connection, chunk_id)
        if tokens is None:
            continue
        for prepared in texts(connection, [chunk_id]).values():
            postings.remove(connection, chunk_id, prepared, tokens)
        connection.exec_driver_sql("DELETE FROM chunk_search WHERE rowid = ?", (chunk_id,))
        connection.exec_driver_sql("DELETE FROM chunk_search_row WHERE chunk_id = ?", (chunk_id,))


def set_filters(connection: Connection, chunk_id: int, filter_tokens: Iterable[str]) -> None:
    """Change whom a chunk belongs to, without touching its terms."""
    tokens = sorted(set(filter_tokens))
    before = _tokens(connection, chunk_id)
    if before is None or before == tokens:
        return
    postings.change_filters(connection, chunk_id, before, tokens)
    connection.exec_driver_sql(
        "UPDATE chunk_search_row SET filter = ? WHERE chunk_id = ?", (" ".join(tokens), chunk_id)
    )


def texts(connection: Connection, ids: Sequence[int]) -> dict[int, PreparedText]:
    """The prepared terms of indexed chunks."""
    found: dict[int, PreparedText] = {}
    for start in range(0, len(ids), BATCH):
        part = tuple(ids[start : start + BATCH])
        marks = ",".join("?" * len(part))
        rows = connection.exec_driver_sql(
            f"SELECT rowid, title, header, body, exact FROM chunk_search WHERE rowid IN ({marks})", part
        ).all()
        found |= {row[0]: PreparedText(*row[1:]) for row in rows}
    return found


def change_number(connection: Connection) -> int:
    """A number that is another one after every change of the index or of its filters."""
    return int(connection.exec_driver_sql("SELECT change FROM chunk_search_state").scalar_one())


def signature(prepared: PreparedText) -> int:
    """Checksum of a chunk's terms."""
    return zlib.crc32(prepared.joined.encode())


def _tokens(connection: Connection, chunk_id: int) -> list[str] | None:
    row = connection.exec_driver_sql("SELECT filter FROM chunk_search_row WHERE chunk_id = ?", (chunk_id,)).first()
    return None if row is None else str(row[0]).split()

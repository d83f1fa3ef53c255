"""Writing the full-text index of the embedded store, in the chunk's own transaction.

An FTS5 table holds each chunk's prepared terms by its row id (what is rescored, where phrases are found); postings
rank; a small table holds lengths, checksums and filter tokens. One row of state says what all of them must hold; only
the functions here keep it, and triggers tell when anybody else changes one of the tables.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from iris_assets.store.search import PreparedText
from iris_assets.store.sqlite import postings as postings
from iris_assets.store.sqlite.damage import damaged, tells_of_damage

TokensOf = Callable[[Connection, Sequence[int]], Mapping[int, Sequence[str]]]  # chunk id → filter tokens

BATCH: Final = 500
STATELESS: Final = "it has lost its state"
TABLES: Final = (
    *(f"chunk_search_{part}" for part in ("data", "idx", "content", "docsize", "config")),  # gone with chunk_search
    "chunk_search_row",
    "chunk_search_state",
    *postings.TABLES,
    "chunk_search_vocabulary",  # of the first versions
)

# FTS5's own tables cannot be watched: newer SQLite refuses to read a schema with triggers on them.
WATCHED: Final = ("chunk_search_row", *postings.TABLES)
WATCHES: Final = {
    f"{table}_{event.lower()}": f"""CREATE TRIGGER IF NOT EXISTS {table}_{event.lower()} AFTER {event} ON {table}
        WHEN (SELECT suspect FROM chunk_search_state) = 0 BEGIN
        UPDATE chunk_search_state SET suspect = 1; END"""
    for table in WATCHED
    for event in ("INSERT", "UPDATE", "DELETE")
}
# The number of the change is drawn, not counted: after a rollback the next change must not look like the undone one.
DDL: Final = (
    """CREATE VIRTUAL TABLE IF NOT EXISTS chunk_search USING fts5(
        title, header, body, exact UNINDEXED, tokenize = "unicode61 remove_diacritics 0 tokenchars '/-.,$%'")""",
    """CREATE TABLE IF NOT EXISTS chunk_search_row (
        chunk_id INTEGER PRIMARY KEY, terms INTEGER NOT NULL, signature INTEGER NOT NULL, filter TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS chunk_search_state (
        id INTEGER PRIMARY KEY CHECK (id = 1), row_count INTEGER NOT NULL, term_count INTEGER NOT NULL,
        signature INTEGER NOT NULL, change INTEGER NOT NULL, suspect INTEGER NOT NULL DEFAULT 0)""",
    "INSERT OR IGNORE INTO chunk_search_state (id, row_count, term_count, signature, change) "
    "VALUES (1, 0, 0, 0, random())",
    *postings.DDL,
    *WATCHES.values(),
)
# Stores of the first versions: their sums were kept by triggers, nothing was watched, postings had no checksum.
FROM_FIRST_VERSIONS: Final = (
    "DROP TRIGGER IF EXISTS chunk_search_row_added",
    "DROP TRIGGER IF EXISTS chunk_search_row_removed",
    "DROP TRIGGER IF EXISTS chunk_search_row_filtered",
    *(
        f"ALTER TABLE chunk_search_{table} ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0"
        for table, column in (("block", "checksum"), ("tail", "checksum"), ("state", "suspect"))
    ),
)


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


def is_of_first_versions(connection: Connection) -> bool:
    """Whether the index was written by a version that `adopt` brings up to date."""
    rows = connection.exec_driver_sql("SELECT name FROM pragma_table_info('chunk_search_state')")
    columns = rows.scalars().all()
    return "change" in columns and "suspect" not in columns


def adopt(connection: Connection) -> None:
    """Give the index of a first version its checksums and watches; its contents are read once, not written anew."""
    for statement in FROM_FIRST_VERSIONS:
        connection.exec_driver_sql(statement)
    create(connection)
    with _writing(connection):
        postings.sign(connection)


def rebuild(connection: Connection, tokens_of: TokensOf) -> int:
    """Write the whole index anew from the chunks; returns the number of rows."""
    drop(connection)
    create(connection)
    last = 0
    with _writing(connection) as sums:
        while True:
            rows = connection.exec_driver_sql(
                "SELECT Id, SearchText FROM PoliticalChunk WHERE Id > ? ORDER BY Id LIMIT ?", (last, BATCH)
            ).all()
            if not rows:
                return sums.rows
            tokens = tokens_of(connection, [row[0] for row in rows])
            for id_, text in rows:
                _put(connection, sums, id_, PreparedText.split(text), tokens.get(id_, ()))
            last = rows[-1][0]


def write(connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]) -> None:
    """Index one chunk (again)."""
    with _writing(connection) as sums:
        _take(connection, sums, chunk_id)
        _put(connection, sums, chunk_id, prepared, filter_tokens)


def delete(connection: Connection, chunk_ids: Iterable[int]) -> None:
    """Take chunks out of the index; unknown ids are no error."""
    with _writing(connection) as sums:
        for chunk_id in chunk_ids:
            _take(connection, sums, chunk_id)


def set_filters(connection: Connection, chunk_id: int, filter_tokens: Iterable[str]) -> None:
    """Change whom a chunk belongs to, without touching its terms."""
    tokens = sorted(set(filter_tokens))
    row = _row(connection, chunk_id)
    if row is None or row.filter.split() == tokens:
        return
    with _writing(connection):
        postings.change_filters(connection, chunk_id, row.filter.split(), tokens)
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


def size(connection: Connection) -> int:
    """How many chunks are indexed."""
    row = connection.exec_driver_sql("SELECT row_count FROM chunk_search_state").first()
    if row is None:
        raise damaged(STATELESS)
    return int(row[0])


def altered(connection: Connection, prepared: Mapping[int, PreparedText]) -> list[int]:
    """Which of these chunks were indexed with other terms than these."""
    rows = [_row(connection, chunk_id) for chunk_id in prepared]
    return [
        chunk_id
        for (chunk_id, text), row in zip(prepared.items(), rows, strict=True)
        if row is None or row.signature != signature(text.joined)
    ]


def change_number(connection: Connection) -> int:
    """A number that is another one after every change of the index or of its filters.

    StoreError LEXICAL_INDEX_DAMAGED when something else than this module has changed the index.
    """
    row = connection.exec_driver_sql("SELECT change, suspect FROM chunk_search_state").first()
    if row is None:
        raise damaged(STATELESS)
    if row[1]:
        raise damaged("it was changed by something else than its writer", noted=True)
    return int(row[0])


def signature(joined: str) -> int:
    """Checksum of a chunk's terms (PreparedText.joined)."""
    return zlib.crc32(joined.encode())


def suspect(connection: Connection) -> None:
    """Note that the index is damaged: no search answers from it until it is written anew."""
    connection.exec_driver_sql("UPDATE chunk_search_state SET suspect = 1")


@dataclass
class _Sums:
    """What a change adds to the state."""

    rows: int = 0
    terms: int = 0
    signature: int = 0


@contextmanager
def _writing(connection: Connection) -> Iterator[_Sums]:
    """Around every change made here: enters it into the state, and says to the watches that it was ours.

    After an error they keep their suspicion, should the unit be committed all the same.
    """
    before = connection.exec_driver_sql("SELECT suspect FROM chunk_search_state").scalar()
    sums = _Sums()
    yield sums
    connection.exec_driver_sql(
        "UPDATE chunk_search_state SET row_count = row_count + ?, term_count = term_count + ?, "
        "signature = signature + ?, change = random(), suspect = ?",
        (sums.rows, sums.terms, sums.signature, before),
    )


def _put(
    connection: Connection, sums: _Sums, chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]
) -> None:
    tokens = sorted(set(filter_tokens))
    row = (chunk_id, prepared.term_count, signature(prepared.joined), " ".join(tokens))
    connection.exec_driver_sql(
        "INSERT INTO chunk_search (rowid, title, header, body, exact) VALUES (?, ?, ?, ?, ?)",
        (chunk_id, prepared.title, prepared.header, prepared.body, prepared.exact),
    )
    connection.exec_driver_sql(
        "INSERT INTO chunk_search_row (chunk_id, terms, signature, filter) VALUES (?, ?, ?, ?)", row
    )
    postings.add(connection, chunk_id, prepared, tokens)
    sums.rows, sums.terms, sums.signature = sums.rows + 1, sums.terms + row[1], sums.signature + row[2]


def _take(connection: Connection, sums: _Sums, chunk_id: int) -> None:
    row = _row(connection, chunk_id)
    if row is None:
        return
    for prepared in texts(connection, [chunk_id]).values():
        postings.remove(connection, chunk_id, prepared, row.filter.split())
    connection.exec_driver_sql("DELETE FROM chunk_search WHERE rowid = ?", (chunk_id,))
    connection.exec_driver_sql("DELETE FROM chunk_search_row WHERE chunk_id = ?", (chunk_id,))
    sums.rows, sums.terms, sums.signature = sums.rows - 1, sums.terms - row.terms, sums.signature - row.signature


def _row(connection: Connection, chunk_id: int) -> Any:
    return connection.exec_driver_sql(
        "SELECT terms, signature, filter FROM chunk_search_row WHERE chunk_id = ?", (chunk_id,)
    ).first()

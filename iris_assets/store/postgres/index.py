"""The full-text index: a tsvector of each chunk's prepared terms and the tokens of its filters, in its own transaction."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sqlalchemy import Connection

from iris_assets.store.search import PreparedText
from iris_assets.store.tables.filters import tokens_of_chunks

BATCH: Final = 500
LONGEST: Final = 2_000  # bytes of a word that the index takes; nobody asks for a longer one
LAST_PLACE: Final = 16_383  # words beyond it share it
TITLE, HEADER, BODY = "A", "B", "D"  # the server's four weights; A counts double (see RANK_WEIGHTS of the search)

Entry = tuple[int, PreparedText, Iterable[str]]  # chunk id, its words, its filter tokens

_PUT: Final = (
    'INSERT INTO "ChunkSearch" ("ChunkId", "Words", "Filter") VALUES (%s, %s::tsvector, %s) '
    'ON CONFLICT ("ChunkId") DO UPDATE SET "Words" = excluded."Words", "Filter" = excluded."Filter"'
)


def write(connection: Connection, entries: Iterable[Entry]) -> None:
    """Index chunks (again)."""
    rows = [(chunk_id, words_of(prepared), sorted(set(tokens))) for chunk_id, prepared, tokens in entries]
    if rows:
        connection.exec_driver_sql(_PUT, rows)


def delete(connection: Connection, chunk_ids: Sequence[int]) -> None:
    """Take chunks out of the index; unknown ids are no error."""
    connection.exec_driver_sql('DELETE FROM "ChunkSearch" WHERE "ChunkId" = ANY(%s)', (list(chunk_ids),))


def set_filters(connection: Connection, chunk_id: int, tokens: Iterable[str]) -> None:
    """Change whom a chunk belongs to; its words stay."""
    wanted = sorted(set(tokens))
    connection.exec_driver_sql(
        'UPDATE "ChunkSearch" SET "Filter" = %s WHERE "ChunkId" = %s AND "Filter" <> %s', (wanted, chunk_id, wanted)
    )


def rebuild(connection: Connection) -> int:
    """Write the whole index anew from the chunks; returns the number of rows."""
    connection.exec_driver_sql('DELETE FROM "ChunkSearch"')
    count = 0
    for rows in _texts(connection):
        tokens = tokens_of_chunks(connection, list(rows))
        write(connection, ((id_, PreparedText.split(text), tokens.get(id_, ())) for id_, text in rows.items()))
        count += len(rows)
    return count


def stale(connection: Connection) -> int:
    """How many chunks stand in the index with other words than their own."""
    sql = (
        "SELECT count(*) FROM unnest(%s::int[], %s::text[]) AS wanted (id, words) "
        'JOIN "ChunkSearch" ON "ChunkId" = wanted.id WHERE "Words" <> wanted.words::tsvector'
    )
    count = 0
    for rows in _texts(connection):
        words = [words_of(PreparedText.split(text)) for text in rows.values()]
        count += connection.exec_driver_sql(sql, (list(rows), words)).scalar_one()
    return count


def sizes(connection: Connection) -> tuple[int, int]:
    """How many chunks there are, and how many of them the index holds (it can hold no others)."""
    sql = 'SELECT (SELECT count(*) FROM "PoliticalChunk"), (SELECT count(*) FROM "ChunkSearch")'
    chunks, indexed = connection.exec_driver_sql(sql).one()
    return int(chunks), int(indexed)


def words_of(prepared: PreparedText) -> str:
    """A tsvector's text: each term with its place and weight. A field ends with a gap: no phrase runs over it."""
    places: dict[str, list[str]] = {}
    place = 0
    for text, weight in ((prepared.title, TITLE), (prepared.header, HEADER), (prepared.body, BODY)):
        for term in text.split():
            place += 1
            places.setdefault(term, []).append(f"{min(place, LAST_PLACE)}{weight}")
        place += 1
    return " ".join(f"{lexeme(term)}:{','.join(where)}" for term, where in places.items() if _fits(term))


def lexeme(term: str) -> str:
    """A word quoted for a tsvector or a tsquery, where no character of it means anything."""
    return "'" + term.replace("\x00", "").replace("\\", "\\\\").replace("'", "''") + "'"


def _fits(term: str) -> bool:
    return len(term.encode()) <= LONGEST and term != "\x00"


def _texts(connection: Connection) -> Iterator[dict[int, str | None]]:
    last = 0
    while True:
        rows = connection.exec_driver_sql(
            'SELECT "Id", "SearchText" FROM "PoliticalChunk" WHERE "Id" > %s ORDER BY "Id" LIMIT %s', (last, BATCH)
        ).all()
        if not rows:
            return
        last = rows[-1][0]
        yield {row[0]: row[1] for row in rows}

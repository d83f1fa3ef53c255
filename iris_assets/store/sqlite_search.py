"""Full-text search of the embedded store: an FTS5 table written in the chunk's own transaction.

The table holds the prepared terms (title, header, body, exact) and the filter tokens of each chunk, by the chunk's
row id; small tables beside it count rows and terms exactly.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from iris_assets.errors import StoreError
from iris_assets.store.bm25 import CorpusStatistics, RankingWeights, rescore
from iris_assets.store.search import Health, LexicalHit, LexicalQuery, PreparedText, SearchFilter

Session = Callable[[], AbstractContextManager[Connection]]
TokensOf = Callable[[Connection, Sequence[int]], Mapping[int, Sequence[str]]]

POOL = 100  # how many chunks of the engine's order are rescored
COMMON_SHARE = 0.10  # a term in more documents than this does not open the OR search
BATCH = 500

DDL = (
    """CREATE VIRTUAL TABLE IF NOT EXISTS chunk_search USING fts5(
        title, header, body, exact, filter,
        tokenize = "unicode61 remove_diacritics 0 tokenchars '/-.,$%'")""",
    "CREATE VIRTUAL TABLE IF NOT EXISTS chunk_search_vocabulary USING fts5vocab(chunk_search, 'row')",
    """CREATE TABLE IF NOT EXISTS chunk_search_row (
        chunk_id INTEGER PRIMARY KEY, terms INTEGER NOT NULL, signature INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS chunk_search_state (
        id INTEGER PRIMARY KEY CHECK (id = 1), row_count INTEGER NOT NULL, term_count INTEGER NOT NULL,
        signature INTEGER NOT NULL, change INTEGER NOT NULL)""",
    "INSERT OR IGNORE INTO chunk_search_state VALUES (1, 0, 0, 0, 0)",
    """CREATE TRIGGER IF NOT EXISTS chunk_search_row_added AFTER INSERT ON chunk_search_row BEGIN
        UPDATE chunk_search_state SET row_count = row_count + 1, term_count = term_count + NEW.terms,
            signature = signature + NEW.signature, change = change + 1; END""",
    """CREATE TRIGGER IF NOT EXISTS chunk_search_row_removed AFTER DELETE ON chunk_search_row BEGIN
        UPDATE chunk_search_state SET row_count = row_count - 1, term_count = term_count - OLD.terms,
            signature = signature - OLD.signature, change = change + 1; END""",
)


def create(connection: Connection) -> None:
    """Create the index tables that are not there yet."""
    for statement in DDL:
        connection.exec_driver_sql(statement)


def write(connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]) -> None:
    """Index one chunk (again), in the transaction of `connection`."""
    write_many(connection, [(chunk_id, prepared, filter_tokens)])


def write_many(connection: Connection, rows: Iterable[tuple[int, PreparedText, Iterable[str]]]) -> None:
    """Index chunks (again), in the transaction of `connection`."""
    rows = list(rows)
    delete(connection, [chunk_id for chunk_id, _, _ in rows])
    for chunk_id, prepared, tokens in rows:
        connection.exec_driver_sql(
            "INSERT INTO chunk_search (rowid, title, header, body, exact, filter) VALUES (?, ?, ?, ?, ?, ?)",
            (chunk_id, prepared.title, prepared.header, prepared.body, prepared.exact, " ".join(tokens)),
        )
        connection.exec_driver_sql(
            "INSERT INTO chunk_search_row (chunk_id, terms, signature) VALUES (?, ?, ?)",
            (chunk_id, prepared.term_count, _signature(prepared)),
        )


def delete(connection: Connection, chunk_ids: Iterable[int]) -> None:
    """Take chunks out of the index, in the transaction of `connection`; unknown ids are no error."""
    for chunk_id in chunk_ids:
        gone = connection.exec_driver_sql("DELETE FROM chunk_search_row WHERE chunk_id = ?", (chunk_id,))
        if gone.rowcount:
            connection.exec_driver_sql("DELETE FROM chunk_search WHERE rowid = ?", (chunk_id,))


def set_filters(connection: Connection, chunk_id: int, filter_tokens: Iterable[str]) -> None:
    """Change whom a chunk belongs to, without touching its terms."""
    connection.exec_driver_sql(
        "UPDATE chunk_search SET filter = ? WHERE rowid = ?", (" ".join(filter_tokens), chunk_id)
    )
    connection.exec_driver_sql("UPDATE chunk_search_state SET change = change + 1")


def change_number(connection: Connection) -> int:
    """A number that grows with every change of the index or of its filters."""
    return int(connection.exec_driver_sql("SELECT change FROM chunk_search_state").scalar_one())


def filtered_ids(connection: Connection, restriction: SearchFilter) -> list[int]:
    """Row ids of the chunks that a filter lets through, ascending."""
    match = _filter_expression(restriction)
    rows = connection.exec_driver_sql(
        "SELECT rowid FROM chunk_search WHERE chunk_search MATCH ? ORDER BY rowid", (match,)
    )
    return [row[0] for row in rows]


def _signature(prepared: PreparedText) -> int:
    return zlib.crc32(prepared.joined.encode())


class SqliteLexicalSearch:
    """BM25 search over the FTS5 table; `read` and `write` open short transactions of the store.

    `tokens_of` gives the filter tokens of chunks, which a rebuild needs: they follow from the links, not from the text.
    """

    def __init__(
        self, read: Session, write: Session, tokens_of: TokensOf, weights: RankingWeights | None = None
    ) -> None:
        self._read, self._write, self._tokens_of = read, write, tokens_of
        self.weights = weights or RankingWeights()

    def search(self, query: LexicalQuery) -> list[LexicalHit]:
        """The best chunks, best first; equal scores in the order of (SourceType, SourceId, ChunkIndex).

        Chunks with all terms come first into the pool, then those with some of the rarer ones; the pool is rescored.
        StoreError LEXICAL_INDEX_DAMAGED when the index cannot answer.
        """
        if not query.terms:
            return []
        try:
            with self._read() as connection:
                return self._search(connection, query)
        except DatabaseError as error:
            raise _damaged(error) from error

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many chunks each term occurs (0 for unknown ones)."""
        with self._read() as connection:
            return _frequencies(connection, terms)

    def size(self) -> int:
        """How many chunks are indexed."""
        with self._read() as connection:
            return int(connection.exec_driver_sql("SELECT row_count FROM chunk_search_state").scalar_one())

    def verify(self, *, deep: bool = False) -> Health:
        """Compare the index with the chunks: counts and a checksum of ids; `deep` reads every term as well."""
        try:
            with self._read() as connection:
                return _verify(connection, deep=deep)
        except DatabaseError as error:
            return Health(False, 0, 0, f"the index cannot be read: {error.orig}")

    def rebuild(self) -> int:
        """Write the index anew from the chunks, in one transaction; returns the number of rows."""
        with self._write() as connection:
            for name in ("chunk_search_vocabulary", "chunk_search", "chunk_search_row", "chunk_search_state"):
                connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")
            create(connection)
            return self._fill(connection)

    def _fill(self, connection: Connection) -> int:
        last, count = 0, 0
        while True:
            rows = connection.exec_driver_sql(
                "SELECT Id, SearchText FROM PoliticalChunk WHERE Id > ? ORDER BY Id LIMIT ?", (last, BATCH)
            ).all()
            if not rows:
                return count
            tokens = self._tokens_of(connection, [row[0] for row in rows])
            write_many(connection, [(id_, PreparedText.split(text), tokens.get(id_, ())) for id_, text in rows])
            last, count = rows[-1][0], count + len(rows)

    def _search(self, connection: Connection, query: LexicalQuery) -> list[LexicalHit]:
        statistics = _statistics(connection, query)
        restriction = "" if query.filter.is_empty else f" AND {_filter_expression(query.filter)}"
        pool = max(POOL, 2 * query.limit)
        texts = self._pool(connection, _all_terms(query.terms) + restriction, pool)
        if len(texts) < query.limit:
            opening = _opening_terms(query.terms, statistics)
            texts |= self._pool(connection, _any_term(opening) + restriction, pool)
        hits = rescore(query, texts, statistics, self.weights)
        return _ordered(connection, hits, query.limit)

    def _pool(self, connection: Connection, match: str, size: int) -> dict[int, PreparedText]:
        """The engine's best chunks, ties at the border included (else the order of insertion would decide)."""
        title, header = self.weights.title, self.weights.header
        while True:
            rows = connection.exec_driver_sql(
                "SELECT rowid, bm25(chunk_search, ?, ?, 1.0, 0.0, 0.0) AS score FROM chunk_search "
                "WHERE chunk_search MATCH ? ORDER BY score LIMIT ?",
                (title, header, match, size + 1),
            ).all()
            if len(rows) <= size or rows[-1][1] != rows[-2][1] or size >= MAX_POOL:
                return _texts(connection, [row[0] for row in rows[:size]])
            size *= 4


MAX_POOL = 6400


def _texts(connection: Connection, ids: Sequence[int]) -> dict[int, PreparedText]:
    found: dict[int, PreparedText] = {}
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        rows = connection.exec_driver_sql(
            f"SELECT rowid, title, header, body, exact FROM chunk_search WHERE rowid IN ({_marks(part)})", tuple(part)
        )
        found |= {row[0]: PreparedText(*row[1:]) for row in rows}
    return found


def _ordered(connection: Connection, hits: list[LexicalHit], limit: int) -> list[LexicalHit]:
    """Best first; rounding makes sums of equal parts equal, the identity decides between them."""
    ids = [hit.chunk_id for hit in hits]
    identity: dict[int, tuple[Any, ...]] = {}
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        rows = connection.exec_driver_sql(
            f"SELECT Id, SourceType, SourceId, ChunkIndex FROM PoliticalChunk WHERE Id IN ({_marks(part)})", tuple(part)
        )
        identity |= {row[0]: tuple(row[1:]) for row in rows}
    known = [hit for hit in hits if hit.chunk_id in identity]
    return sorted(known, key=lambda hit: (-round(hit.score, 9), identity[hit.chunk_id]))[:limit]


def _statistics(connection: Connection, query: LexicalQuery) -> CorpusStatistics:
    words = {word for alternatives in query.terms for term in alternatives for word in term.split()}
    words |= {term for term in query.exact_terms if term}
    row = connection.exec_driver_sql("SELECT row_count, term_count FROM chunk_search_state").one()
    return CorpusStatistics(row[0], row[1] / max(row[0], 1), _frequencies(connection, words))


def _frequencies(connection: Connection, terms: Iterable[str]) -> dict[str, int]:
    counts = {}
    for term in terms:
        row = connection.exec_driver_sql(
            "SELECT doc FROM chunk_search_vocabulary WHERE term = ?", (term,)
        ).one_or_none()
        counts[term] = int(row[0]) if row else 0
    return counts


def _opening_terms(terms: Sequence[tuple[str, ...]], statistics: CorpusStatistics) -> list[tuple[str, ...]]:
    """Terms rare enough to look for alone; the rarest one when all are common."""
    limit = COMMON_SHARE * statistics.rows
    known = [term for term in terms if any(statistics.frequency.get(word) for word in " ".join(term).split())]
    rare = [term for term in known if max(statistics.frequency.get(alt, 0) for alt in term) <= limit]
    return rare or sorted(known, key=lambda term: (-statistics.idf(term), term))[:2] or list(terms)


def _quoted(term: str) -> str:
    # A quoted string is data for FTS5: no operator, column or wildcard inside it means anything.
    return '"' + term.replace('"', '""').replace("\x00", " ") + '"'


def _group(alternatives: tuple[str, ...]) -> str:
    return "(" + " OR ".join(_quoted(term) for term in alternatives) + ")"


def _all_terms(terms: Sequence[tuple[str, ...]]) -> str:
    return "{title header body} : (" + " AND ".join(_group(term) for term in terms) + ")"


def _any_term(terms: Sequence[tuple[str, ...]]) -> str:
    return "{title header body} : (" + " OR ".join(_group(term) for term in terms) + ")"


def _filter_expression(restriction: SearchFilter) -> str:
    return "filter : (" + " AND ".join(_group(tokens) for tokens in restriction.tokens()) + ")"


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _verify(connection: Connection, *, deep: bool) -> Health:
    def pair(sql: str) -> tuple[int, int]:
        row = connection.exec_driver_sql(sql).one()
        return int(row[0]), int(row[1] or 0)

    chunks = pair("SELECT count(*), sum(Id) FROM PoliticalChunk")
    rows = pair("SELECT count(*), sum(chunk_id) FROM chunk_search_row")
    indexed = pair("SELECT count(*), sum(id) FROM chunk_search_docsize")
    state = pair("SELECT row_count, signature FROM chunk_search_state")
    signed = pair("SELECT count(*), sum(signature) FROM chunk_search_row")
    if not chunks == rows == indexed:
        return Health(False, chunks[0], indexed[0], "the index and the chunks hold different rows")
    if state != signed:
        return Health(False, chunks[0], indexed[0], "the checksum of the index does not hold")
    if deep:
        connection.exec_driver_sql("INSERT INTO chunk_search (chunk_search) VALUES ('integrity-check')")
        for id_, text in connection.exec_driver_sql("SELECT Id, SearchText FROM PoliticalChunk"):
            expected = connection.exec_driver_sql(
                "SELECT signature FROM chunk_search_row WHERE chunk_id = ?", (id_,)
            ).scalar_one()
            if _signature(PreparedText.split(text)) != expected:
                return Health(False, chunks[0], indexed[0], f"chunk {id_} was indexed with other terms")
    return Health(True, chunks[0], indexed[0])


def _damaged(error: DatabaseError) -> StoreError:
    return StoreError(
        "LEXICAL_INDEX_DAMAGED",
        f"the full-text index cannot answer: {error.orig}",
        hint="run `iris-assets doctor --repair`, which writes the index anew from the chunks",
    )

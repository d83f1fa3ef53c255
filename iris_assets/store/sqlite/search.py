"""Full-text search of the embedded store: FTS5's bm25() makes the pool, our own BM25 ranks it.

Question syntax means nothing here: every word and phrase is a quoted string to FTS5.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from sqlalchemy.engine import Connection

from iris_assets.store.search import Health, LexicalHit, LexicalQuery, PreparedText
from iris_assets.store.search.bm25 import CorpusStatistics, RankingWeights, opening_terms, rescore
from iris_assets.store.sqlite import index
from iris_assets.store.sqlite.damage import damaged, readable

Session = Callable[[], AbstractContextManager[Connection]]
Identity = tuple[str, str, int]  # source type, source id, chunk index

POOL: Final = 60  # how many chunks of the first stage are rescored
WORDS: Final = "{title header body}"
TOTALS: Final = 1  # the row of FTS5's data that keeps how many rows there are and how many terms in each column


class SqliteLexicalSearch:
    """BM25 search over `index`; `read` and `write` open short transactions of the store.

    `tokens_of` gives the filter tokens of chunks, which a rebuild needs: they follow from the links, not from the text.
    `weights` may be changed between searches (the ablation does).
    """

    def __init__(
        self, read: Session, write: Session, tokens_of: index.TokensOf, weights: RankingWeights | None = None
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
        with self._index() as connection:
            return _Search(connection, query, self.weights).hits()

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many chunks each stemmed term occurs (0 for unknown ones)."""
        with self._index() as connection:
            return _frequencies(connection, terms)

    def size(self) -> int:
        """How many chunks are indexed."""
        with self._index() as connection:
            return index.size(connection)

    def verify(self, *, deep: bool = False) -> Health:
        """Compare the index with the chunks by their rows; `deep` lets FTS5 check itself before. StoreError STORE_BUSY."""
        with (self._write if deep else self._read)() as connection:
            return index.sound(connection) if deep else index.health(connection)

    def rebuild(self) -> int:
        """Write the index anew from the chunks, in one transaction; returns the number of rows."""
        with self._write() as connection:
            return index.rebuild(connection, self._tokens_of)

    @contextmanager
    def _index(self) -> Iterator[Connection]:
        with self._read() as connection, readable():
            yield connection


class _Search:
    """One question in one read transaction."""

    def __init__(self, connection: Connection, query: LexicalQuery, weights: RankingWeights) -> None:
        self._connection, self._query, self._weights = connection, query, weights
        self._filter = index.filter_expression(query.filter)
        self._size = max(POOL, 2 * query.limit)

    def hits(self) -> list[LexicalHit]:
        """Pool, rescoring, order."""
        statistics = self._statistics()
        pool = _chunks(self._connection, self._pool(statistics))
        texts = {chunk_id: prepared for chunk_id, (prepared, _) in pool.items()}
        hits = rescore(self._query, texts, statistics, self._weights)
        # Rounding makes sums of equal parts equal, the identity decides between them.
        return sorted(hits, key=lambda hit: (-round(hit.score, 9), pool[hit.chunk_id][1]))[: self._query.limit]

    def _pool(self, statistics: CorpusStatistics) -> list[int]:
        terms = self._query.terms
        pool = dict.fromkeys(self._best(" AND ".join(map(_any_of, terms))))
        if len(pool) < self._query.limit:
            pool |= dict.fromkeys(self._best(" OR ".join(map(_any_of, opening_terms(terms, statistics)))))
        for phrase in self._query.phrases:
            pool |= dict.fromkeys(self._best(_quoted(" ".join(phrase))))
        return list(pool)

    def _best(self, expression: str) -> list[int]:
        """Ids of the best chunks that hold these words; those equal at the border by identity, not by insertion."""
        match = f"{WORDS} : ({expression})" + (f" AND {self._filter}" if self._filter else "")
        score = f"bm25(chunk_search, {self._weights.title}, {self._weights.header}, 1.0, 0.0)"
        found = f"SELECT rowid, {score} AS score FROM chunk_search WHERE chunk_search MATCH ?"
        rows = self._connection.exec_driver_sql(
            f"{found} ORDER BY score LIMIT ?", (match, self._size + 1)
        ).all()  # fmt: skip
        if len(rows) <= self._size or rows[-1].score > rows[-2].score:
            return [row.rowid for row in rows[: self._size]]
        border = rows[-1].score
        sure = [row.rowid for row in rows if row.score < border]
        tied = self._connection.exec_driver_sql(f"SELECT rowid FROM ({found}) WHERE score = ?", (match, border))
        return sure + _first(self._connection, tied.scalars().all(), self._size - len(sure))

    def _statistics(self) -> CorpusStatistics:
        words = {word for alternatives in self._query.terms for term in alternatives for word in term.split()}
        rows, terms = _totals(self._connection)
        return CorpusStatistics(rows, terms / max(rows, 1), _frequencies(self._connection, words))


def _any_of(alternatives: Sequence[str]) -> str:
    return f"({' OR '.join(map(_quoted, alternatives))})"


def _quoted(words: str) -> str:
    # A quoted string is data for FTS5: no operator, column or wildcard inside it means anything.
    return '"' + words.replace('"', '""').replace("\x00", " ") + '"'


def _frequencies(connection: Connection, terms: Iterable[str]) -> dict[str, int]:
    sql = "SELECT doc FROM chunk_search_vocabulary WHERE term = ?"
    return {term: connection.exec_driver_sql(sql, (term,)).scalar() or 0 for term in terms}


def _totals(connection: Connection) -> tuple[int, int]:
    """Rows and terms of the index: FTS5 keeps a varint of rows, then one of terms for each column."""
    record = connection.exec_driver_sql("SELECT block FROM chunk_search_data WHERE id = ?", (TOTALS,)).scalar()
    figures, value = [], 0
    for byte in record or b"\0\0\0\0":
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            figures.append(value)
            value = 0
    rows, title, header, body, *_ = figures
    return rows, title + header + body


def _chunks(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[PreparedText, Identity]]:
    """Prepared terms and identity of chunks of the index."""
    found = {row[0]: (PreparedText.split(row[4]), _identity(row)) for row in _rows(connection, "SearchText", ids)}
    if len(found) < len(ids):
        raise damaged("it names chunks that are not there")
    return found


def _first(connection: Connection, ids: Sequence[int], wanted: int) -> list[int]:
    """The first of these chunks in the order of their identity."""
    rows = sorted(_rows(connection, "NULL", ids), key=_identity)
    return [row[0] for row in rows[:wanted]]


def _identity(row: Any) -> Identity:
    return row[1], row[2], row[3]


def _rows(connection: Connection, column: str, ids: Sequence[int]) -> Iterator[Any]:
    for start in range(0, len(ids), index.BATCH):
        part = tuple(ids[start : start + index.BATCH])
        marks = ",".join("?" * len(part))
        sql = f"SELECT Id, SourceType, SourceId, ChunkIndex, {column} FROM PoliticalChunk WHERE Id IN ({marks})"
        yield from connection.exec_driver_sql(sql, part)

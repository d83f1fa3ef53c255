"""Full-text search of the server: its index finds and roughly orders the chunks, our own BM25 ranks them as everywhere."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from iris_assets.store.engine import Access
from iris_assets.store.postgres import index
from iris_assets.store.postgres.index import lexeme
from iris_assets.store.search import Health, LexicalHit, LexicalQuery, PreparedText, SearchFilter
from iris_assets.store.search.bm25 import CorpusStatistics, RankingWeights, opening_terms, rescore

POOL: Final = 100  # how many chunks of the server's order are ranked by us
RANK_WEIGHTS: Final = "{0.5,0.5,0.5,1.0}"  # of D, C, B and A: a word of the title counts double, as in our own ranking
LONG_TEXTS: Final = 1  # ts_rank divides by 1 + the logarithm of the text's length
KEPT_TERMS: Final = 5_000

Identity = tuple[str, str, int]  # source type, source id, chunk index


class PostgresLexicalSearch:
    """Search over the tsvectors of the chunks; scores are those of our own BM25, as on the other engines.

    `weights` may be changed between searches (the ablation does).
    """

    def __init__(self, access: Access, weights: RankingWeights | None = None) -> None:
        self._access = access
        self._statistics = _Statistics()
        self.weights = weights or RankingWeights()

    def search(self, query: LexicalQuery) -> list[LexicalHit]:
        """The best chunks, best first; equal scores in the order of (SourceType, SourceId, ChunkIndex).

        Chunks with all terms come first into the pool, then those with some of the rarer ones; the pool is rescored.
        """
        if not query.terms:
            return []
        with self._access.snapshot() as tx:
            statistics = self._statistics.of(tx.connection, query)
            pool = _texts(tx.connection, _pool(tx.connection, query, statistics))
        texts = {chunk_id: prepared for chunk_id, (prepared, _) in pool.items()}
        hits = rescore(query, texts, statistics, self.weights)
        return sorted(hits, key=lambda hit: (-round(hit.score, 9), pool[hit.chunk_id][1]))[: query.limit]

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many chunks each stemmed term occurs (0 for unknown ones)."""
        with self._access.snapshot() as tx:
            return self._statistics.frequencies(tx.connection, terms)

    def size(self) -> int:
        """How many chunks are indexed."""
        with self._access.snapshot() as tx:
            return index.sizes(tx.connection)[1]

    def verify(self, *, deep: bool = False) -> Health:
        """Compare the index with the chunks by their number; `deep` compares every chunk's words too."""
        with self._access.snapshot() as tx:
            chunks, indexed = index.sizes(tx.connection)
            stale = index.stale(tx.connection) if deep else 0
        detail = f"{chunks - indexed} chunks are not in the index" if chunks != indexed else ""
        return Health(
            not (detail or stale), chunks, indexed, detail or (f"{stale} chunks have other words" * bool(stale))
        )

    def rebuild(self) -> int:
        """Write the index anew from the chunks, in one transaction; returns the number of rows."""
        with self._access.transaction() as tx:
            return index.rebuild(tx.connection)


class _Statistics:
    """Figures of the whole index, kept until somebody writes: a snapshot's name tells whether that happened."""

    def __init__(self) -> None:
        self._kept: tuple[str, tuple[int, float], dict[str, int]] = ("", (0, 0.0), {})

    def of(self, connection: Connection, query: LexicalQuery) -> CorpusStatistics:
        words = {word for alternatives in query.terms for term in alternatives for word in term.split()}
        words |= {word for phrase in query.phrases for word in phrase}
        frequency = self.frequencies(connection, words)
        rows, length = self._kept[1]
        return CorpusStatistics(rows, length, frequency)

    def frequencies(self, connection: Connection, terms: Iterable[str]) -> dict[str, int]:
        known = self._known(connection)
        wanted = list(dict.fromkeys(terms))
        absent = [term for term in wanted if term not in known]
        if absent:
            sql = (
                'SELECT (SELECT count(*) FROM "ChunkSearch" WHERE "Words" @@ word.query::tsquery) '
                "FROM unnest(%s::text[]) WITH ORDINALITY AS word (query, number) ORDER BY number"
            )
            counts = connection.exec_driver_sql(sql, ([lexeme(term) for term in absent],)).scalars()
            known.update(zip(absent, map(int, counts), strict=True))
        return {term: known[term] for term in wanted}

    def _known(self, connection: Connection) -> dict[str, int]:
        moment = str(connection.exec_driver_sql("SELECT pg_current_snapshot()").scalar_one())
        if moment != self._kept[0] or len(self._kept[2]) > KEPT_TERMS:
            sql = 'SELECT count(*), coalesce(avg("SearchTermCount"), 0) FROM "PoliticalChunk"'
            rows, length = connection.exec_driver_sql(sql).one()
            self._kept = moment, (int(rows), float(length)), {}
        return self._kept[2]


def _pool(connection: Connection, query: LexicalQuery, statistics: CorpusStatistics) -> list[int]:
    size = max(POOL, 2 * query.limit)
    pool = dict.fromkeys(_best(connection, _all(query.terms), query.terms, query.filter, statistics, size))
    if len(pool) < query.limit:
        opening = opening_terms(query.terms, statistics)
        pool |= dict.fromkeys(_best(connection, _some(opening), opening, query.filter, statistics, size))
    for phrase in query.phrases:
        words = (" ".join(phrase),)
        pool |= dict.fromkeys(_best(connection, _any_of(words), [words], query.filter, statistics, size))
    return list(pool)


def _best(
    connection: Connection,
    expression: str,
    terms: Sequence[tuple[str, ...]],
    restriction: SearchFilter,
    statistics: CorpusStatistics,
    size: int,
) -> list[int]:
    """Ids of the best chunks that hold these words, with all that equal the last one; a rare word weighs more."""
    score = " + ".join(['%s * ts_rank(%s, "Words", %s::tsquery, %s)'] * len(terms))
    ranked = [
        value
        for term in terms
        for value in (statistics.idf(term), RANK_WEIGHTS, _any_of(term), LONG_TEXTS)
    ]  # fmt: skip
    filters, tokens = filter_conditions(restriction)
    sql = (
        f'SELECT "ChunkId" FROM "ChunkSearch" WHERE "Words" @@ %s::tsquery{filters} '
        f"ORDER BY {score} DESC FETCH FIRST %s ROWS WITH TIES"
    )
    found = connection.exec_driver_sql(sql, (expression, *tokens, *ranked, size))
    return [row[0] for row in found]


def filter_conditions(restriction: SearchFilter) -> tuple[str, tuple[list[str], ...]]:
    """` AND …` for the rows of ChunkSearch that a filter lets through, and what it binds."""
    tokens = tuple(list(alternatives) for alternatives in restriction.tokens())
    return ' AND "ChunkSearch"."Filter" && %s' * len(tokens), tokens


def _texts(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[PreparedText, Identity]]:
    sql = 'SELECT "Id", "SourceType", "SourceId", "ChunkIndex", "SearchText" FROM "PoliticalChunk" WHERE "Id" = ANY(%s)'
    rows: Any = connection.exec_driver_sql(sql, (list(ids),))
    return {row[0]: (PreparedText.split(row[4]), (row[1], row[2], row[3])) for row in rows}


def _all(terms: Sequence[tuple[str, ...]]) -> str:
    return " & ".join(map(_any_of, terms))


def _some(terms: Sequence[tuple[str, ...]]) -> str:
    return " | ".join(map(_any_of, terms))


def _any_of(alternatives: Sequence[str]) -> str:
    """A tsquery of alternatives; one with blanks is a phrase. Every word is quoted: it is data, no operator."""
    phrases = (" <-> ".join(map(lexeme, term.split())) for term in alternatives if term.strip())
    return f"({' | '.join(phrases)})"

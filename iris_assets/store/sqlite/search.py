"""Full-text search of the embedded store: BM25 from the postings makes the pool, our own BM25 ranks it.

Question syntax means nothing here: words are looked up by their key, phrases are quoted strings to FTS5.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any, Final

import numpy as np
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError

from iris_assets.errors import StoreError
from iris_assets.store.search import Health, LexicalHit, LexicalQuery, PreparedText
from iris_assets.store.search.bm25 import CorpusStatistics, RankingWeights, rescore
from iris_assets.store.sqlite import index
from iris_assets.store.sqlite.damage import DAMAGED, damaged, readable
from iris_assets.store.sqlite.pool import Ids, Layout, Layouts, Postings, Scores, best
from iris_assets.store.sqlite.postings import term_key
from iris_assets.store.sqlite.verify import counted, derived, verified, words

Session = Callable[[], AbstractContextManager[Connection]]

POOL: Final = 60  # how many chunks of the first stage are rescored
COMMON_SHARE: Final = 0.10  # a term in more chunks than this does not open the OR search


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
        self._layouts = Layouts()

    def search(self, query: LexicalQuery) -> list[LexicalHit]:
        """The best chunks, best first; equal scores in the order of (SourceType, SourceId, ChunkIndex).

        Chunks with all terms come first into the pool, then those with some of the rarer ones; the pool is rescored.
        StoreError LEXICAL_INDEX_DAMAGED when the index cannot answer.
        """
        if not query.terms:
            return []
        with self._index() as connection:
            return _Search(connection, self._layouts.current(connection), query, self.weights).hits()

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many chunks each stemmed term occurs (0 for unknown ones)."""
        with self._index() as connection:
            layout = self._layouts.current(connection)
            return {term: layout.frequency(connection, term_key(term)) for term in terms}

    def size(self) -> int:
        """How many chunks are indexed."""
        with self._index() as connection:
            return index.size(connection)

    def verify(self, *, deep: bool = False) -> Health:
        """Compare the index with the chunks: counts; `deep` derives every part anew from the chunks' texts and links.

        What the deep one finds is noted, so that the next start writes the index anew. StoreError STORE_BUSY.
        """
        if not deep:
            with self._read() as connection:
                return verified(connection, counted)
        with (
            self._write() as connection
        ):  # FTS5's own check is a write to SQLite: alone, so that others wait for it only
            health = verified(connection, words)
        if health.ok:
            with self._read() as connection:
                health = verified(connection, partial(derived, tokens_of=self._tokens_of))
        if not health.ok:
            self._note()
        return health

    def rebuild(self) -> int:
        """Write the index anew from the chunks, in one transaction; returns the number of rows."""
        with self._write() as connection:
            return index.rebuild(connection, self._tokens_of)

    @contextmanager
    def _index(self) -> Iterator[Connection]:
        """A read of the index; damage that it meets is noted, so that the next start writes the index anew."""
        try:
            with self._read() as connection, readable():
                yield connection
        except StoreError as error:
            if error.code == DAMAGED and not error.details["noted"]:
                self._note()
            raise

    def _note(self) -> None:
        # Where it cannot be noted (in a read of the caller, in a locked store) the next search meets it again.
        with suppress(StoreError, DatabaseError), self._write() as connection:
            index.suspect(connection)


class _Search:
    """One question in one read transaction."""

    def __init__(self, connection: Connection, layout: Layout, query: LexicalQuery, weights: RankingWeights) -> None:
        self._connection, self._layout, self._query, self._weights = connection, layout, query, weights
        self._allowed = None if query.filter.is_empty else layout.allowed(connection, query.filter)
        self._blocks = None if self._allowed is None else layout.few_blocks(self._allowed)
        self._size = max(POOL, 2 * query.limit)

    def hits(self) -> list[LexicalHit]:
        """Pool, rescoring, order."""
        found = [[self._postings(term) for term in alternatives] for alternatives in self._query.terms]
        statistics = self._statistics(found)
        scores = Scores(self._layout.size, self._weights, statistics.mean_length)
        places = [
            scores.add(postings, statistics.idf(alternatives))
            for alternatives, postings in zip(self._query.terms, found, strict=True)
        ]
        chunk_ids = self._pool(scores, places, statistics)
        texts = index.texts(self._connection, chunk_ids)
        hits = rescore(self._query, texts, statistics, self._weights)
        identity = _identities(self._connection, [hit.chunk_id for hit in hits])
        _check(self._connection, chunk_ids, texts, hits, identity)
        # Rounding makes sums of equal parts equal, the identity decides between them.
        return sorted(hits, key=lambda hit: (-round(hit.score, 9), identity[hit.chunk_id]))[: self._query.limit]

    def _pool(self, scores: Scores, places: list[Ids], statistics: CorpusStatistics) -> list[int]:
        every = self._best(scores, np.flatnonzero(scores.matched == len(self._query.terms)))
        pool = dict.fromkeys(every)
        if len(every) < self._query.limit:
            opening = [places[index] for index in _opening_terms(self._query.terms, statistics)]
            pool |= dict.fromkeys(self._best(scores, np.unique(np.concatenate(opening))))
        for phrase in self._query.phrases:
            pool |= dict.fromkeys(self._best(scores, self._holding(" ".join(phrase))))
        return list(pool)

    def _best(self, scores: Scores, places: Ids) -> list[int]:
        """Ids of the best chunks at these places; those equal at the border by identity, not by insertion."""
        if self._allowed is not None:
            places = places[self._allowed[places]]
        sure, tied = best(scores.values, places, self._size)
        ids = [int(id_) for id_ in self._layout.ids(sure)]
        return ids + _first(self._connection, self._layout.ids(tied).tolist(), self._size - len(ids))

    def _postings(self, term: str) -> Postings:
        if " " not in term:
            return self._layout.postings(self._connection, term_key(term), self._blocks)
        places = self._holding(term)
        return Postings(places, np.full(len(places), 1 << 8, dtype=np.uint16))

    def _holding(self, phrase: str) -> Ids:
        """Places of the chunks that hold these words side by side."""
        # A quoted string is data for FTS5: no operator, column or wildcard inside it means anything.
        quoted = '"' + phrase.replace('"', '""').replace("\x00", " ") + '"'
        rows = self._connection.exec_driver_sql(
            "SELECT rowid FROM chunk_search WHERE chunk_search MATCH ?", (f"{{title header body}} : {quoted}",)
        )
        return self._layout.places(rows.scalars())

    def _statistics(self, found: list[list[Postings]]) -> CorpusStatistics:
        row = self._connection.exec_driver_sql("SELECT row_count, term_count FROM chunk_search_state").one()
        frequency: dict[str, int] = {}
        for alternatives, of_term in zip(self._query.terms, found, strict=True):
            for term, postings in zip(alternatives, of_term, strict=True):
                for word in term.split():
                    frequency[word] = self._frequency(word, postings)
        return CorpusStatistics(row[0], row[1] / max(row[0], 1), frequency)

    def _frequency(self, word: str, postings: Postings) -> int:
        if self._blocks is None:
            return len(postings.places)
        return self._layout.frequency(self._connection, term_key(word))


def _identities(connection: Connection, ids: Sequence[int]) -> Mapping[int, tuple[Any, ...]]:
    found: dict[int, tuple[Any, ...]] = {}
    for start in range(0, len(ids), index.BATCH):
        part = tuple(ids[start : start + index.BATCH])
        marks = ",".join("?" * len(part))
        rows = connection.exec_driver_sql(
            f"SELECT Id, SourceType, SourceId, ChunkIndex FROM PoliticalChunk WHERE Id IN ({marks})", part
        ).all()
        found |= {row[0]: tuple(row[1:]) for row in rows}
    return found


def _first(connection: Connection, ids: Sequence[int], wanted: int) -> list[int]:
    """The first of these chunks in the order of their identity."""
    if len(ids) <= wanted:
        return list(ids)
    identity = _identities(connection, ids)
    return sorted(identity, key=lambda id_: identity[id_])[:wanted]


def _opening_terms(terms: Sequence[tuple[str, ...]], statistics: CorpusStatistics) -> list[int]:
    """Positions of the terms rare enough to look for alone; the two rarest when all are common."""
    limit = COMMON_SHARE * statistics.rows
    counts = [max(statistics.frequency.get(alternative, 0) for alternative in term) for term in terms]
    rare = [index for index, count in enumerate(counts) if 0 < count <= limit]
    rarest = sorted(
        (index for index, count in enumerate(counts) if count), key=lambda i: (-statistics.idf(terms[i]), terms[i])
    )
    return rare or rarest[:2] or [0]


def _check(
    connection: Connection,
    chunk_ids: Sequence[int],
    texts: Mapping[int, PreparedText],
    hits: Sequence[LexicalHit],
    identity: Mapping[int, tuple[Any, ...]],
) -> None:
    """Raise LEXICAL_INDEX_DAMAGED when a chunk that the postings name is lost on the way to the hits."""
    if len(texts) < len(chunk_ids) or len(identity) < len(hits):
        raise damaged("it names chunks that are not there")
    # Two words may share a key: then the chunk's text, which is whole, holds none of the question's.
    found = {hit.chunk_id for hit in hits}
    without = {chunk_id: text for chunk_id, text in texts.items() if chunk_id not in found}
    if without and index.altered(connection, without):
        raise damaged("a chunk's words are not those that were indexed")

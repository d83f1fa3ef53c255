"""Full-text search of the server: iFind finds the chunks, our own BM25 ranks them as it does for the embedded store."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, literal_column, select, text

from iris_assets.store.engine import Access
from iris_assets.store.iris.ddl import TEXT_INDEX, checked_schema, chunk_table
from iris_assets.store.iris.filters import filter_conditions
from iris_assets.store.search import Health, LexicalHit, LexicalQuery, PreparedText
from iris_assets.store.search.bm25 import CorpusStatistics, RankingWeights, opening_terms, rescore
from iris_assets.store.tables.schema import political_chunk

POOL: Final = 100  # how many chunks of the server's order are ranked by us

Terms = Sequence[tuple[str, ...]]


class IrisLexicalSearch:
    """Search over the iFind index of SearchText; ranks are comparable with the embedded store's, not with iFind's."""

    def __init__(self, access: Access, schema: str, weights: RankingWeights | None = None) -> None:
        self._access = access
        self._schema = checked_schema(schema)
        self.weights = weights or RankingWeights()

    def search(self, query: LexicalQuery) -> list[LexicalHit]:
        """The best chunks, best first; equal scores in the order of (SourceType, SourceId, ChunkIndex)."""
        if not query.terms:
            return []
        with self._access.snapshot() as tx:
            statistics = self._statistics(tx.connection, query)
            pool = self._pool(tx.connection, all_terms(query.terms), query)
            if len(pool) < query.limit:
                opening = opening_terms(query.terms, statistics)
                pool = {**self._pool(tx.connection, any_term(opening), query), **pool}
        texts = {chunk_id: prepared for chunk_id, (prepared, _) in pool.items()}
        hits = rescore(query, texts, statistics, self.weights)
        return sorted(hits, key=lambda hit: (-round(hit.score, 9), pool[hit.chunk_id][1]))[: query.limit]

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many chunks each term occurs (0 for unknown ones)."""
        with self._access.snapshot() as tx:
            return self._frequencies(tx.connection, terms)

    def size(self) -> int:
        """How many chunks have words to find."""
        with self._access.snapshot() as tx:
            return self._sizes(tx.connection)[1]

    def verify(self, *, deep: bool = False) -> Health:
        """Chunks against chunks with words; `deep` asks the index for a word of every hundredth chunk."""
        with self._access.snapshot() as tx:
            chunks, indexed = self._sizes(tx.connection)
            if chunks != indexed:
                return Health(False, chunks, indexed, f"{chunks - indexed} chunks have no words")
            lost = self._lost(tx.connection) if deep else 0
        return Health(not lost, chunks, indexed, f"{lost} chunks are not found by their first word" if lost else "")

    def rebuild(self) -> int:
        """Let the server build the index anew from SearchText; returns the number of chunks."""
        with self._access.transaction() as tx:
            tx.connection.exec_driver_sql(f"BUILD INDEX FOR TABLE {chunk_table(self._schema)} INDEX {TEXT_INDEX}")
            return self._sizes(tx.connection)[1]

    def _pool(
        self, connection: Connection, expression: str, query: LexicalQuery
    ) -> dict[int, tuple[PreparedText, tuple[Any, ...]]]:
        if not expression:
            return {}
        statement = found(self._schema, query, max(POOL, 2 * query.limit))
        rows = connection.execute(statement, {"words": expression, "ranked": expression})
        return {row[0]: (PreparedText.split(row[4]), (row[1], row[2], row[3])) for row in rows.all()}

    def _statistics(self, connection: Connection, query: LexicalQuery) -> CorpusStatistics:
        words = {word for alternatives in query.terms for term in alternatives for word in term.split()}
        words |= {term for term in query.exact_terms if term}
        statement = select(func.count(), func.avg(political_chunk.c.search_term_count))
        row = connection.execute(statement).one()
        return CorpusStatistics(int(row[0]), float(row[1] or 0), self._frequencies(connection, sorted(words)))

    def _frequencies(self, connection: Connection, terms: Iterable[str]) -> dict[str, int]:
        statement = select(func.count()).select_from(political_chunk).where(finds("words"))
        phrases = {term: quoted(term) for term in terms}  # nothing holds a term without words, such as "%"
        return {
            term: int(connection.execute(statement, {"words": words}).scalar_one()) if words else 0
            for term, words in phrases.items()
        }

    def _sizes(self, connection: Connection) -> tuple[int, int]:
        count = select(func.count()).select_from(political_chunk)
        chunks = connection.execute(count).scalar_one()
        indexed = connection.execute(count.where(political_chunk.c.search_text.is_not(None))).scalar_one()
        return int(chunks), int(indexed)

    def _lost(self, connection: Connection) -> int:
        ids = [row[0] for row in connection.execute(select(political_chunk.c.id).order_by(political_chunk.c.id))]
        lost = 0
        for chunk_id in ids[::100]:
            mine = political_chunk.c.id == chunk_id
            terms = str(connection.execute(select(political_chunk.c.search_text).where(mine)).scalar() or "").split()
            words = next(filter(None, map(quoted, terms)), "")
            statement = select(func.count()).select_from(political_chunk).where(mine, finds("words"))
            if words and not connection.execute(statement, {"words": words}).scalar_one():
                lost += 1
        return lost


def finds(parameter: str) -> Any:
    """The iFind predicate over a bound search expression."""
    return text(f"%ID %FIND search_index({TEXT_INDEX}, :{parameter})").bindparams(bindparam(parameter))


def found(schema: str, query: LexicalQuery, size: int) -> Any:
    """SELECT TOP n of the chunks that an expression (:words) finds, by the server's own rank, within the filter."""
    c = political_chunk.c
    rank = text(f"{checked_schema(schema)}.PoliticalChunk_{TEXT_INDEX}Rank(%ID, :ranked) DESC")
    columns = (c.id, c.source_type, c.source_id, c.chunk_index, c.search_text)
    return (
        select(*(column.label(column.key) for column in columns))
        .prefix_with(f"TOP {int(size)}")
        .where(finds("words"), *filter_conditions(query.filter))
        .order_by(rank.bindparams(bindparam("ranked")), literal_column('"Id"'))
    )


def quoted(term: str) -> str:
    """One term as an iFind phrase: inside quotes no word is an operator; its wildcards and brackets become blanks.

    Empty for a term of punctuation alone.
    """
    words = " ".join(re.sub(r"[\W_]+", " ", term).split())
    return f'"{words}"' if words else ""


def all_terms(terms: Terms) -> str:
    """Every term must be there; alternatives of one are OR-ed."""
    return " AND ".join(group for group in map(_group, terms) if group)


def any_term(terms: Terms) -> str:
    """At least one term must be there."""
    return " OR ".join(group for group in map(_group, terms) if group)


def _group(alternatives: tuple[str, ...]) -> str:
    phrases = [phrase for phrase in map(quoted, alternatives) if phrase]
    return f"({' OR '.join(phrases)})" if phrases else ""

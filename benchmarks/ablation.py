"""Ablation of the lexical search on a TREC-layout collection, with bm25s (if installed) as the peer.

    python benchmarks/ablation.py ../shared/data/retrieval

Every row runs the platform's own FTS5 index and rescoring; only the analyzer and the weights change.
"""

import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.engine import Connection

from iris_assets.evaluation.collections import Collection, read_collection
from iris_assets.evaluation.measures import measured
from iris_assets.indexing.analyzer import Analyzer, tokens
from iris_assets.indexing.analyzer_words import STOP_WORDS
from iris_assets.store import sqlite_search
from iris_assets.store.bm25 import RankingWeights
from iris_assets.store.sqlite_search import SqliteLexicalSearch

DEPTH = 100
PLAIN = {"exact": 0.0, "proximity": 0.0}
ROWS = (
    ("fold only, k1 1.2, b 0.75", "fold", RankingWeights(k1=1.2, b=0.75, **PLAIN)),
    ("+ plural", "plural", RankingWeights(k1=1.2, b=0.75, **PLAIN)),
    ("+ light stem", "light", RankingWeights(k1=1.2, b=0.75, **PLAIN)),
    ("+ derivations (strong)", "strong", RankingWeights(k1=1.2, b=0.75, **PLAIN)),
    ("strong, k1 0.9, b 0.4", "strong", RankingWeights(**PLAIN)),
    ("+ exact field", "strong", RankingWeights(exact=0.3, proximity=0.0)),
    ("+ proximity (the default)", "strong", RankingWeights()),
)


def main(folder: Path) -> None:
    collection = read_collection(folder)
    print("| setting | nDCG@10 | R@10 | RR@10 | nDCG@10 without accents |")
    print("|---|---|---|---|---|")
    indexes: dict[str, SqliteLexicalSearch] = {}
    with tempfile.TemporaryDirectory() as place:
        ids = [id_ for id_, _, _ in collection.documents()]
        for label, stemmer, weights in ROWS:
            analyzer = Analyzer(stemmer)
            if stemmer not in indexes:
                indexes[stemmer] = _index(Path(place) / stemmer, collection, analyzer)
            indexes[stemmer].weights = weights
            _row(label, collection, _search_with(indexes[stemmer], analyzer, ids))
    peer = _peer(collection)
    if peer is not None:
        _row("bm25s + Snowball + stop words (peer)", collection, peer)


def _row(label: str, collection: Collection, search: Callable[[str], list[str]]) -> None:
    with_accents = measured(collection.judgments, {k: search(q) for k, q in collection.questions.items()})
    bare = measured(collection.judgments, {k: search(_bare(q)) for k, q in collection.questions.items()})
    figures = " | ".join(f"{with_accents[name]:.3f}" for name in ("nDCG@10", "R@10", "RR@10"))
    print(f"| {label} | {figures} | {bare['nDCG@10']:.3f} |", flush=True)


def _bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _index(path: Path, collection: Collection, analyzer: Analyzer) -> SqliteLexicalSearch:
    engine = create_engine(f"sqlite:///{path}")

    @contextmanager
    def session() -> Iterator[Connection]:
        with engine.begin() as connection:
            yield connection

    with session() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE PoliticalChunk (Id INTEGER PRIMARY KEY, SourceType TEXT, SourceId TEXT, ChunkIndex INTEGER)"
        )
        sqlite_search.create(connection)
        for number, (id_, title, text) in enumerate(collection.documents(), 1):
            connection.exec_driver_sql("INSERT INTO PoliticalChunk VALUES (?, 'X', ?, 0)", (number, id_))
            sqlite_search.write(connection, number, analyzer.prepare(title, "", text), ())
    return SqliteLexicalSearch(session, session, lambda connection, ids: {})


def _search_with(index: SqliteLexicalSearch, analyzer: Analyzer, ids: list[str]) -> Callable[[str], list[str]]:
    def search(question: str) -> list[str]:
        return [ids[hit.chunk_id - 1] for hit in index.search(analyzer.analyze_query(question).query(limit=DEPTH))]

    return search


def _peer(collection: Collection) -> Callable[[str], list[str]] | None:
    try:
        import bm25s
        import Stemmer
    except ImportError:
        print("bm25s and PyStemmer are not installed: no peer", file=sys.stderr)
        return None
    stemmer = Stemmer.Stemmer("portuguese")
    ids, texts = zip(*((id_, text) for id_, _, text in collection.documents()), strict=True)
    accented = sorted({token.form for token in tokens(" ".join(STOP_WORDS))} | {"não", "são", "é", "à", "às", "até"})
    options = {"stopwords": accented, "stemmer": stemmer, "show_progress": False}
    index = bm25s.BM25(k1=1.5, b=0.75)
    index.index(bm25s.tokenize(list(texts), **options), show_progress=False)

    def search(question: str) -> list[str]:
        words = bm25s.tokenize([question], **options)
        found, _ = index.retrieve(words, k=DEPTH, show_progress=False)
        return [ids[position] for position in found[0]]

    return search


if __name__ == "__main__":
    main(Path(sys.argv[1]))

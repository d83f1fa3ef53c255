"""What each part of the search is worth: the lexical ablation, its peer, and the fusion with the local encoder.

    python benchmarks/ablation.py ../shared/data/retrieval [--golden STORE] [--encoder http://127.0.0.1:8000/v1]

Every row runs the platform's own store; only the analyzer, the weights and the indexed fields change. `--golden` names
the SQLite file of a run over the replay folder (docs/benchmarks.md): its passages have headers, which the collection's
documents lack. The peer needs `bm25s` and `PyStemmer`, installed for the run only.
"""

import argparse
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from cached_encoder import CachedEncoder, encoder_settings

from iris_assets.evaluation import default_question_file
from iris_assets.evaluation.collections import DEPTH, Collection, embed, fill, ranked, read_collection
from iris_assets.evaluation.metrics import mean_metrics
from iris_assets.evaluation.questions import load_questions
from iris_assets.indexing.analyzer import Analyzer
from iris_assets.indexing.chunk_rows import text_hash
from iris_assets.retrieval.service import RetrievalService
from iris_assets.store import Store, open_store
from iris_assets.store.search.bm25 import RankingWeights

VECTORS = Path(__file__).resolve().parent.parent / "data" / "benchmarks" / "vectors.sqlite3"
PLAIN = RankingWeights(k1=1.2, b=0.75, exact=0.0, proximity=0.0)
TUNED = RankingWeights(exact=0.0, proximity=0.0)
ROWS = (
    ("fold only, k1 1.2, b 0.75", "fold", PLAIN, False),
    ("+ plural", "plural", PLAIN, False),
    ("+ light stem", "light", PLAIN, False),
    ("+ derivations (strong)", "strong", PLAIN, False),
    ("strong, k1 0.9, b 0.4", "strong", TUNED, False),
    ("+ exact field", "strong", replace(TUNED, exact=RankingWeights().exact), False),
    ("+ proximity", "strong", RankingWeights(), False),
    ("+ title and header (the default)", "strong", RankingWeights(), True),
)
FUSIONS = ("1:1", "2:1", "3:1", "1:2", "convex 1:1", "convex 2:1", "convex 3:1")
Search = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Passage:
    """What is indexed: `name` identifies it in the judgments."""

    name: str
    title: str
    header: str
    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Passages with questions and grades."""

    passages: list[Passage]
    questions: Mapping[str, str]
    judgments: Mapping[tuple[str, str], int]


def of_collection(collection: Collection) -> Judged:
    """The documents of a collection, each one passage here (the table of hybrid search cuts them)."""
    passages = [Passage(id_, title, "", text) for id_, title, text in collection.documents()]
    return Judged(passages, collection.questions, collection.judgments)


def of_store(file: Path) -> Judged:
    """The passages of a filled store and the golden questions on plans and bills, asked as plain searches."""
    store = open_store(f"sqlite:///{file}")
    passages: list[Passage] = []
    pages: dict[str, tuple[int, int]] = {}
    for source_type, source_id in sorted(store.chunks.sources()):
        for row in store.chunks.of_source(source_type, source_id):
            name = f"{source_type}|{source_id}|{row['chunk_index']}"
            passages.append(Passage(name, row["title"] or "", row["header"] or "", row["content"]))
            pages[name] = (row["page_start"] or 0, row["page_end"] or 0)
    store.close()
    asked = [q for q in load_questions(default_question_file()).questions if {"plan", "bill"} & set(q.tags)]
    judgments = {
        (question.id, name): 1
        for question in asked
        for one in question.relevant
        for name, (first, last) in pages.items()
        if name.startswith(f"{one.source_type}|{one.source_id}|") and (not one.page or first <= one.page <= last)
    }
    return Judged(passages, {question.id: question.question for question in asked}, judgments)


@contextmanager
def indexed(
    passages: Iterable[Passage], analyzer: Analyzer, *, headers: bool
) -> Iterator[tuple[Store, dict[int, str]]]:
    """A temporary store with the passages and the name of each row."""
    with tempfile.TemporaryDirectory(prefix="ablation-") as place:
        store = open_store(f"sqlite:///{Path(place) / 'index.sqlite3'}")
        try:
            with store.transaction() as tx:
                for passage in passages:
                    hashed = text_hash(passage.name)
                    fields = (passage.title, passage.header) if headers else ("", "")
                    row = {"chunk_index": 0, "title": passage.title, "content": passage.text, "content_hash": hashed,
                           "embedded_text_hash": hashed, "prepared": analyzer.prepare(*fields, passage.text)}  # fmt: skip
                    store.chunks.replace(tx, "PROPOSITION", passage.name, [row])
            names = {row["id"]: row["source_id"] for row in _rows(store)}
            yield store, names
        finally:
            store.close()


def _rows(store: Store) -> list[dict[str, object]]:
    return [row for source in store.chunks.sources() for row in store.chunks.of_source(*source)]  # type: ignore[misc]


def ablate(judged: Judged) -> None:
    """Print one row per setting, and the peer."""
    print("| setting | nDCG@10 | R@10 | RR@10 | nDCG@10 without accents |\n|---|---|---|---|---|")
    for (stemmer, headers), rows in _grouped():
        analyzer = Analyzer(stemmer)
        with indexed(judged.passages, analyzer, headers=headers) as (store, names):
            for label, weights in rows:
                store.lexical.weights = weights  # type: ignore[attr-defined]

                _row(label, judged, _searcher(store, names, analyzer))
    for k1, b in ((1.5, 0.75), (RankingWeights().k1, RankingWeights().b)):
        peer = _peer(judged.passages, k1, b)
        if peer is not None:
            _row(f"peer: bm25s + Snowball + stop words, k1 {k1}, b {b}", judged, peer)


def _searcher(store: Store, names: Mapping[int, str], analyzer: Analyzer) -> Search:
    def search(question: str) -> list[str]:
        hits = store.lexical.search(analyzer.analyze_query(question).query(limit=DEPTH))
        return [names[hit.chunk_id] for hit in hits]

    return search


def _grouped() -> list[tuple[tuple[str, bool], list[tuple[str, RankingWeights]]]]:
    groups: dict[tuple[str, bool], list[tuple[str, RankingWeights]]] = {}
    for label, stemmer, weights, headers in ROWS:
        groups.setdefault((stemmer, headers), []).append((label, weights))
    return list(groups.items())


def _row(label: str, judged: Judged, search: Search) -> None:
    with_accents = mean_metrics(judged.judgments, {k: search(q) for k, q in judged.questions.items()})
    bare = mean_metrics(judged.judgments, {k: search(_bare(q)) for k, q in judged.questions.items()})
    figures = " | ".join(f"{with_accents[name]:.3f}" for name in ("nDCG@10", "R@10", "RR@10"))
    print(f"| {label} | {figures} | {bare['nDCG@10']:.3f} |", flush=True)


def _bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _peer(passages: list[Passage], k1: float, b: float) -> Search | None:
    """bm25s with its own Portuguese stop words and the Snowball stemmer."""
    try:
        import bm25s
        import Stemmer
    except ImportError:
        print("bm25s and PyStemmer are not installed: no peer", file=sys.stderr)
        return None
    names, texts = zip(*((one.name, f"{one.title} {one.header} {one.text}") for one in passages), strict=True)
    options = {"stopwords": "pt", "stemmer": Stemmer.Stemmer("portuguese"), "show_progress": False}
    index = bm25s.BM25(k1=k1, b=b)
    index.index(bm25s.tokenize(list(texts), **options), show_progress=False)

    def search(question: str) -> list[str]:
        words = bm25s.tokenize([question], **options)
        found, _ = index.retrieve(words, k=min(DEPTH, len(names)), show_progress=False)
        return [names[position] for position in found[0]]

    return search


def fuse(collection: Collection, encoder: CachedEncoder) -> None:
    """Print each search alone and the fusions, through the whole pipeline: chunks, store, retrieval."""
    print("| search | fusion | nDCG@10 | R@10 | RR@10 |\n|---|---|---|---|---|")
    settings = encoder_settings()
    with tempfile.TemporaryDirectory(prefix="fusion-") as place:
        store = open_store(f"sqlite:///{Path(place) / 'collection.sqlite3'}")
        try:
            fill(store, collection, settings)
            embed(store, settings, encoder)
            for mode, weights in (("lexical", "1:1"), ("vector", "1:1"), *(("hybrid", weights) for weights in FUSIONS)):
                service = RetrievalService(store, settings.model_copy(update={"fusion_weights": weights}), encoder)
                rankings = {key: ranked(service, question, mode) for key, question in collection.questions.items()}
                found = mean_metrics(collection.judgments, rankings)
                figures = " | ".join(f"{found[name]:.3f}" for name in ("nDCG@10", "R@10", "RR@10"))
                print(f"| {mode} | {weights if mode == 'hybrid' else '–'} | {figures} |", flush=True)
        finally:
            store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", type=Path)
    parser.add_argument("--golden", type=Path, help="SQLite file of a run over the replay folder")
    parser.add_argument("--encoder", help="base URL of the local encoder")
    arguments = parser.parse_args()
    collection = read_collection(arguments.collection)
    if arguments.encoder is not None:
        fuse(collection, CachedEncoder(VECTORS, arguments.encoder))
    elif arguments.golden is not None:
        ablate(of_store(arguments.golden))
    else:
        ablate(of_collection(collection))


if __name__ == "__main__":
    main()

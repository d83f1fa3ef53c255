"""Public collections in TREC/BEIR layout, run through our own chunking, indexing and retrieval."""

import logging
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from iris_assets.errors import UsageError
from iris_assets.evaluation.collection_files import (
    CORPUS,
    QRELS,
    QUERIES,
    found_file,
    read_documents,
    read_judgments,
    read_queries,
)
from iris_assets.evaluation.metrics import mean_metrics, write_qrels, write_run
from iris_assets.indexing.builders import SourceText
from iris_assets.indexing.chunk_rows import chunk_rows, embedded_text
from iris_assets.indexing.tokenizer import encoding_of
from iris_assets.platform import Platform
from iris_assets.retrieval.ranking import QueryEmbedder
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import Settings, load_settings
from iris_assets.store import Store, in_units, open_store
from iris_assets.store.inputs import ChunkValues
from iris_assets.words.source_kinds import PROPOSITION

log = logging.getLogger(__name__)

SOURCE_TYPE = PROPOSITION  # any official type: the collection's own store holds nothing else
DEPTH = 100  # documents a question ranks
CHUNKS_PER_DOCUMENT = 2  # chunks fetched for each document wanted: a document counts by its best chunk
WRITE_BATCH = 200


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents are read one by one; questions by id; grades by (question, document)."""

    folder: Path
    questions: Mapping[str, str]
    judgments: Mapping[tuple[str, str], int]

    def documents(self) -> Iterator[tuple[str, str, str]]:
        """(id, title, text) of each line of corpus.jsonl[.gz]; UsageError COLLECTION_INVALID at the line that is wrong."""
        return read_documents(found_file(self.folder, CORPUS))


def read_collection(folder: Path) -> Collection:
    """Open a collection; UsageError COLLECTION_INVALID names the file, the line and what is wrong with it."""
    found_file(folder, CORPUS)
    queries = read_queries(found_file(folder, QUERIES))
    return Collection(folder, queries, read_judgments(found_file(folder, QRELS), queries))


def evaluate_collection(
    folder: Path,
    mode: str,
    *,
    settings: Settings | None = None,
    embedder: QueryEmbedder | None = None,
    export: Path | None = None,
) -> dict[str, Any]:
    """`{"mode", "queries", "nDCG@10", "R@10", "RR@10", "ms_per_query"}` of a collection in a temporary store.

    Every question is asked; the figures are means over the judged ones. A judged document that the corpus lacks is
    never found and counts so (the log says how many). Modes other than lexical need an embedding endpoint (or `embedder` with
    `embed_documents` and `embed_query`).
    """
    settings = settings or load_settings()
    client = None if mode == "lexical" else embedder or _embedder(settings)
    collection = read_collection(folder)
    if export is not None:
        write_qrels(export, collection.judgments)  # a folder that takes no files is found before the work
    with tempfile.TemporaryDirectory(prefix="collection-") as place:
        store = open_store(f"sqlite:///{Path(place) / 'collection.sqlite3'}")
        try:
            fill(store, collection, settings)
            _tell_absent(store, collection)
            if client is not None:
                embed(store, settings, client)
            service = Platform(settings, store=store, embedder=client).retrieval
            started = time.perf_counter()
            rankings = {key: ranked(service, text, mode) for key, text in collection.questions.items()}
            seconds = time.perf_counter() - started
        finally:
            store.close()
    if export is not None:
        write_run(export, mode, rankings)
    figures = mean_metrics(collection.judgments, rankings)
    return {"mode": mode, "queries": len(rankings), **figures, "ms_per_query": 1000 * seconds / len(rankings)}


def fill(store: Store, collection: Collection, settings: Settings) -> int:
    """Cut and index every document as the pipeline does; how many."""
    encoding = encoding_of(settings.embedding_model)
    size, overlap = settings.chunk_size_tokens, settings.chunk_overlap_tokens
    count = 0
    batch: list[tuple[str, list[ChunkValues]]] = []
    for id_, title, text in collection.documents():
        source = SourceText(SOURCE_TYPE, id_, title, text, "", None, {})
        batch.append((id_, chunk_rows(source, size=size, overlap=overlap, encoding=encoding)))
        count += 1
        if len(batch) >= WRITE_BATCH:
            _write(store, batch)
            batch = []
    _write(store, batch)
    return count


def embed(store: Store, settings: Settings, client: Any) -> None:
    """Give every chunk its vector."""
    model, dimension = settings.embedding_model, settings.embedding_dimension
    after = 0
    while rows := store.chunks.pending(model, dimension, after_id=after, limit=WRITE_BATCH):
        vectors = client.embed_documents([embedded_text(row["header"], row["content"]) for row in rows])
        with store.transaction() as tx:
            pairs = [(row["id"], vector) for row, vector in zip(rows, vectors, strict=True)]
            store.chunks.set_vectors(tx, pairs, model, dimension)
        after = rows[-1]["id"]


def ranked(service: RetrievalService, question: str, mode: str) -> list[str]:
    """Documents of a question by their best chunk, best first."""
    ids = service.ranked_sources(question, mode=mode, wanted=DEPTH * CHUNKS_PER_DOCUMENT)
    return list(dict.fromkeys(source_id for _, source_id in ids))[:DEPTH]


def _tell_absent(store: Store, collection: Collection) -> None:
    stored = {source_id for _, source_id in store.chunks.sources()}
    judged = {document for _, document in collection.judgments}
    if absent := len(judged - stored):
        log.warning(
            "%d of %d judged documents have no text in the corpus: they count as never found", absent, len(judged)
        )


def _write(store: Store, batch: list[tuple[str, list[ChunkValues]]]) -> None:
    for part in in_units(batch, lambda item: len(item[1]), store.limits.transaction_rows):
        with store.transaction() as tx:
            for id_, rows in part:
                store.chunks.replace(tx, SOURCE_TYPE, id_, rows)


def _embedder(settings: Settings) -> QueryEmbedder:
    client = Platform(settings).embedder
    if client is None:
        raise UsageError(
            "EMBEDDINGS_NOT_CONFIGURED",
            "vector and hybrid modes need an embedding endpoint",
            hint="set EMBEDDING_BASE_URL (make local-embeddings) or LLM_API_KEY",
        )
    return client

"""Public collections in TREC/BEIR layout, run through our own chunking, indexing and retrieval."""

import gzip
import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from iris_assets.errors import UsageError
from iris_assets.evaluation.measures import measured, write_trec
from iris_assets.indexing.builders import SourceText
from iris_assets.indexing.passages import embedded_text, passages
from iris_assets.indexing.tokenizer import encoding_of
from iris_assets.retrieval.ranking import QueryEmbedder
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import Settings, load_settings
from iris_assets.store import Store, in_units, open_store

SOURCE_TYPE = "PROPOSITION"  # any official type: the collection's own store holds nothing else
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
        """(id, title, text) of each line of corpus.jsonl[.gz]."""
        file = _existing(self.folder, "corpus.jsonl", "corpus.jsonl.gz")
        opener = gzip.open if file.suffix == ".gz" else open
        with opener(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    row = json.loads(line)
                    yield str(row.get("id", row.get("_id"))), str(row.get("title") or ""), str(row["text"])


def read_collection(folder: Path) -> Collection:
    """Open a collection; UsageError COLLECTION_INVALID names the file that is missing or wrong."""
    try:
        questions = _questions(_existing(folder, "queries.tsv", "queries.jsonl"))
        judgments = _judgments(_existing(folder, "qrels.txt", "qrels.tsv", "qrels/test.tsv"))
    except (ValueError, KeyError) as error:
        raise UsageError(
            "COLLECTION_INVALID", f"{folder}: {error}", hint="see docs/benchmarks.md for the layout"
        ) from None
    return Collection(folder, questions, judgments)


def evaluate_collection(
    folder: Path,
    mode: str,
    *,
    settings: Settings | None = None,
    embedder: QueryEmbedder | None = None,
    export: Path | None = None,
) -> dict[str, Any]:
    """`{"mode", "queries", "nDCG@10", "R@10", "RR@10", "ms_per_query"}` of a collection in a temporary store.

    Modes other than lexical need an embedding endpoint (or `embedder` with `embed_documents` and `embed_query`).
    """
    settings = settings or load_settings()
    collection = read_collection(folder)
    with tempfile.TemporaryDirectory(prefix="collection-") as place:
        store = open_store(f"sqlite:///{Path(place) / 'collection.sqlite3'}")
        try:
            count = fill(store, collection, settings)
            client = None if mode == "lexical" else embedder or _embedder(settings)
            if client is not None:
                embed(store, settings, client)
            service = RetrievalService(store, settings, client)
            started = time.perf_counter()
            rankings = {key: ranked(service, text, mode) for key, text in collection.questions.items()}
            seconds = time.perf_counter() - started
        finally:
            store.close()
    if export is not None:
        write_trec(export, mode, collection.judgments, rankings)
    figures = measured(collection.judgments, rankings)
    milliseconds = 1000 * seconds / max(len(rankings), 1)
    return {"mode": mode, "queries": len(rankings), **figures, "ms_per_query": milliseconds, "documents": count}


def fill(store: Store, collection: Collection, settings: Settings) -> int:
    """Cut and index every document as the pipeline does; how many."""
    encoding = encoding_of(settings.embedding_model)
    size, overlap = settings.chunk_size_tokens, settings.chunk_overlap_tokens
    count = 0
    batch: list[tuple[str, list[dict[str, Any]]]] = []
    for id_, title, text in collection.documents():
        source = SourceText(SOURCE_TYPE, id_, title, text, "", None, {})
        batch.append((id_, passages(source, size=size, overlap=overlap, encoding=encoding)))
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


def _write(store: Store, batch: list[tuple[str, list[dict[str, Any]]]]) -> None:
    for unit in in_units(batch, lambda item: len(item[1])):
        with store.transaction() as tx:
            for id_, rows in unit:
                store.chunks.replace(tx, SOURCE_TYPE, id_, rows)


def _embedder(settings: Settings) -> QueryEmbedder:
    from iris_assets.llm.embeddings import embedding_client

    client = embedding_client(settings)
    if client is None:
        raise UsageError(
            "EMBEDDINGS_NOT_CONFIGURED",
            "vector and hybrid modes need an embedding endpoint",
            hint="set EMBEDDING_BASE_URL (make local-embeddings) or LLM_API_KEY",
        )
    return client


def _existing(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise UsageError("COLLECTION_INVALID", f"{folder} has no {names[0]}", hint="give a folder in TREC/BEIR layout")


def _questions(file: Path) -> dict[str, str]:
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if file.suffix == ".jsonl":
        rows = [json.loads(line) for line in lines]
        return {str(row.get("id", row.get("_id"))): str(row["text"]) for row in rows}
    pairs = [line.split("\t", 1) for line in lines]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"{file.name}: a line is not `id TAB text`")
    return {pair[0]: pair[1] for pair in pairs}


def _judgments(file: Path) -> dict[tuple[str, str], int]:
    found = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        parts = line.split()
        if not parts or (number == 1 and not parts[-1].lstrip("-").isdigit()):
            continue  # BEIR files open with a header
        if len(parts) not in (3, 4):
            raise ValueError(f"{file.name} line {number} is no judgment")
        found[(parts[0], parts[-2])] = int(parts[-1])
    return found

"""Stage `embeddings`: a vector of the configured model for every chunk of one UF that has none."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from iris_assets.indexing.chunk_rows import embedded_text
from iris_assets.indexing.tokenizer import Tokenizer, encoding_of, token_cache, tokenizer
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport, StageRun, stage_run
from iris_assets.ingest.stages import AUDITED
from iris_assets.llm.embeddings import EmbeddedBatch, EmbeddingClient
from iris_assets.llm.packing import EmbeddingInput
from iris_assets.store import batches
from iris_assets.store.records import ChunkRow

CODE_VERSION: Final = "1"
STAGE: Final = "embeddings"
CHUNKS_AT_ONCE: Final = 1000


def ingest_embeddings(context: IngestContext, uf: str, *, full_refresh: bool = False) -> StageReport:
    """Embed what is pending, one transaction a batch (of at most 500 rows); unit = one chunk.

    Equal text is embedded once, also across partitions. Without an endpoint the stage is PARTIAL and says how many
    chunks wait (EMBEDDINGS_NO_KEY). A refused chunk fails alone; LLM_QUOTA_EXHAUSTED and other failures of the
    endpoint stop the stage and keep what is done. Vectors of the configured embedding spec are never made anew: they
    depend on nothing but the text and the model, so `full_refresh` changes nothing here.
    """
    settings = context.settings
    model, dimension = settings.embedding_model, settings.embedding_dimension
    parameters = {"uf": uf, "model": model, "dimension": dimension, "code_version": CODE_VERSION}
    with stage_run(
        context.store, STAGE, AUDITED["embeddings"], uf, parameters, context.settings.ingest_election_year
    ) as run:
        report = run.report
        report.work.update(embedding_calls=0, chunks_embedded=0, vectors_reused=0, tokens=0)
        waiting = context.store.chunks.pending_count(model, dimension, partition=uf)
        try:
            if waiting and context.embedder is None:
                report.gap("EMBEDDINGS_NO_KEY", f"{waiting} chunks wait for vectors: {NO_ENDPOINT}")
            elif waiting and context.embedder is not None:
                _Stage(context, run, context.embedder, uf).all(waiting)
        finally:
            # Whoever evaluates only after changes tells by it whether there was one.
            report.figures["corpus_digest"] = context.store.evaluations.corpus_digest()
            report.figures["pending_vectors"] = context.store.chunks.pending_count(model, dimension, partition=uf)
    return report


NO_ENDPOINT: Final = "set LLM_API_KEY, or EMBEDDING_BASE_URL (see docs/local-embeddings.md), and run again"


class _Stage:
    """One run over the pending chunks of a UF, a page of them in memory at a time."""

    def __init__(self, context: IngestContext, run: StageRun, embedder: EmbeddingClient, uf: str) -> None:
        self._context, self._run, self._embedder, self._uf = context, run, embedder, uf
        settings = context.settings
        self._spec = (settings.embedding_model, settings.embedding_dimension)
        self._tokens: Tokenizer = tokenizer(encoding_of(self._spec[0]), token_cache(settings.iris_assets_data))

    def all(self, waiting: int) -> None:
        done = 0
        for page in self._pages():
            by_hash: dict[str, list[ChunkRow]] = {}
            for row in page:
                by_hash.setdefault(row["embedded_text_hash"], []).append(row)
            self._reuse(by_hash)
            for batch in self._embedder.embed_batches(self._inputs(by_hash)):
                self._store(batch, by_hash)
                left = sum(map(len, by_hash.values()))
                self._context.progress(f"{self._uf} embeddings", done + len(page) - left, waiting)
            done += len(page)

    def _pages(self) -> Iterator[list[ChunkRow]]:
        after = 0
        while True:
            page = self._context.store.chunks.pending(
                *self._spec, partition=self._uf, after_id=after, limit=CHUNKS_AT_ONCE
            )
            if not page:
                return
            yield page
            after = page[-1]["id"]

    def _reuse(self, by_hash: dict[str, list[ChunkRow]]) -> None:
        """Vectors that the store has for equal text are copied; their hashes leave `by_hash`."""
        known = self._context.store.chunks.known_vectors(by_hash, *self._spec)
        items = [(row["id"], vector) for hash_, vector in known.items() for row in by_hash.pop(hash_)]
        if items:
            self._write(items)
            self._run.report.work["vectors_reused"] += len(items)

    def _inputs(self, by_hash: Mapping[str, Sequence[ChunkRow]]) -> Iterator[EmbeddingInput]:
        for hash_, rows in list(by_hash.items()):
            text = embedded_text(rows[0]["header"], rows[0]["content"])
            yield EmbeddingInput(hash_, text, self._tokens.count(text))

    def _store(self, batch: EmbeddedBatch, by_hash: dict[str, list[ChunkRow]]) -> None:
        """The vectors of a batch with their counters; refused chunks are counted as failed."""
        items = [
            (row["id"], vector)
            for key, vector in zip(batch.keys, batch.vectors, strict=True)
            for row in by_hash.pop(str(key))
        ]
        failed = 0
        for problem in batch.rejected:
            for row in by_hash.pop(str(problem.key)):
                failed += 1
                unit = f"{row['source_type']} {row['source_id']} #{row['chunk_index']}"
                self._run.report.unit_failed(problem.code, f"{unit}: {problem.message}")
        self._write(items, failed=failed)
        work = self._run.report.work
        work["embedding_calls"] += batch.calls
        work["tokens"] += batch.tokens
        work["chunks_embedded"] += len(items)

    def _write(self, items: Sequence[tuple[int, Any]], *, failed: int = 0) -> None:
        for part in batches(items, self._context.store.limits.transaction_rows) if items else ((),):
            with self._context.store.transaction() as tx:
                written = self._context.store.chunks.set_vectors(tx, part, *self._spec)
                self._run.count(tx, read=written + failed, updated=written, failed=failed)
            failed = 0

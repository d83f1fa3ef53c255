"""Stage `chunks`: records of one UF cut into chunks, one transaction a source, unchanged ones not at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from iris_assets.indexing.analyzer import ANALYZER_VERSION
from iris_assets.indexing.builders import BUILDERS_VERSION
from iris_assets.indexing.chunk_rows import CHUNKS_VERSION, chunk_rows
from iris_assets.indexing.tokenizer import encoding_of, token_cache, tokenizer
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.ingest.reporting import StageReport, StageRun, stage_run
from iris_assets.ingest.source_loaders import LOADERS, Key, LinkedSource
from iris_assets.ingest.stages import AUDITED
from iris_assets.store.inputs import ChunkValues

CODE_VERSION: Final = f"1.{BUILDERS_VERSION}.{CHUNKS_VERSION}.{ANALYZER_VERSION}"
STAGE: Final = "chunks"
SOURCES_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class _Cut:
    """How texts are cut."""

    size: int
    overlap: int
    encoding: str


def ingest_chunks(context: IngestContext, uf: str, *, full_refresh: bool = False) -> StageReport:
    """Chunks of every source that is linked to a candidate of `uf`; unit = one source.

    A source whose record, header and chunk settings are those of the last time is not cut at all.
    """
    settings = context.settings
    cut = _Cut(settings.chunk_size_tokens, settings.chunk_overlap_tokens, encoding_of(settings.embedding_model))
    parameters = {
        "uf": uf,
        "chunk_size_tokens": cut.size,
        "chunk_overlap_tokens": cut.overlap,
        "encoding": cut.encoding,
        "code_version": CODE_VERSION,
    }
    with stage_run(
        context.store, STAGE, AUDITED["chunks"], uf, parameters, context.settings.ingest_election_year
    ) as run:
        links = context.store.links.of_partition(uf)
        work = run.report.work
        work.update(sources_chunked=0, chunks_written=0, chunks_removed=0)
        _Stage(context, run, cut, full_refresh=full_refresh).all(list(links), uf)
        run.report.figures["sources"] = len(links)
        run.report.figures["chunks"] = sum(context.store.chunks.sources(uf).values())
    return run.report


class _Stage:
    """One run over the sources of a UF."""

    def __init__(self, context: IngestContext, run: StageRun, cut: _Cut, *, full_refresh: bool) -> None:
        self._context, self._run, self._cut, self._full_refresh = context, run, cut, full_refresh
        self._store = context.store

    def all(self, keys: list[Key], uf: str) -> None:
        states = self._store.state.all(STAGE)
        present = self._store.chunks.sources(uf)
        unchanged = 0
        for done, source in enumerate(_sources(self._context, keys), start=1):
            fingerprint = self._fingerprint(source)
            state = states.get(_unit(source.key))
            same = state is not None and state.consumed_key == fingerprint
            # A source that was retired and came back has its old state but no chunks.
            whole = state is not None and (state.detail or {}).get("chunks") == present.get(source.key, 0)
            if same and whole and not self._full_refresh:
                unchanged += 1
            else:
                self._write(source, fingerprint, had_chunks=source.key in present)
            self._context.progress(f"{uf} chunks", done, len(keys))
        with self._store.transaction() as tx:
            self._run.count(tx, read=unchanged, skipped=unchanged)

    def _fingerprint(self, source: LinkedSource) -> str:
        cut = self._cut
        return input_fingerprint(
            parts=source.parts, size=cut.size, overlap=cut.overlap, encoding=cut.encoding, code_version=CODE_VERSION
        )

    def _write(self, source: LinkedSource, fingerprint: str, *, had_chunks: bool) -> None:
        """Cut one source and store its chunks with its state and its counters.

        One transaction; a source that changes more rows than one may takes several, and its state is written with
        the last one, so that one that breaks off is done again.
        """
        rows: list[ChunkValues] = []
        if source.build is not None:
            cut = self._cut
            # Loaded at the first source that really is cut: a run without changes does without it.
            tokenizer(cut.encoding, token_cache(self._context.settings.iris_assets_data))
            rows = chunk_rows(source.build(), size=cut.size, overlap=cut.overlap, encoding=cut.encoding)
            self._run.report.work["sources_chunked"] += 1
        changed, whole = False, False
        while not whole:
            with self._store.transaction() as tx:
                result = self._store.chunks.replace(tx, *source.key, rows, most=self._store.limits.transaction_rows)
                changed, whole = changed or result.changed, result.whole
                if whole:
                    self._store.state.put(tx, STAGE, _unit(source.key), fingerprint, {"chunks": len(rows)})
                    created, updated = int(changed and not had_chunks), int(changed and had_chunks)
                    self._run.count(tx, read=1, created=created, updated=updated, skipped=1 - created - updated)
            self._run.report.work["chunks_written"] += result.created
            self._run.report.work["chunks_removed"] += result.removed


def _unit(key: Key) -> str:
    return f"{key[0]}:{key[1]}"


def _sources(context: IngestContext, keys: Sequence[Key]) -> Iterator[LinkedSource]:
    """The linked sources with their records, a few hundred in memory at a time (documents: one)."""
    for source_type, load in LOADERS.items():
        ids = [source_id for kind, source_id in keys if kind == source_type]
        for start in range(0, len(ids), SOURCES_AT_ONCE):
            yield from load(context, ids[start : start + SOURCES_AT_ONCE])

"""A source's text as rows of PoliticalChunk: exact pages, hashes, prepared terms."""

import hashlib
from bisect import bisect_right
from typing import Any, Final

from iris_assets.indexing.analyzer import prepare
from iris_assets.indexing.builders import SourceText
from iris_assets.indexing.chunker import chunk_text
from iris_assets.store.inputs import ChunkValues

CHUNKS_VERSION: Final = "1"  # part of every input fingerprint


def embedded_text(header: str | None, content: str) -> str:
    """What is embedded for a chunk: its header line, then the chunk."""
    return f"{header}\n{content}" if header else content


def text_hash(text: str) -> str:
    """SHA-256 (hex) of the UTF-8 text."""
    return hashlib.sha256(text.encode()).hexdigest()


def chunk_rows(source: SourceText, *, size: int, overlap: int, encoding: str) -> list[ChunkValues]:
    """Rows for `store.chunks.replace`, numbered from 0: windows of `size` tokens without their outer blanks.

    `span_start` and `span_end` are characters of `source.text`; `page_start` and `page_end` come from where the
    span lies (None for sources without pages).
    """
    rows: list[ChunkValues] = []
    for window in chunk_text(source.text, size=size, overlap=overlap, encoding=encoding):
        whole = source.text[window.start : window.end]
        content = whole.strip()
        if content:
            start = window.start + len(whole) - len(whole.lstrip())
            rows.append(_row(source, len(rows), content, start, window.token_count))
    return rows


def _row(source: SourceText, index: int, content: str, start: int, tokens: int) -> ChunkValues:
    end = start + len(content)
    pages = _pages(source, start, end)
    return {
        "chunk_index": index,
        "title": source.title,
        "content": content,
        "header": source.header,
        "source_url": source.url,
        "metadata_json": {**source.metadata, **_page_metadata(source, pages)},
        "content_hash": text_hash(content),
        "embedded_text_hash": text_hash(embedded_text(source.header, content)),
        "token_count": tokens,
        "span_start": start,
        "span_end": end,
        "page_start": pages[0] if pages else None,
        "page_end": pages[-1] if pages else None,
        "source_collected_at": source.collected_at,
        "prepared": prepare(source.title, source.header, content),
    }


def _pages(source: SourceText, start: int, end: int) -> list[int]:
    """Physical numbers of the pages that hold a character of the span."""
    if not source.page_offsets:
        return []
    offsets = [offset for offset, _ in source.page_offsets]
    first = bisect_right(offsets, start) - 1
    last = bisect_right(offsets, end - 1) - 1
    return [number for _, number in source.page_offsets[first : last + 1]]


def _page_metadata(source: SourceText, pages: list[int]) -> dict[str, Any]:
    if not pages:
        return {}
    recognised = [page for page in pages if page in source.ocr_pages]
    return {"pageStart": pages[0], "pageEnd": pages[-1], "ocrPages": recognised}

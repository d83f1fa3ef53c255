"""The wider text around a chunk: its neighbours in the same document, without the overlap."""

from collections.abc import Sequence

from iris_assets.store.records import ChunkRow

LONGEST_OVERLAP = 4000  # characters compared when the spans do not tell the overlap
ANCHOR = 16


def window_text(chunks: Sequence[ChunkRow], index: int, reach: int) -> str:
    """Text of the chunk `index` and of `reach` neighbours on either side; `chunks` are one document's, in order."""
    by_index = {chunk["chunk_index"]: chunk for chunk in chunks}
    first, last = index, index
    while index - first < reach and first - 1 in by_index:
        first -= 1
    while last - index < reach and last + 1 in by_index:
        last += 1
    text = ""
    end: int | None = None
    for position in range(first, last + 1):
        chunk = by_index[position]
        overlap = None if end is None or chunk["span_start"] is None else end - chunk["span_start"]
        text = joined(text, chunk["content"], overlap) if text else chunk["content"]
        end = chunk["span_end"]
    return text


def joined(left: str, right: str, overlap: int | None = None) -> str:
    """`right` after `left` with their common part once; `overlap` is its length when known (below 0: a gap)."""
    if overlap is not None and overlap <= 0:
        return f"{left}\n{right}"
    if overlap and left.endswith(right[:overlap]):
        return left + right[overlap:]
    common = _common_part(left[-LONGEST_OVERLAP:], right)
    return left + right[common:] if common else f"{left}\n{right}"


def _common_part(tail: str, right: str) -> int:
    """Length of the longest end of `tail` that `right` begins with; long ones are found by their first characters."""
    start = tail.find(right[:ANCHOR])
    while right and start >= 0:
        if right.startswith(tail[start:]):
            return len(tail) - start
        start = tail.find(right[:ANCHOR], start + 1)
    return next((n for n in range(min(len(tail), len(right), ANCHOR), 0, -1) if tail.endswith(right[:n])), 0)

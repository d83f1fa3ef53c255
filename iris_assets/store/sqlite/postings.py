"""Postings of the embedded store: which chunks hold a term, how often, and how long they are, in blocks of chunks.

A full block of chunk ids is inverted once, into one row a term; newer chunks wait as they are (the tail). Every write
happens in the chunk's own transaction, so that what is read is always in step with the chunks.
"""

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from iris_assets.store.search import PreparedText

Codes = NDArray[np.uint16]
Words = NDArray[np.uint64]

BLOCK_BITS: Final = 11
BLOCK: Final = 1 << BLOCK_BITS  # chunk ids of a block
HASH_BITS: Final = 40  # a million terms: one in a million words of a question meets another's postings
CODE_BITS: Final = 16
LENGTH_STEPS: Final = 20  # of a doubling of a chunk's length: 3.5 % each
MOST: Final = 63  # occurrences beyond count as this many
IN_TITLE: Final = 1 << 6
IN_HEADER: Final = 1 << 7
LOW: Final = 0xFFFFFFFF
KEPT_KEYS: Final = 1 << 18
FILTER_MARK: Final = "\x00"  # keeps filter tokens apart from words

TABLES: Final = ("chunk_search_posting", "chunk_search_block", "chunk_search_tail")
DDL: Final = (
    "CREATE TABLE IF NOT EXISTS chunk_search_posting (key INTEGER PRIMARY KEY, postings BLOB NOT NULL)",
    """CREATE TABLE IF NOT EXISTS chunk_search_block (
        block INTEGER PRIMARY KEY, row_count INTEGER NOT NULL, checksum INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE IF NOT EXISTS chunk_search_tail (
        chunk_id INTEGER PRIMARY KEY, terms BLOB NOT NULL, checksum INTEGER NOT NULL DEFAULT 0)""",
)


class _Keys(dict[str, int]):
    """Term → key, each made once (a chunk has hundreds); forgotten together when there are too many."""

    def __missing__(self, term: str) -> int:
        if len(self) >= KEPT_KEYS:
            self.clear()
        digest = blake2b(term.encode("utf-8", "replace"), digest_size=HASH_BITS // 8).digest()
        self[term] = key = int.from_bytes(digest, "big")
        return key


_keys = _Keys()


def term_key(term: str) -> int:
    """The number under which a term's postings lie."""
    return _keys[term]


def filter_key(token: str) -> int:
    """The number under which a filter token's chunks lie."""
    return _keys[FILTER_MARK + token]


def coded(prepared: PreparedText, filter_tokens: Iterable[str] = ()) -> dict[int, int]:
    """Key → 16 bits: occurrences in the body, in title?, in header?, the chunk's length; 0 for filter tokens."""
    length = min(round(LENGTH_STEPS * math.log2(1 + prepared.term_count)), 255)
    counts = Counter(prepared.body.split()).items()
    codes = {_keys[term]: (count if count < MOST else MOST) << 8 | length for term, count in counts}
    for text, mark in ((prepared.title, IN_TITLE), (prepared.header, IN_HEADER)):
        for term in set(text.split()):
            codes[_keys[term]] = codes.get(_keys[term], length) | mark << 8
    codes.update((filter_key(token), 0) for token in filter_tokens)
    return codes


def checksum(number: int, blob: bytes) -> int:
    """Checksum of what stands under a number (a chunk's terms, a term's postings): under another one it differs."""
    return zlib.crc32(blob, number & LOW)


def block_checksum(postings: Iterable[tuple[int, bytes]]) -> int:
    """Checksum of all (term key, postings) of a block, in any order."""
    return sum([zlib.crc32(blob, key & LOW) for key, blob in postings])  # as `checksum`, of thousands


def sign(connection: Connection) -> None:
    """Give blocks and tail the checksums of what they hold now."""
    blocks = connection.exec_driver_sql("SELECT block FROM chunk_search_block").scalars().all()
    tail = connection.exec_driver_sql("SELECT chunk_id, terms FROM chunk_search_tail").all()
    for table, key, rows in (
        ("block", "block", [(block_checksum(block_contents(connection, block)), block) for block in blocks]),
        ("tail", "chunk_id", [(checksum(row[0], row[1]), row[0]) for row in tail]),
    ):
        if rows:
            connection.exec_driver_sql(f"UPDATE chunk_search_{table} SET checksum = ? WHERE {key} = ?", rows)


def add(connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]) -> None:
    """Add a chunk that is not there; a block that this completes is inverted."""
    codes = coded(prepared, filter_tokens)
    # Ids grow and are never given twice: one below the newest inverted block belongs to a block that is past.
    last_sealed, first_waiting = _borders(connection)
    if chunk_id >> BLOCK_BITS <= last_sealed:
        _edit(connection, chunk_id, 1, added=codes)
        return
    terms = _packed(codes)
    connection.exec_driver_sql(
        "INSERT INTO chunk_search_tail VALUES (?, ?, ?)", (chunk_id, terms, checksum(chunk_id, terms))
    )
    while first_waiting is not None and first_waiting >> BLOCK_BITS < chunk_id >> BLOCK_BITS:
        _seal(connection, first_waiting >> BLOCK_BITS)
        _, first_waiting = _borders(connection)


def remove(connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Iterable[str]) -> None:
    """Take out a chunk that was added with these words and tokens."""
    gone = connection.exec_driver_sql("DELETE FROM chunk_search_tail WHERE chunk_id = ?", (chunk_id,))
    if not gone.rowcount:
        _edit(connection, chunk_id, -1, removed=coded(prepared, filter_tokens))


def change_filters(connection: Connection, chunk_id: int, before: Iterable[str], after: Iterable[str]) -> None:
    """Replace a chunk's filter tokens."""
    old, new = {filter_key(token) for token in before}, {filter_key(token) for token in after}
    row = connection.exec_driver_sql("SELECT terms FROM chunk_search_tail WHERE chunk_id = ?", (chunk_id,)).first()
    if row is None:
        _edit(connection, chunk_id, 0, removed=sorted(old - new), added=dict.fromkeys(sorted(new - old), 0))
        return
    codes = {
        int(word) >> CODE_BITS: int(word) & 0xFFFF for word in unpacked(row[0]) if int(word) >> CODE_BITS not in old
    }
    terms = _packed({**codes, **dict.fromkeys(new, 0)})
    connection.exec_driver_sql(
        "UPDATE chunk_search_tail SET terms = ?, checksum = ? WHERE chunk_id = ?",
        (terms, checksum(chunk_id, terms), chunk_id),
    )


def unpacked(blob: bytes) -> Words:
    """The terms of a chunk of the tail: key and code in one number each."""
    return np.frombuffer(blob, dtype="<u8")


def block_contents(connection: Connection, block: int) -> list[tuple[int, bytes]]:
    """(term key, postings) of one block, ascending."""
    low = block << HASH_BITS
    rows = connection.exec_driver_sql(
        "SELECT key - ?, postings FROM chunk_search_posting WHERE key >= ? AND key < ? ORDER BY key",
        (low, low, low + (1 << HASH_BITS)),
    )
    return [(row[0], row[1]) for row in rows]


def inverted(chunks: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """(chunk id, packed terms) of one block → (term key, postings): pairs of place in the block and code, by place."""
    words = unpacked(b"".join(terms for _, terms in chunks))
    places = np.repeat(
        np.array([chunk_id & (BLOCK - 1) for chunk_id, _ in chunks], dtype=np.uint16), [len(t) // 8 for _, t in chunks]
    )
    keys = words >> np.uint64(CODE_BITS)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    pairs = np.empty((len(words), 2), dtype="<u2")
    pairs[:, 0], pairs[:, 1] = places[order], (words & np.uint64(0xFFFF))[order]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    data, ends = pairs.tobytes(), [*(4 * starts[1:]).tolist(), 4 * len(words)]
    return [(key, data[a:b]) for key, a, b in zip(keys[starts].tolist(), (4 * starts).tolist(), ends, strict=True)]


def packed(prepared: PreparedText, filter_tokens: Iterable[str]) -> bytes:
    """A chunk's terms as the tail keeps them."""
    return _packed(coded(prepared, filter_tokens))


def _packed(codes: Mapping[int, int]) -> bytes:
    words = np.fromiter(codes, dtype="<u8", count=len(codes)) << np.uint64(CODE_BITS)
    words |= np.fromiter(codes.values(), dtype="<u8", count=len(codes))
    words.sort()
    return words.tobytes()


def _borders(connection: Connection) -> tuple[int, int | None]:
    """The newest inverted block (-1: none) and the first chunk that waits."""
    row = connection.exec_driver_sql(
        "SELECT (SELECT coalesce(max(block), -1) FROM chunk_search_block), (SELECT min(chunk_id) FROM chunk_search_tail)"
    ).one()
    return int(row[0]), row[1]


def _seal(connection: Connection, block: int) -> None:
    bounds = (block << BLOCK_BITS, (block + 1) << BLOCK_BITS)
    inside = "chunk_id >= ? AND chunk_id < ?"
    chunks = connection.exec_driver_sql(
        f"SELECT chunk_id, terms FROM chunk_search_tail WHERE {inside} ORDER BY chunk_id", bounds
    ).all()
    found = inverted([(row[0], row[1]) for row in chunks])
    if found:
        rows = [(block << HASH_BITS | key, postings) for key, postings in found]
        connection.exec_driver_sql("INSERT INTO chunk_search_posting VALUES (?, ?)", rows)
    connection.exec_driver_sql(
        "INSERT INTO chunk_search_block VALUES (?, ?, ?)", (block, len(chunks), block_checksum(found))
    )
    connection.exec_driver_sql(f"DELETE FROM chunk_search_tail WHERE {inside}", bounds)


def _edit(
    connection: Connection,
    chunk_id: int,
    chunks: int,
    *,
    removed: Iterable[int] = (),
    added: Mapping[int, int] | None = None,
) -> None:
    """Change the postings of one chunk of an inverted block, which then holds `chunks` more."""
    base, place = chunk_id >> BLOCK_BITS << HASH_BITS, chunk_id & (BLOCK - 1)
    wanted: dict[int, int | None] = {base | key: None for key in removed}
    wanted |= {base | key: code for key, code in (added or {}).items()}
    found = dict(_rows(connection, list(wanted)))
    changed = {key: _with(found.get(key, b""), place, code) for key, code in wanted.items()}
    kept = [(key, postings) for key, postings in changed.items() if postings]
    gone = [(key,) for key, postings in changed.items() if not postings]
    if kept:
        connection.exec_driver_sql("INSERT OR REPLACE INTO chunk_search_posting VALUES (?, ?)", kept)
    if gone:
        connection.exec_driver_sql("DELETE FROM chunk_search_posting WHERE key = ?", gone)
    # A block that has lost its last chunk stays as a mark that its ids are past.
    connection.exec_driver_sql(
        "INSERT INTO chunk_search_block VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "
        "row_count = row_count + excluded.row_count, checksum = checksum + excluded.checksum",
        (chunk_id >> BLOCK_BITS, chunks, block_checksum(kept) - block_checksum(found.items())),
    )


def _rows(connection: Connection, keys: Sequence[int]) -> Iterable[tuple[int, bytes]]:
    for start in range(0, len(keys), 500):
        part = keys[start : start + 500]
        marks = ",".join("?" * len(part))
        rows = connection.exec_driver_sql(
            f"SELECT key, postings FROM chunk_search_posting WHERE key IN ({marks})", tuple(part)
        )
        yield from ((row[0], row[1]) for row in rows)


def _with(postings: bytes, place: int, code: int | None) -> bytes:
    """The postings with this place's entry replaced, or without it when `code` is None; places stay ascending."""
    pairs = np.frombuffer(postings, dtype="<u2").reshape(-1, 2)
    at = int(pairs[:, 0].searchsorted(place))
    known = at < len(pairs) and int(pairs[at, 0]) == place
    entry = b"" if code is None else np.array([place, code], dtype="<u2").tobytes()
    return postings[: 4 * at] + entry + postings[4 * (at + known) :]

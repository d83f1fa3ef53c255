"""First stage of the embedded full-text search: BM25 of every chunk from the postings, filters before scoring.

Chunks stand at positions: those of the inverted blocks, block after block, then those of the tail.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from iris_assets.store.search import SearchFilter
from iris_assets.store.search.bm25 import RankingWeights
from iris_assets.store.sqlite.damage import damaged, readable
from iris_assets.store.sqlite.index import change_number
from iris_assets.store.sqlite.postings import (
    BLOCK,
    BLOCK_BITS,
    CODE_BITS,
    HASH_BITS,
    IN_HEADER,
    IN_TITLE,
    LENGTH_STEPS,
    MOST,
    filter_key,
    unpacked,
)

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]

KEPT_FILTERS: Final = 32  # one byte a chunk each
FEW_BLOCKS: Final = 500
OF_KEY: Final = (
    f"FROM chunk_search_block AS b CROSS JOIN chunk_search_posting AS p ON p.key = (b.block << {HASH_BITS} | ?)"
)


@dataclass(frozen=True, slots=True)
class Postings:
    """Where a term occurs: positions, each once, and the code of each (postings.coded)."""

    places: Ids
    codes: NDArray[np.uint16]


class Layout:
    """The positions of one state of the index, and which of them a filter lets through."""

    def __init__(self, connection: Connection) -> None:
        blocks = connection.exec_driver_sql("SELECT block FROM chunk_search_block ORDER BY block").scalars().all()
        tail = connection.exec_driver_sql("SELECT chunk_id, terms FROM chunk_search_tail ORDER BY chunk_id").all()
        self.change = change_number(connection)
        self._blocks: Ids = np.array(blocks, dtype=np.int64)
        self._sealed = len(blocks) * BLOCK
        self._tail_ids: Ids = np.array([row[0] for row in tail], dtype=np.int64)
        self._tail = unpacked(b"".join([row[1] for row in tail]))
        self._tail_keys = self._tail >> np.uint64(CODE_BITS)
        self._tail_places = np.repeat(np.arange(len(tail)), [len(row[1]) // 8 for row in tail]) + self._sealed
        if len(self._tail_places) != len(self._tail):
            raise damaged("a chunk's terms are cut")
        self._frequencies: dict[int, int] = {}
        self._masks: OrderedDict[SearchFilter, Mask] = OrderedDict()
        self.size = self._sealed + len(tail)

    def postings(self, connection: Connection, key: int, blocks: Sequence[int] | None = None) -> Postings:
        """The chunks that hold the term (or filter token) of this key; of the tail and of these blocks only."""
        rows = self._rows(connection, key, blocks)
        pairs = np.frombuffer(b"".join([row[1] for row in rows]), dtype="<u2").reshape(-1, 2)
        bases = self._blocks.searchsorted(np.array([row[0] for row in rows], dtype=np.int64)) << BLOCK_BITS
        places = np.repeat(bases, [len(row[1]) // 4 for row in rows]) + pairs[:, 0]
        waiting = np.flatnonzero(self._tail_keys == np.uint64(key))
        codes = np.concatenate([pairs[:, 1], (self._tail[waiting] & np.uint64(0xFFFF)).astype(np.uint16)])
        return Postings(np.concatenate([places, self._tail_places[waiting]]), codes)

    @staticmethod
    def _rows(connection: Connection, key: int, blocks: Sequence[int] | None) -> Sequence[Any]:
        if blocks is None:
            return connection.exec_driver_sql(f"SELECT b.block, p.postings {OF_KEY} ORDER BY b.block", (key,)).all()
        keys = tuple(block << HASH_BITS | key for block in blocks)
        marks = ",".join("?" * len(keys))
        return connection.exec_driver_sql(
            f"SELECT key >> {HASH_BITS}, postings FROM chunk_search_posting WHERE key IN ({marks}) ORDER BY key", keys
        ).all()

    def frequency(self, connection: Connection, key: int) -> int:
        """In how many chunks a term occurs, without reading which."""
        if key not in self._frequencies:
            size = connection.exec_driver_sql(f"SELECT sum(length(p.postings)) {OF_KEY}", (key,)).scalar() or 0
            self._frequencies[key] = size // 4 + int(np.count_nonzero(self._tail_keys == np.uint64(key)))
        return self._frequencies[key]

    def few_blocks(self, mask: Mask) -> list[int] | None:
        """The inverted blocks with a chunk of the mask when they are few (else reading them all is quicker)."""
        held = np.flatnonzero(mask[: self._sealed].reshape(-1, BLOCK).any(axis=1))
        return self._blocks[held].tolist() if len(held) <= min(FEW_BLOCKS, len(self._blocks) // 4) else None

    def allowed(self, connection: Connection, restriction: SearchFilter) -> Mask:
        """Which positions a filter lets through that restricts something; the last filters are remembered."""
        mask = self._masks.get(restriction)
        if mask is None:
            mask = np.ones(self.size, dtype=np.bool_)
            for tokens in restriction.tokens():
                of_field = np.zeros(self.size, dtype=np.bool_)
                for token in tokens:
                    of_field[self.postings(connection, filter_key(token)).places] = True
                mask &= of_field
            self._masks[restriction] = mask
        self._masks.move_to_end(restriction)
        while len(self._masks) > KEPT_FILTERS:
            self._masks.popitem(last=False)
        return mask

    def ids(self, places: Ids) -> Ids:
        """Chunk ids at these positions."""
        in_tail = places >= self._sealed
        ids = np.empty(len(places), dtype=np.int64)
        ids[in_tail] = self._tail_ids[places[in_tail] - self._sealed]
        inside = places[~in_tail]
        ids[~in_tail] = (self._blocks[inside >> BLOCK_BITS] << BLOCK_BITS) | (inside & (BLOCK - 1))
        return ids

    def places(self, ids: Iterable[int]) -> Ids:
        """Positions of chunks of the index."""
        wanted = np.array(list(ids), dtype=np.int64)
        sealed = np.isin(wanted >> BLOCK_BITS, self._blocks)
        places = np.empty(len(wanted), dtype=np.int64)
        inside = wanted[sealed]
        places[sealed] = (self._blocks.searchsorted(inside >> BLOCK_BITS) << BLOCK_BITS) | (inside & (BLOCK - 1))
        places[~sealed] = self._tail_ids.searchsorted(wanted[~sealed]) + self._sealed
        return places


class Layouts:
    """The layout of the last state seen, for one process's searches; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: Layout | None = None

    def current(self, connection: Connection) -> Layout:
        """The layout of the state that this read transaction sees; StoreError LEXICAL_INDEX_DAMAGED."""
        with self._lock:
            change = change_number(connection)
            if self._last is None or self._last.change != change:
                self._last = Layout(connection)
            return self._last


class Scores:
    """BM25 sums of all positions, and how many terms of the question each matched."""

    def __init__(self, size: int, weights: RankingWeights, mean_length: float) -> None:
        self.values: Floats = np.zeros(size, dtype=np.float32)
        self.matched: NDArray[np.uint16] = np.zeros(size, dtype=np.uint16)
        self._counts, self._norms, self._saturated = _tables(weights, mean_length or 1.0)
        self._k1 = np.float32(weights.k1)

    def add(self, found: Sequence[Postings], idf: float) -> Ids:
        """Add a term whose alternatives have these postings; the positions where it matched."""
        found = [postings for postings in found if len(postings.places)]
        if not found:
            return np.empty(0, dtype=np.int64)
        if len(found) == 1:
            places, gains = found[0].places, self._saturated[found[0].codes]
        else:
            places, gains = self._together(found)
        self.values[places] += np.float32(idf) * gains
        self.matched[places] += 1
        return places

    def _together(self, found: Sequence[Postings]) -> tuple[Ids, Floats]:
        """Alternatives are one term: their occurrences add up before they saturate."""
        codes = np.concatenate([postings.codes for postings in found])
        places, first, which = np.unique(
            np.concatenate([postings.places for postings in found]), return_index=True, return_inverse=True
        )
        counts = np.bincount(which, weights=self._counts[codes >> 8]).astype(np.float32)
        return places, counts * (self._k1 + 1) / (counts + self._norms[codes[first] & 0xFF])


@lru_cache(maxsize=8)
def _tables(weights: RankingWeights, mean_length: float) -> tuple[Floats, Floats, Floats]:
    """By code: weighted occurrences (upper byte), length norm (lower byte), the saturated share of both."""
    upper = np.arange(256)
    counts = (upper & MOST) + weights.title * (upper & IN_TITLE > 0) + weights.header * (upper & IN_HEADER > 0)
    lengths = 2.0 ** (upper / LENGTH_STEPS) - 1
    norms = weights.k1 * (1 - weights.b + weights.b * lengths / mean_length)
    saturated = counts[:, None] * (weights.k1 + 1) / (counts[:, None] + norms[None, :])
    return counts.astype(np.float32), norms.astype(np.float32), saturated.astype(np.float32).reshape(-1)


def filtered_ids(connection: Connection, layouts: Layouts, restriction: SearchFilter) -> Ids:
    """Row ids, ascending, of the chunks that a filter lets through which restricts something.

    StoreError LEXICAL_INDEX_DAMAGED when the index cannot tell.
    """
    with readable():
        layout = layouts.current(connection)
        return layout.ids(np.flatnonzero(layout.allowed(connection, restriction)))


def best(values: Floats, places: Ids, wanted: int) -> tuple[Ids, Ids]:
    """Of `places`, those surely among the `wanted` best and those that share the last place with each other."""
    if len(places) <= wanted:
        return places, places[:0]
    scores = values[places]
    border = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    return places[scores > border], places[scores == border]

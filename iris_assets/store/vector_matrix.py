"""Unit vectors in memory: exact float32 products, sign-bit codes with float32 rescoring above a measured size."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]

CODES_FROM = 100_000  # rows from which sign-bit codes are quicker than the memory that the product must read
RESCORED = 16  # rows rescored in float32 for each row wanted
MIN_RESCORED = 400
GATHER_SHARE = 0.3  # a filter that keeps more than this share is applied after the product, not before
BLOCK = 16_384  # rows of codes compared at a time: they stay in the processor's cache
TIE = np.float32(1e-5)


class VectorMatrix:
    """Rows of unit length by chunk id; `seq` is the store's change number that the rows are in step with."""

    def __init__(self, dimension: int, capacity: int = 0) -> None:
        self.dimension, self.seq, self.size = dimension, 0, 0
        self._rows: Floats = np.empty((max(capacity, 16), dimension), dtype=np.float32)
        self._ids: Ids = np.empty(len(self._rows), dtype=np.int64)
        self._place: dict[int, int] = {}
        self._codes: SignCodes | None = None

    def put(self, ids: Sequence[int], vectors: Floats) -> None:
        """Add rows or replace those of known ids."""
        self._reserve(self.size + len(ids))
        for id_, vector in zip(ids, vectors, strict=True):
            place = self._place.setdefault(id_, self.size)
            self.size += place == self.size
            self._rows[place], self._ids[place] = vector, id_
            if self._codes is not None:
                self._codes.put(place, vector)

    def remove(self, ids: Sequence[int]) -> None:
        """Take rows out; the last row moves into the gap. Unknown ids are no error."""
        for id_ in ids:
            place = self._place.pop(id_, None)
            if place is None:
                continue
            self.size -= 1
            if place != self.size:
                self._rows[place], self._ids[place] = self._rows[self.size], self._ids[self.size]
                self._place[int(self._ids[place])] = place
                if self._codes is not None:
                    self._codes.put(place, self._rows[place])

    def nearest(self, questions: Floats, limit: int, allowed: Ids | None = None) -> list[tuple[Ids, Floats]]:
        """Ids and cosines of the `limit` nearest rows of each question, ties at the border included, in no order."""
        if allowed is not None:
            places = self._places(allowed)
            if len(places) <= GATHER_SHARE * self.size or len(places) < CODES_FROM:
                return self._best_of(questions, places, limit)
            mask: NDArray[np.bool_] | None = np.zeros(self.size, dtype=bool)
            assert mask is not None
            mask[places] = True
        else:
            mask = None
        if self.size >= CODES_FROM:
            return [self._by_codes(question, limit, mask) for question in questions]
        scores = self._rows[: self.size] @ questions.T
        if mask is not None:
            scores[~mask] = -2.0
        return [self._cut(self._ids[: self.size], scores[:, i], limit) for i in range(len(questions))]

    def _places(self, ids: Ids) -> Ids:
        known = (self._place.get(int(id_), -1) for id_ in ids)
        places = np.fromiter(known, dtype=np.int64, count=len(ids))
        return places[places >= 0]

    def _best_of(self, questions: Floats, places: Ids, limit: int) -> list[tuple[Ids, Floats]]:
        scores = self._rows[places] @ questions.T
        return [self._cut(self._ids[places], scores[:, i], limit) for i in range(len(questions))]

    def _by_codes(self, question: Floats, limit: int, mask: NDArray[np.bool_] | None) -> tuple[Ids, Floats]:
        if self._codes is None or self._codes.built_for * 2 < self.size:
            self._codes = SignCodes(self._rows, self.size)
        wanted = min(max(RESCORED * limit, MIN_RESCORED), self.size)
        places = self._codes.nearest(question, wanted, self.size, mask)
        return self._best_of(question[None, :], places, limit)[0]

    @staticmethod
    def _cut(ids: Ids, scores: Floats, limit: int) -> tuple[Ids, Floats]:
        if len(ids) > limit:
            border = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            keep = np.flatnonzero(scores >= border - TIE)
            ids, scores = ids[keep], scores[keep]
        shown = scores > -2.0
        return ids[shown], scores[shown]

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._rows):
            return
        grown = max(rows, 2 * len(self._rows) if len(self._rows) < CODES_FROM else rows + len(self._rows) // 4)
        # refcheck off: views of the old block live only inside one call.
        bigger = np.empty((grown, self.dimension), dtype=np.float32)
        bigger[: self.size] = self._rows[: self.size]
        ids = np.empty(grown, dtype=np.int64)
        ids[: self.size] = self._ids[: self.size]
        self._rows, self._ids = bigger, ids
        if self._codes is not None:
            self._codes.reserve(grown)


class SignCodes:
    """One bit a number (above the mean or not), compared by counting the bits that differ."""

    def __init__(self, rows: Floats, size: int) -> None:
        self.built_for = size
        self.mean: Floats = rows[:size].mean(axis=0, dtype=np.float64).astype(np.float32)
        self._codes = np.zeros((len(rows), -(-rows.shape[1] // 64)), dtype=np.uint64)
        for start in range(0, size, BLOCK):
            stop = min(start + BLOCK, size)
            self._codes[start:stop] = self._code(rows[start:stop])

    def put(self, place: int, vector: Floats) -> None:
        """Set the code of one row."""
        self._codes[place] = self._code(vector[None, :])[0]

    def reserve(self, rows: int) -> None:
        """Make room for more rows."""
        bigger = np.zeros((rows, self._codes.shape[1]), dtype=np.uint64)
        bigger[: len(self._codes)] = self._codes
        self._codes = bigger

    def nearest(self, question: Floats, wanted: int, size: int, mask: NDArray[np.bool_] | None) -> Ids:
        """Places of the `wanted` rows with the fewest differing bits (ties at the border included)."""
        code = self._code(question[None, :])[0]
        distance = np.empty(size, dtype=np.uint16)
        for start in range(0, size, BLOCK):
            stop = min(start + BLOCK, size)
            different = np.bitwise_count(self._codes[start:stop] ^ code)
            np.sum(different, axis=1, dtype=np.uint16, out=distance[start:stop])
        if mask is not None:
            distance[~mask] = np.iinfo(np.uint16).max
        if wanted >= size:
            return np.arange(size, dtype=np.int64)
        border = np.partition(distance, wanted - 1)[wanted - 1]
        return np.flatnonzero(distance <= border).astype(np.int64)

    def _code(self, rows: Floats) -> NDArray[np.uint64]:
        bits = np.packbits(rows > self.mean, axis=1)
        missing = -bits.shape[1] % 8
        padded = np.pad(bits, ((0, 0), (0, missing))) if missing else bits
        return np.ascontiguousarray(padded).view(np.uint64)

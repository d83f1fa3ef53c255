"""Vectors as one bit a number (above the mean or not): what the resident matrix compares first when it is large."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]

BLOCK = 16_384  # rows compared at a time: they stay in the processor's cache
WORD = 64


class Distances:
    """How many bits of each row differ from the question's."""

    def __init__(self, bits: NDArray[np.uint16], dimension: int) -> None:
        self._bits, self._dimension = bits, dimension

    def border(self, wanted: int) -> int:
        """The distance within which at least `wanted` rows lie."""
        return int(np.partition(self._bits, wanted - 1)[wanted - 1])

    def within(self, border: int) -> Ids:
        """Places of the rows up to this distance."""
        return np.flatnonzero(self._bits <= border).astype(np.int64)

    def safe_border(self, best: Ids, deviations: float) -> int:
        """The distance within which every row as near as the `best` (nearest first) lies, but for chance.

        Bits differ one by one with a probability that the angle gives: a binomial spread about the mean, which the
        farther half of the best tells.
        """
        mean = float(self._bits[best[len(best) // 2 :]].mean()) if len(best) else 0.0
        share = min(mean / self._dimension, 0.5)
        return int(mean + deviations * np.sqrt(self._dimension * share * (1 - share)))


class SignCodes:
    """The codes of the rows of a matrix, word by word: a block of one word lies together in memory."""

    def __init__(self, rows: Floats, size: int) -> None:
        self.built_for, self._dimension = size, rows.shape[1]
        self.mean: Floats = rows[:size].mean(axis=0, dtype=np.float64).astype(np.float32)
        self._codes = np.zeros((-(-self._dimension // WORD), len(rows)), dtype=np.uint64)
        for start in range(0, size, BLOCK):
            stop = min(start + BLOCK, size)
            self.put(np.arange(start, stop), rows[start:stop])

    @property
    def nbytes(self) -> int:
        """Memory of the codes."""
        return self._codes.nbytes

    def put(self, places: Ids, vectors: Floats) -> None:
        """Set the codes of rows."""
        self._codes[:, places] = self._code(vectors).T

    def reserve(self, rows: int) -> None:
        """Make room for more rows."""
        bigger = np.zeros((len(self._codes), rows), dtype=np.uint64)
        bigger[:, : self._codes.shape[1]] = self._codes
        self._codes = bigger

    def distances(self, question: Floats, size: int, mask: Mask | None) -> Distances:
        """The distances of the first `size` rows; a row outside the mask is farther than any."""
        code = self._code(question[None, :])[0]
        bits = np.zeros(size, dtype=np.uint16)
        different = np.empty(min(BLOCK, size), dtype=np.uint64)
        counted = np.empty(len(different), dtype=np.uint8)
        for start in range(0, size, BLOCK):
            part = bits[start : start + BLOCK]
            x, n = different[: len(part)], counted[: len(part)]
            for word, own in zip(self._codes[:, start : start + len(part)], code, strict=True):
                np.bitwise_xor(word, own, out=x)
                np.bitwise_count(x, out=n)
                np.add(part, n, out=part)
        if mask is not None:
            bits[~mask] = np.iinfo(np.uint16).max
        return Distances(bits, self._dimension)

    def _code(self, rows: Floats) -> NDArray[np.uint64]:
        bits = np.packbits(rows > self.mean, axis=1)
        missing = -bits.shape[1] % 8
        padded = np.pad(bits, ((0, 0), (0, missing))) if missing else bits
        return np.ascontiguousarray(padded).view(np.uint64)

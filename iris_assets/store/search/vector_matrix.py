"""Unit vectors in memory: exact float32 products, sign-bit codes with float32 rescoring above a measured size."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from iris_assets.store.search.sign_codes import SignCodes

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]

CODES_FROM = 100_000  # rows from which sign-bit codes are quicker than the memory that the product must read
GATHER_SHARE = 0.2  # gathering more than this share costs as much as the product of all rows
GATHERED = 10_000  # rows whose gathering costs as much as comparing the codes of all rows of a large matrix
FULL_SHARE = 1 / 16  # rescoring more rows than this costs as much as the whole product
RESCORED = 16  # rows rescored in float32 for each row wanted, at first
MIN_RESCORED = 400
MARGIN = 4.0  # standard deviations of a code's distance within which a row may still be nearer than it looks
TIE = np.float32(1e-5)


class VectorMatrix:
    """Rows of unit length by chunk id; `seq` is the store's change number that the rows are in step with."""

    def __init__(self, dimension: int, capacity: int = 0) -> None:
        self.dimension, self.seq, self.size = dimension, 0, 0
        self._rows: Floats = np.empty((max(capacity, 16), dimension), dtype=np.float32)
        self._ids: Ids = np.empty(len(self._rows), dtype=np.int64)
        self._place: Ids = np.full(16, -1, dtype=np.int64)  # by chunk id
        self._codes: SignCodes | None = None

    @property
    def nbytes(self) -> int:
        """Memory of rows, ids and codes."""
        return self._rows.nbytes + self._ids.nbytes + self._place.nbytes + (self._codes.nbytes if self._codes else 0)

    def put(self, ids: Sequence[int], vectors: Floats) -> None:
        """Add rows or replace those of known ids; `ids` are distinct."""
        if not len(ids):
            return
        wanted = np.asarray(ids, dtype=np.int64)
        self._reserve(self.size + len(wanted), int(wanted.max()))
        places = self._place[wanted]
        new = places < 0
        places[new] = np.arange(self.size, self.size + np.count_nonzero(new))
        self.size += int(np.count_nonzero(new))
        self._place[wanted], self._ids[places], self._rows[places] = places, wanted, vectors
        if self._codes is not None:
            self._codes.put(places, vectors)

    def remove(self, ids: Sequence[int]) -> None:
        """Take rows out; the last row moves into the gap. Unknown ids are no error."""
        for id_ in ids:
            place = int(self._place[id_]) if id_ < len(self._place) else -1
            if place < 0:
                continue
            self.size -= 1
            self._place[id_] = -1
            if place == self.size:
                continue
            self._rows[place], self._ids[place] = self._rows[self.size], self._ids[self.size]
            self._place[self._ids[place]] = place
            if self._codes is not None:
                self._codes.put(np.array([place]), self._rows[place : place + 1])

    def nearest(self, questions: Floats, limit: int, allowed: Ids | None = None) -> list[tuple[Ids, Floats]]:
        """Ids and cosines of the `limit` nearest rows of each question, ties at the border included, in no order."""
        mask: Mask | None = None
        if allowed is not None:
            places = self._places(allowed)
            if len(places) <= GATHER_SHARE * self.size and (len(places) <= GATHERED or self.size < CODES_FROM):
                return self._best_of(questions, places, limit)
            if len(places) < self.size:
                mask = np.zeros(self.size, dtype=np.bool_)
                mask[places] = True
        if self.size >= CODES_FROM:
            return [self._by_codes(question, limit, mask) for question in questions]
        return self._exact(questions, limit, mask)

    def _places(self, ids: Ids) -> Ids:
        places = self._place[ids[ids < len(self._place)]]
        return places[places >= 0]

    def _exact(self, questions: Floats, limit: int, mask: Mask | None) -> list[tuple[Ids, Floats]]:
        # One question as a vector: the product of a matrix with one column is slower than that with a vector.
        rows = self._rows[: self.size]
        scores = (rows @ questions[0])[:, None] if len(questions) == 1 else rows @ questions.T
        if mask is not None:
            scores[~mask] = -2.0
        return [self._cut(self._ids[: self.size], scores[:, i], limit) for i in range(len(questions))]

    def _best_of(self, questions: Floats, places: Ids, limit: int) -> list[tuple[Ids, Floats]]:
        scores = self._rows[places] @ questions.T
        return [self._cut(self._ids[places], scores[:, i], limit) for i in range(len(questions))]

    def _by_codes(self, question: Floats, limit: int, mask: Mask | None) -> tuple[Ids, Floats]:
        """Rescore the rows whose codes are nearest; more of them while the best lie too near to the border.

        Vectors without structure (all about equally far) have codes that say nothing: then the product decides.
        """
        if self._codes is None or self._codes.built_for * 2 < self.size:
            self._codes = SignCodes(self._rows, self.size)
        distances = self._codes.distances(question, self.size, mask)
        border = distances.border(min(max(RESCORED * limit, MIN_RESCORED), self.size))
        while True:
            places = distances.within(border)
            if len(places) > FULL_SHARE * self.size:
                return self._exact(question[None, :], limit, mask)[0]
            scores = self._rows[places] @ question
            safe = distances.safe_border(places[np.argsort(-scores)[:limit]], MARGIN)
            if safe <= border:
                return self._cut(self._ids[places], scores, limit)
            border = safe

    @staticmethod
    def _cut(ids: Ids, scores: Floats, limit: int) -> tuple[Ids, Floats]:
        if len(ids) > limit:
            border = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            keep = np.flatnonzero(scores >= border - TIE)
            ids, scores = ids[keep], scores[keep]
        shown = scores > -2.0
        return ids[shown], scores[shown]

    def _reserve(self, rows: int, highest_id: int) -> None:
        if highest_id >= len(self._place):
            more = max(highest_id + 1, 2 * len(self._place)) - len(self._place)
            self._place = np.concatenate([self._place, np.full(more, -1, dtype=np.int64)])
        if rows <= len(self._rows):
            return
        grown = max(rows, 2 * len(self._rows) if len(self._rows) < CODES_FROM else rows + len(self._rows) // 4)
        bigger = np.empty((grown, self.dimension), dtype=np.float32)
        bigger[: self.size] = self._rows[: self.size]
        ids = np.empty(grown, dtype=np.int64)
        ids[: self.size] = self._ids[: self.size]
        self._rows, self._ids = bigger, ids
        if self._codes is not None:
            self._codes.reserve(grown)

"""The two searches and their fusion: question terms and vector in, ranked chunks with separate scores out."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from iris_assets.errors import ModelError
from iris_assets.indexing.analyzer import AnalyzedQuestion
from iris_assets.retrieval.fusion import Fused, fused_scores
from iris_assets.retrieval.types import Mode
from iris_assets.settings import Settings
from iris_assets.store import Store
from iris_assets.store.search import LexicalHit, SearchFilter, VectorHit
from iris_assets.store.search.bm25 import CorpusStatistics, worth
from iris_assets.words.messages import notice

log = logging.getLogger(__name__)

LIST_LENGTH = 20  # what each search gives to the fusion, or this many times top-k for a larger k
DEPTH = 2
VANISHED = ("~", "", 0)  # a chunk that another process took away meanwhile comes last


class QueryEmbedder(Protocol):
    """What turns a question into a vector."""

    def embed_query(self, text: str) -> NDArray[np.float32]: ...


@dataclass
class Ranking:
    """Fused hits in order, with what is to be said and how long each step took (seconds)."""

    hits: list[Fused]
    notices: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    vectors_used: bool = False


class Ranker:
    """Runs the searches of a mode over one store."""

    def __init__(self, store: Store, settings: Settings, embedder: QueryEmbedder | None) -> None:
        self._store, self._settings, self.embedder = store, settings, embedder

    def has_vectors(self) -> bool:
        """Whether questions can be compared by vectors: an endpoint is there, and passages have vectors of its model."""
        model, dimension = self._settings.embedding_model, self._settings.embedding_dimension
        return self.embedder is not None and self._store.vectors.has(model, dimension)

    def valued(self, question: AnalyzedQuestion) -> AnalyzedQuestion:
        """The question with what each of its terms is worth among the indexed texts."""
        lexical = self._store.lexical
        words = {word for term in question.terms for alternative in term for word in alternative.split()}
        statistics = CorpusStatistics(lexical.size(), 0.0, lexical.document_frequency(words))
        return replace(question, worth=tuple(worth(question.terms, question.weights, statistics)))

    def rank(
        self, text: str, question: AnalyzedQuestion, restriction: SearchFilter, mode: Mode, wanted: int
    ) -> Ranking:
        """The best chunks of each search (20, or twice `wanted`) put together as FUSION_WEIGHTS says."""
        depth = max(LIST_LENGTH, DEPTH * wanted)
        ranking = Ranking([])
        lexical: list[LexicalHit] = []
        vector: list[VectorHit] = []
        if mode != "vector":
            started = time.perf_counter()
            lexical = self._store.lexical.search(question.query(restriction, depth))
            ranking.timings["lexical"] = time.perf_counter() - started
        if mode != "lexical":
            vector = self._vector_hits(text, restriction, depth, ranking)
        ranking.hits = self._fused(lexical, vector)
        return ranking

    def _vector_hits(self, text: str, restriction: SearchFilter, depth: int, ranking: Ranking) -> list[VectorHit]:
        model, dimension = self._settings.embedding_model, self._settings.embedding_dimension
        if self.embedder is None:
            ranking.notices.append(notice("WORDS_ONLY"))
            return []
        if not self._store.vectors.has(model, dimension):
            log.warning("no vectors of %s with %s dimensions yet: iris-assets run makes them", model, dimension)
            ranking.notices.append(notice("WORDS_ONLY"))
            return []
        started = time.perf_counter()
        try:
            asked = _usable(self.embedder.embed_query(text))
        except ModelError as error:
            log.warning("the question has no vector: %s", error.code)
            ranking.notices.append(notice("WORDS_ONLY_NOW"))
            return []
        ranking.timings["embedding"] = time.perf_counter() - started
        started = time.perf_counter()
        hits = self._store.vectors.search(asked, model, dimension, restriction, depth)
        ranking.timings["vector"] = time.perf_counter() - started
        ranking.vectors_used = True
        return hits

    def _fused(self, lexical: Sequence[LexicalHit], vector: Sequence[VectorHit]) -> list[Fused]:
        scores = fused_scores(
            {hit.chunk_id: hit.score for hit in lexical},
            {hit.chunk_id: hit.similarity for hit in vector},
            self._settings.fusion_weight_pair,
            by_scores=self._settings.fusion_is_convex,
        )
        by_words = {hit.chunk_id: (rank, hit) for rank, hit in enumerate(lexical, 1)}
        by_vector = {hit.chunk_id: (rank, hit) for rank, hit in enumerate(vector, 1)}
        places = self._store.chunks.places(scores)
        identity = {id_: places.get(id_, VANISHED) for id_ in scores}
        order = sorted(scores, key=lambda id_: (-round(scores[id_], 12), identity[id_]))
        return [_fused_hit(id_, scores[id_], by_words.get(id_), by_vector.get(id_)) for id_ in order]


def _usable(vector: NDArray[Any]) -> NDArray[np.float32]:
    """The question's vector; ModelError EMBEDDING_ANSWER_INVALID for one that is near to nothing."""
    asked = np.asarray(vector, dtype=np.float32).reshape(-1)
    if not np.isfinite(asked).all() or not asked.any():
        raise ModelError("EMBEDDING_ANSWER_INVALID", "the question's vector is zero or holds NaN or infinity")
    return asked


def _fused_hit(
    id_: int, score: float, words: tuple[int, LexicalHit] | None, vector: tuple[int, VectorHit] | None
) -> Fused:
    return Fused(
        chunk_id=id_,
        score=score,
        lexical_rank=words[0] if words else None,
        lexical_score=words[1].score if words else None,
        matched=words[1].matched if words else (),
        vector_rank=vector[0] if vector else None,
        vector_similarity=vector[1].similarity if vector else None,
    )

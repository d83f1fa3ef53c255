"""Search and retrieval over one store: what the command line, the HTTP API, the answers and the evaluation share."""

import time
from collections.abc import Sequence
from dataclasses import replace

from iris_assets.errors import NotFoundError, UsageError
from iris_assets.indexing.analyzer import analyze_query
from iris_assets.retrieval.evidence import EvidenceBuilder, candidate_ref, numbered
from iris_assets.retrieval.intents import source_type as known_source_type
from iris_assets.retrieval.ranking import QueryEmbedder, Ranker
from iris_assets.retrieval.types import (
    OFFICIAL_TYPES,
    CandidateRef,
    Mode,
    Plan,
    Retrieval,
    SearchResponse,
    Turn,
)
from iris_assets.settings import Settings
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter

MODES: tuple[Mode, ...] = ("lexical", "vector", "hybrid")


class RetrievalService:
    """One service per process and store; safe to share between threads.

    Without `embedder` (or without vectors of the configured model) words alone answer, and a notice says so.
    """

    def __init__(self, store: Store, settings: Settings, embedder: QueryEmbedder | None = None) -> None:
        self._store, self._settings = store, settings
        self._ranker = Ranker(store, settings, embedder)

    def search(
        self,
        query: str,
        *,
        candidate: str | None = None,
        source_type: str | None = None,
        filters: SearchFilter | None = None,
        mode: str = "hybrid",
        top_k: int = 8,
    ) -> SearchResponse:
        """Ranked passages. `candidate` is a TSE id; UsageError for unknown modes and source types, NotFoundError."""
        if mode not in MODES:
            raise UsageError("MODE_UNKNOWN", f"unknown mode {mode}", hint=f"use one of {', '.join(MODES)}")
        restriction = self._restriction(filters or SearchFilter(), self.candidate(candidate), source_type)
        question = analyze_query(query)
        ranking = self._ranker.rank(query, question, restriction, mode, top_k)
        started = time.perf_counter()
        builder = EvidenceBuilder(self._store, self._settings.context_window)
        evidences = builder.from_hits(ranking.hits[:top_k], question.words)
        timings = {**ranking.timings, "context": time.perf_counter() - started}
        return SearchResponse(numbered(evidences), mode, tuple(ranking.notices), timings, mode)

    def retrieve(
        self,
        question: str,
        *,
        candidate: str | None = None,
        source_type: str | None = None,
        filters: SearchFilter | None = None,
        history: Sequence[Turn] = (),
        mode: str = "hybrid",
        page: int = 1,
    ) -> Retrieval:
        """The evidence of a question; `page` turns the pages of a look-up over all candidates."""
        chosen = self.candidate(candidate)
        restriction = self._restriction(filters or SearchFilter(), chosen, source_type)
        response = self.search(question, filters=restriction, mode=mode)
        plan = Plan("hybrid", "general", restriction.source_types, restriction.candidate_ids, query=question)
        return Retrieval(plan, response.results, response.notices, response.timings, chosen)

    def candidate(self, tse_id: str | None) -> CandidateRef | None:
        """The candidate of a TSE id, newest election first; NotFoundError CANDIDATE_NOT_FOUND."""
        if tse_id is None:
            return None
        row = self._store.candidates.by_tse_id(tse_id)
        if row is None:
            raise NotFoundError("CANDIDATE_NOT_FOUND", f"no candidate has the TSE id {tse_id}")
        return candidate_ref(row)

    def _restriction(
        self, filters: SearchFilter, candidate: CandidateRef | None, source_type: str | None
    ) -> SearchFilter:
        if candidate is not None:
            filters = replace(filters, candidate_ids=(candidate.id,))
        if source_type is not None:
            return replace(filters, source_types=(known_source_type(source_type),))
        types = tuple(known_source_type(name) for name in filters.source_types)
        return replace(filters, source_types=types or OFFICIAL_TYPES)

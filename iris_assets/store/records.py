"""Rows as the repositories give them: one type a table, so that a misspelt column fails the type checker.

The keys and types are those of `tables/schema.py` (a test compares them); a row that callers write adds to
`inputs` the columns that the store gives. Where a method is asked for some columns, only those are
there. JSON columns hold whatever was stored.
"""

from datetime import date, datetime
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from iris_assets.store.inputs import (
    AnswerValues,
    ArticleValues,
    ChangeValues,
    ChunkColumns,
    DocumentValues,
    EvaluationAnswerValues,
    EvaluationValues,
    EvidenceValues,
    MatchValues,
)  # fmt: skip


class CandidateRow(TypedDict):
    """Candidate."""

    id: int
    tse_id: str
    election_year: int
    camara_deputy_id: int | None
    name: str
    ballot_name: str | None
    search_name: str | None
    party: str | None
    party_number: int | None
    office: str
    state: str
    electoral_unit: str | None
    electoral_unit_name: str | None
    candidate_number: int | None
    match_status: str | None
    match_confidence: float | None
    round: int | None
    registration_status: str | None
    round_result: str | None
    removed_at_source: bool
    source_url: str | None
    source_collected_at: datetime | None
    created_at: datetime
    updated_at: datetime


class ChangeRow(ChangeValues):
    """CandidateChange."""

    id: int
    changed_at: datetime


class DeputyRow(TypedDict):
    """CamaraDeputy."""

    id: int
    camara_id: int
    civil_name: str | None
    status_name: str | None
    electoral_name: str | None
    party: str | None
    state: str | None
    legislature: int | None
    parties_json: Any
    listing_hash: str | None
    source_url: str | None
    source_collected_at: datetime | None
    created_at: datetime
    updated_at: datetime


class HistoryRow(TypedDict):
    """PoliticalHistory."""

    id: int
    external_id: str
    camara_deputy_id: int
    institution: str
    position: str | None
    party: str | None
    state: str | None
    municipality: str | None
    start_date: date | None
    end_date: date | None
    date_precision: str | None
    status: str | None
    source_url: str | None
    source_collected_at: datetime | None
    raw_json: str | None
    created_at: datetime
    updated_at: datetime


class PropositionRow(TypedDict):
    """Proposition."""

    id: int
    camara_id: int
    type: str | None
    number: int | None
    year: int | None
    year_repaired: bool
    title: str | None
    summary: str | None
    detailed_summary: str | None
    presentation_date: date | None
    status: str | None
    status_at: str | None
    author_total: int | None
    source_url: str | None
    source_collected_at: datetime | None
    created_at: datetime
    updated_at: datetime


class AuthorRow(TypedDict):
    """PropositionAuthor."""

    id: int
    proposition_id: int
    author_key: str
    camara_author_id: int | None
    name: str
    author_type: str | None
    uri: str | None
    is_main_author: bool
    signature_order: int | None
    created_at: datetime
    updated_at: datetime


class TopicRow(TypedDict):
    """PropositionTopic."""

    id: int
    proposition_id: int
    external_code: int | None
    name: str
    created_at: datetime
    updated_at: datetime


class BillRow(PropositionRow):
    """A Proposition with its authors in the order of their signatures and its topics by name."""

    authors: list[AuthorRow]
    topics: list[TopicRow]


class DocumentRow(DocumentValues):
    """ProposalDocument."""

    id: int
    created_at: datetime
    updated_at: datetime


class LinkRow(TypedDict):
    """SourceCandidate."""

    id: int
    source_type: str
    source_id: str
    candidate_id: int
    link_role: str | None
    file_name: str | None
    title: str | None
    source_url: str | None
    source_collected_at: datetime | None
    created_at: datetime
    updated_at: datetime


class ChunkRow(ChunkColumns):
    """PoliticalChunk."""

    id: int
    source_type: str
    source_id: str
    embedding_model: str | None
    embedding_dimension: int | None
    search_text: str | None
    search_term_count: int | None
    embedding: NDArray[np.float32] | None
    created_at: datetime
    updated_at: datetime


class MatchRow(MatchValues):
    """MatchEvidence."""

    id: int
    candidate_id: int
    created_at: datetime
    updated_at: datetime


class AnswerRow(AnswerValues):
    """Answer."""

    id: int
    opened_at: datetime | None


class EvidenceRow(EvidenceValues):
    """AnswerEvidence."""

    id: int
    answer_id: int


class AnswerWithEvidences(AnswerRow):
    """An Answer with its evidences in their order."""

    evidences: list[EvidenceRow]


class EvaluationRow(EvaluationValues):
    """EvaluationRun."""

    id: int
    run_key: str


class EvaluationAnswerRow(EvaluationAnswerValues):
    """EvaluationAnswer."""

    id: int
    evaluation_id: int


class EvaluationWithAnswers(EvaluationRow):
    """An EvaluationRun with what it measured, question by question."""

    answers: list[EvaluationAnswerRow]


class ArticleRow(ArticleValues):
    """NewsArticle."""

    id: int
    created_at: datetime
    updated_at: datetime


class ReviewCase(CandidateRow):
    """A candidate in REVIEW with the evidence of who it may be, best first."""

    considered: list[MatchRow]


class Count(TypedDict):
    """How many bills a name (of a topic, of a signer) has."""

    name: str
    count: int


class CandidateCount(Count):
    """How many bills a name has with one candidate."""

    candidate_id: int

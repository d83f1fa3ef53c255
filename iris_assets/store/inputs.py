"""Rows as the repositories take them: the columns that are not the store's own to give; a misspelt one fails mypy.

Candidates and what the Câmara says come as the sources write them. A column that a row does not name keeps its value.
"""

from datetime import datetime
from typing import Any, TypedDict

from iris_assets.store.search import PreparedText


class ChangeValues(TypedDict, total=False):
    """CandidateChange."""

    tse_id: str
    election_year: int
    field: str
    value_before: str | None
    value_after: str | None
    run_key: str


class DocumentValues(TypedDict, total=False):
    """ProposalDocument."""

    document_hash: str
    election_year: int
    title: str | None
    source_url: str
    source_resource_id: str | None
    file_name: str | None
    raw_text: str | None
    page_count: int | None
    text_status: str
    error_code: str | None
    engine: str | None
    quality_json: Any
    ocr_pages: Any
    page_labels: Any
    source_collected_at: datetime | None


class ChunkColumns(TypedDict, total=False):
    """PoliticalChunk."""

    chunk_index: int
    title: str | None
    content: str
    source_url: str | None
    metadata_json: Any
    content_hash: str
    header: str | None
    embedded_text_hash: str
    token_count: int | None
    span_start: int | None
    span_end: int | None
    page_start: int | None
    page_end: int | None
    source_collected_at: datetime | None


class ChunkValues(ChunkColumns, total=False):
    """PoliticalChunk with what its terms are."""

    prepared: PreparedText  # its terms, as the analyzer made them


class MatchValues(TypedDict, total=False):
    """MatchEvidence."""

    camara_deputy_id: int
    score: float
    outcome: str
    evidence_json: Any


class AnswerValues(TypedDict, total=False):
    """Answer."""

    answer_key: str
    question: str
    filters_json: Any
    answer_text: str | None
    answer_json: str | None
    strategy: str | None
    prompt_name: str | None
    prompt_version: str | None
    prompt_hash: str | None
    model_name: str | None
    created_at: datetime


class EvidenceValues(TypedDict, total=False):
    """AnswerEvidence."""

    evidence_key: str
    cited: bool
    source_type: str
    source_id: str
    chunk_index: int | None
    title: str | None
    source_url: str | None
    page_start: int | None
    page_end: int | None
    content_hash: str | None
    passage: str | None


class EvaluationValues(TypedDict, total=False):
    """EvaluationRun."""

    run_partition: str
    question_set: str
    question_set_hash: str
    corpus_hash: str | None
    embedding_model: str | None
    embedding_dimension: int | None
    status: str
    figures_json: Any
    started_at: datetime
    finished_at: datetime | None


class EvaluationAnswerValues(TypedDict, total=False):
    """EvaluationAnswer."""

    question_key: str
    answer_key: str | None
    figures_json: Any


class ArticleValues(TypedDict, total=False):
    """NewsArticle."""

    fingerprint: str
    tse_id: str
    title: str | None
    url: str
    published_at: str | None
    body_text: str | None
    manifest_json: str | None
    fetched_at: str | None
    status: str | None  # CURRENT, SUPERSEDED, WITHDRAWN; none: a row of an older version, CURRENT
    status_reason: str | None
    replaced_by: str | None
    correction: str | None

"""What the HTTP API takes and gives: one naming style, no row ids, nothing personal beyond the public registry."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from iris_assets.answers.response import CandidateModel
from iris_assets.question.parsed import CHOOSABLE
from iris_assets.words.source_kinds import SOURCE_TYPES

if TYPE_CHECKING:  # a type checker only takes a Literal that is spelled out
    SourceTypeName = str
    Reading = str
else:
    SourceTypeName = Literal[SOURCE_TYPES]
    Reading = Literal[CHOOSABLE]
DocumentHash = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the PDF")]
TseId = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,40}$")]


def _whole(value: object) -> object:
    """JSON knows no integers: `8.0` is the whole number 8."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
# A question without a letter or a digit asks nothing.
HAS_WORD = r"[0-9A-Za-zÀ-ÖØ-öø-ÿ]"


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FiltersRequest(_Request):
    """Restrictions of a search; values within a list are alternatives, an empty list does not restrict.

    States, parties and offices in any case, with or without accents, by sigla or name; an unknown one leaves nothing.
    """

    states: list[Annotated[str, Field(min_length=2, max_length=30)]] = Field(default=[], max_length=28)
    parties: list[Annotated[str, Field(min_length=1, max_length=60)]] = Field(default=[], max_length=50)
    offices: list[Annotated[str, Field(min_length=1, max_length=100)]] = Field(default=[], max_length=20)
    source_types: list[SourceTypeName] = Field(default=[], max_length=len(SOURCE_TYPES))
    years: list[Annotated[int, Field(ge=1900, le=2200), WHOLE]] = Field(default=[], max_length=20)


class SearchRequest(_Request):
    """A search; `candidate` is a TSE id (404 when unknown)."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "creches", "filters": {"offices": ["PRESIDENTE"]}, "top_k": 5}]}
    )

    query: str = Field(min_length=1, max_length=2000, pattern=HAS_WORD)
    candidate: TseId | None = None
    filters: FiltersRequest = FiltersRequest()
    mode: Literal["lexical", "vector", "hybrid"] = "hybrid"
    top_k: Annotated[int, Field(ge=1, le=50), WHOLE] = 8


class TurnRequest(_Request):
    """An earlier exchange: the question and whom its answer was about."""

    question: str = Field(min_length=1, max_length=4000)
    candidate_tse_id: TseId | None = None
    answer: str = Field(default="", max_length=8000)


class AskRequest(_Request):
    """A question; `candidate` is a TSE id (404 when unknown), `page` turns a look-up over all candidates.

    `reading` is one of `understood.others` of the answer to the same question: how its asker wants it to be read.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"question": "O que os planos dizem sobre creches?", "filters": {"years": [2022]}}]
        }
    )

    question: str = Field(min_length=1, max_length=4000, pattern=HAS_WORD)
    candidate: TseId | None = None
    filters: FiltersRequest = FiltersRequest()
    history: list[TurnRequest] = Field(default=[], max_length=6)
    page: Annotated[int, Field(ge=1, le=1000), WHOLE] = 1
    reading: Reading | None = None


class ErrorReply(BaseModel):
    """Every status that is no success answers in this shape, RFC 9457; `detail` and `message` are for the reader."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    error: str
    message: str
    details: Any | None = None


class ScoresReply(_Reply):
    """Raw signals, kept apart; a word-only hit has no vector similarity."""

    lexical_rank: int | None
    lexical_score: float | None
    vector_rank: int | None
    vector_similarity: float | None
    rrf: float | None


class SearchResult(_Reply):
    """A passage: `content` and its pages are the whole chunk, `quote` the sentences of it that hold the words."""

    evidence_id: str
    source_type: str
    source_id: str
    chunk_index: int
    title: str
    content: str
    page_start: int | None
    page_end: int | None
    page_label: str | None
    quote: str
    quote_page_start: int | None
    quote_page_end: int | None
    url: str | None
    candidates: list[CandidateModel]
    collected_at: datetime | None
    matched_terms: list[str]
    scores: ScoresReply


class SearchReply(_Reply):
    """Passages, best first, and how they were found."""

    results: list[SearchResult]
    strategy: str
    mode: str
    notices: list[str]
    timings: dict[str, float]


class CandidateSummary(CandidateModel):
    """A candidate in a list; `match_text` says the match status in plain words."""

    match_status: str | None
    match_text: str
    round_result: str | None
    removed_at_source: bool


class ChangeReply(_Reply):
    """What the court corrected in a candidacy."""

    changed_at: datetime
    field: str
    before: str | None
    after: str | None
    run_key: str


class CandidateProfile(CandidateSummary):
    """A candidate with the registry's facts and how much is stored about them."""

    party_number: int | None
    registration_status: str | None
    round: int | None
    match_confidence: float | None
    camara_deputy_id: int | None
    source_url: str | None
    human_url: str
    collected_at: datetime | None
    proposition_count: int
    history_count: int
    document_count: int
    electoral_unit: str | None
    ticket: list[CandidateSummary]
    changes: list[ChangeReply]


class CandidatePageReply(_Reply):
    """A page of candidates by ballot name."""

    items: list[CandidateSummary]
    total: int
    page: int
    page_size: int


class AuthorReply(_Reply):
    name: str
    author_type: str | None
    is_main_author: bool
    signature_order: int | None


class PropositionReply(_Reply):
    """A bill with all its stored authors, main authors first."""

    camara_id: int
    reference: str
    type: str | None
    number: int | None
    year: int | None
    title: str | None
    summary: str | None
    presentation_date: date | None
    status: str | None
    url: str | None
    human_url: str
    collected_at: datetime | None
    authors: list[AuthorReply]
    topics: list[str]


class PropositionPageReply(_Reply):
    """Bills, newest presentation first."""

    items: list[PropositionReply]
    total: int
    page: int
    page_size: int


class BillFigure(_Reply):
    """Bills of one year or theme: proposed by the candidate, or signed with others."""

    name: str
    proposed: int
    signed: int


class BillFiguresReply(_Reply):
    """A candidate's bills by year and by theme."""

    by_year: list[BillFigure]
    by_theme: list[BillFigure]


class FeedbackRequest(_Request):
    """Whether an answer helped."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"helped": True}]})

    helped: bool


class PropositionListReply(_Reply):
    """The bills that one reference names: several when the Câmara numbered two alike."""

    items: list[PropositionReply]


class BillReference(_Reply):
    """A bill by kind, number and year."""

    reference: str


class BillReferencesReply(_Reply):
    """A page of bills by kind, year and number."""

    items: list[BillReference]
    total: int
    page: int
    page_size: int


class HistoryReply(_Reply):
    """One period of office."""

    institution: str
    position: str
    party: str | None
    state: str | None
    municipality: str | None
    start_date: date | None
    end_date: date | None
    date_precision: str | None
    status: str | None
    url: str | None
    collected_at: datetime | None


class HistoryListReply(_Reply):
    items: list[HistoryReply]
    total: int


class DocumentSummary(_Reply):
    """A government plan without its text; `document_hash` is the SHA-256 of the PDF."""

    document_hash: str
    election_year: int
    title: str | None
    file_name: str | None
    page_count: int | None
    text_status: str
    error_code: str | None
    url: str
    collected_at: datetime | None


class DocumentListReply(_Reply):
    items: list[DocumentSummary]
    total: int


class DocumentPageReply(_Reply):
    """The text of one page; `number` counts from 1, `label` is what is printed when it differs."""

    number: int
    label: str | None
    ocr: bool
    text: str


class PageBoxesReply(DocumentPageReply):
    """A page of a plan: its text, and boxes of a quote, [left, top, right, bottom] each.

    `picture` and `pdf` are addresses; None when the file of the plan is not kept or cannot be drawn.
    """

    page_count: int
    picture: str | None
    pdf: str | None
    boxes: list[list[float]]


class DocumentReply(DocumentSummary):
    """A government plan, page by page, and who filed it."""

    pages: list[DocumentPageReply]
    candidates: list[CandidateModel]


class RunReply(_Reply):
    """One ingestion run."""

    run_key: str
    source: str
    partition: str
    election_year: int | None
    status: str
    started_at: datetime
    finished_at: datetime | None
    records_read: int
    records_created: int
    records_updated: int
    records_skipped: int
    records_failed: int
    source_hash: str | None
    error_code: str | None
    error_message: str | None


class RunListReply(_Reply):
    items: list[RunReply]


class PlanCoverage(_Reply):
    """Plans whose text can be read, plans without readable text, and candidatures that filed none."""

    with_text: int
    image_only: int
    missing: int


class ElectionReply(_Reply):
    """What is stored of one election: how many candidatures, by UF, office and party."""

    year: int
    candidates: int
    states: dict[str, int]
    offices: dict[str, int]
    parties: dict[str, int]
    plans: PlanCoverage


class CollectionReply(_Reply):
    """The last finished collection of one kind of records in one UF, in words."""

    what: str
    partition: str
    year: int | None
    finished_at: datetime | None
    status: str
    failed: int


class CoverageReply(_Reply):
    """What there is to ask about; `topics` are the most frequent ones of the bills, by name."""

    elections: list[ElectionReply]
    bills: int
    bills_by_year: dict[str, int]
    topics: list[str]
    collections: list[CollectionReply]


class HealthReply(_Reply):
    """`status` is ok or degraded (lexical index out of step)."""

    status: Literal["ok", "degraded"]
    store: str
    schema_version: str | None
    lexical_ok: bool
    lexical_message: str
    pending_vectors: int
    generation: bool
    vectors: bool


class ComparedPassage(_Reply):
    evidence_id: str
    source_type: str
    source_id: str
    title: str
    excerpt: str
    heading: str
    page_start: int | None
    page_end: int | None
    url: str | None


class ComparedCandidate(_Reply):
    """One column of a comparison: the same rows and the same quota of passages for everybody."""

    candidate: CandidateProfile
    documents: list[DocumentSummary]
    passages: list[ComparedPassage]
    absence: str | None = None  # why there is no passage on the topic
    topics: list[str]


class ComparisonReply(_Reply):
    """Two to four candidates side by side, by ballot name."""

    order: str
    topic: str
    columns: list[ComparedCandidate]
    notices: list[str]

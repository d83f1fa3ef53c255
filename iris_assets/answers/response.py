"""What an answer is to everybody outside: the service, the HTTP API, the command line and the permalink."""

from datetime import date, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CandidateModel(_Model):
    """A candidate; `label` is ballot name — office — party/UF · number."""

    tse_id: str
    name: str
    ballot_name: str | None = None
    party: str | None = None
    office: str
    state: str
    year: int
    number: int | None = None
    label: str


class SpanModel(_Model):
    """Characters `start` (included) to `end` (excluded) of the passage."""

    start: int
    end: int


class SourceModel(_Model):
    """An evidence of the answer: `quote` is what is shown of it, whole sentences, and the pages are those of the quote.

    `span` is the part of the quote that the answer rests on, `heading` what stands above the quote in its document.
    `url` is the file that was collected, `human_url` the official page for people and `locator` the place inside the
    file.
    """

    evidence_id: str
    cited: bool
    source_type: str
    source_id: str
    chunk_index: int
    title: str
    page_start: int | None = None
    page_end: int | None = None
    page_label: str | None = None
    url: str | None = None
    human_url: str | None = None
    locator: str | None = None
    list_url: str | None = None  # of a count: the list that was counted
    quote: str
    heading: str = ""
    span: SpanModel | None = None
    candidates: list[CandidateModel] = []
    election_year: int | None = None
    collected_at: datetime | None = None
    source_hash: str | None = None


class CitationModel(_Model):
    """One citation of the text: the sentence and the span of the passage behind it."""

    evidence_id: str
    sentence: str
    span: SpanModel


class RemovedModel(_Model):
    """What the citation verifier took out (or doubts): `reason` is a stable code, `detail` says it in Portuguese."""

    text: str
    reason: str
    detail: str
    support: str = ""  # the sentence of the evidence that comes nearest


class PromptModel(_Model):
    """The prompt file in force."""

    name: str
    version: str
    hash: str


class TimingsModel(_Model):
    """Seconds by step."""

    plan: float = 0.0
    lexical: float = 0.0
    vector: float = 0.0
    context: float = 0.0
    generation: float = 0.0


class AnswerResponse(_Model):
    """A verified answer. `generated` tells a model's text from quotations and fixed texts.

    `answer_id` is None when the answer could not be stored while another process was writing.
    """

    answer_id: str | None
    question: str
    answer: str
    generated: bool
    sources: list[SourceModel]
    citations: list[CitationModel]
    removed: list[RemovedModel]
    flagged: list[RemovedModel]
    candidate: CandidateModel | None
    choices: list[CandidateModel]
    intent: str
    strategy: str
    understood: dict[str, Any] = Field(
        default_factory=dict
    )  # how the question was read: intent, people, filters, topic
    prompt: PromptModel
    model: str | None
    timings: TimingsModel
    notices: list[str]
    failure: str | None = None  # the code of what a model call failed with; the answer is then an extract
    as_of: date
    created_at: datetime

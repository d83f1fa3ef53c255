"""What retrieval hands over: the plan of a question, its evidences, counts, look-ups and notices."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from typing import Any, Literal

from iris_assets.documents.sentences import Span
from iris_assets.documents.structure import Structure
from iris_assets.words.messages import notice
from iris_assets.words.order import NeutralKey, neutral_key
from iris_assets.words.source_kinds import OFFICIAL_TYPES

Strategy = Literal[
    "reference_lookup",  # an explicit bill, id, ballot number or plan page was looked up (ordinary hits may follow)
    "document_coverage",  # the whole document of one candidate, evenly sampled
    "structured_count",  # exact SQL counts
    "hybrid",  # lexical and vector search, fused
    "candidate_lookup",  # "o que cada candidato propõe sobre X": one entry per candidate, paged, without a model
    "clarification",  # a name fits several candidates: the answer asks which
    "refusal",  # whom to vote for, best and worst, predictions, rankings, ideology
]
Intent = Literal[
    "reference", "summary", "count", "topics", "plan", "history", "bills", "each_candidate", "refused", "general"
]
EntryStatus = Literal["found", "not_addressed", "no_plan", "not_readable", "not_collected", "files_none"]
Mode = Literal["lexical", "vector", "hybrid"]

APART = notice("WORDS_APART")
ENTRY_TEXTS: dict[EntryStatus, str] = {
    "found": "",
    "not_addressed": "o plano não trata do tema",
    "no_plan": "sem plano registrado",
    "not_readable": "o plano registrado não tem texto que se possa pesquisar",
    "not_collected": "os planos desta eleição e UF não foram coletados",
    "files_none": "candidaturas a este cargo não registram plano de governo",
}


@dataclass(frozen=True, slots=True)
class CandidateRef:
    """A candidate as evidence and answers name one; `id` is the store's row id and is never shown."""

    id: int
    tse_id: str
    name: str
    ballot_name: str | None
    party: str | None
    office: str
    state: str
    year: int
    number: int | None = None
    electoral_unit: str | None = None  # the court's code: of the town in municipal elections, else the UF

    @property
    def neutral_key(self) -> NeutralKey:
        """Where the candidate stands in the neutral order."""
        return neutral_key(self.ballot_name, self.name, self.tse_id, self.year)

    @property
    def label(self) -> str:
        """`BALLOT NAME — OFFICE — PARTY/UF · number`."""
        number = f" · {self.number}" if self.number else ""
        return f"{self.ballot_name or self.name} — {self.office} — {self.party or 's/partido'}/{self.state}{number}"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is answered; made without a model.

    `terms` are the analysed words of the question; `topic` is what remains of it without names and question
    words, kept by a conversation.
    """

    strategy: Strategy
    intent: Intent
    source_types: tuple[str, ...] = OFFICIAL_TYPES
    candidate_ids: tuple[int, ...] = ()
    references: tuple[str, ...] = ()
    unknown_references: tuple[str, ...] = ()
    limit: int = 8
    query: str = ""
    topic: str = ""
    counted: str = ""  # what a count is of: candidates, bills, authors, …
    refused: str = ""  # the kind of a refused question
    whole_list: bool = False  # a list of the registry: no model may shorten it


@dataclass(frozen=True, slots=True)
class Evidence:
    """One passage (or record, or count) that an answer may cite.

    `content` is exactly the cited chunk; `context` is the wider window that a reader or a model gets. `shown` are the
    spans of `source` that a reader sees, and `quote`, the pages and `heading` are theirs; `place` is where the chunk
    lies in `source`. The scores are kept apart: a word-only hit has no `vector_similarity`, a looked-up record has none
    at all.
    """

    evidence_id: str
    source_type: str
    source_id: str
    chunk_index: int
    title: str
    content: str
    context: str
    page_start: int | None = None
    page_end: int | None = None
    page_label: str | None = None
    url: str | None = None
    header: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    candidates: tuple[CandidateRef, ...] = ()
    structured: Mapping[str, Any] = field(default_factory=dict)
    collected_at: datetime | None = None
    content_hash: str | None = None
    lexical_rank: int | None = None
    lexical_score: float | None = None
    vector_rank: int | None = None
    vector_similarity: float | None = None
    rrf: float | None = None
    matched_terms: tuple[str, ...] = ()
    record_missing: bool = False  # the chunk is there, its source record is not (SOURCE_RECORD_NOT_FOUND)
    quote: str = ""
    heading: str = ""
    shown: tuple[Span, ...] = ()
    place: Span | None = None
    passage_pages: tuple[int, int] | None = None  # of the whole chunk
    source: Structure | None = field(default=None, repr=False, compare=False)
    page_labels: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # printed, by page number

    @property
    def key(self) -> tuple[str, str, int]:
        """The identity that orders ties: (SourceType, SourceId, ChunkIndex)."""
        return self.source_type, self.source_id, self.chunk_index

    def as_json(self) -> dict[str, Any]:
        """Everything but the store's row ids, with values that JSON knows."""
        value = asdict(replace(self, source=None))
        for name in ("source", "page_labels", "shown", "place"):
            del value[name]
        value["collected_at"] = self.collected_at.isoformat() if self.collected_at else None
        value["candidates"] = [candidate_json(candidate) for candidate in self.candidates]
        value["matched_terms"] = list(self.matched_terms)
        return value


def candidate_json(candidate: CandidateRef) -> dict[str, Any]:
    """A candidate for a reader outside: without the row id."""
    value = asdict(candidate)
    del value["id"]
    return value


@dataclass(frozen=True, slots=True)
class CountRow:
    """One line of an exact count; `candidate` is set when the count is grouped by candidate."""

    name: str
    count: int
    candidate: CandidateRef | None = None


@dataclass(frozen=True, slots=True)
class LookupEntry:
    """What one candidate's plan says on a topic: absence in the document is told from absence of the document."""

    candidate: CandidateRef
    status: EntryStatus
    evidence: Evidence | None = None
    unread: int = 0  # pages of the plan that have no text: nothing is denied of those
    beside: tuple[tuple[str, int], ...] = ()  # words of the topic that the plan holds apart, each with its first page
    archive_day: date | None = None  # of the court's archive that was read

    @property
    def text(self) -> str:
        """The fixed sentence of an entry without evidence, empty for one with evidence."""
        text = ENTRY_TEXTS[self.status]
        if self.beside:
            text = APART.format(words=", ".join(f"“{word}” (p. {page})" for word, page in self.beside))
        if self.status == "not_addressed" and self.unread:
            pages = "1 página não pôde ser lida" if self.unread == 1 else f"{self.unread} páginas não puderam ser lidas"
            return f"{text} ({pages})" if self.beside else f"{text} nas páginas lidas ({pages})"
        if self.status == "no_plan" and self.archive_day:
            return f"{text} (arquivo coletado em {self.archive_day:%d/%m/%Y})"
        return text


@dataclass(frozen=True, slots=True)
class CandidateLookup:
    """A page of "o que cada candidato propõe sobre X", by ballot name."""

    topic: str
    page: int
    pages: int
    total: int
    entries: tuple[LookupEntry, ...]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The evidence of a question. `timings` are seconds by step (plan, lexical, vector, context).

    `refusal` (fixed text) and `clarification` (the candidates that a name fits) exclude evidences; `notices` are
    Portuguese sentences for the reader, and `said` the one that the answer begins with. `understood` is how the question
    was read (`ParsedQuery.understood`).
    """

    plan: Plan
    evidences: tuple[Evidence, ...]
    notices: tuple[str, ...]
    timings: Mapping[str, float]
    candidate: CandidateRef | None = None
    intent: Intent = "general"
    counts: tuple[CountRow, ...] = ()
    lookup: CandidateLookup | None = None
    clarification: tuple[CandidateRef, ...] = ()
    refusal: str | None = None
    said: str = ""
    vectors_used: bool = False
    absent: tuple[LookupEntry, ...] = ()  # of the candidates asked about, those without evidence
    understood: Mapping[str, Any] = field(default_factory=dict)

    @property
    def strategy(self) -> Strategy:
        return self.plan.strategy

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was found and nothing is asked back."""
        return not (self.evidences or self.counts or self.lookup or self.clarification or self.refusal)


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """Ranked passages with their separate scores."""

    results: tuple[Evidence, ...]
    strategy: str
    notices: tuple[str, ...]
    timings: Mapping[str, float]
    mode: Mode = "hybrid"

    def as_json(self) -> dict[str, Any]:
        """The response as the command line and the HTTP API give it."""
        return {
            "results": [evidence.as_json() for evidence in self.results],
            "strategy": self.strategy,
            "mode": self.mode,
            "notices": list(self.notices),
            "timings": dict(self.timings),
        }


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange of a conversation: the question, and whom the answer was about."""

    question: str
    candidate_tse_id: str | None = None
    answer: str = ""

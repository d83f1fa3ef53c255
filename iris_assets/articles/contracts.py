"""The versioned contracts of the runtime: what comes in, what a model may answer, what goes out."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

ARTICLE_VERSION: Final = "1"
PROFILE_VERSION: Final = "1"
MANIFEST_VERSION: Final = "1"
EXTRACTORS: Final = 3
# What each contract is at; a change of meaning gives another fingerprint.
VERSIONS: Final = {
    "article": ARTICLE_VERSION, "profile": PROFILE_VERSION, "manifest": MANIFEST_VERSION,
    "hygiene_answer": "1", "repair": "1", "relevance": "1", "enrichment": "1",
}  # fmt: skip

PageKind = Literal["article", "live_blog", "gallery", "forum", "product", "listing", "unknown"]
# Kinds of page whose text no rule for articles can select.
NO_ARTICLE: Final = frozenset({"forum", "product", "listing"})
Short = Annotated[str, Field(max_length=500)]


class Strict(BaseModel):
    """Closed and immutable: an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Extraction(Strict):
    """What one extractor read from the page; everything may be absent."""

    title: str | None = None
    subtitle: str | None = None
    author: str | None = None
    published_at: str | None = None
    html: str | None = None
    markdown: str | None = None
    text: str | None = None
    images: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    json_ld: Any = None


class Article(Strict):
    """Version 1: one page read by exactly three extractors."""

    contract_version: Literal["1"] = ARTICLE_VERSION
    article_id: str = Field(min_length=1, max_length=200)
    url: str = Field(min_length=1, max_length=2000)
    fetched_at: str
    language: str | None = None
    selected_extractor: str
    extractions: dict[str, Extraction]
    agreement: dict[str, float] = {}
    low_agreement: bool = False
    page_kind: PageKind = "unknown"
    partial_reason: str | None = None

    @model_validator(mode="after")
    def _three(self) -> "Article":
        if len(self.extractions) != EXTRACTORS:
            raise ValueError("extractions must have exactly three names")
        return self


class Namesake(Strict):
    """Another person of the records who may be called the same."""

    source_id: str
    names: tuple[Short, ...] = Field(min_length=1)
    party: Short | None = None
    former_parties: tuple[Short, ...] = ()
    uf: str | None = None
    office: Short | None = None
    deputy: bool = False


class Profile(Strict):
    """Version 1: who the article must be about. `version` is the hash of the other fields."""

    contract_version: Literal["1"] = PROFILE_VERSION
    profile_id: str = Field(min_length=1, max_length=40)
    version: str
    names: tuple[Short, ...] = Field(min_length=1)
    ballot_name: Short | None = None
    party: Short | None = None
    office: Short | None = None
    uf: str = Field(min_length=2, max_length=2)
    camara_id: int | None = None
    bills: tuple[Short, ...] = ()
    topics: tuple[Short, ...] = ()
    aliases: tuple[Short, ...] = ()
    former_parties: tuple[Short, ...] = ()
    namesakes: tuple[Namesake, ...] = ()


RemovalReason = Literal[
    "advertisement",
    "navigation",
    "related_links",
    "caption",
    "duplicate",
    "author_box",
    "comment",
    "legal",
    "other",
    "not_chosen",
]
RepairCategory = Literal["encoding", "whitespace", "split_word", "duplicated_fragment", "broken_link_text"]


class Removal(Strict):
    """Why a block is not part of the article."""

    id: str
    reason: RemovalReason


class Repair(Strict):
    """One defect of one block; `fragment` is copied exactly."""

    id: str
    fragment: str = Field(min_length=1, max_length=500)
    replacement: str = Field(max_length=500)
    category: RepairCategory
    justification: str = Field(max_length=500)


class HygieneAnswer(Strict):
    """Ids only: the model never returns the article."""

    title: str | None
    subtitle: str | None
    author: str | None
    kept: tuple[str, ...]
    images: tuple[str, ...]
    links: tuple[str, ...]
    repairs: tuple[Repair, ...]
    removed: tuple[Removal, ...]


class Relevance(Strict):
    """The gate's answer: is the article about the profile?"""

    category: Literal["direct", "contextual", "tangential", "unrelated"]
    is_inherent: bool
    confidence: float = Field(ge=0, le=1)
    rationale: str = Field(max_length=1000)
    evidence: tuple[str, ...]


class Enrichment(Strict):
    """Tone towards the profile and tags; never shown as a judgement of a candidate."""

    tone: Literal["negative", "neutral", "positive", "mixed"]
    tags: tuple[Annotated[str, Field(min_length=1, max_length=60)], ...] = Field(min_length=3, max_length=8)
    evidence: tuple[str, ...]


class StepRecord(Strict):
    """One state: UTC times, seconds, the error's code when it failed."""

    state: str
    started_at: str
    ended_at: str
    seconds: float
    error_code: str | None = None


class AttemptRecord(Strict):
    """One call of a model."""

    step: str
    role: str
    provider: str
    model: str
    number: int
    status: str
    input_tokens: int
    output_tokens: int
    cost: float | None
    latency: float


class Decision(Strict):
    """One decision and who took it."""

    what: str
    by: Literal["deterministic", "runtime_primary", "runtime_fallback"]
    detail: str = ""


Verdict = Literal["APPROVE", "REVIEW", "REJECT"]


class GuardEvidence(Strict):
    """One thing that the article says of who bears the name, and its points."""

    name: str
    points: int
    said: str


class GuardRecord(Strict):
    """Whether the article is about the profile's person, decided between the persons of the records."""

    verdict: Verdict
    points: int
    code: str | None = None
    evidence: tuple[GuardEvidence, ...] = ()


class Manifest(Strict):
    """Version 1: everything decided about one article."""

    contract_version: Literal["1"] = MANIFEST_VERSION
    fingerprint: str
    article_id: str
    url: str
    profile_id: str
    profile_version: str
    status: Literal["completed_text", "ecp_rejected", "failed"]
    error_code: str | None = None
    official: Literal[False] = False
    title: str | None = None
    subtitle: str | None = None
    author: str | None = None
    published_at: str | None = None
    language: str | None = None
    selected_extractor: str
    low_agreement: bool
    body_status: Literal["WHOLE_BODY", "PARTIAL_BODY"] = "WHOLE_BODY"
    partial_reason: str | None = None
    degraded: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed: tuple[Removal, ...] = ()
    restored: tuple[str, ...] = ()
    repairs_applied: tuple[Repair, ...] = ()
    repairs_dropped: tuple[str, ...] = ()
    relevance: Relevance | None = None
    guard: GuardRecord | None = None
    enrichment: Enrichment | None = None
    decisions: tuple[Decision, ...] = ()
    attempts: tuple[AttemptRecord, ...] = ()
    states: tuple[StepRecord, ...] = ()
    extraction_hashes: dict[str, str]
    markdown_sha256: str | None = None
    versions: dict[str, str]
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    latency: float = 0.0


CONTRACTS: Final[dict[str, type[Strict]]] = {
    "article": Article,
    "profile": Profile,
    "hygiene_answer": HygieneAnswer,
    "relevance": Relevance,
    "enrichment": Enrichment,
    "repair": Repair,
    "manifest": Manifest,
}


def json_schema(name: str) -> dict[str, Any]:
    """JSON Schema of a contract, with its version in `$comment`."""
    return {"$comment": f"version {VERSIONS[name]}", **CONTRACTS[name].model_json_schema()}

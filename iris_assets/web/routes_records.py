"""Routes over stored records: health, candidates, documents, comparison, runs."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field, StringConstraints

from iris_assets.errors import UsageError
from iris_assets.question.filter_values import as_stored
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.store.tables.counts import BillsAsked
from iris_assets.web.comparison import as_csv, as_markdown, compare
from iris_assets.web.coverage import coverage
from iris_assets.web.figures import bill_figures
from iris_assets.web.health import Health
from iris_assets.web.records import (
    bills_named,
    candidate_profile,
    candidate_row,
    candidate_summary,
    document_reply,
    document_summary,
    history_of,
    page_of,
    proposition_reply,
    run_reply,
)
from iris_assets.web.schemas import (
    BillFiguresReply,
    BillReference,
    BillReferencesReply,
    CandidatePageReply,
    CandidateProfile,
    ComparisonReply,
    CoverageReply,
    DocumentHash,
    DocumentListReply,
    DocumentReply,
    HealthReply,
    HistoryListReply,
    PropositionListReply,
    PropositionPageReply,
    RunListReply,
    TseId,
)
from iris_assets.web.wiring import PlatformDependency

router = APIRouter(prefix="/api", tags=["registros"])

CandidateId = Annotated[str, Path(pattern=r"^[0-9A-Za-z_-]{1,40}$", description="TSE id (SQ_CANDIDATO)")]
Year = Annotated[int | None, Query(ge=1900, le=2200, description="election; the newest without it")]
Page = Annotated[int, Query(ge=1, le=100_000)]
PageSize = Annotated[int, Query(ge=1, le=100)]
Text = Annotated[str | None, Query(max_length=100)]
Texts = Annotated[tuple[Annotated[str, StringConstraints(min_length=1, max_length=100)], ...], Query(max_length=50)]
SomeYear = Annotated[int, Field(ge=1900, le=2200)]
ElectionYears = Annotated[tuple[SomeYear, ...], Query(max_length=20, description="elections; all without it")]
BillYears = Annotated[tuple[SomeYear, ...], Query(max_length=100)]


@router.get("/health")
async def health(request: Request) -> HealthReply:
    """Store reachable, schema version, lexical index in step, pending vectors."""
    state: Health = request.app.state.health
    return await state.now()


@router.get("/coverage")
def covered(platform: PlatformDependency) -> CoverageReply:
    """Which elections, UFs, plans and bills are stored, and when they were last collected."""
    return coverage(platform.store)


@router.get("/candidates")
def candidates(
    platform: PlatformDependency,
    name: Text = None,
    party: Texts = (),
    state: Texts = (),
    office: Texts = (),
    match_status: Annotated[Literal["MATCHED", "REVIEW", "UNMATCHED"] | None, Query()] = None,
    year: ElectionYears = (),
    result: Texts = (),
    registration: Texts = (),
    round: Annotated[int | None, Query(ge=1, le=2, description="the last round of the candidacy")] = None,
    listed: Annotated[bool, Query(description="leave out those that the court dropped")] = False,
    page: Page = 1,
    page_size: PageSize = 20,
) -> CandidatePageReply:
    """Candidates by ballot name; `name` holds words in any order: parts of a name, party, UF, office, ballot number.

    State, party and office in any case, with or without accents, by sigla or name; several values are alternatives.
    """
    asked = SearchFilter(states=state, parties=party, offices=office, years=year)
    standing = Standing(result, round, registration)
    found = platform.store.candidates.search(
        name=name or "",
        scope=as_stored(asked, platform.store),
        standing=standing if listed or standing != Standing() else None,
        match_status=match_status,
        page=page,
        page_size=page_size,
    )
    items = [candidate_summary(row) for row in found.items]
    return CandidatePageReply(items=items, total=found.total, page=page, page_size=page_size)


@router.get("/candidates/{candidate_id}")
def candidate(platform: PlatformDependency, candidate_id: CandidateId, year: Year = None) -> CandidateProfile:
    """The profile of a candidate."""
    return candidate_profile(platform.store, candidate_row(platform.store, candidate_id, year))


@router.get("/candidates/{candidate_id}/propositions")
def propositions(
    platform: PlatformDependency,
    candidate_id: CandidateId,
    year: Year = None,
    type: Texts = (),
    bill_year: BillYears = (),
    topic: Text = None,
    page: Page = 1,
    page_size: PageSize = 20,
) -> PropositionPageReply:
    """The candidate's bills with all their authors, newest first; of these types, years and this topic."""
    bills = [
        bill
        for bill in platform.store.camara.bills_of_candidate(candidate_row(platform.store, candidate_id, year)["id"])
        if (not type or bill["type"] in type)
        and (not bill_year or bill["year"] in bill_year)
        and (not topic or any(one["name"] == topic for one in bill["topics"]))
    ]
    items = [proposition_reply(bill) for bill in page_of(bills, page, page_size)]
    return PropositionPageReply(items=items, total=len(bills), page=page, page_size=page_size)


@router.get("/candidates/{candidate_id}/figures")
def figures(platform: PlatformDependency, candidate_id: CandidateId, year: Year = None) -> BillFiguresReply:
    """The candidate's bills by year and by theme, proposed apart from signed."""
    return bill_figures(platform.store, candidate_row(platform.store, candidate_id, year))


@router.get("/propositions")
def bills(
    platform: PlatformDependency,
    party: Texts = (),
    state: Texts = (),
    office: Texts = (),
    year: ElectionYears = (),
    type: Texts = (),
    bill_year: BillYears = (),
    topic: Text = None,
    page: Page = 1,
    page_size: PageSize = 20,
) -> BillReferencesReply:
    """The bills that a candidate of these parties, UFs, offices and elections signs, each once; what a count counts."""
    asked = SearchFilter(states=state, parties=party, offices=office, years=year)
    wanted = BillsAsked(type, bill_year, topic)
    titles = platform.store.camara.bill_titles(as_stored(asked, platform.store), wanted)
    items = [BillReference(reference=title) for title in page_of(titles, page, page_size)]
    return BillReferencesReply(items=items, total=len(titles), page=page, page_size=page_size)


@router.get("/propositions/{reference}")
def proposition(
    platform: PlatformDependency,
    reference: Annotated[str, Path(pattern=r"^[A-Za-z]{1,10}-[0-9]{1,6}-[0-9]{4}$", description="PL-1234-2023")],
) -> PropositionListReply:
    """The bills of a reference: kind, number and year."""
    return PropositionListReply(items=bills_named(platform.store, reference))


@router.get("/candidates/{candidate_id}/history")
def history(platform: PlatformDependency, candidate_id: CandidateId, year: Year = None) -> HistoryListReply:
    """Offices held, when the candidate is a known deputy."""
    items = history_of(platform.store, candidate_row(platform.store, candidate_id, year))
    return HistoryListReply(items=items, total=len(items))


@router.get("/candidates/{candidate_id}/documents")
def documents(platform: PlatformDependency, candidate_id: CandidateId, year: Year = None) -> DocumentListReply:
    """Government plans that the candidate filed."""
    rows = platform.store.documents.of_candidate(candidate_row(platform.store, candidate_id, year)["id"])
    return DocumentListReply(items=[document_summary(row) for row in rows], total=len(rows))


@router.get("/documents/{document_hash}")
def document(platform: PlatformDependency, document_hash: DocumentHash, text: bool = True) -> DocumentReply:
    """A government plan with the text of its pages; `text=false` leaves them out."""
    return document_reply(platform.store, document_hash, text=text)


@router.get(
    "/comparison",
    response_model=ComparisonReply,
    responses={
        200: {"content": {"text/csv": {"schema": {"type": "string"}}, "text/markdown": {"schema": {"type": "string"}}}}
    },
)
def comparison(
    platform: PlatformDependency,
    candidate: Annotated[
        list[TseId],
        Query(min_length=2, max_length=4, description="two to four TSE ids", json_schema_extra={"uniqueItems": True}),
    ],
    topic: Annotated[str, Query(max_length=200)] = "",
    format: Annotated[Literal["json", "csv", "markdown"], Query()] = "json",
) -> Any:
    """Two to four candidates side by side in neutral order; `format` exports the same table."""
    if len(set(candidate)) < 2:
        raise UsageError("COMPARISON_TOO_SMALL", "compare at least two different candidates")
    result = compare(platform, list(dict.fromkeys(candidate)), topic)
    if format == "json":
        return result
    text, kind = (as_csv(result), "csv") if format == "csv" else (as_markdown(result), "markdown")
    return _download(text, kind)


def _download(text: str, kind: str) -> Any:
    suffix = {"csv": "csv", "markdown": "md"}[kind]
    headers = {"Content-Disposition": f'attachment; filename="comparacao.{suffix}"'}
    return Response(text, media_type=f"text/{kind}; charset=utf-8", headers=headers)


@router.get("/runs")
def runs(platform: PlatformDependency, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> RunListReply:
    """The audit of ingestion runs, newest first."""
    return RunListReply(items=[run_reply(run) for run in platform.store.runs.latest(limit)])

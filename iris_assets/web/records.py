"""Stored rows turned into what the API shows."""

from collections.abc import Mapping, Sequence
from typing import Any

from iris_assets.answers.fixed import match_words
from iris_assets.answers.links import BILL_PAGE, court_page
from iris_assets.answers.sources import candidate_model
from iris_assets.answers.wording import worded
from iris_assets.documents.pages import pages_of
from iris_assets.errors import NotFoundError
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.types import Evidence
from iris_assets.store import RunRow, Store
from iris_assets.store.records import AuthorRow, BillRow, CandidateRow, ChangeRow, DocumentRow, HistoryRow
from iris_assets.web.schemas import (
    AuthorReply,
    CandidateProfile,
    CandidateSummary,
    ChangeReply,
    DocumentPageReply,
    DocumentReply,
    DocumentSummary,
    HistoryReply,
    PropositionReply,
    RunReply,
    ScoresReply,
    SearchResult,
)
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, PROPOSITION


def candidate_row(store: Store, tse_id: str, year: int | None) -> CandidateRow:
    """The stored candidate (newest election without a year); NotFoundError CANDIDATE_NOT_FOUND."""
    row = store.candidates.by_tse_id(tse_id, year)
    if row is None:
        raise NotFoundError(
            "CANDIDATE_NOT_FOUND", f"no candidate has the TSE id {tse_id}", hint="look it up in /api/candidates"
        )
    return row


def candidate_summary(row: CandidateRow) -> CandidateSummary:
    return CandidateSummary(**_summary_fields(row))


def candidate_profile(store: Store, row: CandidateRow) -> CandidateProfile:
    """The registry's facts and how many records are stored."""
    return CandidateProfile(
        **_summary_fields(row),
        party_number=row["party_number"],
        registration_status=row["registration_status"],
        round=row["round"],
        match_confidence=float(row["match_confidence"]) if row["match_confidence"] is not None else None,
        camara_deputy_id=row["camara_deputy_id"],
        source_url=row["source_url"],
        human_url=court_page(candidate_ref(row)),
        collected_at=row["source_collected_at"],
        proposition_count=len(store.links.of_candidate(row["id"], PROPOSITION)),
        history_count=len(history_of(store, row)),
        document_count=len(store.links.of_candidate(row["id"], GOVERNMENT_PROPOSAL)),
        electoral_unit=row["electoral_unit_name"],
        ticket=[candidate_summary(other) for other in store.candidates.ticket(row)],
        changes=[_change(change) for change in store.changes.of_candidate(row["tse_id"], row["election_year"])],
    )


def _change(row: ChangeRow) -> ChangeReply:
    return ChangeReply(
        changed_at=row["changed_at"],
        field=row["field"],
        before=row["value_before"],
        after=row["value_after"],
        run_key=row["run_key"],
    )


def _summary_fields(row: CandidateRow) -> dict[str, Any]:
    return {
        **candidate_model(candidate_ref(row)).model_dump(),
        "match_status": row["match_status"],
        "match_text": match_words(row["match_status"]),
        "round_result": row["round_result"],
        "removed_at_source": bool(row["removed_at_source"]),
    }


def bills_named(store: Store, reference: str) -> list[PropositionReply]:
    """The bills of a reference as addresses write it, `PL-1234-2023`; NotFoundError PROPOSITION_UNKNOWN."""
    kind, _, rest = reference.partition("-")
    number, _, year = rest.partition("-")
    known = number.isdecimal() and year.isdecimal() and len(rest) < 20
    rows = store.camara.bills_by_reference(kind.upper(), int(number), int(year)) if known else []
    if not rows:
        raise NotFoundError(
            "PROPOSITION_UNKNOWN", f"no bill is called {reference}", hint="write it as PL-1234-2023: kind, number, year"
        )
    return [proposition_reply(row) for row in rows]


def proposition_reply(row: BillRow) -> PropositionReply:
    """A bill with its authors and topics."""
    return PropositionReply(
        camara_id=row["camara_id"],
        reference=f"{row['type'] or ''} {row['number'] or ''}/{row['year'] or 's.a.'}".strip(),
        type=row["type"],
        number=row["number"],
        year=row["year"],
        title=row["title"],
        summary=row["summary"],
        presentation_date=row["presentation_date"],
        status=row["status"],
        url=row["source_url"],
        human_url=BILL_PAGE.format(id=row["camara_id"]),
        collected_at=row["source_collected_at"],
        authors=[_author(author) for author in row["authors"]],
        topics=[topic["name"] for topic in row["topics"]],
    )


def _author(row: AuthorRow) -> AuthorReply:
    return AuthorReply(
        name=row["name"],
        author_type=row["author_type"],
        is_main_author=bool(row["is_main_author"]),
        signature_order=row["signature_order"],
    )


def history_of(store: Store, row: CandidateRow) -> list[HistoryReply]:
    """Offices of the deputy that the candidate was matched to; nothing without a certain match."""
    if row["camara_deputy_id"] is None:
        return []
    periods = store.camara.history_of_deputy(row["camara_deputy_id"])
    return [_history_reply(period) for period in periods]


def _history_reply(period: HistoryRow) -> HistoryReply:
    values: Mapping[str, Any] = period
    known = {"url": "source_url", "collected_at": "source_collected_at"}
    return HistoryReply(**{name: values[known.get(name, name)] for name in HistoryReply.model_fields})


def document_summary(row: DocumentRow) -> DocumentSummary:
    return DocumentSummary(**_document_fields(row))


def document_head(store: Store, document_hash: str) -> DocumentSummary:
    """A plan without its text; NotFoundError DOCUMENT_UNKNOWN."""
    row = store.documents.without_text([document_hash]).get(document_hash)
    if row is None:
        raise NotFoundError("DOCUMENT_UNKNOWN", f"no document has the hash {document_hash}")
    return document_summary(row)


def document_reply(store: Store, document_hash: str, *, text: bool = True) -> DocumentReply:
    """A plan page by page, or without its pages; NotFoundError DOCUMENT_UNKNOWN."""
    row = store.documents.get(document_hash)
    if row is None:
        raise NotFoundError("DOCUMENT_UNKNOWN", f"no document has the hash {document_hash}")
    links = store.links.of_source(GOVERNMENT_PROPOSAL, document_hash)
    filed = store.candidates.by_ids([link["candidate_id"] for link in links])
    owners = by_ballot_name(candidate_ref(candidate) for candidate in filed.values())
    return DocumentReply(
        **_document_fields(row), pages=_pages(row) if text else [], candidates=[candidate_model(o) for o in owners]
    )


def _document_fields(row: DocumentRow) -> dict[str, Any]:
    return {
        "document_hash": row["document_hash"],
        "election_year": row["election_year"],
        "title": row["title"],
        "file_name": row["file_name"],
        "page_count": row["page_count"],
        "text_status": row["text_status"],
        "error_code": row["error_code"],
        "url": row["source_url"],
        "collected_at": row["source_collected_at"],
    }


def _pages(row: DocumentRow) -> list[DocumentPageReply]:
    labels, ocr = row["page_labels"] or {}, set(row["ocr_pages"] or [])
    return [
        DocumentPageReply(number=number, label=_label(labels, number), ocr=number in ocr, text=text)
        for number, text in pages_of(row["raw_text"] or "")
    ]


def document_page(row: DocumentRow, number: int) -> DocumentPageReply:
    """One page; one without text has an empty one."""
    found = next((page for page in _pages(row) if page.number == number), None)
    return found or DocumentPageReply(number=number, label=_label(row["page_labels"] or {}, number), ocr=False, text="")


def _label(labels: Any, number: int) -> str | None:
    """The printed label of a page, stored by page number or as a list."""
    if isinstance(labels, Mapping):
        label = labels.get(str(number))
    else:
        label = labels[number - 1] if isinstance(labels, list) and number <= len(labels) else None
    return str(label) if label and str(label) != str(number) else None


def run_reply(run: RunRow) -> RunReply:
    return RunReply(
        partition=run.run_partition, **{n: getattr(run, n) for n in RunReply.model_fields if n != "partition"}
    )


def search_result(evidence: Evidence) -> SearchResult:
    """A hit with its scores kept apart."""
    same = ("evidence_id", "source_type", "source_id", "chunk_index", "title", "content")
    pages = evidence.passage_pages or (None, None)
    return SearchResult(
        page_start=pages[0],
        page_end=pages[1],
        quote=evidence.quote or ("" if evidence.source else worded("", evidence)),
        quote_page_start=evidence.page_start if evidence.quote else None,
        quote_page_end=evidence.page_end if evidence.quote else None,
        **{name: getattr(evidence, name) for name in (*same, "page_label", "url", "collected_at")},
        candidates=[candidate_model(candidate) for candidate in by_ballot_name(evidence.candidates)],
        matched_terms=list(evidence.matched_terms),
        scores=ScoresReply(**{name: getattr(evidence, name) for name in ScoresReply.model_fields}),
    )


def page_of(items: Sequence[Any], page: int, page_size: int) -> Sequence[Any]:
    """One page of a list; page counts from 1."""
    return items[(page - 1) * page_size : page * page_size]

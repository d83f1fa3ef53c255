"""Stored records turned into the text that is searched: lines, title, header, metadata, where the pages begin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final

from iris_assets.indexing.normalise import normalise_text, one_line
from iris_assets.indexing.plan_text import joined_pages
from iris_assets.store.records import ArticleRow, BillRow, CandidateRow, DeputyRow, DocumentRow, HistoryRow
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, NEWS_ARTICLE, POLITICAL_HISTORY, PROPOSITION

BUILDERS_VERSION: Final = "1"  # part of every input fingerprint: a change cuts all sources anew
TITLE_LENGTH: Final = 500
HEADER_LENGTH: Final = 1000
BETWEEN: Final = " · "


Record = BillRow | DocumentRow | HistoryRow


@dataclass(frozen=True, slots=True)
class SourceText:
    """One source ready to be cut. `page_offsets` are (offset in `text`, physical page number), ascending."""

    source_type: str
    source_id: str
    title: str
    text: str
    header: str
    url: str | None
    metadata: Mapping[str, Any]
    page_offsets: tuple[tuple[int, int], ...] = ()
    ocr_pages: frozenset[int] = field(default_factory=frozenset)
    collected_at: datetime | None = None


def build_bill(bill: BillRow) -> SourceText:
    """A bill with its `authors` (main proponents first) and `topics`."""
    topics = [one_line(topic["name"]) for topic in bill["topics"]]
    authors = [one_line(author["name"]) for author in bill["authors"]]
    title = one_line(bill["title"])
    lines = (
        ("Título", title),
        ("Autores", "; ".join(author for author in authors if author)),
        ("Temas", "; ".join(topics)),
        ("Ementa", one_line(bill["summary"])),
        ("Ementa detalhada", one_line(bill["detailed_summary"])),
        ("Situação", one_line(bill["status"])),
    )
    return _source(
        PROPOSITION,
        str(bill["camara_id"]),
        bill,
        title=title,
        text=_lines(lines),
        header=(_reference(bill), "; ".join(topics)),
        metadata={
            "camaraId": bill["camara_id"],
            "type": bill["type"],
            "number": bill["number"],
            "year": bill["year"],
            "topics": topics,
        },
    )


def build_document(
    document: DocumentRow, pages: Sequence[tuple[int, str]], candidates: Sequence[CandidateRow]
) -> SourceText:
    """A government plan from its pages (physical number, text) and the candidates it was filed under."""
    plan = joined_pages(pages)
    title = one_line(document["title"])
    filed = sorted(candidates, key=lambda row: (_name(row), row["tse_id"], row["election_year"]))
    people = "; ".join(
        BETWEEN.join(part for part in (_name(row), row["party"], row["office"], row["state"]) if part) for row in filed
    )
    return _source(
        GOVERNMENT_PROPOSAL,
        document["document_hash"],
        document,
        title=title,
        text=plan.text,
        header=(title, people, ", ".join(sorted({str(row["election_year"]) for row in filed}))),
        metadata={
            "electionYear": document["election_year"],
            "resourceId": document["source_resource_id"],
            "fileName": document["file_name"],
            "documentHash": document["document_hash"],
        },
        page_offsets=plan.page_marks,
        ocr_pages=frozenset(document["ocr_pages"] or ()),
    )


def build_history(record: HistoryRow, deputy: DeputyRow | None) -> SourceText:
    """A history record of a deputy (`deputy` is the stored CamaraDeputy row, when there is one)."""
    position = one_line(record["position"])
    lines = (
        ("Instituição", one_line(record["institution"])),
        ("Cargo/Função", position),
        ("Partido", one_line(record["party"])),
        ("UF", one_line(record["state"])),
        ("Período", _period(record["start_date"], record["end_date"])),
        ("Situação", one_line(record["status"])),
    )
    name = deputy and (deputy["electoral_name"] or deputy["status_name"] or deputy["civil_name"])
    return _source(
        POLITICAL_HISTORY,
        record["external_id"],
        record,
        title=position or one_line(record["institution"]),
        text=_lines(lines),
        header=(one_line(name), position),
        metadata={
            "externalId": record["external_id"],
            "camaraDeputyId": record["camara_deputy_id"],
            "institution": record["institution"],
        },
    )


def build_article(article: ArticleRow, candidates: Sequence[CandidateRow]) -> SourceText:
    """An approved news article: not official, and its header says so."""
    title = one_line(article["title"])
    people = "; ".join(sorted({_name(row) for row in candidates}))
    day = str(article["published_at"] or "")[:10]
    return _source(
        NEWS_ARTICLE,
        article["fingerprint"],
        None,
        url=article["url"],
        title=title,
        text=normalise_text(article["body_text"] or ""),
        header=("Notícia, fonte não oficial", title, people, day),
        metadata={
            "fingerprint": article["fingerprint"],
            "tseId": article["tse_id"],
            "publishedAt": article["published_at"],
            "official": False,
        },
    )


def _source(
    source_type: str,
    source_id: str,
    record: Record | None,
    *,
    title: str,
    text: str,
    header: Sequence[str],
    metadata: Mapping[str, Any],
    page_offsets: tuple[tuple[int, int], ...] = (),
    ocr_pages: frozenset[int] = frozenset(),
    url: str | None = None,
) -> SourceText:
    return SourceText(
        source_type,
        source_id,
        title[:TITLE_LENGTH],
        text,
        BETWEEN.join(part for part in header if part)[:HEADER_LENGTH].rstrip(),
        record.get("source_url") if record else url,
        metadata,
        page_offsets,
        ocr_pages,
        record.get("source_collected_at") if record else None,
    )


def _lines(lines: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"{label}: {value}" for label, value in lines if value)


def _reference(bill: BillRow) -> str:
    """`PL 1234/2023`; a part that is unknown is left out."""
    number = "/".join(str(part) for part in (bill["number"], bill["year"]) if part)
    return " ".join(part for part in (bill["type"], number) if part)


def _name(candidate: CandidateRow) -> str:
    return one_line(candidate["ballot_name"] or candidate["name"])


def _period(start: date | None, end: date | None) -> str:
    """Years with an en dash; one year alone when the other is unknown or equal (an open end may only be unknown)."""
    years = [str(moment.year) for moment in (start, end) if moment is not None]
    return "–".join(dict.fromkeys(years))

"""What the records behind the chunks say: authors, topics, dates, status, as JSON-ready values."""

from collections.abc import Mapping
from typing import Any

from iris_assets.retrieval.types import GOVERNMENT_PROPOSAL, NEWS_ARTICLE, POLITICAL_HISTORY, PROPOSITION
from iris_assets.store import Store


def structured_of(store: Store, source_type: str, source_id: str) -> dict[str, Any] | None:
    """Structured data of one source; None when the record behind a chunk is not in the store any more."""
    if source_type == PROPOSITION:
        bill = store.camara.bill(int(source_id)) if source_id.isdigit() else None
        return None if bill is None else bill_facts(bill)
    if source_type == GOVERNMENT_PROPOSAL:
        document = store.documents.get(source_id, text=False)
        return None if document is None else _document_facts(document)
    if source_type == POLITICAL_HISTORY:
        record = store.camara.history(source_id)
        return None if record is None else _history_facts(record)
    if source_type == NEWS_ARTICLE:
        article = store.articles.get(source_id)
        return None if article is None else {"published_at": article["published_at"], "official": False}
    return None


def bill_facts(bill: Mapping[str, Any]) -> dict[str, Any]:
    """Authors with their main flag, topics, dates, status and identifiers of a bill."""
    return {
        "camara_id": bill["camara_id"],
        "type": bill["type"],
        "number": bill["number"],
        "year": bill["year"],
        "year_repaired": bill["year_repaired"],
        "authors": [
            {"name": author["name"], "type": author["author_type"], "main": author["is_main_author"]}
            for author in bill["authors"]
        ],
        "topics": [topic["name"] for topic in bill["topics"]],
        "presentation_date": _iso(bill["presentation_date"]),
        "status": bill["status"],
        "status_at": bill["status_at"],
    }


def _document_facts(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "document_hash": document["document_hash"],
        "election_year": document["election_year"],
        "file_name": document["file_name"],
        "page_count": document["page_count"],
        "text_status": document["text_status"],
        "page_labels": document["page_labels"] if isinstance(document["page_labels"], Mapping) else {},
    }


def _history_facts(record: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "external_id": record["external_id"],
        "camara_deputy_id": record["camara_deputy_id"],
        "institution": record["institution"],
        "position": record["position"],
        "party": record["party"],
        "state": record["state"],
        "municipality": record["municipality"],
        "start_date": _iso(record["start_date"]),
        "end_date": _iso(record["end_date"]),
        "date_precision": record["date_precision"],
        "status": record["status"],
    }


def _iso(value: Any) -> str | None:
    return None if value is None else str(value)

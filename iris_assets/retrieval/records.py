"""What the records behind the chunks say: authors, topics, dates, status, as JSON-ready values."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from iris_assets.store import Store
from iris_assets.store.records import ArticleRow, BillRow, DocumentRow, HistoryRow
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, NEWS_ARTICLE, POLITICAL_HISTORY, PROPOSITION

Facts = dict[str, dict[str, Any]]


def structured(store: Store, source_type: str, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """Source id → structured data; a source whose record is not in the store any more is left out."""
    facts = FACTS.get(source_type)
    return facts(store, ids) if facts else {}


def _of_bills(store: Store, ids: Collection[str]) -> Facts:
    bills = store.camara.bills([int(source_id) for source_id in ids if source_id.isdigit()])
    return {str(bill["camara_id"]): bill_facts(bill) for bill in bills}


def _of_documents(store: Store, ids: Collection[str]) -> Facts:
    return {key: _document_facts(row) for key, row in store.documents.without_text(ids).items()}


def _of_histories(store: Store, ids: Collection[str]) -> Facts:
    return {key: _history_facts(row) for key, row in store.camara.histories(ids).items()}


def _of_articles(store: Store, ids: Collection[str]) -> Facts:
    articles = {source_id: store.articles.get(source_id) for source_id in ids}
    return {key: _article_facts(article) for key, article in articles.items() if article is not None}


def bill_facts(bill: BillRow) -> dict[str, Any]:
    """Authors with their main flag, topics, dates, status and identifiers of a bill."""
    return {
        "camara_id": bill["camara_id"],
        "type": bill["type"],
        "number": bill["number"],
        "year": bill["year"],
        "year_repaired": bill["year_repaired"],
        "summary": bill["summary"],
        "authors": [
            {"name": author["name"], "type": author["author_type"], "main": author["is_main_author"]}
            for author in bill["authors"]
        ],
        "author_total": bill["author_total"],
        "topics": [topic["name"] for topic in bill["topics"]],
        "presentation_date": _iso(bill["presentation_date"]),
        "status": bill["status"],
        "status_at": bill["status_at"],
    }


def _document_facts(document: DocumentRow) -> dict[str, Any]:
    return {
        "document_hash": document["document_hash"],
        "election_year": document["election_year"],
        "file_name": document["file_name"],
        "page_count": document["page_count"],
        "text_status": document["text_status"],
        "page_labels": document["page_labels"] if isinstance(document["page_labels"], Mapping) else {},
    }


def _history_facts(record: HistoryRow) -> dict[str, Any]:
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


def _article_facts(article: ArticleRow) -> dict[str, Any]:
    return {"published_at": article["published_at"], "official": False}


FACTS: Final[Mapping[str, Callable[[Store, Collection[str]], Facts]]] = {
    PROPOSITION: _of_bills,
    GOVERNMENT_PROPOSAL: _of_documents,
    POLITICAL_HISTORY: _of_histories,
    NEWS_ARTICLE: _of_articles,
}

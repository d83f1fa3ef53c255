"""How each kind of source is loaded and made into text: one table, by the names of `words.source_kinds`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from iris_assets.documents import pages_of, strip_repeated_lines
from iris_assets.indexing.builders import SourceText, build_article, build_bill, build_document, build_history
from iris_assets.indexing.chunk_rows import text_hash
from iris_assets.ingest.context import IngestContext
from iris_assets.store.records import CandidateRow, DocumentRow
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, NEWS_ARTICLE, POLITICAL_HISTORY, PROPOSITION

# Technical columns: a record that only they differ in is the same text.
NOT_TEXT: Final = frozenset(
    {"id", "proposition_id", "created_at", "updated_at", "source_collected_at", "raw_json", "author_total"}
)

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class LinkedSource:
    """A linked source: what its text is made of, and how to make it; `parts` is None when the record vanished."""

    key: Key
    parts: Any
    build: Callable[[], SourceText] | None


def _bills(context: IngestContext, ids: list[str]) -> Iterator[LinkedSource]:
    found = {str(bill["camara_id"]): bill for bill in context.store.camara.bills([int(number) for number in ids])}
    for number in ids:
        bill = found.get(number)
        if bill is None:
            yield _vanished(PROPOSITION, number)
        else:
            people = [_parts(row) for row in bill["authors"]]
            topics = [row["name"] for row in bill["topics"]]
            parts = {**_parts(bill), "authors": people, "topics": topics}
            yield LinkedSource((PROPOSITION, number), parts, partial(build_bill, bill))


def _documents(context: IngestContext, ids: list[str]) -> Iterator[LinkedSource]:
    for document_hash in ids:
        document = context.store.documents.get(document_hash)
        if document is None:
            yield _vanished(GOVERNMENT_PROPOSAL, document_hash)
            continue
        people = _linked(context, GOVERNMENT_PROPOSAL, document_hash)
        filed = sorted(
            [str(row[name] or "") for name in ("ballot_name", "name", "party", "office", "state", "tse_id")]
            for row in people
        )
        parts = {**_parts(document), "raw_text": text_hash(document["raw_text"] or ""), "candidates": filed}
        yield LinkedSource((GOVERNMENT_PROPOSAL, document_hash), parts, partial(_plan, document, people))


def _plan(document: DocumentRow, people: Sequence[CandidateRow]) -> SourceText:
    """A header or footer line that stands on most pages is kept on its first page only."""
    return build_document(document, strip_repeated_lines(pages_of(document["raw_text"] or "")), people)


def _history(context: IngestContext, ids: list[str]) -> Iterator[LinkedSource]:
    records = context.store.camara.histories(ids)
    deputies = context.store.camara.deputies_by_id({record["camara_deputy_id"] for record in records.values()})
    for external_id in ids:
        record = records.get(external_id)
        if record is None:
            yield _vanished(POLITICAL_HISTORY, external_id)
            continue
        deputy = deputies.get(record["camara_deputy_id"])
        names = {
            "electoral_name": deputy and deputy["electoral_name"],
            "status_name": deputy and deputy["status_name"],
            "civil_name": deputy and deputy["civil_name"],
        }
        yield LinkedSource(
            (POLITICAL_HISTORY, external_id),
            {**_parts(record), "deputy": names},
            partial(build_history, record, deputy),
        )


def _articles(context: IngestContext, ids: list[str]) -> Iterator[LinkedSource]:
    for fingerprint in ids:
        article = context.store.articles.get(fingerprint)
        if article is None:
            yield _vanished(NEWS_ARTICLE, fingerprint)
            continue
        people = _linked(context, NEWS_ARTICLE, fingerprint)
        parts = {key: article[key] for key in ("title", "url", "published_at", "body_text", "tse_id")}
        names = sorted(row["ballot_name"] or row["name"] for row in people)
        yield LinkedSource(
            (NEWS_ARTICLE, fingerprint),
            {**parts, "candidates": names},
            partial(build_article, article, people),
        )


def _vanished(source_type: str, source_id: str) -> LinkedSource:
    return LinkedSource((source_type, source_id), None, None)


def _parts(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in NOT_TEXT}


def _linked(context: IngestContext, source_type: str, source_id: str) -> list[CandidateRow]:
    """The candidates that a source is linked to, of whatever UF, so that the header depends on no partition."""
    ids = [link["candidate_id"] for link in context.store.links.of_source(source_type, source_id)]
    return list(context.store.candidates.by_ids(ids).values())


Loader = Callable[[IngestContext, list[str]], Iterator[LinkedSource]]

LOADERS: Final[Mapping[str, Loader]] = {
    PROPOSITION: _bills,
    GOVERNMENT_PROPOSAL: _documents,
    POLITICAL_HISTORY: _history,
    NEWS_ARTICLE: _articles,
}

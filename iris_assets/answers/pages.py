"""The whole text of the pages on which an answer's quotes stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from iris_assets.answers.response import SourceModel
from iris_assets.documents import pages_of
from iris_assets.store import Store
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL


@dataclass(frozen=True, slots=True)
class CitedPage:
    """A physical page of a plan and the evidences that are quoted from it."""

    document_hash: str
    title: str
    number: int
    text: str
    evidence_ids: tuple[str, ...]


def cited_pages(store: Store, sources: Sequence[SourceModel]) -> list[CitedPage]:
    """The pages of the cited plans, each once, in the order of the sources."""
    wanted: dict[tuple[str, int], list[SourceModel]] = {}
    for source in sources:
        if source.cited and source.source_type == GOVERNMENT_PROPOSAL and source.page_start:
            for number in range(source.page_start, (source.page_end or source.page_start) + 1):
                wanted.setdefault((source.source_id, number), []).append(source)
    texts = {document_hash: _texts(store, document_hash) for document_hash, _ in wanted}
    return [
        CitedPage(key, of[0].title, number, texts[key].get(number, ""), tuple(source.evidence_id for source in of))
        for (key, number), of in wanted.items()
    ]


def _texts(store: Store, document_hash: str) -> dict[int, str]:
    row = store.documents.get(document_hash)
    return dict(pages_of((row["raw_text"] if row else None) or ""))

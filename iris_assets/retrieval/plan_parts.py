"""What a question asks of a plan as a document: a numbered part, the first or last page, how many pages it has."""

from collections.abc import Iterable, Sequence
from functools import partial

from iris_assets.question.parsed import ParsedQuery
from iris_assets.retrieval.evidence import EvidenceBuilder
from iris_assets.retrieval.sections import (
    NO_PART,
    PAGE_COUNT,
    PAGES_TEXT,
    Part,
    edge_page,
    parts_of,
    rows_of_part,
    spans_of_part,
)
from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.store import Store
from iris_assets.store.records import ChunkRow
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL


class PlanParts:
    """Parts of the plans of some candidates; `is_asked` when the question names one of a plan that is there."""

    def __init__(self, store: Store, builder: EvidenceBuilder, parsed: ParsedQuery) -> None:
        self._store, self._builder, self._parsed = store, builder, parsed
        self.is_asked = False
        self.notices: list[str] = []
        self.said: list[str] = []

    def of(self, people: Iterable[CandidateRef]) -> list[Evidence]:
        """The parts that the question asks for, candidate by candidate."""
        found: list[Evidence] = []
        for one in people:
            rows = self._store.chunks.of_candidate(one.id, (GOVERNMENT_PROPOSAL,))
            if rows:
                found += [*self._numbered(one, rows), *self._edge(rows), *self._counted(one, rows)]
        return found

    def _numbered(self, one: CandidateRef, rows: Sequence[ChunkRow]) -> list[Evidence]:
        found = []
        for part in parts_of(self._parsed):
            self.is_asked = True
            shown = self._part(part, rows)
            if not shown:
                self.notices.append(NO_PART.format(part=part.text, candidate=one.label))
            found += shown
        return found

    def _part(self, part: Part, rows: Sequence[ChunkRow]) -> list[Evidence]:
        """A numbered part of a plan by its structure, else the chunks where its name or number stands."""
        choose = partial(spans_of_part, part)
        documents = dict.fromkeys(row["source_id"] for row in rows)
        found = [
            one
            for document in documents
            for one in self._builder.part(document, choose, [row for row in rows if row["source_id"] == document])
        ]
        return found or self._builder.from_rows(rows_of_part(part, rows))

    def _edge(self, rows: Sequence[ChunkRow]) -> list[Evidence]:
        number = edge_page(self._parsed, rows)
        if number is None:
            return []
        self.is_asked = True
        return self._builder.page(rows[0]["source_id"], number, rows)

    def _counted(self, one: CandidateRef, rows: Sequence[ChunkRow]) -> list[Evidence]:
        if not PAGE_COUNT.search(self._parsed.folded):
            return []
        self.is_asked = True
        document = self._store.documents.get(rows[0]["source_id"])
        self.said.append(PAGES_TEXT.format(label=one.label, pages=document["page_count"] if document else "?"))
        return self._builder.from_rows(rows[:1])

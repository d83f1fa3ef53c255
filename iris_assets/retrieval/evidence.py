"""Chunks turned into evidence: whose they are, what the record says, the window around them."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from iris_assets.documents import pages_of
from iris_assets.documents.sentences import Span
from iris_assets.documents.structure import Structure
from iris_assets.indexing.analyzer import AnalyzedQuestion
from iris_assets.indexing.normalise import normalise_text
from iris_assets.indexing.plan_text import plan_text
from iris_assets.retrieval.excerpts import best_spans, folded_text, opening_spans, shown
from iris_assets.retrieval.fusion import Fused
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.records import structured
from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.retrieval.windows import window_text
from iris_assets.store import Store
from iris_assets.store.records import CandidateRow, ChunkRow, LinkRow
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, NEWS_ARTICLE

QUOTED = (GOVERNMENT_PROPOSAL, NEWS_ARTICLE)  # running texts; of the other kinds the record's facts are shown
Choice = Callable[[Structure, Span], tuple[Span, ...]]  # what to show of a place in a text
CLOSE_HITS = 12  # chunks; hits of one document that lie further apart are read one by one


@dataclass(frozen=True, slots=True)
class Passage:
    """A ranked chunk with the candidates of its source, before its record and neighbours are read."""

    hit: Fused
    row: ChunkRow
    candidates: tuple[CandidateRef, ...]


def candidate_ref(row: CandidateRow) -> CandidateRef:
    """A stored candidate as evidence names one."""
    return CandidateRef(
        id=row["id"],
        tse_id=row["tse_id"],
        name=row["name"],
        ballot_name=row["ballot_name"],
        party=row["party"],
        office=row["office"],
        state=row["state"],
        year=row["election_year"],
        number=row["candidate_number"],
        electoral_unit=row.get("electoral_unit"),
    )


class EvidenceBuilder:
    """Reads what evidences show; one builder per question, so that a record is read once."""

    def __init__(self, store: Store, window: int) -> None:
        self._store, self._window = store, window
        self.about: Collection[int] = ()  # the candidates asked about: what several filed is cited as theirs
        self.elections: Collection[
            int
        ] = ()  # the elections asked about: of who filed one plan those of other ones are left out
        self._filings: dict[str, list[LinkRow]] = {}
        self._neighbours: dict[tuple[str, str], dict[int, ChunkRow | None]] = {}
        self._records: dict[tuple[str, str], dict[str, Any] | None] = {}
        self._taken: dict[tuple[str, int], set[Span]] = defaultdict(set)
        self._plans: dict[str, Structure | None] = {}

    def passages(self, hits: Sequence[Fused]) -> list[Passage]:
        """What the ranked hits are and whose, in their order: enough to choose among them."""
        with self._store.snapshot():  # one for all reads
            rows = self._store.chunks.get([hit.chunk_id for hit in hits])
            owners = self._owners(rows)
        return [Passage(hit, rows[hit.chunk_id], owners.get(hit.chunk_id, ())) for hit in hits if hit.chunk_id in rows]

    def from_passages(self, passages: Sequence[Passage], question: AnalyzedQuestion) -> list[Evidence]:
        """Evidences in the order of the passages, each with what it shows of the question's topic.

        What one shows no later one shows again; one that was found by its words and shows nothing (new) has no quote.
        """
        with self._store.snapshot():
            self._read_around([passage.row for passage in passages])
            self._read_records([passage.row for passage in passages])
            return [self._found(passage, question) for passage in passages]

    def from_rows(self, rows: Sequence[ChunkRow], choose: Choice | None = None) -> list[Evidence]:
        """Evidences of chunks that were looked up, not ranked: each shows what is chosen of it, else how it opens."""
        with self._store.snapshot():
            owners = self._owners({row["id"]: row for row in rows})
            self._read_records(rows)
            evidences = [self._evidence(row, owners.get(row["id"], ())) for row in rows]
            return [self._showing(one, self._chosen(one, choose) or self._opening(one)) for one in evidences]

    def part(self, document_hash: str, choose: Choice, rows: Sequence[ChunkRow]) -> list[Evidence]:
        """What is chosen of a whole plan, shown by the chunk in which it begins; empty when nothing is."""
        source = self._plan(document_hash)
        spans = choose(source, (0, len(source.text))) if source else ()
        rows = [row for row in rows if spans and (row["span_start"] or 0) <= spans[0][0] < (row["span_end"] or 0)]
        return [show(one, spans) for one in self.from_rows(rows[:1])]

    def mentions(self, candidate_id: int, choose: Choice) -> list[Evidence]:
        """What is chosen of the candidate's plans, at most one evidence a plan."""
        rows = self._store.chunks.of_candidate(candidate_id, (GOVERNMENT_PROPOSAL,))
        documents = dict.fromkeys(row["source_id"] for row in rows)
        own = ([row for row in rows if row["source_id"] == document] for document in documents)
        return [one for document, part in zip(documents, own, strict=True) for one in self.part(document, choose, part)]

    def first_pages(self, candidate_id: int, words: Iterable[str]) -> dict[str, int]:
        """For each word that the candidate's plans hold, as it stands or as a beginning, its first page."""
        found: dict[str, int] = {}
        documents = self._store.chunks.of_candidate(candidate_id, (GOVERNMENT_PROPOSAL,))
        for document in dict.fromkeys(row["source_id"] for row in documents):
            source = self._plan(document)
            folded = folded_text(source.text) if source else ""
            for word in words:
                place = re.search(rf"\b{re.escape(word)}", folded)
                pages = source.pages(*place.span()) if source and place else None
                if pages:
                    found.setdefault(word, pages[0])
        return found

    @staticmethod
    def _chosen(evidence: Evidence, choose: Choice | None) -> tuple[Span, ...]:
        source, place = evidence.source, evidence.place
        return choose(source, place) if choose and source and place else ()

    def page(self, document_hash: str, number: int, rows: Sequence[ChunkRow]) -> list[Evidence]:
        """A page of a plan as it was read, whole; `rows` are chunks of that plan. Empty when the page has no text.

        Of a plan whose text is not stored the chunks that touch the page.
        """
        touching = [row for row in rows if (row["page_start"] or 0) <= number <= (row["page_end"] or 0)]
        document = self._store.documents.get(document_hash)
        if document is None or not document["raw_text"]:
            return self.from_rows(touching)
        text = normalise_text(dict(pages_of(document["raw_text"])).get(number, ""))
        if not text or not rows:
            return []
        [evidence] = self.from_rows([*touching, *rows][:1])
        source, span = Structure(text, ((0, number),)), (0, len(text))
        whole = replace(evidence, content=text, context=text, place=span, passage_pages=(number, number), source=source)
        return [replace(show(whole, (span,)), heading="")]

    def _found(self, passage: Passage, question: AnalyzedQuestion) -> Evidence:
        hit = passage.hit
        evidence = replace(
            self._evidence(passage.row, passage.candidates),
            lexical_rank=hit.lexical_rank,
            lexical_score=hit.lexical_score,
            vector_rank=hit.vector_rank,
            vector_similarity=hit.vector_similarity,
            rrf=hit.score,
            matched_terms=tuple(question.words[index] for index in hit.matched),
        )
        source, place = evidence.source, evidence.place
        if source is None or place is None:
            return evidence
        spans = best_spans(source, place, question, frozenset(self._taken[self._text_of(evidence)]))
        by_meaning = hit.lexical_rank is None
        return self._showing(evidence, self._opening(evidence) if by_meaning and not spans else spans)

    def _opening(self, evidence: Evidence) -> tuple[Span, ...]:
        source, place = evidence.source, evidence.place
        return opening_spans(source, place, frozenset(self._taken[self._text_of(evidence)])) if source and place else ()

    def _showing(self, evidence: Evidence, spans: tuple[Span, ...]) -> Evidence:
        """The evidence with these sentences, which no other of this question shows again."""
        if evidence.source is None or not spans:
            return evidence
        self._taken[self._text_of(evidence)].update(spans)
        return show(evidence, spans)

    def _text_of(self, evidence: Evidence) -> tuple[str, int]:
        """By what two evidences are of one text: the plan, or the chunk where the plan's text is not its source."""
        is_plan = evidence.source is self._plans.get(evidence.source_id)
        return evidence.source_id, -1 if is_plan else evidence.chunk_index

    def candidates(self, ids: Iterable[int]) -> dict[int, CandidateRef]:
        """Candidates by row id."""
        return {id_: candidate_ref(row) for id_, row in self._store.candidates.by_ids(list(ids)).items()}

    def _read_records(self, rows: Sequence[ChunkRow]) -> None:
        """The records behind these chunks that were not read yet, those of one type at once."""
        wanted: dict[str, dict[str, None]] = {}
        for row in rows:
            if (row["source_type"], row["source_id"]) not in self._records:
                wanted.setdefault(row["source_type"], {})[row["source_id"]] = None
        for source_type, ids in wanted.items():
            found = structured(self._store, source_type, ids)
            self._records.update({(source_type, source_id): found.get(source_id) for source_id in ids})

    def _owners(self, rows: Mapping[int, ChunkRow]) -> dict[int, tuple[CandidateRef, ...]]:
        ids = self._store.chunks.candidates_of(rows)
        known = self.candidates({id_ for group in ids.values() for id_ in group})
        return {
            chunk: tuple(by_ballot_name(known[id_] for id_ in group if id_ in known)) for chunk, group in ids.items()
        }

    def _of_election(self, filers: tuple[CandidateRef, ...]) -> tuple[CandidateRef, ...]:
        """Those who filed one plan in the election asked about, by year or by candidate; all where neither is named."""
        years = {one.year for one in filers if one.id in self.about} or set(self.elections)
        return tuple(one for one in filers if one.year in years) or filers

    def _evidence(self, row: ChunkRow, candidates: tuple[CandidateRef, ...]) -> Evidence:
        record = self._records[row["source_type"], row["source_id"]]
        facts = dict(record or {})
        if row["source_type"] == GOVERNMENT_PROPOSAL:
            candidates = self._of_election(candidates)
        filing = self._filing(row, candidates, facts)
        labels = facts.pop("page_labels", None) or {}
        source, place = self._source(row)
        pages = (row["page_start"], row["page_end"] or row["page_start"]) if row["page_start"] else None
        return Evidence(
            evidence_id="",
            source_type=row["source_type"],
            source_id=row["source_id"],
            chunk_index=row["chunk_index"],
            title=(filing and filing["title"]) or row["title"] or "",
            content=row["content"],
            context=self._context(row),
            page_start=row["page_start"],
            page_end=row["page_end"],
            page_label=labels.get(str(row["page_start"])),
            url=(filing and filing["source_url"]) or row["source_url"],
            header=row["header"],
            metadata=row["metadata_json"] or {},
            candidates=candidates,
            structured=facts,
            collected_at=(filing and filing["source_collected_at"]) or row["source_collected_at"],
            content_hash=row["content_hash"],
            record_missing=record is None,
            passage_pages=pages,
            source=source,
            place=place,
            page_labels=labels,
        )

    def _filing(self, row: ChunkRow, candidates: tuple[CandidateRef, ...], facts: dict[str, Any]) -> LinkRow | None:
        """A plan as the candidate asked about filed it (else the first one): `facts` get its file and its election."""
        if row["source_type"] != GOVERNMENT_PROPOSAL:
            return None
        document = row["source_id"]
        if document not in self._filings:
            self._filings[document] = self._store.links.of_source(GOVERNMENT_PROPOSAL, document)
        asked = sorted(candidates, key=lambda one: one.id not in self.about)  # stable: else in neutral order
        by_candidate = {link["candidate_id"]: link for link in self._filings[document]}
        filing = by_candidate.get(asked[0].id) if asked else None
        if filing is not None:
            facts |= {"election_year": asked[0].year, "file_name": filing["file_name"] or facts.get("file_name")}
        return filing

    def _source(self, row: ChunkRow) -> tuple[Structure | None, Span | None]:
        """The text that a chunk was cut from and its place there; the chunk itself where that text has changed since."""
        if row["source_type"] not in QUOTED:
            return None, None
        content = str(row["content"])
        plan = self._plan(row["source_id"]) if row["source_type"] == GOVERNMENT_PROPOSAL else None
        start, end = row["span_start"], row["span_end"]
        if plan is not None and start is not None and end is not None:
            place = start, end
            if plan.text[slice(*place)] == content:
                return plan, place
        marks = ((0, row["page_start"]),) if row["page_start"] and row["page_start"] == row["page_end"] else ()
        return Structure(content, marks), (0, len(content))

    def _plan(self, document_hash: str) -> Structure | None:
        if document_hash not in self._plans:
            document = self._store.documents.get(document_hash)
            text = document["raw_text"] if document else None
            self._plans[document_hash] = plan_text(text) if text else None
        return self._plans[document_hash]

    def _context(self, row: ChunkRow) -> str:
        if not self._window:
            return str(row["content"])
        place, index = (row["source_type"], row["source_id"]), row["chunk_index"]
        return window_text(self._around(place, index - self._window, index + self._window), index, self._window)

    def _read_around(self, rows: Sequence[ChunkRow]) -> None:
        """The windows of one source's hits in one read, where they lie close together."""
        if not self._window:
            return
        indexes: dict[tuple[str, str], list[int]] = {}
        for row in rows:
            indexes.setdefault((row["source_type"], row["source_id"]), []).append(row["chunk_index"])
        for place, hits in indexes.items():
            if max(hits) - min(hits) <= CLOSE_HITS:
                self._around(place, min(hits) - self._window, max(hits) + self._window)

    def _around(self, place: tuple[str, str], first: int, last: int) -> list[ChunkRow]:
        """Chunks of one source by index; hits are often neighbours, so what was read is kept."""
        known = self._neighbours.setdefault(place, {})
        if any(index not in known for index in range(max(first, 0), last + 1)):
            found = {row["chunk_index"]: row for row in self._store.chunks.around(*place, first, last)}
            known.update({index: found.get(index) for index in range(max(first, 0), last + 1)})
        return [row for index in range(max(first, 0), last + 1) if (row := known[index]) is not None]


def show(evidence: Evidence, spans: Sequence[Span]) -> Evidence:
    """The evidence showing these spans of its source: quote, pages, label and heading are theirs."""
    if evidence.source is None:
        return evidence
    found = shown(evidence.source, spans)
    first, last = found.pages or evidence.passage_pages or (None, None)
    return replace(
        evidence,
        shown=found.spans,
        quote=found.quote,
        heading=found.heading,
        page_start=first,
        page_end=last,
        page_label=evidence.page_labels.get(str(first)),
    )


def numbered(evidences: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidences as E1, E2, … in their order."""
    return tuple(replace(evidence, evidence_id=f"E{number}") for number, evidence in enumerate(evidences, 1))

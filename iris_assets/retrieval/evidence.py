"""Chunks turned into evidence: whose they are, what the record says, the window around them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from iris_assets.retrieval.fusion import Fused
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.records import structured
from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.retrieval.windows import window_text
from iris_assets.store import Store
from iris_assets.words.order import NeutralKey

Row = Mapping[str, Any]

CLOSE_HITS = 12  # chunks; hits of one document that lie further apart are read one by one


@dataclass(frozen=True, slots=True)
class Passage:
    """A ranked chunk with the candidates of its source, before its record and neighbours are read."""

    hit: Fused
    row: Row
    candidates: tuple[CandidateRef, ...]


def candidate_ref(row: Row) -> CandidateRef:
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
    )


class EvidenceBuilder:
    """Reads what evidences show; one builder per question, so that a record is read once."""

    def __init__(self, store: Store, window: int) -> None:
        self._store, self._window = store, window
        self._neighbours: dict[tuple[str, str], dict[int, dict[str, Any] | None]] = {}
        self._records: dict[tuple[str, str], dict[str, Any] | None] = {}

    def passages(self, hits: Sequence[Fused]) -> list[Passage]:
        """What the ranked hits are and whose, in their order: enough to choose among them."""
        with self._store.snapshot():  # one for all reads
            rows = self._store.chunks.get([hit.chunk_id for hit in hits])
            owners = self._owners(rows)
        return [Passage(hit, rows[hit.chunk_id], owners.get(hit.chunk_id, ())) for hit in hits if hit.chunk_id in rows]

    def from_passages(self, passages: Sequence[Passage], words: Sequence[str]) -> list[Evidence]:
        """Evidences in the order of the passages; `words` are the question's terms that `matched` points into."""
        with self._store.snapshot():
            self._read_around([passage.row for passage in passages])
            self._read_records([passage.row for passage in passages])
            return [
                replace(
                    self._evidence(passage.row, passage.candidates),
                    lexical_rank=passage.hit.lexical_rank,
                    lexical_score=passage.hit.lexical_score,
                    vector_rank=passage.hit.vector_rank,
                    vector_similarity=passage.hit.vector_similarity,
                    rrf=passage.hit.score,
                    matched_terms=tuple(words[index] for index in passage.hit.matched),
                )
                for passage in passages
            ]

    def from_rows(self, rows: Sequence[Row]) -> list[Evidence]:
        """Evidences of chunks that were looked up, not ranked."""
        with self._store.snapshot():
            owners = self._owners({row["id"]: row for row in rows})
            self._read_records(rows)
            return [self._evidence(row, owners.get(row["id"], ())) for row in rows]

    def candidates(self, ids: Iterable[int]) -> dict[int, CandidateRef]:
        """Candidates by row id."""
        return {id_: candidate_ref(row) for id_, row in self._store.candidates.by_ids(list(ids)).items()}

    def _read_records(self, rows: Sequence[Row]) -> None:
        """The records behind these chunks that were not read yet, those of one type at once."""
        wanted: dict[str, dict[str, None]] = {}
        for row in rows:
            if (row["source_type"], row["source_id"]) not in self._records:
                wanted.setdefault(row["source_type"], {})[row["source_id"]] = None
        for source_type, ids in wanted.items():
            found = structured(self._store, source_type, ids)
            self._records.update({(source_type, source_id): found.get(source_id) for source_id in ids})

    def _owners(self, rows: Mapping[int, Row]) -> dict[int, tuple[CandidateRef, ...]]:
        ids = self._store.chunks.candidates_of(rows)
        known = self.candidates({id_ for group in ids.values() for id_ in group})
        return {
            chunk: tuple(by_ballot_name(known[id_] for id_ in group if id_ in known)) for chunk, group in ids.items()
        }

    def _evidence(self, row: Row, candidates: tuple[CandidateRef, ...]) -> Evidence:
        record = self._records[row["source_type"], row["source_id"]]
        structured = record or {}
        labels = structured.get("page_labels") or {}
        return Evidence(
            evidence_id="",
            source_type=row["source_type"],
            source_id=row["source_id"],
            chunk_index=row["chunk_index"],
            title=row["title"] or "",
            content=row["content"],
            context=self._context(row),
            page_start=row["page_start"],
            page_end=row["page_end"],
            page_label=labels.get(str(row["page_start"])),
            url=row["source_url"],
            header=row["header"],
            metadata=row["metadata_json"] or {},
            candidates=candidates,
            structured={key: value for key, value in structured.items() if key != "page_labels"},
            collected_at=row["source_collected_at"],
            content_hash=row["content_hash"],
            record_missing=record is None,
        )

    def _context(self, row: Row) -> str:
        if not self._window:
            return str(row["content"])
        place, index = (row["source_type"], row["source_id"]), row["chunk_index"]
        return window_text(self._around(place, index - self._window, index + self._window), index, self._window)

    def _read_around(self, rows: Sequence[Row]) -> None:
        """The windows of one source's hits in one read, where they lie close together."""
        if not self._window:
            return
        indexes: dict[tuple[str, str], list[int]] = {}
        for row in rows:
            indexes.setdefault((row["source_type"], row["source_id"]), []).append(row["chunk_index"])
        for place, hits in indexes.items():
            if max(hits) - min(hits) <= CLOSE_HITS:
                self._around(place, min(hits) - self._window, max(hits) + self._window)

    def _around(self, place: tuple[str, str], first: int, last: int) -> list[dict[str, Any]]:
        """Chunks of one source by index; hits are often neighbours, so what was read is kept."""
        known = self._neighbours.setdefault(place, {})
        if any(index not in known for index in range(max(first, 0), last + 1)):
            found = {row["chunk_index"]: row for row in self._store.chunks.around(*place, first, last)}
            known.update({index: found.get(index) for index in range(max(first, 0), last + 1)})
        return [row for index in range(max(first, 0), last + 1) if (row := known[index]) is not None]


def numbered(evidences: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidences as E1, E2, … in their order."""
    return tuple(replace(evidence, evidence_id=f"E{number}") for number, evidence in enumerate(evidences, 1))


def neutral_order(candidate: CandidateRef) -> NeutralKey:
    """The key of the neutral order, for the question room until it asks the candidate itself."""
    return candidate.neutral_key

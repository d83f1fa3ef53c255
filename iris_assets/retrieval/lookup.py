"""Explicit references answered by look-up: bills, ids, ballot numbers, pages of a plan."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from iris_assets.retrieval.evidence import EvidenceBuilder, candidate_ref, neutral_order
from iris_assets.retrieval.records import bill_facts
from iris_assets.retrieval.references import Reference
from iris_assets.retrieval.types import CANDIDATE_RECORD, GOVERNMENT_PROPOSAL, PROPOSITION, CandidateRef, Evidence
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter

SAME_NUMBER = 20  # candidates with one ballot number that are listed when asking which


@dataclass
class Found:
    """What the references of a question led to."""

    evidences: list[Evidence] = field(default_factory=list)
    unknown: list[Reference] = field(default_factory=list)
    candidates: list[CandidateRef] = field(default_factory=list)
    ambiguous: list[CandidateRef] = field(default_factory=list)


class ReferenceLookup:
    """Resolves references within a filter; with candidates selected, only what belongs to them is found."""

    def __init__(self, store: Store, builder: EvidenceBuilder) -> None:
        self._store, self._builder = store, builder

    def people(self, references: Sequence[Reference], scope: SearchFilter) -> Found:
        """The candidates behind TSE ids and ballot numbers."""
        found = Found()
        for reference in references:
            if reference.kind not in ("tse_id", "ballot"):
                continue
            matches = self._by_tse_id(reference) if reference.kind == "tse_id" else self._by_ballot(reference, scope)
            if not matches:
                found.unknown.append(reference)
            elif len(matches) == 1:
                found.candidates += matches
            else:
                found.ambiguous += matches[:SAME_NUMBER]
        return found

    def records(self, references: Sequence[Reference], candidates: Sequence[CandidateRef]) -> Found:
        """The bills and pages behind the other references, in the order of the question."""
        found = Found()
        for reference in references:
            if reference.kind in ("bill", "camara_id"):
                evidences = self._bill_evidences(reference, candidates)
            elif reference.kind == "page" and candidates:
                evidences = self._page(reference.number, candidates)
            else:
                continue
            found.evidences += evidences
            if not evidences:
                found.unknown.append(reference)
        return found

    def _by_tse_id(self, reference: Reference) -> list[CandidateRef]:
        row = self._store.candidates.by_tse_id(reference.identifier)
        return [] if row is None else [candidate_ref(row)]

    def _by_ballot(self, reference: Reference, scope: SearchFilter) -> list[CandidateRef]:
        rows = self._store.candidates.list(offices=(reference.office,), states=scope.states)
        years = scope.years or tuple(sorted({row["election_year"] for row in rows}, reverse=True)[:1])
        chosen = [r for r in rows if r["candidate_number"] == reference.number and r["election_year"] in years]
        return sorted((candidate_ref(row) for row in chosen), key=neutral_order)

    def _bill_evidences(self, reference: Reference, candidates: Sequence[CandidateRef]) -> list[Evidence]:
        if reference.kind == "bill":
            bills = self._store.camara.bills_by_reference(reference.type, reference.number, reference.year)
        else:
            bill = self._store.camara.bill(int(reference.identifier))
            bills = [] if bill is None else [bill]
        evidences = [evidence for bill in bills for evidence in self._bill(bill)]
        ids = {candidate.id for candidate in candidates}
        return [e for e in evidences if not ids or ids & {candidate.id for candidate in e.candidates}]

    def _bill(self, bill: dict[str, Any]) -> list[Evidence]:
        rows = self._store.chunks.of_source(PROPOSITION, str(bill["camara_id"]))
        if rows:
            return self._builder.from_rows(rows[:2])
        links = self._store.links.of_source(PROPOSITION, str(bill["camara_id"]))
        owners = self._builder.candidates([link["candidate_id"] for link in links])
        return [bill_record(bill, tuple(sorted(owners.values(), key=neutral_order)))]

    def _page(self, number: int, candidates: Sequence[CandidateRef]) -> list[Evidence]:
        rows = [
            row
            for candidate in candidates
            for row in self._store.chunks.of_candidate(candidate.id, (GOVERNMENT_PROPOSAL,))
            if row["page_start"] is not None and row["page_start"] <= number <= (row["page_end"] or row["page_start"])
        ]
        return self._builder.from_rows(rows)


def bill_record(bill: dict[str, Any], candidates: tuple[CandidateRef, ...]) -> Evidence:
    """A bill that has no chunks yet, from its record."""
    facts = bill_facts(bill)
    lines = (
        ("Título", bill["title"]),
        ("Autores", "; ".join(author["name"] for author in facts["authors"])),
        ("Temas", "; ".join(facts["topics"])),
        ("Ementa", bill["summary"]),
        ("Ementa detalhada", bill["detailed_summary"]),
        ("Situação", bill["status"]),
    )
    text = "\n".join(f"{name}: {value}" for name, value in lines if value)
    return Evidence(
        evidence_id="",
        source_type=PROPOSITION,
        source_id=str(bill["camara_id"]),
        chunk_index=0,
        title=bill["title"] or "",
        content=text,
        context=text,
        url=bill["source_url"],
        candidates=candidates,
        structured=facts,
        collected_at=bill["source_collected_at"],
    )


def candidate_record(store: Store, candidate: CandidateRef) -> Evidence:
    """The registry entry of a candidate as evidence."""
    row = store.candidates.by_ids([candidate.id])[candidate.id]
    lines = (
        ("Nome", row["name"]),
        ("Nome de urna", row["ballot_name"]),
        ("Partido", row["party"]),
        ("Cargo", row["office"]),
        ("UF", row["state"]),
        ("Número", row["candidate_number"]),
        ("Eleição", row["election_year"]),
        ("Situação do registro", row["registration_status"]),
        ("Resultado", row["round_result"]),
        ("Retirada da fonte", "sim" if row["removed_at_source"] else None),
    )
    text = "\n".join(f"{name}: {value}" for name, value in lines if value)
    return Evidence(
        evidence_id="",
        source_type=CANDIDATE_RECORD,
        source_id=row["tse_id"],
        chunk_index=0,
        title=f"Registro de candidatura: {candidate.ballot_name or candidate.name}",
        content=text,
        context=text,
        url=row["source_url"],
        candidates=(candidate,),
        structured={"tse_id": row["tse_id"], "election_year": row["election_year"], "number": row["candidate_number"]},
        collected_at=row["source_collected_at"],
    )

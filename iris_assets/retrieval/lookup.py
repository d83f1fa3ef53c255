"""Explicit references answered by look-up: bills, ids, ballot numbers, pages of a plan; within the filters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from iris_assets.question.references import Reference
from iris_assets.retrieval.evidence import EvidenceBuilder, candidate_ref
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.records import bill_facts
from iris_assets.retrieval.reference_notices import (
    belongs_to,
    outside_filters,
    page_missing,
    page_without_candidate,
    pages_of_plan,
)
from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.store import Store
from iris_assets.store.records import BillRow, CandidateRow, ChunkRow
from iris_assets.store.search import SearchFilter
from iris_assets.words.offices import by_name
from iris_assets.words.source_kinds import CANDIDATE_RECORD, GOVERNMENT_PROPOSAL, PROPOSITION

SAME_NUMBER = 20  # candidates with one ballot number that are listed when asking which
RECORD_KINDS = frozenset({"bill", "camara_id", "page"})


@dataclass
class Found:
    """What the references of a question led to; `notices` say what was found and is no evidence, and whose it is."""

    evidences: list[Evidence] = field(default_factory=list)
    unknown: list[Reference] = field(default_factory=list)
    candidates: list[CandidateRef] = field(default_factory=list)
    ambiguous: list[CandidateRef] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    people: dict[Reference, CandidateRef] = field(default_factory=dict)  # whom each id or ballot number is
    people_outside: bool = False  # an id or ballot number led to a candidate whom the filters exclude

    def add(self, evidences: Iterable[Evidence]) -> None:
        """Evidences in order, each once: two references may lead to one passage."""
        known = {(evidence.key, evidence.page_start) for evidence in self.evidences}
        for evidence in evidences:
            if (evidence.key, evidence.page_start) not in known:
                known.add((evidence.key, evidence.page_start))
                self.evidences.append(evidence)


def within(candidate: CandidateRef, scope: SearchFilter) -> bool:
    """Whether a filter leaves a candidate (its source types do not apply)."""
    return (
        (not scope.candidate_ids or candidate.id in scope.candidate_ids)
        and (not scope.states or candidate.state in scope.states)
        and (not scope.parties or candidate.party in scope.parties)
        and (not scope.offices or candidate.office in scope.offices)
        and (not scope.years or candidate.year in scope.years)
    )


class ReferenceLookup:
    """Resolves references; what the filter `scope` excludes is no evidence, and a notice says that it exists."""

    def __init__(self, store: Store, builder: EvidenceBuilder, scope: SearchFilter) -> None:
        self._store, self._builder, self._scope = store, builder, scope

    def people(self, references: Sequence[Reference]) -> Found:
        """The candidates behind TSE ids and ballot numbers."""
        found = Found()
        for reference in references:
            if reference.kind not in ("tse_id", "ballot"):
                continue
            everyone = self._by_tse_id(reference) if reference.kind == "tse_id" else self._by_ballot(reference)
            matches = [candidate for candidate in everyone if within(candidate, self._scope)]
            if not everyone:
                found.unknown.append(reference)
            elif not matches:
                found.people_outside = True
                found.notices.append(outside_filters(reference.text, self._scope))
            elif len(matches) == 1:
                found.candidates += matches
                found.people[reference] = matches[0]
            else:
                found.ambiguous += matches[:SAME_NUMBER]
        return found

    def records(
        self, references: Sequence[Reference], people: Found, candidates: Sequence[CandidateRef], *, chosen: bool
    ) -> Found:
        """The bills and pages behind the references and, beside those, the registry entries of `people`; in order.

        `candidates` are named in the question, or `chosen` by the caller: then a bill of others is no evidence.
        What was told of the people is told here too.
        """
        found = Found(unknown=[*people.unknown], notices=[*people.notices], people_outside=people.people_outside)
        for reference in references:
            if reference.kind == "page":
                self._page(reference, candidates, found)
            elif reference.kind in RECORD_KINDS:
                self._bills(reference, candidates, chosen, found)
            elif reference in people.people and not self._scope.source_types:
                self._person(people.people[reference], candidates, chosen, found)
        if all(evidence.source_type == CANDIDATE_RECORD for evidence in found.evidences):
            found.evidences = []  # ids and numbers alone say whom the question is about
        return found

    def _person(self, person: CandidateRef, candidates: Sequence[CandidateRef], chosen: bool, found: Found) -> None:
        if not chosen or person.id in {candidate.id for candidate in candidates}:
            found.add([candidate_record(self._store, person)])

    def _by_tse_id(self, reference: Reference) -> list[CandidateRef]:
        years: tuple[int | None, ...] = (*self._scope.years, None)
        rows = (self._store.candidates.by_tse_id(reference.identifier, year) for year in years)
        row = next((row for row in rows if row is not None), None)
        return [] if row is None else [candidate_ref(row)]

    def _by_ballot(self, reference: Reference) -> list[CandidateRef]:
        """Who has the number in the elections of the filter, or else in the newest one where somebody has it."""
        states = (reference.state,) if reference.state else ()
        rows = self._store.candidates.list(offices=(reference.office,), states=states)
        same = [candidate_ref(row) for row in rows if row["candidate_number"] == reference.number]
        newest = max((row["election_year"] for row in rows), default=0)
        in_scope = [one for one in same if within(one, self._scope)]
        chosen = in_scope if self._scope.years else [one for one in in_scope if one.year == newest]
        return by_ballot_name(chosen or [one for one in same if one.year == newest])

    def _bills(self, reference: Reference, candidates: Sequence[CandidateRef], chosen: bool, found: Found) -> None:
        if reference.kind == "bill":
            bills = self._store.camara.bills_by_reference(reference.type, reference.number, reference.year)
        else:
            bill = self._store.camara.bill(int(reference.identifier))
            bills = [] if bill is None else [bill]
        if not bills:
            found.unknown.append(reference)
        wanted = {candidate.id for candidate in candidates}
        for bill in bills:
            owners = self._owners(bill)
            if not self._leaves(PROPOSITION, owners):
                found.notices.append(outside_filters(reference.text, self._scope))
                continue
            others = bool(wanted) and not wanted & {owner.id for owner in owners}
            if others:
                found.notices.append(belongs_to(reference.text, bill, owners, candidates))
            if not (others and chosen):
                found.add(self._bill(bill, owners))

    def _leaves(self, source_type: str, owners: Sequence[CandidateRef]) -> bool:
        """Whether the filter leaves a record: its type, and one of its candidates."""
        scope = self._scope
        if scope.source_types and source_type not in scope.source_types:
            return False
        by_people = scope.candidate_ids or scope.states or scope.parties or scope.offices or scope.years
        return not by_people or any(within(owner, scope) for owner in owners)

    def _owners(self, bill: BillRow) -> tuple[CandidateRef, ...]:
        links = self._store.links.of_source(PROPOSITION, str(bill["camara_id"]))
        owners = self._builder.candidates([link["candidate_id"] for link in links])
        return tuple(by_ballot_name(owners.values()))

    def _bill(self, bill: BillRow, owners: tuple[CandidateRef, ...]) -> list[Evidence]:
        rows = self._store.chunks.of_source(PROPOSITION, str(bill["camara_id"]))
        return self._builder.from_rows(rows[:2]) if rows else [bill_record(bill, owners)]

    def _page(self, reference: Reference, candidates: Sequence[CandidateRef], found: Found) -> None:
        if not candidates:
            found.notices.append(page_without_candidate(reference.text))
            return
        if not self._leaves(GOVERNMENT_PROPOSAL, candidates):
            found.notices.append(outside_filters(reference.text, self._scope))
            return
        missing = []
        for candidate in candidates:
            pages = self._pages_of(reference.number, candidate)
            found.add(pages)
            if not pages:
                missing.append(candidate)
        if len(missing) == len(candidates):
            found.unknown.append(reference)
        else:
            found.notices += [page_missing(reference.text, candidate) for candidate in missing]
        counts = ((one, self._page_count(one)) for one in missing)
        found.notices += [pages_of_plan(one, count) for one, count in counts if count]

    def _page_count(self, candidate: CandidateRef) -> int:
        """How many pages the longest plan of a candidate has."""
        return max((int(row["page_count"] or 0) for row in self._store.documents.of_candidate(candidate.id)), default=0)

    def _pages_of(self, number: int, candidate: CandidateRef) -> list[Evidence]:
        """The page, whole, of each plan of a candidate that has text on it."""
        rows: dict[str, list[ChunkRow]] = {}
        for row in self._store.chunks.of_candidate(candidate.id, (GOVERNMENT_PROPOSAL,)):
            rows.setdefault(row["source_id"], []).append(row)
        return [page for document, own in rows.items() for page in self._builder.page(document, number, own)]


def bill_record(bill: BillRow, candidates: tuple[CandidateRef, ...]) -> Evidence:
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


def _is_municipal(office: str) -> bool:
    known = by_name().get(office)
    return known is not None and known.municipal


def _on_ticket(row: CandidateRow) -> dict[str, str]:
    party = row["party"] or "sem partido registrado"
    return {"office": by_name()[row["office"]].label, "name": row["ballot_name"] or row["name"], "party": party}


def candidate_facts(store: Store, row: CandidateRow) -> dict[str, Any]:
    """What the registry says of a candidacy."""
    return {
        "tse_id": row["tse_id"],
        "name": row["name"],
        "ballot_name": row["ballot_name"],
        "party": row["party"],
        "office": row["office"],
        "state": row["state"],
        "town": row["electoral_unit_name"] if _is_municipal(row["office"]) else None,
        "number": row["candidate_number"],
        "ticket": [_on_ticket(other) for other in store.candidates.ticket(row)],
        "election_year": row["election_year"],
        "registration_status": row["registration_status"],
        "round_result": row["round_result"],
        "removed_at_source": row["removed_at_source"],
    }


def candidate_record(store: Store, candidate: CandidateRef) -> Evidence:
    """The registry entry of a candidate as evidence."""
    row = store.candidates.by_ids([candidate.id])[candidate.id]
    facts = candidate_facts(store, row)
    lines = (
        ("Nome", facts["name"]),
        ("Nome de urna", facts["ballot_name"]),
        ("Partido", facts["party"]),
        ("Cargo", facts["office"]),
        ("UF", facts["state"]),
        ("Município", facts["town"]),
        ("Número", facts["number"]),
        *((other["office"], f"{other['name']} ({other['party']}), na mesma chapa") for other in facts["ticket"]),
        ("Eleição", facts["election_year"]),
        ("Situação do registro", facts["registration_status"]),
        ("Resultado", facts["round_result"]),
        ("Retirada da fonte", "sim" if facts["removed_at_source"] else None),
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
        structured=facts,
        collected_at=row["source_collected_at"],
    )

"""Exact counts by SQL, as evidence that says that it is a count."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from iris_assets.indexing.analyzer import analyze
from iris_assets.retrieval.evidence import candidate_ref, neutral_order
from iris_assets.retrieval.references import BILL_TYPES
from iris_assets.retrieval.text import normalised, words
from iris_assets.retrieval.types import (
    COUNT_AGGREGATE,
    GOVERNMENT_PROPOSAL,
    POLITICAL_HISTORY,
    PROPOSITION,
    TOPIC_AGGREGATE,
    CandidateRef,
    CountRow,
    Evidence,
)
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter

TOPICS_SHOWN = 10
NOUNS = {
    "bills": ("proposição", "proposições"),
    "authors": ("autor", "autores"),
    "candidates": ("candidatura", "candidaturas"),
    "plans": ("plano de governo", "planos de governo"),
    "mandates": ("registro de mandato", "registros de mandato"),
    "topics": ("tema", "temas"),
}
TYPE_WORDS = {
    "PEC": r"PECS?|PROPOSTAS? DE EMENDAS?(?: A| CONSTITUCIONA(?:L|IS))",
    "PLP": r"PLPS?|PROJETOS? DE LEI COMPLEMENTAR",
    "PL": r"PLS?|PROJETOS? DE LEI(?! COMPLEMENTAR)",
    "PDL": r"PDLS?|PROJETOS? DE DECRETO LEGISLATIVO",
    "REQ": r"REQS?|REQUERIMENTOS?(?! DE INFORMAC)",
    "RIC": r"RICS?|REQUERIMENTOS? DE INFORMAC(?:AO|OES)",
    "INC": r"INCS?|INDICAC(?:AO|OES)",
    "MPV": r"MPVS?|MEDIDAS? PROVISORIAS?",
}


@dataclass(frozen=True, slots=True)
class Counted:
    """Exact rows and the evidence that shows them."""

    rows: tuple[CountRow, ...]
    evidences: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class BillWish:
    """Which bills are counted: of these types, years and topic (empty: all)."""

    types: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    topic: str | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.types or self.years or self.topic)


class Counter:
    """Counts over one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def topics(self, scope: SearchFilter, candidates: Sequence[CandidateRef], limit: int) -> Counted:
        """Bills per topic: of the candidate(s), or grouped by candidate (by ballot name, at most `limit` of them)."""
        if len(candidates) == 1:
            rows = self._store.camara.topic_counts([candidates[0].id])
            return _topic_counts([(candidates[0], rows)]) if rows else self._without_topics(candidates[0])
        by_candidate: dict[int, list[dict[str, Any]]] = {}
        for row in self._store.camara.topic_counts_by_candidate(scope):
            by_candidate.setdefault(row["candidate_id"], []).append(row)
        known = self._store.candidates.by_ids(by_candidate)
        groups = [(candidate_ref(known[id_]), rows) for id_, rows in by_candidate.items()]
        return _topic_counts(sorted(groups, key=lambda group: neutral_order(group[0]))[:limit])

    def _without_topics(self, candidate: CandidateRef) -> Counted:
        """Bills that carry no topic are a fact about the records, told apart from having no bill."""
        count = self._store.camara.proposition_count(SearchFilter(candidate_ids=(candidate.id,)))
        if count == 0:
            return Counted((), ())
        name = candidate.ballot_name or candidate.name
        text = f"Contagem exata: {count} {_noun('bills', count)} de {name}, sem tema registrado pela Câmara."
        details = {"topics": [], "count": count, "exact": True}
        title = f"Temas das proposições de {name}"
        return Counted((), (_aggregate(TOPIC_AGGREGATE, candidate.tse_id, title, text, details, (candidate,)),))

    def number(self, noun: str, wish: BillWish, scope: SearchFilter, candidates: Sequence[CandidateRef]) -> Counted:
        """How many of what `noun` names, with the same filters; one row per named candidate."""
        groups: list[tuple[CandidateRef | None, SearchFilter]] = [
            (candidate, replace(scope, candidate_ids=(candidate.id,))) for candidate in candidates
        ] or [(None, scope)]
        rows = []
        for candidate, restriction in groups:
            count = self._count(noun, wish, restriction)
            rows.append(CountRow(_noun(noun, 2), count, candidate))
        return Counted(tuple(rows), tuple(_count_evidence(row, noun, wish, scope) for row in rows))

    def authors_of(self, evidences: Sequence[Evidence]) -> list[Evidence]:
        """The exact number of stored authors of each looked-up bill."""
        bills = {e.source_id: e for e in reversed(evidences) if e.source_type == PROPOSITION}
        found = []
        for source_id, evidence in reversed(bills.items()):
            count = self._store.camara.bill_author_count(int(source_id))
            text = f"Contagem exata nos registros indexados: {count} {_noun('authors', count)} de {evidence.title}."
            details = {"count": count, "counted": "authors", "exact": True}
            title = f"Contagem de autores de {evidence.title}"
            found.append(_aggregate(COUNT_AGGREGATE, source_id, title, text, details, evidence.candidates))
        return found

    def known_wish(self, question: str, topic: str, noun: str, scope: SearchFilter) -> BillWish | None:
        """Types, years and topic of a bill count; None when the question restricts by what no table holds."""
        if noun != "bills":
            return BillWish()
        text = normalised(question)
        types = tuple(kind for kind, pattern in TYPE_WORDS.items() if re.search(rf"\b(?:{pattern})\b", text))
        if types == ("PL",) and re.search(r"\bPROJETOS? DE LEI\b", text) is None and not re.search(r"\bPLS?\b", text):
            types = ()
        years = tuple(int(year) for year in re.findall(r"\b(?:EM|DE|NO ANO DE) ((?:19|20)\d{2})\b", text))
        left = [word for word in words(topic) if word not in COUNT_WORDS and not word.isdigit()]
        left = [word for word in left if word not in BILL_TYPES and word.rstrip("S") not in BILL_TYPES]
        left = [word for word in left if not any(re.fullmatch(rf"(?:{p})", word) for p in TYPE_WORDS.values())]
        if not analyze(" ".join(left)):
            return BillWish(types, years)
        name = self._topic_name(left, scope)
        return None if name is None else BillWish(types, years, name)

    def _topic_name(self, left: Sequence[str], scope: SearchFilter) -> str | None:
        """The one topic of the Câmara's list whose name holds all remaining words."""
        wanted = set(analyze(" ".join(left)))
        names = [row["name"] for row in self._store.camara.topic_counts(None, replace(scope, source_types=()))]
        fitting = [name for name in names if wanted <= set(analyze(name))]
        exact = [name for name in fitting if wanted == set(analyze(name))]
        chosen = exact or fitting
        return chosen[0] if len(chosen) == 1 else None

    def _count(self, noun: str, wish: BillWish, scope: SearchFilter) -> int:
        camara = self._store.camara
        if noun == "candidates":
            return self._store.candidates.count(scope)
        if noun == "plans":
            return camara.source_count(GOVERNMENT_PROPOSAL, scope)
        if noun == "mandates":
            return camara.source_count(POLITICAL_HISTORY, scope)
        if noun == "authors":
            return len(camara.author_counts(None, scope))
        if noun == "topics":
            return len(camara.topic_counts(None, scope))
        if wish.is_empty:
            return camara.proposition_count(scope)
        return camara.proposition_count(scope, types=wish.types, years=wish.years, topic=wish.topic)


COUNT_WORDS = frozenset(
    (
        "LEI", "LEIS", "LEGISLATIVO", "DECRETO", "EMENDA", "EMENDAS", "CONSTITUICAO", "COMPLEMENTAR", "INFORMACAO",
        "REQUERIMENTO", "REQUERIMENTOS", "INDICACAO", "INDICACOES", "MEDIDA", "PROVISORIA", "SOBRE", "AREA", "ANO",
        "ASSINOU", "ASSINADOS", "SAO", "FORAM", "ESTAO", "BASE", "PLANO", "GOVERNO", "DEPUTADO", "FEDERAL",
    )
)  # fmt: skip


def _noun(noun: str, count: int) -> str:
    return NOUNS[noun][count != 1]


def _topic_counts(groups: Sequence[tuple[CandidateRef, Sequence[Mapping[str, Any]]]]) -> Counted:
    rows, evidences = [], []
    for candidate, counted in groups:
        own = [CountRow(row["name"], row["count"], candidate) for row in counted]
        rows += own
        if own:
            evidences.append(_topic_evidence(candidate, own))
    return Counted(tuple(rows), tuple(evidences))


def _topic_evidence(candidate: CandidateRef, rows: Sequence[CountRow]) -> Evidence:
    shown = "; ".join(f"{row.name}: {row.count}" for row in rows[:TOPICS_SHOWN])
    name = candidate.ballot_name or candidate.name
    text = f"Contagem exata das proposições de {name} por tema (uma proposição pode ter vários temas): {shown}."
    return _aggregate(
        TOPIC_AGGREGATE,
        candidate.tse_id,
        f"Temas das proposições de {name}",
        text,
        {"topics": [{"name": row.name, "count": row.count} for row in rows], "exact": True},
        (candidate,),
    )


def _count_evidence(row: CountRow, noun: str, wish: BillWish, scope: SearchFilter) -> Evidence:
    people = f" de {row.candidate.ballot_name or row.candidate.name}" if row.candidate else ""
    limits = _limits(wish, scope)
    text = f"Contagem exata nos registros indexados: {row.count} {_noun(noun, row.count)}{people}{limits}."
    details = {"count": row.count, "counted": noun, "exact": True, "topic": wish.topic, "types": list(wish.types)}
    details |= {"years": list(wish.years), "states": list(scope.states), "parties": list(scope.parties)}
    owners = (row.candidate,) if row.candidate else ()
    source_id = row.candidate.tse_id if row.candidate else noun
    return _aggregate(COUNT_AGGREGATE, source_id, f"Contagem de {_noun(noun, 2)}{people}", text, details, owners)


def _limits(wish: BillWish, scope: SearchFilter) -> str:
    parts = (
        ("tipo", ", ".join(wish.types)),
        ("ano", ", ".join(map(str, wish.years))),
        ("tema", wish.topic or ""),
        ("cargo", ", ".join(scope.offices)),
        ("partido", ", ".join(scope.parties)),
        ("UF", ", ".join(scope.states)),
        ("eleição", ", ".join(map(str, scope.years))),
    )
    shown = "; ".join(f"{name}: {value}" for name, value in parts if value)
    return f" ({shown})" if shown else ""


def _aggregate(
    kind: str, source_id: str, title: str, text: str, details: dict[str, Any], owners: tuple[CandidateRef, ...]
) -> Evidence:
    return Evidence(
        evidence_id="",
        source_type=kind,
        source_id=source_id,
        chunk_index=0,
        title=title,
        content=text,
        context=text,
        candidates=owners,
        structured=details,
    )

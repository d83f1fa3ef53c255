"""One question on its way from reading to evidence: holds what the steps share, so that each step stays small."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from iris_assets.indexing.analyzer import AnalyzedQuestion, analyze_query
from iris_assets.retrieval.counting import Counter
from iris_assets.retrieval.coverage import sampled
from iris_assets.retrieval.each_candidate import looked_up
from iris_assets.retrieval.evidence import EvidenceBuilder, Passage, neutral_order, numbered
from iris_assets.retrieval.floors import Floors, above, holding
from iris_assets.retrieval.lookup import Found, candidate_record
from iris_assets.retrieval.names import NameIndex
from iris_assets.retrieval.planner import DISCOVERY_FETCH, PER_CANDIDATE, SELECTED_LIMIT, Reading, topic_terms
from iris_assets.retrieval.quotas import ORDER_NOTICE, candidates_of, in_neutral_order, limited
from iris_assets.retrieval.ranking import Ranker
from iris_assets.retrieval.scope import narrowed
from iris_assets.retrieval.types import (
    PROPOSITION,
    CandidateRef,
    Evidence,
    Mode,
    Plan,
    Retrieval,
)
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter

OTHER_CANDIDATE = "A pergunta cita {names}, mas a consulta está restrita a {selected}."
UNKNOWN_REFERENCE = "{reference}: não encontrado nos registros indexados."
NEWS_NOTICE = "Notícias não são fontes oficiais."
NO_EXACT_COUNT_NOTICE = (
    "Não há contagem exata para este recorte (só por tema da Câmara, tipo, ano, autoria, partido e UF): as proposições "
    "mostradas são as mais próximas da pergunta, não o total."
)
LOOKUP_NOTICE = (
    "Uma evidência por candidatura. “O plano não trata do tema” quer dizer que nada foi encontrado acima do limite de "
    "relevância no texto indexado; “sem plano registrado” quer dizer que nenhum plano foi coletado."
)


@dataclass
class Session:
    """A question being answered. `candidates` are the selected or named ones; nobody else's evidence survives."""

    store: Store
    ranker: Ranker
    builder: EvidenceBuilder
    floors: Floors
    index: NameIndex
    reading: Reading
    plan: Plan
    scope: SearchFilter
    candidates: tuple[CandidateRef, ...]
    mode: Mode
    page: int = 1
    selected: CandidateRef | None = None
    analyze: Callable[[str], AnalyzedQuestion] = analyze_query
    notices: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    vectors_used: bool = False

    def answer(self, found: Found) -> Retrieval:
        """Run the plan; `found` is what the references of the question led to."""
        self.notices += [UNKNOWN_REFERENCE.format(reference=reference.text) for reference in found.unknown]
        self.plan = replace(self.plan, unknown_references=tuple(reference.text for reference in found.unknown))
        if found.evidences:
            return self._looked_up(found)
        steps = {
            "document_coverage": self._coverage,
            "structured_count": self._count,
            "candidate_lookup": self._each_candidate,
        }
        return steps.get(self.plan.strategy, self._hybrid)()

    def _looked_up(self, found: Found) -> Retrieval:
        evidences = list(found.evidences)
        if self.plan.reason == "authors" and self.plan.strategy == "structured_count":
            evidences += Counter(self.store).authors_of(evidences)
        self.plan = replace(self.plan, strategy="reference_lookup", intent="reference")
        return self._result(evidences)

    def _coverage(self) -> Retrieval:
        return self._result(self._sampled(self.candidates[0]))

    def _sampled(self, candidate: CandidateRef) -> list[Evidence]:
        """Even samples of all that the candidate has of these types: a question without a topic asks for all of it."""
        with self._timed("coverage"):
            rows = self.store.chunks.of_candidate(candidate.id, self.plan.source_types)
            return self.builder.from_rows(sampled(rows, self.plan.limit))

    def _count(self) -> Retrieval:
        counter = Counter(self.store)
        question = self.reading.question
        scope = self.scope if self.candidates else narrowed(question, self.scope, self.index.parties)
        if self.plan.intent == "topics":
            counted = counter.topics(scope, self.candidates, self.plan.limit)
        else:
            wish = counter.known_wish(question, self.reading.topic, self.plan.reason, scope)
            if wish is None:
                self.plan = replace(self.plan, strategy="hybrid", intent="bills", source_types=(PROPOSITION,))
                self.notices.append(NO_EXACT_COUNT_NOTICE)
                return self._hybrid()
            counted = counter.number(self.plan.reason, wish, scope, self.candidates)
        if len(counted.evidences) > 1:
            self.notices.append(ORDER_NOTICE)
        return replace(self._result(counted.evidences), counts=counted.rows)

    def _each_candidate(self) -> Retrieval:
        scope = narrowed(self.reading.question, self.scope, self.index.parties)
        lookup = looked_up(self.store, self.reading.topic, scope, self.page, self._best_of_plan)
        evidences = numbered(entry.evidence for entry in lookup.entries if entry.evidence)
        by_key = {evidence.key: evidence for evidence in evidences}
        entries = tuple(
            replace(entry, evidence=by_key[entry.evidence.key]) if entry.evidence else entry for entry in lookup.entries
        )
        self.notices += [ORDER_NOTICE, LOOKUP_NOTICE]
        return replace(self._result(evidences), lookup=replace(lookup, entries=entries))

    def _best_of_plan(self, candidate: CandidateRef) -> Evidence | None:
        scope = replace(self.scope, candidate_ids=(candidate.id,), source_types=self.plan.source_types)
        evidences = self._ranked(scope, 1)
        return evidences[0] if evidences else None

    def _hybrid(self) -> Retrieval:
        restriction = replace(self.scope, source_types=self.plan.source_types)
        if len(self.candidates) > 1:
            return self._result(self._compared(restriction))
        if self.candidates and not self.analyze(self.reading.topic).terms:
            return self._result(self._sampled(self.candidates[0]))
        if self.candidates:
            restriction = replace(restriction, candidate_ids=(self.candidates[0].id,))
            return self._result(self._ranked(restriction, self.plan.limit))
        found = limited(self._found(restriction, DISCOVERY_FETCH), PER_CANDIDATE, self.plan.limit)
        evidences = self._evidences(found)
        if len(candidates_of(evidences)) > 1:
            evidences = in_neutral_order(evidences)
            self.notices.append(ORDER_NOTICE)
        return self._result(evidences)

    def _compared(self, restriction: SearchFilter) -> list[Evidence]:
        """The same number of places for each named candidate, by ballot name."""
        quota = max(2, SELECTED_LIMIT // len(self.candidates))
        found: dict[tuple[str, str, int], Evidence] = {}
        for candidate in sorted(self.candidates, key=neutral_order):
            for evidence in self._ranked(replace(restriction, candidate_ids=(candidate.id,)), quota):
                found.setdefault(evidence.key, evidence)
        self.notices.append(ORDER_NOTICE)
        return list(found.values())

    def _ranked(self, restriction: SearchFilter, wanted: int) -> list[Evidence]:
        """Evidence above the floors that holds what the question names, best first."""
        return self._evidences(self._found(restriction, wanted))

    def _evidences(self, passages: Sequence[Passage]) -> list[Evidence]:
        with self._timed("context"):
            return self.builder.from_passages(passages, self._question().words)

    def _found(self, restriction: SearchFilter, wanted: int) -> list[Passage]:
        question = self._question()
        text = self.reading.question if self.analyze(self.reading.topic).terms else topic_terms(self.reading)
        ranking = self.ranker.rank(text, question, restriction, self.mode, wanted)
        self._note(ranking.notices, ranking.timings, ranking.vectors_used)
        with self._timed("context"):
            passages = self.builder.passages(above(ranking.hits, self.floors))
            return holding(self.store, passages, self._entities())[:wanted]

    def _question(self) -> AnalyzedQuestion:
        """The terms of the topic, and what the question puts in quotes (the topic has no quotes any more)."""
        question = self.analyze(topic_terms(self.reading))
        return replace(question, phrases=self.analyze(self.reading.question).phrases)

    def _entities(self) -> list[tuple[str, ...]]:
        entities = list(self.reading.named.entities)
        chosen = {candidate.id for candidate in self.candidates}
        for candidate in self.reading.named.candidates:
            if candidate.id not in chosen:
                entities.append(tuple((candidate.ballot_name or candidate.name).split()))
        return entities

    def _note(self, notices: Sequence[str], timings: dict[str, float], vectors_used: bool) -> None:
        self.notices += [notice for notice in notices if notice not in self.notices]
        self.vectors_used = self.vectors_used or vectors_used
        for name, seconds in timings.items():
            self.timings[name] = self.timings.get(name, 0.0) + seconds

    def _result(self, evidences: Sequence[Evidence]) -> Retrieval:
        candidate = self.selected or (self.candidates[0] if len(self.candidates) == 1 else None)
        return Retrieval(
            plan=self.plan,
            evidences=numbered(evidences),
            notices=tuple(dict.fromkeys(self.notices)),
            timings=self.timings,
            candidate=candidate,
            intent=self.plan.intent,
            vectors_used=self.vectors_used,
        )

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.timings[step] = self.timings.get(step, 0.0) + time.perf_counter() - started


def profile(store: Store, people: Sequence[CandidateRef]) -> list[Evidence]:
    """Registry entries of candidates, by ballot name."""
    return [candidate_record(store, candidate) for candidate in sorted(people, key=neutral_order)]

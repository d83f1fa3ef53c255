"""One question on its way from reading to evidence: holds what the steps share, so that each step stays small."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from iris_assets.indexing.analyzer import AnalyzedQuestion, analyze_query
from iris_assets.question.name_index import NameIndex
from iris_assets.question.names import UNKNOWN_NAME
from iris_assets.question.planner import DISCOVERY_FETCH, PER_CANDIDATE, SELECTED_LIMIT, Reading, topic_terms
from iris_assets.question.question_words import PARTICLES
from iris_assets.retrieval.absence import absences
from iris_assets.retrieval.counting import NO_EXACT_COUNT_NOTICE, Counter, has_passages, nearest
from iris_assets.retrieval.coverage import sampled
from iris_assets.retrieval.each_candidate import NO_TOPIC_NOTICE, looked_up, nobody_in, scope_of
from iris_assets.retrieval.evidence import EvidenceBuilder, Passage, numbered
from iris_assets.retrieval.excerpts import held, nearest_of_each
from iris_assets.retrieval.listing import REGISTRY_LIST, Listing
from iris_assets.retrieval.lookup import RECORD_KINDS, Found, candidate_record
from iris_assets.retrieval.narrowing import Narrowed, listed, narrow, narrow_to_places
from iris_assets.retrieval.order import ORDER_NOTICE, by_ballot_name, in_neutral_order, several_candidates
from iris_assets.retrieval.quotas import MOST_CANDIDATES, in_rounds
from iris_assets.retrieval.ranking import Ranker
from iris_assets.retrieval.reference_notices import unknown
from iris_assets.retrieval.thresholds import Thresholds, above, holding, outside_names
from iris_assets.retrieval.types import CandidateRef, Evidence, LookupEntry, Mode, Plan, Retrieval
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL
from iris_assets.words.text import words

READ_OF_EACH = 4  # chunks of a plan among which a look-up chooses its one excerpt
OTHER_CANDIDATE = "A pergunta cita {names}, mas a consulta está restrita a {selected}."
NEWS_NOTICE = "Notícias não são fontes oficiais."
LOOKUP_NOTICE = (
    "Uma evidência por candidatura. “O plano não trata do tema” quer dizer que as palavras do tema não estão no texto "
    "indexado do plano; “sem plano registrado” quer dizer que o arquivo da Justiça Eleitoral não traz plano desta "
    "candidatura."
)


@dataclass
class Session:
    """A question being answered. `candidates` are the selected or named ones; nobody else's evidence survives."""

    store: Store
    ranker: Ranker
    builder: EvidenceBuilder
    thresholds: Thresholds
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
    absent: tuple[LookupEntry, ...] = ()

    def __post_init__(self) -> None:
        self.builder.about = {candidate.id for candidate in self.candidates}

    def answer(self, found: Found) -> Retrieval:
        """Run the plan; `found` is what the references of the question led to."""
        self.notices += unknown([reference.text for reference in found.unknown])
        self.notices += found.notices
        self.notices += [UNKNOWN_NAME.format(name=name) for name in self.reading.named.unknown]
        self.plan = replace(self.plan, unknown_references=tuple(reference.text for reference in found.unknown))
        if found.evidences:
            return self._looked_up(found)
        if self._asks_references_only() or (found.people_outside and not self.candidates):
            return self._result(())
        steps = {
            "document_coverage": self._coverage,
            "structured_count": self._count,
            "candidate_lookup": self._each_candidate,
        }
        return steps.get(self.plan.strategy, self._hybrid)()

    def listed(self, listing: Listing) -> Retrieval:
        """The registry entries of a list of candidatures; where there are none nothing else is searched."""
        self.notices += [*listing.notices, *([ORDER_NOTICE] if len(listing.people) > 1 else [])]
        self.plan = replace(self.plan, reason=REGISTRY_LIST)
        return self._looked_up(Found(profile(self.store, listing.people)))

    def _looked_up(self, found: Found) -> Retrieval:
        evidences = list(found.evidences)
        if self.plan.reason == "authors" and self.plan.strategy == "structured_count":
            evidences += Counter(self.store).authors_of(evidences)
        self.plan = replace(self.plan, strategy="reference_lookup", intent="reference")
        asked = {candidate.id for candidate in self.candidates}
        strangers = any(asked.isdisjoint(one.id for one in evidence.candidates) for evidence in evidences)
        result = self._result(evidences)
        return replace(result, candidate=None) if strangers else result  # a record of others answers for nobody

    def _asks_references_only(self) -> bool:
        """Whether bills or pages without evidence are all that is asked: other passages would answer something else."""
        kinds = {reference.kind for reference in self.reading.references.references}
        about = self.plan.strategy in ("hybrid", "document_coverage")
        return about and bool(kinds & RECORD_KINDS) and not self.analyze(self.reading.topic).terms

    def _coverage(self) -> Retrieval:
        return self._result(self._sampled(self.candidates[0]))

    def _sampled(self, candidate: CandidateRef) -> list[Evidence]:
        """Even samples of all that the candidate has of these types: a question without a topic asks for all of it."""
        with self._timed("coverage"):
            rows = self.store.chunks.of_candidate(candidate.id, self.plan.source_types)
            return self.builder.from_rows(sampled(rows, self.plan.limit))

    def _count(self) -> Retrieval:
        counter, noun = Counter(self.store), self.plan.reason if self.plan.intent == "count" else "topics"
        wish = counter.wish(self.reading, noun, self.scope, self.index, self.candidates)
        if wish is None:
            return self._uncounted(noun)
        if self.plan.intent == "topics":
            counted = counter.topics(wish, self.candidates, self.plan.limit)
        else:
            counted = counter.number(wish, self.candidates)
        self.notices += [*counted.notices, *([ORDER_NOTICE] if len(counted.evidences) > 1 else [])]
        return replace(self._result(counted.evidences), counts=counted.rows)

    def _uncounted(self, noun: str) -> Retrieval:
        """No number: what comes nearest to the question, or nothing where no passage can be near to it."""
        types, intent = nearest(noun)
        self.plan = replace(self.plan, strategy="hybrid", intent=intent, source_types=types)
        self.notices.append(NO_EXACT_COUNT_NOTICE)
        is_near = has_passages(self.reading.question, noun) and bool(self.analyze(self.reading.topic).terms)
        return self._hybrid() if is_near else self._result(())

    def _each_candidate(self) -> Retrieval:
        scope = scope_of(self.reading.scope, self.scope, self.index.parties)
        topic = self.reading.topic if self.analyze(self.reading.topic).terms else ""
        best_of = self._best_of_plan if topic else self._opening_of_plan
        lookup = looked_up(self.store, topic, scope, self.page, best_of)
        if not lookup.total:
            self.notices.append(nobody_in(scope))
            return self._result(())
        evidences = numbered(entry.evidence for entry in lookup.entries if entry.evidence)
        by_key = {evidence.key: evidence for evidence in evidences}
        entries = tuple(
            replace(entry, evidence=by_key[entry.evidence.key]) if entry.evidence else entry for entry in lookup.entries
        )
        self.notices += [ORDER_NOTICE, LOOKUP_NOTICE if topic else NO_TOPIC_NOTICE]
        return replace(self._result(evidences), lookup=replace(lookup, entries=entries))

    def _opening_of_plan(self, candidate: CandidateRef) -> Evidence | None:
        rows = self.store.chunks.of_candidate(candidate.id, self.plan.source_types)[:1]
        return next(iter(self.builder.from_rows(rows)), None)

    def _best_of_plan(self, candidate: CandidateRef) -> Evidence | None:
        scope = replace(self.scope, candidate_ids=(candidate.id,), source_types=self.plan.source_types)
        question, self.builder.about = self._question(), {candidate.id}
        return max(self._ranked(scope, READ_OF_EACH), key=lambda one: held(one.quote, question), default=None)

    def _hybrid(self) -> Retrieval:
        narrowed = None if self.candidates else narrow(self.reading, self.scope, self.index.parties)
        if narrowed:
            self._within(narrowed)
        restriction = replace(self.scope, source_types=self.plan.source_types)
        if len(self.candidates) > 1:
            return self._result(self._compared(restriction))
        if self.candidates and not self.analyze(self.reading.topic).terms:
            return self._result(self._said(self.candidates[0], self.plan.limit))
        if self.candidates:
            evidences = self._ranked(replace(restriction, candidate_ids=(self.candidates[0].id,)), self.plan.limit)
            if GOVERNMENT_PROPOSAL in self.plan.source_types:
                self.absent = absences(self.store, self.candidates, evidences)
            return self._result(evidences)
        all_of_them = narrowed and not self.analyze(self.reading.topic).terms
        evidences = self._listed(restriction) if all_of_them else self._discovered(restriction)
        if several_candidates(evidences):
            evidences = in_neutral_order(evidences)
            self.notices.append(ORDER_NOTICE)
        return self._result(evidences)

    def _discovered(self, restriction: SearchFilter) -> list[Evidence]:
        """Evidence of anybody; where no text holds the place that is asked about, of the candidates of that place."""
        if plan_owners := self._plan_owners(restriction):
            return self._of_everybody(restriction, plan_owners)
        evidences = self._best(restriction)
        placed = None if evidences else narrow_to_places(self.reading, self.scope)
        if placed is None:
            return evidences
        before = self.reading, self.scope, list(self.notices)
        self._within(placed)
        restriction = replace(restriction, states=self.scope.states)
        if self.analyze(self.reading.topic).terms:
            evidences = self._best(restriction)
        elif self.plan.intent != "general" and "SOBRE" not in words(self.reading.question):
            evidences = self._listed(restriction)
        if not evidences:
            self.reading, self.scope, self.notices = before
        return evidences

    def _plan_owners(self, restriction: SearchFilter) -> list[CandidateRef]:
        """The candidates with a plan, where plans are asked for and an answer has room for each of them."""
        if self.plan.intent != "plan" or not self.analyze(self.reading.topic).terms:
            return []
        ids = self.store.links.owners((GOVERNMENT_PROPOSAL,), replace(restriction, source_types=()))
        return by_ballot_name(self.builder.candidates(ids).values()) if 1 < len(ids) <= MOST_CANDIDATES else []

    def _of_everybody(self, restriction: SearchFilter, people: Sequence[CandidateRef]) -> list[Evidence]:
        """Evidence of each candidate's plan; who has none is named with the reason."""
        evidences = self._of_each(restriction, people, PER_CANDIDATE, self.plan.limit)
        self.absent = absences(self.store, people, evidences)
        return evidences

    def _of_each(
        self, restriction: SearchFilter, people: Sequence[CandidateRef], quota: int, total: int
    ) -> list[Evidence]:
        found = [
            passage
            for one in people
            for passage in self._found(replace(restriction, candidate_ids=(one.id,)), 2 * quota)
        ]
        different = list({passage.hit.chunk_id: passage for passage in found}.values())
        return in_rounds(self._evidences(different), quota, total, {one.id for one in people})

    def _best(self, restriction: SearchFilter) -> list[Evidence]:
        found = in_rounds(self._found(restriction, 3 * DISCOVERY_FETCH), 2 * PER_CANDIDATE, DISCOVERY_FETCH)
        return in_rounds(self._evidences(found), PER_CANDIDATE, self.plan.limit)

    def _listed(self, restriction: SearchFilter) -> list[Evidence]:
        evidences, notices = listed(self.store, self.builder, restriction, self.plan.limit)
        self.notices += notices
        return evidences

    def _within(self, narrowed: Narrowed) -> None:
        self.reading, self.scope = narrowed.reading, narrowed.scope
        self.notices.append(narrowed.notice)

    def _compared(self, restriction: SearchFilter) -> list[Evidence]:
        """The same number of places for each named candidate, by ballot name; who has no evidence is named."""
        quota = max(2, SELECTED_LIMIT // len(self.candidates))
        people = by_ballot_name(self.candidates)
        if self.analyze(self.reading.topic).terms:
            evidences = self._of_each(restriction, people, quota, quota * len(people))
        else:
            said = [evidence for one in people for evidence in self._said(one, quota)]
            evidences = list({evidence.key: evidence for evidence in said}.values())
        self.absent = absences(self.store, people, evidences)
        self.notices.append(ORDER_NOTICE)
        return evidences

    def _said(self, candidate: CandidateRef, limit: int) -> list[Evidence]:
        """Even samples for a question without a topic: of the plan where there is one and no other kind is asked for."""
        with self._timed("coverage"):
            rows = self.store.chunks.of_candidate(candidate.id, self.plan.source_types)
            if self.plan.intent == "general":
                rows = [row for row in rows if row["source_type"] == GOVERNMENT_PROPOSAL] or rows
            return self.builder.from_rows(sampled(rows, limit))

    def _ranked(self, restriction: SearchFilter, wanted: int) -> list[Evidence]:
        """Evidence above the thresholds that holds what the question names, best first."""
        return self._evidences(self._found(restriction, wanted))

    def _evidences(self, passages: Sequence[Passage]) -> list[Evidence]:
        with self._timed("context"):
            question = self._question()
            evidences = outside_names(self.builder.from_passages(passages, question), self.reading.named.places)
            return nearest_of_each([one for one in evidences if one.quote or not one.source], question)

    def _found(self, restriction: SearchFilter, wanted: int) -> list[Passage]:
        question = self._question()
        whole = self.analyze(self.reading.topic).terms and self.plan.strategy != "candidate_lookup"
        text = self.reading.question if whole else topic_terms(self.reading)
        ranking = self.ranker.rank(text, question, restriction, self.mode, wanted)
        self._note(ranking.notices, ranking.timings, ranking.vectors_used)
        with self._timed("context"):
            passages = self.builder.passages(above(ranking.hits, self.thresholds, len(question.terms)))
            return holding(self.store, passages, self._entities())[:wanted]

    def _question(self) -> AnalyzedQuestion:
        """The terms of the topic, and what the question puts in quotes (the topic has no quotes any more)."""
        question = self.analyze(topic_terms(self.reading))
        return replace(question, phrases=self.analyze(self.reading.question).phrases)

    def _entities(self) -> list[tuple[str, ...]]:
        told = set(words(self.reading.scope)) | PARTICLES  # whose records are meant is no part of what they say
        entities = [entity for entity in self.reading.named.entities if not set(entity) <= told]
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
            absent=self.absent,
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
    return [candidate_record(store, candidate) for candidate in by_ballot_name(people)]

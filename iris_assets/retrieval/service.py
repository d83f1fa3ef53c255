"""Search and retrieval over one store: what the command line, the HTTP API, the answers and the evaluation share."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import get_args

from iris_assets.errors import NotFoundError, UsageError
from iris_assets.indexing.analyzer import AnalyzedQuestion, analyze_query
from iris_assets.indexing.normalise import normalise_text
from iris_assets.question.filter_values import as_stored
from iris_assets.question.filter_values import source_type as known_source_type
from iris_assets.question.following import follow, is_follow_up
from iris_assets.question.groups import grouped
from iris_assets.question.name_index import CandidateNames, NameIndex
from iris_assets.question.parsed import ParsedQuery
from iris_assets.question.people import People
from iris_assets.question.reader import Reader
from iris_assets.question.refusal import REFUSAL_TEXT
from iris_assets.question.second_reading import Model
from iris_assets.question.tokens import asking_sentence
from iris_assets.retrieval.evidence import EvidenceBuilder, candidate_ref, numbered
from iris_assets.retrieval.listing import listing
from iris_assets.retrieval.lookup import Found, ReferenceLookup, within
from iris_assets.retrieval.narrowing import of_group
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.planning import plan_of
from iris_assets.retrieval.ranking import QueryEmbedder, Ranker
from iris_assets.retrieval.reference_notices import left_out, outside_filters
from iris_assets.retrieval.registry import FEW, also_named, asks_who_is_who, first_said
from iris_assets.retrieval.session import NEWS_NOTICE, OTHER_CANDIDATE, Session, profile
from iris_assets.retrieval.thresholds import Thresholds, stored_thresholds
from iris_assets.retrieval.types import CandidateRef, Evidence, Mode, Plan, Retrieval, SearchResponse, Turn
from iris_assets.settings import Settings
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.store.tables.candidates import Standing
from iris_assets.store.tables.counts import BillsAsked
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import NEWS_ARTICLE, OFFICIAL_TYPES

MODES: tuple[Mode, ...] = get_args(Mode)
MAX_QUESTION = 4000
WHICH_CANDIDATE = notice("WHICH_CANDIDATE")


class RetrievalService:
    """One service per process and store; safe to share between threads.

    Without `embedder` (or without vectors of the configured model) words alone answer, and a notice says so.
    `second_reader` is the language model that reads questions of which the trained reader is unsure.
    `analyze` is how questions are read; another than the one that wrote the index is for ablations.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        embedder: QueryEmbedder | None = None,
        *,
        second_reader: Model | None = None,
        analyze: Callable[[str], AnalyzedQuestion] = analyze_query,
    ) -> None:
        self._store, self._settings, self._analyze = store, settings, analyze
        self._ranker = Ranker(store, settings, embedder)
        self._names, self._second_reader = CandidateNames(store), second_reader

    def search(
        self,
        query: str,
        *,
        candidate: str | None = None,
        source_type: str | None = None,
        filters: SearchFilter | None = None,
        mode: str = "hybrid",
        top_k: int = 8,
    ) -> SearchResponse:
        """Ranked passages. `candidate` is a TSE id.

        Raises UsageError QUERY_EMPTY, MODE_UNKNOWN, SOURCE_TYPE_UNKNOWN, VECTORS_ABSENT (mode vector without vectors),
        what `as_stored` raises, and NotFoundError CANDIDATE_NOT_FOUND.
        """
        chosen, query = known_mode(mode), normalise_text(query)
        if not query.strip():
            raise UsageError("QUERY_EMPTY", "the query is empty", hint="write what to search for")
        if chosen == "vector" and not self._ranker.has_vectors():
            raise UsageError("VECTORS_ABSENT", "no vectors are stored", hint="use the mode lexical or hybrid")
        restriction = self._restriction(_plain(filters), self.candidate(candidate), source_type)
        question = self._analyze(query)
        ranking = self._ranker.rank(query, question, restriction, chosen, top_k)
        started = time.perf_counter()
        builder = EvidenceBuilder(self._store, self._settings.context_window)
        evidences = builder.from_passages(builder.passages(ranking.hits[:top_k]), question)
        timings = {**ranking.timings, "context": time.perf_counter() - started}
        return SearchResponse(numbered(evidences), chosen, tuple(ranking.notices), timings, chosen)

    def ranked_sources(self, query: str, *, mode: str = "hybrid", wanted: int = 100) -> list[tuple[str, str]]:
        """(source type, source id) of the best chunks, best first, without reading what evidences show."""
        restriction, query = SearchFilter(source_types=OFFICIAL_TYPES), normalise_text(query)
        ranking = self._ranker.rank(query, self._analyze(query), restriction, known_mode(mode), wanted // 2)
        rows = self._store.chunks.get([hit.chunk_id for hit in ranking.hits[:wanted]])
        found = (rows[hit.chunk_id] for hit in ranking.hits[:wanted] if hit.chunk_id in rows)
        return [(row["source_type"], row["source_id"]) for row in found]

    def retrieve(
        self,
        question: str,
        *,
        candidate: str | None = None,
        source_type: str | None = None,
        filters: SearchFilter | None = None,
        history: Sequence[Turn] = (),
        mode: str = "hybrid",
        page: int = 1,
        reading: str | None = None,
    ) -> Retrieval:
        """The evidence of a question; `page` turns the pages of a look-up over all candidates.

        `reading` is the intent that the asker chose among those that the question may have (`ParsedQuery.also`). Where
        the whole question finds nothing, its one asking sentence is tried alone: orders and stories stand around it.

        Raises UsageError QUESTION_EMPTY, MODE_UNKNOWN, SOURCE_TYPE_UNKNOWN and NotFoundError CANDIDATE_NOT_FOUND.
        """
        asked = partial(
            self._retrieved, candidate=candidate, source_type=source_type, filters=filters, history=history, mode=mode,
            page=page, reading=reading,
        )  # fmt: skip
        found, alone = asked(question), asking_sentence(question)
        if alone is None or not found.is_nothing:
            return found
        again = asked(alone)
        same_people = set(again.plan.candidate_ids) == set(found.plan.candidate_ids)
        return again if same_people and again.evidences else found

    def _retrieved(
        self,
        question: str,
        *,
        candidate: str | None,
        source_type: str | None,
        filters: SearchFilter | None,
        history: Sequence[Turn],
        mode: str,
        page: int,
        reading: str | None,
    ) -> Retrieval:
        started = time.perf_counter()
        scope = as_stored(_plain(filters), self._store)
        index = self._names.index(scope)
        reader = Reader(
            self._names.index(SearchFilter()),
            self._holds_type,
            scope,
            is_held=self._is_held,
            second=self._second_reader,
        )
        question = _checked(question)
        parsed = self._unrefused(reader.read(question, reading), scope, index)
        if parsed.refused:
            return _refusal(parsed, time.perf_counter() - started)
        selected = self.candidate(candidate)
        asked = self._followed(parsed, history, reader, scope)
        parsed, group = grouped(asked)
        parsed, selected = _chosen(parsed, selected)
        parsed, outside = _inside(parsed, scope)
        types = self._asked_types(scope, source_type)
        if selected is not None and not within(selected, scope):
            plan = plan_of(parsed, (), types)
            return Retrieval(
                plan, (), (outside_filters(selected.label, scope),), {"plan": time.perf_counter() - started}
            )
        builder = EvidenceBuilder(self._store, self._settings.context_window)
        lookup = ReferenceLookup(self._store, builder, replace(scope, source_types=types))
        people, candidates = self._people(parsed, selected, scope, lookup)
        plan = plan_of(parsed, candidates, types)
        free = selected is None and not scope.candidate_ids
        options = people.ambiguous or ([*parsed.people.ambiguous[0][1]] if parsed.people.ambiguous and free else [])
        shows_all = parsed.intent == "registry" and not parsed.topic and len(options) <= FEW
        if options and not (shows_all or _is_one_person(options)):
            return _clarification(plan, parsed, options)
        candidates = candidates if candidates and not shows_all else (*candidates, *options)
        meant = of_group(group, parsed, scope, index, self._store)
        if meant.scope is not None and meant.scope != scope and len(meant.scope.candidate_ids) <= FEW:
            candidates = tuple(by_ballot_name(builder.candidates(meant.scope.candidate_ids).values()))
        session = Session(
            self._store, self._ranker, builder, self._thresholds(), index, parsed, plan,
            replace(meant.scope or scope, source_types=types), candidates, known_mode(mode), self._analyze,
            page=page, selected=selected,
        )  # fmt: skip
        session.timings["plan"] = time.perf_counter() - started
        session.notices += [*_notices(plan, parsed, selected), *(outside_filters(one.label, scope) for one in outside)]
        session.notices += meant.notices
        if (outside and not candidates) or meant.scope is None:
            return session.nothing()
        found = lookup.records(parsed.references.references, people, candidates, chosen=not free)
        if not found.evidences and not types:
            listed = listing(asked, scope, index, self._store, page) if free else None
            if listed is not None:
                return session.listed(listed)
            alone = not parsed.topic and bool(options)  # all that the name fits, and nothing asked of them
            found.evidences = profile(self._store, candidates) if alone else self._registry(parsed, people, candidates)
            if found.evidences:
                session.said = first_said(parsed, candidates, self._store)
                session.notices += also_named(parsed, candidates, session.index)
        return session.answer(found)

    def _is_held(self, year: int) -> bool:
        """Whether the records have results of an election."""
        return self._store.candidates.count(SearchFilter(years=(year,)), Standing(decided=True)) > 0

    def _unrefused(self, parsed: ParsedQuery, scope: SearchFilter, index: NameIndex) -> ParsedQuery:
        """A question that the model is not sure to refuse, as a list where every word of it asks for one."""
        if not parsed.refused or parsed.is_sure:
            return parsed
        read = replace(parsed, refused=None, intent="every_candidate")
        found = listing(read, scope, index, self._store, 1)
        return replace(read, intent="registry") if found is not None and found.people else parsed

    def _followed(
        self, parsed: ParsedQuery, history: Sequence[Turn], reader: Reader, scope: SearchFilter
    ) -> ParsedQuery:
        """A real follow-up with what the turn before it says; any other question stands alone."""
        if not history or not is_follow_up(parsed):
            return parsed
        last = history[-1]
        before = reader.read(normalise_text(last.question))
        known = self._known(last.candidate_tse_id, scope)
        people = People((known,)) if known is not None else _inside(before, scope)[0].people
        return follow(parsed, before, people)

    @property
    def store(self) -> Store:
        """The store that is searched."""
        return self._store

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    @property
    def embedder(self) -> QueryEmbedder | None:
        """What turns questions into vectors, None without an endpoint."""
        return self._ranker.embedder

    def candidate(self, tse_id: str | None) -> CandidateRef | None:
        """The candidate of a TSE id, newest election first; NotFoundError CANDIDATE_NOT_FOUND."""
        if tse_id is None:
            return None
        row = self._store.candidates.by_tse_id(normalise_text(tse_id))
        if row is None:
            raise NotFoundError("CANDIDATE_NOT_FOUND", f"no candidate has the TSE id {normalise_text(tse_id)}")
        return candidate_ref(row)

    def _known(self, tse_id: str | None, scope: SearchFilter) -> CandidateRef | None:
        """Whom the turn before was about, when the filters of this one leave that candidate."""
        row = self._store.candidates.by_tse_id(normalise_text(tse_id)) if tse_id else None
        found = None if row is None else candidate_ref(row)
        return found if found is not None and within(found, scope) else None

    def _holds_type(self, name: str) -> bool:
        return self._store.camara.proposition_count(bills=BillsAsked(types=(name,))) > 0

    def _people(
        self, parsed: ParsedQuery, selected: CandidateRef | None, scope: SearchFilter, lookup: ReferenceLookup
    ) -> tuple[Found, tuple[CandidateRef, ...]]:
        """What ids and ballot numbers led to, and the candidates that the question is about."""
        people = lookup.people(parsed.references.references)
        if selected is not None:
            people.ambiguous = []
            return people, (selected,)
        if scope.candidate_ids:
            rows = self._store.candidates.by_ids(scope.candidate_ids).values()
            chosen = (candidate_ref(row) for row in rows)
            return people, tuple(by_ballot_name(one for one in chosen if within(one, scope)))
        named = {one.id: one for one in (*people.candidates, *parsed.people.candidates)}
        return people, tuple(by_ballot_name(named.values()))

    def _registry(self, parsed: ParsedQuery, people: Found, candidates: Sequence[CandidateRef]) -> list[Evidence]:
        """What the registry alone answers of candidates: a number or id, facts of named ones."""
        if people.candidates and not parsed.topic:
            return profile(self._store, people.candidates)
        of_registry = parsed.intent == "registry" or asks_who_is_who(parsed, candidates)
        return profile(self._store, candidates) if candidates and of_registry else []

    def _thresholds(self) -> Thresholds:
        return stored_thresholds(self._store, self._settings.embedding_model, self._settings.embedding_dimension)

    @staticmethod
    def _asked_types(filters: SearchFilter, source_type: str | None) -> tuple[str, ...]:
        names = (source_type,) if source_type is not None else filters.source_types
        return tuple(known_source_type(name) for name in names)

    def _restriction(
        self, filters: SearchFilter, candidate: CandidateRef | None, source_type: str | None
    ) -> SearchFilter:
        filters = as_stored(filters, self._store)
        if candidate is not None:
            filters = replace(filters, candidate_ids=(candidate.id,))
        return replace(filters, source_types=self._asked_types(filters, source_type) or OFFICIAL_TYPES)


def known_mode(mode: str) -> Mode:
    """`mode` when it is one of lexical, vector, hybrid; UsageError MODE_UNKNOWN otherwise."""
    for known in MODES:
        if mode == known:
            return known
    raise UsageError("MODE_UNKNOWN", f"unknown mode {mode}", hint=f"use one of {', '.join(MODES)}")


def _plain(filters: SearchFilter | None) -> SearchFilter:
    """The filter with its values made plain as the question is: half a character is no value of a record."""
    given = filters or SearchFilter()
    texts = (given.states, given.parties, given.offices, given.source_types)
    states, parties, offices, types = (tuple(map(normalise_text, values)) for values in texts)
    return replace(given, states=states, parties=parties, offices=offices, source_types=types)


def _checked(question: str) -> str:
    """The question made plain as documents are (half characters and invisible ones out, NFC)."""
    question = normalise_text(question)
    if not question.strip():
        raise UsageError("QUESTION_EMPTY", "the question is empty", hint="write a question in Portuguese")
    if len(question) > MAX_QUESTION:
        raise UsageError("QUESTION_TOO_LONG", f"a question has at most {MAX_QUESTION} characters")
    return question


def _refusal(parsed: ParsedQuery, seconds: float) -> Retrieval:
    plan = Plan("refusal", "refused", query=parsed.question, refused=parsed.refused or "")
    timings, understood = {"plan": seconds}, parsed.understood()
    return Retrieval(plan, (), (), timings, intent="refused", refusal=REFUSAL_TEXT, understood=understood)


def _clarification(plan: Plan, parsed: ParsedQuery, options: Sequence[CandidateRef]) -> Retrieval:
    plan = replace(plan, strategy="clarification")
    ordered = tuple(by_ballot_name(options))
    understood = parsed.understood()
    return Retrieval(plan, (), (WHICH_CANDIDATE,), {}, intent=plan.intent, clarification=ordered, understood=understood)


def _inside(parsed: ParsedQuery, scope: SearchFilter) -> tuple[ParsedQuery, list[CandidateRef]]:
    """The question without the people whom the filters exclude, and these."""
    people = replace(parsed.people, candidates=tuple(one for one in parsed.people.candidates if within(one, scope)))
    return replace(parsed, people=people), [one for one in parsed.people.candidates if not within(one, scope)]


def _is_one_person(options: Sequence[CandidateRef]) -> bool:
    """Whether the homonyms are several registrations of one person: all of them are the answer."""
    return len({(one.name, one.state, one.office, one.party, one.number) for one in options}) == 1


def _chosen(parsed: ParsedQuery, selected: CandidateRef | None) -> tuple[ParsedQuery, CandidateRef | None]:
    """A choice among homonyms settles that name and keeps the others; any other choice restricts the question."""
    if selected is None:
        return parsed, None
    names = [name for name, options in parsed.people.ambiguous if selected.id in {one.id for one in options}]
    if not names:
        return parsed, selected
    left = tuple(item for item in parsed.people.ambiguous if item[0] not in names)
    people = replace(parsed.people, candidates=(*parsed.people.candidates, selected), ambiguous=left)
    return replace(parsed, people=people), None


def _notices(plan: Plan, parsed: ParsedQuery, selected: CandidateRef | None) -> list[str]:
    notices = []
    others = [one for one in parsed.people.candidates if selected is not None and one.id != selected.id]
    if others and selected is not None:
        names = ", ".join(one.ballot_name or one.name for one in others)
        notices.append(OTHER_CANDIDATE.format(names=names, selected=selected.ballot_name or selected.name))
    if NEWS_ARTICLE in plan.source_types:
        notices.append(NEWS_NOTICE)
    if parsed.references.left_out:
        notices.append(left_out(parsed.references.left_out))
    return notices

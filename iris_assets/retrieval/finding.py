"""Evidence within a restriction for one question: searched, sampled, of each candidate, as far as the thresholds let it."""

import time
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from iris_assets.indexing.analyzer import AnalyzedQuestion, analyze_query
from iris_assets.question.countables import kinds_named
from iris_assets.question.name_index import NameIndex
from iris_assets.question.parsed import POSSIBLE, ParsedQuery
from iris_assets.retrieval.coverage import sampled
from iris_assets.retrieval.evidence import EvidenceBuilder, Passage
from iris_assets.retrieval.excerpts import holding_words, mentioning, nearest_of_each
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.planning import DISCOVERY_FETCH, PER_CANDIDATE
from iris_assets.retrieval.quotas import MOST_CANDIDATES, in_rounds
from iris_assets.retrieval.ranking import Ranker
from iris_assets.retrieval.thresholds import Thresholds, above, holding, outside_names
from iris_assets.retrieval.types import CandidateRef, Evidence, LookupEntry, Mode, Plan
from iris_assets.store import Store
from iris_assets.store.records import ChunkRow
from iris_assets.store.search import SearchFilter
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, PROPOSITION
from iris_assets.words.text import fold

MOST_BILLS = 20  # of one candidate that are listed
BILLS_OF = notice("BILLS_OF")
DECISIVE = 0.3  # of what the most telling word of a topic is worth
MOST = 0.6  # of a topic, from which a plan that holds its words apart is not said to be silent about it
SEARCHED = ("TOPIC", "PLACE", "QUOTE", "NUMBER", "YEAR")


@dataclass
class Finder:
    """What a question searches in and with; collects notices and timings. `candidates` are the selected or named ones."""

    store: Store
    ranker: Ranker
    builder: EvidenceBuilder
    thresholds: Thresholds
    index: NameIndex
    parsed: ParsedQuery
    plan: Plan
    scope: SearchFilter
    candidates: tuple[CandidateRef, ...]
    mode: Mode
    analyze: Callable[[str], AnalyzedQuestion] = analyze_query
    notices: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    vectors_used: bool = False
    _asked: AnalyzedQuestion | None = None

    def __post_init__(self) -> None:
        self.builder.about = {candidate.id for candidate in self.candidates}
        self.builder.elections = self.scope.years or self.parsed.years

    def _sampled(self, candidate: CandidateRef) -> list[Evidence]:
        """Even samples of all that the candidate has of these types: a question without a topic asks for all of it."""
        with self._timed("coverage"):
            rows = self.store.chunks.of_candidate(candidate.id, self.plan.source_types)
            return self.builder.from_rows(sampled(rows, self.plan.limit))

    def _with_mentions(self, people: Sequence[CandidateRef], evidences: Sequence[Evidence]) -> list[Evidence]:
        """With a sentence of the plans of those who have none, where theirs hold the words in another form."""
        if GOVERNMENT_PROPOSAL not in self.plan.source_types:
            return list(evidences)
        shown = {one.id for evidence in evidences for one in evidence.candidates}
        choose = partial(mentioning, self._question())
        missing = (one for one in people if one.id not in shown)
        return [*evidences, *(found for one in missing for found in self.builder.mentions(one.id, choose))]

    def _denied(self, entries: Sequence[LookupEntry]) -> tuple[LookupEntry, ...]:
        """Entries without evidence: of a plan that holds most of the topic's words, but apart, those are told."""
        return tuple(
            replace(entry, beside=self._apart(entry.candidate)) if entry.status == "not_addressed" else entry
            for entry in entries
        )

    def _apart(self, candidate: CandidateRef) -> tuple[tuple[str, int], ...]:
        """The words of the topic that the candidate's plans hold, each with its first page, where these are most of it."""
        question = self._question()
        found = self.builder.first_pages(candidate.id, question.words)
        held = {at for at, word in enumerate(question.words) if word in found}
        least = DECISIVE * max(question.worth, default=0.0)
        decisive = {word for word, worth in zip(question.words, question.worth, strict=True) if worth >= least}
        told = tuple((word, page) for word, page in found.items() if word in decisive)
        return told if question.share(held) >= MOST else ()

    def _terms(self) -> bool:
        """Whether the question has a subject to search for."""
        return bool(self.analyze(self.parsed.topic).terms)

    def _plan_owners(self, restriction: SearchFilter) -> list[CandidateRef]:
        """The candidates with a plan, where plans are asked for and an answer has room for each of them."""
        if self.plan.intent != "plan" or not self._terms():
            return []
        ids = self.store.links.owners((GOVERNMENT_PROPOSAL,), replace(restriction, source_types=()))
        return by_ballot_name(self.builder.candidates(ids).values()) if 1 < len(ids) <= MOST_CANDIDATES else []

    def _of_each(
        self, restriction: SearchFilter, people: Sequence[CandidateRef], quota: int, total: int
    ) -> list[Evidence]:
        found = [
            passage
            for one in people
            for passage in self._found(replace(restriction, candidate_ids=(one.id,)), 2 * quota)
        ]
        different = list({passage.hit.chunk_id: passage for passage in found}.values())
        evidences = in_rounds(self._evidences(different), quota, total, {one.id for one in people})
        return self._with_mentions(people, evidences)

    def _best(self, restriction: SearchFilter) -> list[Evidence]:
        found = in_rounds(self._found(restriction, 3 * DISCOVERY_FETCH), 2 * PER_CANDIDATE, DISCOVERY_FETCH)
        return in_rounds(self._evidences(found), PER_CANDIDATE, self.plan.limit)

    def _said(self, candidate: CandidateRef, limit: int) -> list[Evidence]:
        """Even samples for a question without a topic: of the plan where there is one and no other kind is asked for."""
        with self._timed("coverage"):
            rows = self.store.chunks.of_candidate(candidate.id, self.plan.source_types)
            if self.plan.source_types == (PROPOSITION,):
                return self.builder.from_rows(self._bills(candidate, rows))
            if self.plan.intent == "general":
                rows = [row for row in rows if row["source_type"] == GOVERNMENT_PROPOSAL] or rows
            return self.builder.from_rows(sampled(rows, limit))

    def _bills(self, candidate: CandidateRef, rows: Sequence[ChunkRow]) -> list[ChunkRow]:
        """The first chunk of each bill of the asked kinds and years, by kind and number; how many there are is said."""
        kinds = kinds_named(self.parsed)
        first = {row["source_id"]: row for row in reversed(rows)}.values()
        bills = [(bill_key(str(row["title"])), row) for row in first]
        asked = [
            (key, row)
            for key, row in bills
            if (not kinds or key[0] in kinds) and (not self.parsed.years or key[1] in self.parsed.years)
        ]
        by_kind = Tally(key[0] for key, _ in asked)
        said = ", ".join(f"{count} {kind}" for kind, count in sorted(by_kind.items()))
        name = candidate.ballot_name or candidate.name
        shown = [row for _, row in sorted(asked, key=lambda item: item[0])][:MOST_BILLS]
        self.notices.append(BILLS_OF.format(count=len(asked), name=name, said=said or "nenhuma", shown=len(shown)))
        return shown

    def _ranked(self, restriction: SearchFilter, wanted: int) -> list[Evidence]:
        """Evidence above the thresholds that holds what the question names, best first."""
        return self._evidences(self._found(restriction, wanted))

    def _evidences(self, passages: Sequence[Passage]) -> list[Evidence]:
        with self._timed("context"):
            question = self._question()
            literal = self._literal(passages)
            if literal:
                return literal
            evidences = outside_names(self.builder.from_passages(passages, question), self.parsed.must_hold)
            told = [one for one in evidences if one.quote or not one.source]
            return nearest_of_each(told, question, many=not self.candidates and self.plan.intent != "each_candidate")

    def _literal(self, passages: Sequence[Passage]) -> list[Evidence]:
        """Where a passage holds the whole subject of what may be a quotation: those sentences, nothing that is only near."""
        quoted = self.parsed.chance_of("quotation", "out_of_scope", "page") >= POSSIBLE
        wanted = fold(self.parsed.stretch) if quoted else ""
        rows = [passage.row for passage in passages if wanted and wanted in fold(passage.row["content"])]
        return self.builder.from_rows(rows, partial(holding_words, quote=self.parsed.stretch))

    def _found(self, restriction: SearchFilter, wanted: int) -> list[Passage]:
        question = self._question()
        text = self.parsed.question if self.plan.strategy != "candidate_lookup" else self._searched()
        ranking = self.ranker.rank(text, question, restriction, self.mode, wanted)
        self._note(ranking.notices, ranking.timings, ranking.vectors_used)
        with self._timed("context"):
            passages = self.builder.passages(above(ranking.hits, self.thresholds, question))
            passages = [passage for passage in passages if self._of_year(passage)]
            return holding(self.store, passages, self._entities())[:wanted]

    def _of_year(self, passage: Passage) -> bool:
        """Whether a bill is of the year that the question names."""
        if not self.parsed.years or passage.row["source_type"] != PROPOSITION:
            return True
        title = str(passage.row["title"] or "")
        return any(title.endswith(f"/{year}") for year in self.parsed.years)

    def _searched(self) -> str:
        """The words to search for: those of the topic, or what the question holds beside names and asking."""
        words = " ".join(form.lower() for form, tag in self.parsed.words if tag in SEARCHED)
        topic = self.parsed.topic and (self.parsed.searched or self.parsed.topic)
        return topic or words or " ".join(self.parsed.people.unknown)

    def _question(self) -> AnalyzedQuestion:
        """The terms of the topic by their chance to belong to it, and what the question puts in quotes."""
        if self._asked is None:
            question = self.analyze(self._searched())
            known: dict[str, tuple[float, int]] = {}
            for word in self.parsed.subject:
                for term in self.analyze(word.form).terms:
                    known[term[0]] = max((word.chance, word.part), known.get(term[0], (0.0, 0)))
            marks = [known.get(term[0], (1.0, 0)) for term in question.terms]
            weights, parts = tuple(weight for weight, _ in marks), tuple(part for _, part in marks)
            phrases = self.analyze(self.parsed.question).phrases
            self._asked = self.ranker.valued(replace(question, phrases=phrases, weights=weights, parts=parts))
        return self._asked

    def _entities(self) -> list[tuple[str, ...]]:
        chosen = {candidate.id for candidate in self.candidates}
        people = [one for one in self.parsed.people.candidates if one.id not in chosen]
        names = [tuple((one.ballot_name or one.name).split()) for one in people]
        unknown = () if self.candidates else self.parsed.people.unknown
        return [*self.parsed.must_hold, *names, *(tuple(name.split()) for name in unknown)]

    def _note(self, notices: Sequence[str], timings: dict[str, float], vectors_used: bool) -> None:
        self.notices += [notice for notice in notices if notice not in self.notices]
        self.vectors_used = self.vectors_used or vectors_used
        for name, seconds in timings.items():
            self.timings[name] = self.timings.get(name, 0.0) + seconds

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.timings[step] = self.timings.get(step, 0.0) + time.perf_counter() - started


def bill_key(title: str) -> tuple[str, int, int]:
    """`PL 450/2023` → (PL, 2023, 450): by kind, year and number."""
    kind, _, rest = title.partition(" ")
    number, _, year = rest.partition("/")
    return kind, int(year) if year.isdigit() else 0, int(number) if number.isdigit() else 0

"""One question on its way from reading to evidence: which step answers it, and what the reader is told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from iris_assets.question.countables import untold
from iris_assets.question.parsed import LABELS
from iris_assets.question.people import PLAN_OFFICES
from iris_assets.question.wishes import Wish
from iris_assets.retrieval.absence import absence, absences
from iris_assets.retrieval.counting import Counted, Counter, nearest, not_counted
from iris_assets.retrieval.each_candidate import NO_TOPIC_NOTICE, looked_up, nobody_in
from iris_assets.retrieval.evidence import numbered
from iris_assets.retrieval.excerpts import best_held, holding_words, nearest_of_each
from iris_assets.retrieval.finding import Finder
from iris_assets.retrieval.listing import Listing
from iris_assets.retrieval.lookup import RECORD_KINDS, Found, candidate_record
from iris_assets.retrieval.narrowing import listed, narrowed, national
from iris_assets.retrieval.order import ORDER_NOTICE, by_ballot_name, in_neutral_order, several_candidates
from iris_assets.retrieval.plan_parts import PlanParts
from iris_assets.retrieval.planning import PER_CANDIDATE, SELECTED_LIMIT
from iris_assets.retrieval.quoting import holding_quote, quotes_of, said_of
from iris_assets.retrieval.reference_notices import unknown
from iris_assets.retrieval.sections import PAGE_COUNT
from iris_assets.retrieval.types import CandidateRef, Evidence, LookupEntry, Retrieval
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.words.messages import notice
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, OFFICIAL_TYPES

READ_OF_EACH = 4  # chunks of a plan among which a look-up chooses its one excerpt
OTHER_CANDIDATE = notice("OTHER_CANDIDATE")
NEWS_NOTICE = notice("NEWS")
UNKNOWN_NAME = notice("UNKNOWN_NAME")
OUT_OF_SCOPE = notice("OUT_OF_SCOPE")
ELSEWHERE = notice("QUOTE_ELSEWHERE")
UNDERSTOOD = notice("UNDERSTOOD")
SPELLED = notice("SPELLED")
MORE_LIKELY = 0.5
MOST_COMPARED = 6  # candidates of the parties that are compared
ONLY_PAGES = notice("ONLY_PAGES")
ONLY_PAGE = notice("ONLY_PAGE")
LOOKUP_NOTICE = notice("LOOKUP")


@dataclass
class Session(Finder):
    """A question being answered; nobody else's evidence than that of `candidates` survives."""

    page: int = 1
    selected: CandidateRef | None = None
    absent: tuple[LookupEntry, ...] = ()
    pages: int = 1  # of the list that is shown
    said: str = ""  # what the answer begins with

    def answer(self, found: Found) -> Retrieval:
        """Run the plan; `found` is what the references of the question led to."""
        if also := self.parsed.also:
            others = " ou ".join(LABELS[name] for name in also)
            self.notices.append(UNDERSTOOD.format(label=LABELS[self.parsed.intent], others=others))
        self.notices += unknown([reference.text for reference in found.unknown])
        self.notices += found.notices
        self.notices += [UNKNOWN_NAME.format(name=name) for name in self.parsed.people.unknown]
        self.notices += [SPELLED.format(name=name, read=read) for name, read in self.parsed.people.spelled]
        self.plan = replace(self.plan, unknown_references=tuple(reference.text for reference in found.unknown))
        if found.evidences:
            return self._looked_up(found)
        if self._asks_references_only():
            why = absences(self.store, self.candidates, ())
            self.absent = tuple(entry for entry in why if entry.status in ("no_plan", "not_readable", "not_collected"))
            return self._result(())
        if (found.people_outside and not self.candidates) or self._asks_of_nobody():
            return self._result(())
        if self.parsed.intent == "out_of_scope" and self._is_unanswerable() and not self._is_quoted():
            self.said = untold(self.parsed.folded)
            self.notices += [] if self.said else [OUT_OF_SCOPE]
            return self._result(())
        steps = {
            "document_coverage": self._coverage,
            "structured_count": self._count,
            "candidate_lookup": self._each_candidate,
        }
        by_intent = {"quotation": self._quotation, "page": self._page}
        kind = "page" if PAGE_COUNT.search(self.parsed.folded) else self.parsed.intent
        step = by_intent.get(kind) if self.plan.strategy in ("hybrid", "document_coverage") else None
        found_there = step() if step else None
        return found_there or steps.get(self.plan.strategy, self._hybrid)()

    def _is_unanswerable(self) -> bool:
        """Whether the question is more likely out of scope, or one to refuse, than anything else."""
        return self.parsed.is_sure or self.parsed.chance_of("out_of_scope", "refuse") >= MORE_LIKELY

    def _is_quoted(self) -> bool:
        """Whether a plan holds the question's subject word by word."""
        scope = replace(self._own_scope(), source_types=(GOVERNMENT_PROPOSAL,))
        return bool(self.parsed.stretch) and bool(self._literal(self._found(scope, SELECTED_LIMIT)))

    def _asks_of_nobody(self) -> bool:
        """Whether the only person asked about is in no record: nobody else's evidence stands in."""
        of_person = self.parsed.intent not in ("bills", "topics", "quotation", "every_candidate", "count")
        return bool(self.parsed.people.unknown) and not self.candidates and of_person

    def _quotation(self) -> Retrieval | None:
        """Where a sentence stands, word by word; None for a question without one."""
        evidences: list[Evidence] = []
        for quote in quotes_of(self.parsed):
            evidences += self._holding(quote)
        if not (evidences or self.parsed.quotes):
            return None
        self.plan = replace(self.plan, strategy="reference_lookup")
        return self._result(in_neutral_order(evidences) if several_candidates(evidences) else evidences)

    def _holding(self, quote: str) -> list[Evidence]:
        """Where a sentence stands: in the texts asked about, else in anybody's, who is named then."""
        types = self.scope.source_types or OFFICIAL_TYPES
        own, anybody = replace(self._own_scope(), source_types=types), replace(self.scope, source_types=types)
        rows = holding_quote(self.store, quote, own)
        elsewhere = [] if rows else holding_quote(self.store, quote, anybody)
        if rows or self.parsed.quotes:
            self.notices.append(said_of(quote, bool(rows), self.candidates))
        found = self.builder.from_rows((rows or elsewhere)[: self.plan.limit], partial(holding_words, quote=quote))
        if elsewhere:
            owners = by_ballot_name({one for evidence in found for one in evidence.candidates})
            self.notices.append(ELSEWHERE.format(quote=quote, names=", ".join(one.label for one in owners)))
        return found

    def _own_scope(self) -> SearchFilter:
        if self.candidates:
            return replace(self.scope, candidate_ids=tuple(one.id for one in self.candidates))
        return narrowed(self.parsed, self.scope, self.index).scope or self.scope

    def _page(self) -> Retrieval | None:
        """Parts and pages of plans; None for a search in them."""
        people = self.candidates or tuple(self.index.within(self._own_scope()) if self.parsed.scope.parties else ())
        parts = PlanParts(self.store, self.builder, self.parsed)
        evidences = parts.of(one for one in people if one.office in PLAN_OFFICES)
        if not parts.is_asked:
            return None
        self.notices += parts.notices
        self.said = " ".join(parts.said)
        self.plan = replace(self.plan, strategy="reference_lookup", intent="reference")
        return self._result(evidences)

    def nothing(self) -> Retrieval:
        """No evidence: the notices say why."""
        return self._result(())

    def listed(self, listing: Listing) -> Retrieval:
        """The registry entries of a list of candidatures; where there are none, the count of those that were looked at."""
        self.said = listing.said
        self.notices += [ORDER_NOTICE] if len(listing.people) > 1 else []
        self.plan, self.pages = replace(self.plan, whole_list=True), listing.pages
        counted = Counter(self.store).number(listing.among, ()).evidences if listing.among else ()
        return self._looked_up(Found([*profile(self.store, listing.people), *counted]))

    def _looked_up(self, found: Found) -> Retrieval:
        evidences = list(found.evidences)
        if self.plan.counted == "authors" and self.plan.strategy == "structured_count":
            evidences += Counter(self.store).authors_of(evidences)
        self.plan = replace(self.plan, strategy="reference_lookup", intent="reference")
        asked = {candidate.id for candidate in self.candidates}
        strangers = any(asked.isdisjoint(one.id for one in evidence.candidates) for evidence in evidences)
        result = self._result(evidences)
        return replace(result, candidate=None) if strangers else result  # a record of others answers for nobody

    def _asks_references_only(self) -> bool:
        """Whether bills or pages without evidence are all that is asked: other passages would answer something else."""
        kinds = {reference.kind for reference in self.parsed.references.references}
        about = self.plan.strategy in ("hybrid", "document_coverage")
        return about and bool(kinds & RECORD_KINDS) and not self._terms()

    def _coverage(self) -> Retrieval:
        return self._result(self._sampled(self.candidates[0]))

    def _count(self) -> Retrieval:
        counter = Counter(self.store)
        asked = counter.asked(self.parsed, self.scope, self.index, self.candidates)
        if not asked.wishes:
            return self._uncounted(counter.pending or not_counted(asked.unread))
        counted = [self._counted(counter, wish) for wish in asked.wishes]
        evidences = [evidence for one in counted for evidence in one.evidences]
        self.notices += [notice for one in counted for notice in one.notices]
        self.notices += [ORDER_NOTICE] if several_candidates(evidences) else []
        return replace(self._result(evidences), counts=tuple(row for one in counted for row in one.rows))

    def _counted(self, counter: Counter, wish: Wish) -> Counted:
        if self.plan.intent == "topics":
            return counter.topics(wish, self.candidates, self.plan.limit)
        return counter.table(wish, self.candidates) if wish.by else counter.number(wish, self.candidates)

    def _uncounted(self, why: str) -> Retrieval:
        """No number: what comes nearest to the question, or nothing where no passage can be near to it."""
        noun = self.plan.counted if self.plan.intent == "count" else "topics"
        types, intent = nearest(noun)
        self.plan = replace(self.plan, strategy="hybrid", intent=intent, source_types=types)
        of_people = noun in ("candidates", "parties")
        words = " ".join(form for form, tag in self.parsed.words if tag != "PERSON")
        self.said = (untold(words) if of_people or not self.parsed.is_sure else "") or why
        is_near = (not of_people and noun != "topics" and self._terms()) or (
            noun == "topics" and bool(self.candidates) and not self.parsed.people.unknown
        )
        return self._hybrid() if is_near else self._result(())

    def _each_candidate(self) -> Retrieval:
        own = narrowed(self.parsed, self.scope, self.index)
        self.notices += own.notices
        if own.scope is None:
            return self._result(())
        scope, topic = own.scope, self.parsed.topic if self._terms() else ""
        best_of = self._best_of_plan if topic else self._opening_of_plan
        lookup = looked_up(self.store, topic, scope, self.page, best_of)
        if topic:
            lookup = replace(lookup, entries=self._denied(self._near_the_best(lookup.entries)))
        self.pages = lookup.pages
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

    def _near_the_best(self, entries: Sequence[LookupEntry]) -> tuple[LookupEntry, ...]:
        """The entries without the evidence that holds much less of the topic than that of others."""
        found = nearest_of_each([entry.evidence for entry in entries if entry.evidence], self._question(), many=True)
        kept = {one.key for one in found}
        return tuple(
            absence(self.store, entry.candidate) if entry.evidence and entry.evidence.key not in kept else entry
            for entry in entries
        )

    def _opening_of_plan(self, candidate: CandidateRef) -> Evidence | None:
        rows = self.store.chunks.of_candidate(candidate.id, self.plan.source_types)[:1]
        return next(iter(self.builder.from_rows(rows)), None)

    def _best_of_plan(self, candidate: CandidateRef) -> Evidence | None:
        scope = replace(self.scope, candidate_ids=(candidate.id,), source_types=self.plan.source_types)
        question, self.builder.about = self._question(), {candidate.id}
        found = self._with_mentions([candidate], self._ranked(scope, READ_OF_EACH))
        return max(found, key=lambda one: best_held(one.quote, question), default=None)

    def _hybrid(self) -> Retrieval:
        if self.candidates:
            return self._of_people(replace(self.scope, source_types=self.plan.source_types))
        own = narrowed(self.parsed, self.scope, self.index)
        if own.scope is None:
            self.notices += own.notices
            return self._result(())
        restriction = replace(own.scope, source_types=self.plan.source_types)
        if self.parsed.intent in ("comparison", "plan") and len(self.parsed.scope.parties) > 0:
            return self._of_parties(restriction)
        searched = self._terms() or own.scope == self.scope or self.parsed.people.unknown
        evidences = self._discovered(restriction) if searched else self._listed(restriction)
        self.notices += own.notices if evidences else ()
        if several_candidates(evidences):
            evidences = in_neutral_order(evidences)
            self.notices.append(ORDER_NOTICE)
        return self._result(evidences)

    def _of_people(self, restriction: SearchFilter) -> Retrieval:
        if len(self.candidates) > 1:
            return self._result(self._compared(restriction))
        if not self._terms():
            return self._result(self._said(self.candidates[0], self.plan.limit))
        evidences = self._ranked(replace(restriction, candidate_ids=(self.candidates[0].id,)), self.plan.limit)
        evidences = self._with_mentions(self.candidates, evidences)
        if GOVERNMENT_PROPOSAL in self.plan.source_types:
            self.absent = absences(self.store, self.candidates, evidences)
        return self._result(evidences)

    def _of_parties(self, restriction: SearchFilter) -> Retrieval:
        """What the plans of a party's candidates say, as if these were named."""
        scope, notices = national(restriction, self.index)
        self.notices += notices
        people = by_ballot_name(self.index.within(scope))
        with_plan = set(self.store.links.owners((GOVERNMENT_PROPOSAL,), scope))
        chosen = [one for one in people if one.id in with_plan] or people
        self.candidates = tuple(chosen[:MOST_COMPARED])
        self.builder.about = {candidate.id for candidate in self.candidates}
        return self._of_people(restriction) if self.candidates else self._result(())

    def _discovered(self, restriction: SearchFilter) -> list[Evidence]:
        """Evidence of anybody: of each plan where plans are asked for and an answer has room for each of them."""
        people = self._plan_owners(restriction)
        if not people:
            return self._best(restriction)
        evidences = self._of_each(restriction, people, PER_CANDIDATE, self.plan.limit)
        self.absent = absences(self.store, people, evidences)
        return evidences

    def _listed(self, restriction: SearchFilter) -> list[Evidence]:
        evidences, notices = listed(self.store, self.builder, restriction, self.plan.limit)
        self.notices += notices
        return evidences

    def _compared(self, restriction: SearchFilter) -> list[Evidence]:
        """The same number of places for each named candidate, by ballot name; who has no evidence is named."""
        quota = max(2, SELECTED_LIMIT // len(self.candidates))
        people = by_ballot_name(self.candidates)
        if self._terms():
            evidences = self._of_each(restriction, people, quota, quota * len(people))
        else:
            said = [evidence for one in people for evidence in self._said(one, quota)]
            evidences = list({evidence.key: evidence for evidence in said}.values())
        self.absent = absences(self.store, people, evidences)
        self.notices.append(ORDER_NOTICE)
        return evidences

    def _result(self, evidences: Sequence[Evidence]) -> Retrieval:
        candidate = self.selected or (self.candidates[0] if len(self.candidates) == 1 else None)
        if self.page > self.pages:
            self.notices.append(ONLY_PAGES.format(pages=self.pages) if self.pages > 1 else ONLY_PAGE)
        return Retrieval(
            plan=self.plan,
            evidences=numbered(evidences),
            notices=tuple(dict.fromkeys(self.notices)),
            timings=self.timings,
            candidate=candidate,
            intent=self.plan.intent,
            vectors_used=self.vectors_used,
            absent=self._denied(self.absent),
            said=self.said,
            understood=self.parsed.understood(self.candidates),
        )


def profile(store: Store, people: Sequence[CandidateRef]) -> list[Evidence]:
    """Registry entries of candidates, by ballot name."""
    return [candidate_record(store, candidate) for candidate in by_ballot_name(people)]

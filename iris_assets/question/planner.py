"""From a question to a plan: strategy, source types, candidates and topic, by fixed rules and without a model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from iris_assets.indexing.analyzer import analyze, fold
from iris_assets.question.intents import Signals, read_signals
from iris_assets.question.name_index import NameIndex
from iris_assets.question.names import Named, recognise
from iris_assets.question.references import FoundReferences, HoldsType, find_references
from iris_assets.question.refusal import refused
from iris_assets.question.scope_words import Scoped
from iris_assets.question.topic import topic_of
from iris_assets.retrieval.text import normalised
from iris_assets.retrieval.types import (
    GOVERNMENT_PROPOSAL,
    NEWS_ARTICLE,
    OFFICIAL_TYPES,
    POLITICAL_HISTORY,
    PROPOSITION,
    CandidateRef,
    Intent,
    Plan,
    Turn,
)

SELECTED_LIMIT = 8
COVERAGE_LIMIT = 12
DISCOVERY_FETCH = 24
DISCOVERY_LIMIT = 12
PER_CANDIDATE = 3
FOLLOW_UP_WORDS = 6


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that was read off a question before anything is searched.

    `scope` are the words that say whose records are meant ("candidatos a presidente"), `topic` never holds them.
    """

    question: str
    signals: Signals
    references: FoundReferences
    named: Named
    topic: str
    refused: str | None = None
    scope: str = ""


def read(question: str, index: NameIndex, holds_type: HoldsType | None = None) -> Reading:
    """Read a question: signals, references, names, topic."""
    references = find_references(question, holds_type)
    named = recognise(question, index)
    signals = read_signals(question)
    topic = topic_of(references.rest, named.names, _scoped(signals, index))
    return Reading(question, signals, references, named, topic.text, refused(question), topic.scope)


def _scoped(signals: Signals, index: NameIndex) -> Scoped | None:
    """What a scope may name; counts read their own."""
    if signals.counted or signals.topics:
        return None
    return Scoped(index.parties, index.years, signals.each_candidate, keeps_years=signals.bills)


def with_history(reading: Reading, history: Sequence[Turn], index: NameIndex) -> tuple[Reading, str | None]:
    """A follow-up ("e sobre saúde?", "e o Ciro?") completed by the turns before it, and the candidate they were about.

    The candidate of the last turn stays when the question names none; the topic stays when the question has none;
    the kind of source stays in a short follow-up without an own one.
    """
    if not history:
        return reading, None
    last = history[-1]
    before = read(last.question, index)
    other_records = any(reference.kind != "page" for reference in reading.references.references)
    keeps_candidate = not reading.named.candidates and not reading.named.ambiguous and not other_records
    keeps_candidate = keeps_candidate and reading.signals.counted != "candidates"  # of whom the candidate is only one
    candidate = last.candidate_tse_id if keeps_candidate else None
    if candidate is None and keeps_candidate and len(before.named.candidates) == 1:
        candidate = before.named.candidates[0].tse_id
    if not _is_follow_up(reading):
        return reading, candidate if not reading.signals.each_candidate else None
    signals, old = reading.signals, before.signals
    if not (signals.plan or signals.history or signals.bills or signals.topics or signals.counted):
        signals = replace(signals, plan=old.plan, history=old.history, bills=old.bills)
        if old.each_candidate and keeps_candidate and candidate is None:
            signals = replace(signals, each_candidate=True)
            reading = replace(reading, scope=reading.scope or before.scope)
    return replace(reading, topic=reading.topic if analyze(reading.topic) else before.topic, signals=signals), candidate


def _is_follow_up(reading: Reading) -> bool:
    words = normalised(reading.question).split()
    return bool(words) and (words[0] == "E" or len(words) <= FOLLOW_UP_WORDS)


def plan_of(reading: Reading, candidates: Sequence[CandidateRef], asked_types: tuple[str, ...]) -> Plan:
    """The plan of a reading; `candidates` are selected or named, `asked_types` the caller's own choice."""
    known = bool(candidates)
    signals = reading.signals
    base = Plan(
        "hybrid",
        "general",
        asked_types or _types(signals),
        tuple(candidate.id for candidate in candidates),
        tuple(reference.text for reference in reading.references.references),
        limit=SELECTED_LIMIT if known else DISCOVERY_LIMIT,
        query=reading.question,
        topic=reading.topic,
    )
    if asked_types:
        return replace(base, reason="tipo de fonte pedido")
    if signals.summary and len(candidates) == 1:
        types, intent = _summary_types(signals)
        return replace(base, strategy="document_coverage", intent=intent, source_types=types, limit=COVERAGE_LIMIT)
    if signals.topics:
        return replace(base, strategy="structured_count", intent="topics", source_types=(PROPOSITION,))
    if signals.counted:
        return replace(base, strategy="structured_count", intent="count", reason=signals.counted)
    if signals.each_candidate and not known:
        return replace(base, strategy="candidate_lookup", intent="each_candidate", source_types=(GOVERNMENT_PROPOSAL,))
    return replace(base, intent=_intent(signals))


def _types(signals: Signals) -> tuple[str, ...]:
    chosen = (
        (signals.plan, GOVERNMENT_PROPOSAL),
        (signals.history, POLITICAL_HISTORY),
        (signals.bills, PROPOSITION),
        (signals.news, NEWS_ARTICLE),
    )
    return tuple(name for wanted, name in chosen if wanted) or OFFICIAL_TYPES


def _summary_types(signals: Signals) -> tuple[tuple[str, ...], Intent]:
    if signals.plan:
        return (GOVERNMENT_PROPOSAL,), "plan"
    if signals.history:
        return (POLITICAL_HISTORY,), "history"
    if signals.bills:
        return (PROPOSITION,), "bills"
    return OFFICIAL_TYPES, "summary"


def _intent(signals: Signals) -> Intent:
    if signals.plan:
        return "plan"
    if signals.history:
        return "history"
    return "bills" if signals.bills else "general"


def topic_terms(reading: Reading) -> str:
    """The words to search for: the topic, or the whole question (names out) when nothing else is left of it."""
    if analyze(reading.topic):
        return reading.topic
    names = {word.casefold() for word in reading.named.used}
    return " ".join(word for word in fold(reading.references.rest).split() if word.strip("?.,!;:") not in names)

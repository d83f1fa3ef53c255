"""From a parsed question to a plan: which strategy answers it, from which kinds of sources."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from iris_assets.question.countables import kinds_named, noun_named
from iris_assets.question.parsed import ParsedQuery
from iris_assets.retrieval.types import CandidateRef, Intent, Plan
from iris_assets.words.source_kinds import (
    GOVERNMENT_PROPOSAL,
    NEWS_ARTICLE,
    OFFICIAL_TYPES,
    POLITICAL_HISTORY,
    PROPOSITION,
)

SELECTED_LIMIT = 8
COVERAGE_LIMIT = 12
DISCOVERY_FETCH = 24
DISCOVERY_LIMIT = 12
PER_CANDIDATE = 3

# Words of asking that name a kind of source.
KINDS: Final = (
    (GOVERNMENT_PROPOSAL, r"PLANOS?|PROGRAMAS?|PROPOSTAS?(?! LEGISLATIVAS?)|DIRETRIZES"),
    (PROPOSITION, r"PROJETOS?|PROPOSIC(?:AO|OES)|EMENTAS?|REQUERIMENTOS?|PROPOSTAS? LEGISLATIVAS?"),
    (POLITICAL_HISTORY, r"MANDATOS?|TRAJETORIAS?|CARREIRAS?|HISTORICOS?"),
    (NEWS_ARTICLE, r"NOTICIAS?|REPORTAG(?:EM|ENS)|IMPRENSA"),
)
EVERYBODY: Final = re.compile(
    r"\b(?:CANDIDAT|PRESIDENCIAVE|POSTULANTE|CONCORRENTE|CADA|TODOS|TODO MUNDO|QUEM|ALGUEM|ALGUNS?|ALGUMA|NINGUEM|NENHUM|DELES|OS PARTIDOS)"
)
OF_INTENT: Final[dict[str, tuple[tuple[str, ...], Intent]]] = {
    "plan": ((GOVERNMENT_PROPOSAL,), "plan"),
    "every_candidate": ((GOVERNMENT_PROPOSAL,), "plan"),
    "page": ((GOVERNMENT_PROPOSAL,), "plan"),
    "bills": ((PROPOSITION,), "bills"),
    "topics": ((PROPOSITION,), "bills"),
    "history": ((POLITICAL_HISTORY,), "history"),
}
SHOWN: Final[dict[tuple[str, ...], Intent]] = {
    (GOVERNMENT_PROPOSAL,): "plan",
    (PROPOSITION,): "bills",
    (POLITICAL_HISTORY,): "history",
}


def plan_of(parsed: ParsedQuery, candidates: Sequence[CandidateRef], asked_types: tuple[str, ...]) -> Plan:
    """The plan of a question; `candidates` are selected or named, `asked_types` the caller's own choice."""
    types = asked_types or source_types(parsed)
    base = Plan(
        "hybrid",
        SHOWN.get(types, "general") if not asked_types else "general",
        types,
        tuple(candidate.id for candidate in candidates),
        tuple(reference.text for reference in parsed.references.references),
        limit=SELECTED_LIMIT if candidates else DISCOVERY_LIMIT,
        query=parsed.question,
        topic=parsed.topic,
    )
    if asked_types:
        return base
    if parsed.intent == "summary" and len(candidates) == 1 and not parsed.topic:
        intent = base.intent if base.intent != "general" else "summary"
        return replace(base, strategy="document_coverage", intent=intent, limit=COVERAGE_LIMIT)
    if parsed.intent == "topics" and types != (GOVERNMENT_PROPOSAL,):
        return replace(base, strategy="structured_count", intent="topics", source_types=(PROPOSITION,))
    if parsed.intent == "count":
        return replace(base, strategy="structured_count", intent="count", counted=noun_named(parsed))
    if (
        parsed.intent == "every_candidate"
        and not candidates
        and types != (PROPOSITION,)
        and (EVERYBODY.search(parsed.folded) or (parsed.is_sure and parsed.scope.offices))
    ):
        return replace(base, strategy="candidate_lookup", intent="each_candidate", source_types=(GOVERNMENT_PROPOSAL,))
    return base


def source_types(parsed: ParsedQuery) -> tuple[str, ...]:
    """Where to look: what the question names, what a sure intent says, else every official source."""
    frame = " ".join(form if tag == "FRAME" else "#" for form, tag in parsed.words)
    named = tuple(kind for kind, pattern in KINDS if re.search(rf"(?<!\S)(?:{pattern})(?!\S)", frame))
    by_name = parsed.topic.upper().startswith("LEI ") and not parsed.is_sure  # "Lei Fulana é de quem?"
    law = re.search(r"(?<!\S)LEI #" if parsed.people.is_empty else r"(?<!\S)LEI D[EOA] #", frame) or by_name
    if (kinds_named(parsed) or law) and PROPOSITION not in named:
        named = (*named, PROPOSITION)
    nobody = parsed.people.is_empty and not parsed.scope.parties
    if parsed.intent == "plan" and nobody and not named:
        return OFFICIAL_TYPES  # a keyword alone
    if parsed.intent == "topics" and named == (GOVERNMENT_PROPOSAL,):
        return named
    of_intent = OF_INTENT.get(parsed.intent, ((), "general"))[0]
    if of_intent and parsed.is_sure and not (named and set(named).isdisjoint(of_intent)):
        return of_intent
    if parsed.intent == "comparison" and not named:
        return (GOVERNMENT_PROPOSAL,)
    return named or OFFICIAL_TYPES

"""Ordinary search within what the question itself says of whose records are meant, and their list when no topic is left."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from iris_assets.question.attached import attached_scope, places_named
from iris_assets.question.planner import PER_CANDIDATE, Reading
from iris_assets.retrieval.coverage import sampled
from iris_assets.retrieval.evidence import EvidenceBuilder
from iris_assets.retrieval.order import by_ballot_name
from iris_assets.retrieval.reference_notices import filter_text
from iris_assets.retrieval.types import Evidence
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets.words.text import words

NARROWED_NOTICE = "Busca restrita ao que a pergunta cita ({filters})."
LISTED_NOTICE = "Candidaturas com registros deste recorte: {count}; aparecem alguns de cada uma, por nome de urna."


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A question whose restriction became a filter: it stands in `scope` and no longer in the topic."""

    reading: Reading
    scope: SearchFilter
    notice: str


def narrow(reading: Reading, scope: SearchFilter, parties: Sequence[str]) -> Narrowed | None:
    """Party, UF and office that surely restrict the records; None when there are none beside the caller's filters."""
    attached = attached_scope(reading.question, parties)
    return _narrowed(reading, scope, attached.filter, attached.words)


def narrow_to_places(reading: Reading, scope: SearchFilter) -> Narrowed | None:
    """For a topic of a place ("saúde no Piauí") that no text holds: the records of its candidates."""
    states, told = places_named(reading.question)
    return _narrowed(reading, scope, SearchFilter(states=states), told)


def _narrowed(reading: Reading, scope: SearchFilter, own: SearchFilter, told: frozenset[str]) -> Narrowed | None:
    own = SearchFilter(
        states=() if scope.states else own.states,
        parties=() if scope.parties else own.parties,
        offices=() if scope.offices else own.offices,
    )
    if own.is_empty:
        return None
    topic = " ".join(word for word in reading.topic.split() if not set(words(word)) <= told)
    entities = tuple(entity for entity in reading.named.entities if not set(entity) <= told)
    named = replace(reading.named, entities=entities)
    within = replace(
        scope,
        states=scope.states or own.states,
        parties=scope.parties or own.parties,
        offices=scope.offices or own.offices,
    )
    return Narrowed(
        replace(reading, topic=topic, named=named), within, NARROWED_NOTICE.format(filters=filter_text(own))
    )


def listed(store: Store, builder: EvidenceBuilder, scope: SearchFilter, limit: int) -> tuple[list[Evidence], list[str]]:
    """Records of everybody in scope, a few of each by ballot name, and the notice that says how many people have any."""
    people = by_ballot_name(builder.candidates(store.links.owners(scope.source_types, scope)).values())
    quota = PER_CANDIDATE if len(people) > 1 else limit
    found: dict[tuple[str, str, int], Evidence] = {}
    for candidate in people:
        if len(found) >= limit:
            break
        rows = store.chunks.of_candidate(candidate.id, scope.source_types)
        for evidence in builder.from_rows(sampled(rows, quota)):
            found.setdefault(evidence.key, evidence)
    return list(found.values())[:limit], [LISTED_NOTICE.format(count=len(people))] if people else []

"""What counts as evidence: floors on raw signals, and entities of the question that the evidence must hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from iris_assets.indexing.analyzer import analyze, prepare
from iris_assets.retrieval.fusion import Fused
from iris_assets.retrieval.types import Evidence
from iris_assets.store import Store
from iris_assets.ufs import UF_NAMES

STAGE = "calibration"  # of SourceState: floors live in the store, beside the evaluation that found them


@dataclass(frozen=True, slots=True)
class Floors:
    """Lower limits of the raw signals.

    `weight`: share of the question's term weight (idf) that a chunk must hold; a rule of words, the same for all
    models (docs/benchmarks.md has its sweep). `similarity`: cosine that a chunk without enough words needs; None (not
    calibrated for this model) lets no chunk in by its vector alone.
    """

    weight: float = 0.45
    similarity: float | None = None


def stored_floors(store: Store, model: str, dimension: int) -> Floors:
    """The floors in force: by words the rule, by vector what `iris-assets calibrate` found for this model."""
    vector = store.state.get(STAGE, vector_key(model, dimension))
    return Floors(similarity=float(vector.detail["similarity"]) if vector and vector.detail else None)


def vector_key(model: str, dimension: int) -> str:
    """The key of a model's floor."""
    return f"vector:{model}:{dimension}"[:200]


def above(hits: Iterable[Fused], floors: Floors) -> list[Fused]:
    """The hits that reach a floor by their words or by their vector, in their order."""
    return [hit for hit in hits if by_words(hit, floors) or by_vector(hit, floors)]


def by_words(hit: Fused, floors: Floors) -> bool:
    """Whether the chunk holds enough of the question's weight."""
    return hit.lexical_weight is not None and hit.lexical_weight >= floors.weight


def by_vector(hit: Fused, floors: Floors) -> bool:
    """Whether the chunk is near enough; never true without a calibrated floor."""
    return (
        floors.similarity is not None
        and hit.vector_similarity is not None
        and hit.vector_similarity >= floors.similarity
    )


def holding(evidences: Iterable[Evidence], entities: Sequence[Sequence[str]]) -> list[Evidence]:
    """The evidences in which every entity that the question names occurs (any inflection, any accents)."""
    wanted = [set(analyze(" ".join(entity))) for entity in entities]
    wanted = [terms for terms in wanted if terms]
    if not wanted:
        return list(evidences)
    return [evidence for evidence in evidences if all(terms <= _terms(evidence) for terms in wanted)]


def _terms(evidence: Evidence) -> set[str]:
    people = " ".join(
        f"{one.name} {one.ballot_name or ''} {one.party or ''} {UF_NAMES.get(one.state, '')} {one.state}"
        for one in evidence.candidates
    )
    prepared = prepare(evidence.title, f"{evidence.header or ''} {people}", evidence.content)
    return set(f"{prepared.title} {prepared.header} {prepared.body}".split())

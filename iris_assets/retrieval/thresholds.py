"""What counts as evidence: thresholds on raw signals, and entities of the question that the evidence must hold."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from iris_assets.indexing.analyzer import AnalyzedQuestion, analyze
from iris_assets.retrieval.evidence import Passage
from iris_assets.retrieval.fusion import Fused
from iris_assets.retrieval.types import CandidateRef, Evidence
from iris_assets.store import Store
from iris_assets.ufs import UF_NAMES
from iris_assets.words.text import fold

STAGE = "calibration"  # of SourceState: thresholds live in the store, beside the evaluation that found them


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Lower limits of the raw signals.

    `weight`: share of the question's term weight (idf) that a chunk must hold; a rule of words, the same for all
    models (docs/benchmarks.md has its sweep). `similarity`: cosine that a chunk without enough words needs; None (not
    calibrated for this model) lets no chunk in by its vector alone.
    """

    weight: float = 0.35
    similarity: float | None = None


def stored_thresholds(store: Store, model: str, dimension: int) -> Thresholds:
    """The thresholds in force: by words the rule, by vector what `iris-assets calibrate` found for this model."""
    vector = store.state.get(STAGE, vector_key(model, dimension))
    return Thresholds(similarity=float(vector.detail["similarity"]) if vector and vector.detail else None)


def vector_key(model: str, dimension: int) -> str:
    """The key of a model's threshold."""
    return f"vector:{model}:{dimension}"[:200]


def above(hits: Iterable[Fused], thresholds: Thresholds, question: AnalyzedQuestion) -> list[Fused]:
    """The hits that reach a threshold by their words or their vector, in order."""
    return [hit for hit in hits if by_words(hit, thresholds, question) or by_vector(hit, thresholds)]


def by_words(hit: Fused, thresholds: Thresholds, question: AnalyzedQuestion) -> bool:
    """Whether the chunk holds enough of what the question's subject, or one of its subjects, is worth."""
    return bool(hit.matched) and question.share(hit.matched) >= thresholds.weight


def by_vector(hit: Fused, thresholds: Thresholds) -> bool:
    """Whether the chunk is near enough; never true without a calibrated threshold."""
    return (
        thresholds.similarity is not None
        and hit.vector_similarity is not None
        and hit.vector_similarity >= thresholds.similarity
    )


def holding(store: Store, passages: Sequence[Passage], entities: Sequence[Sequence[str]]) -> list[Passage]:
    """The passages in which every entity that the question names occurs (any inflection, any accents).

    It may stand in the indexed text or in what the registry says of the passage's candidates.
    """
    wanted = [set(analyze(" ".join(entity))) for entity in entities]
    wanted = [terms for terms in wanted if terms]
    if not wanted:
        return list(passages)
    indexed = store.chunks.terms([passage.hit.chunk_id for passage in passages])
    people = {one: frozenset(analyze(_told(one))) for passage in passages for one in passage.candidates}
    return [
        passage
        for passage in passages
        if set().union(*wanted)
        <= indexed.get(passage.hit.chunk_id, frozenset()).union(*(people[one] for one in passage.candidates))
    ]


def outside_names(evidences: Sequence[Evidence], named: Sequence[Sequence[str]]) -> list[Evidence]:
    """The evidences that hold the names of a question: those of authors count only where the question gives them whole."""
    wanted = set(analyze(" ".join(" ".join(name) for name in named)))
    whole = frozenset(" ".join(name) for name in named)
    return [evidence for evidence in evidences if not wanted or wanted <= _beside_authors(evidence, whole)]


def _beside_authors(evidence: Evidence, kept: Collection[str]) -> set[str]:
    text = f" {fold(' '.join((evidence.title, evidence.header or '', evidence.content)))} "
    for author in evidence.structured.get("authors", ()):
        if fold(author["name"]) not in kept or " " not in fold(author["name"]):
            text = text.replace(f" {fold(author['name'])} ", "  ")
    states = " ".join(f"{UF_NAMES.get(one.state, '')} {one.state}" for one in evidence.candidates)
    return set(analyze(f"{text} {states}"))


def _told(one: CandidateRef) -> str:
    return f"{one.name} {one.ballot_name or ''} {one.party or ''} {UF_NAMES.get(one.state, '')} {one.state}"

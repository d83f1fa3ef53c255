"""The relevance threshold of an embedding model, found on this store and kept in it beside the evaluations."""

import hashlib
from typing import Any

import numpy as np

from iris_assets.errors import UsageError
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.thresholds import STAGE, vector_key
from iris_assets.store.search import SearchFilter
from iris_assets.words.source_kinds import OFFICIAL_TYPES

# Questions that no official record of a candidate answers: what the model calls near for them is not evidence.
OFF_TOPIC = (
    "receita de sanduíche de presunto",
    "como trocar a corda do violão",
    "qual a distância da Terra à Lua",
    "melhor tênis para correr maratona",
    "letra de música de samba antiga",
    "como fazer um bolo de chocolate fofo",
    "resultado do jogo de basquete de ontem",
    "sintomas de alergia em gatos",
    "como instalar uma placa de vídeo",
    "dicas para aprender tricô",
    "roteiro de viagem pela Islândia",
    "quem pintou a Mona Lisa",
    "como podar uma roseira",
    "previsão do tempo para amanhã em Tóquio",
    "regras do xadrez para iniciantes",
    "asdfgh qwerty zxcvb",
)
MARGIN = 0.01
SAMPLE = 200


def calibrate(service: RetrievalService) -> dict[str, Any]:
    """Measure off-topic questions and titles of stored chunks, store the threshold, return it with both distributions.

    The threshold is just above the nearest chunk of any off-topic question: what is as far as that is no evidence by
    its vector alone. UsageError VECTORS_MISSING without vectors of the configured model.
    """
    model, dimension = service.settings.embedding_model, service.settings.embedding_dimension
    embedder, store = service.embedder, service.store
    if embedder is None or not store.vectors.has(model, dimension):
        raise UsageError(
            "VECTORS_MISSING",
            f"there are no vectors of {model} ({dimension}) to calibrate on",
            hint="configure an embedding endpoint and run `iris-assets run`",
        )
    off = np.array([_best(service, question) for question in OFF_TOPIC])
    on = np.array([_best(service, title) for title in _titles(service)] or [1.0])
    threshold = round(float(off.max()) + MARGIN, 4)
    detail = {
        "similarity": threshold,
        "off_topic_p50": round(float(np.median(off)), 4),
        "off_topic_max": round(float(off.max()), 4),
        "on_topic_p50": round(float(np.median(on)), 4),
        "on_topic_above_floor": round(float((on >= threshold).mean()), 4),
        "model": model,
        "dimension": dimension,
    }
    with store.transaction() as tx:
        key = hashlib.sha256(repr(sorted(detail.items())).encode()).hexdigest()
        store.state.put(tx, STAGE, vector_key(model, dimension), key, detail)
    return detail


def _best(service: RetrievalService, question: str) -> float:
    model, dimension = service.settings.embedding_model, service.settings.embedding_dimension
    assert service.embedder is not None
    vector = np.asarray(service.embedder.embed_query(question), dtype=np.float32).reshape(-1)
    hits = service.store.vectors.search(vector, model, dimension, SearchFilter(source_types=OFFICIAL_TYPES), 1)
    return hits[0].similarity if hits else 0.0


def _titles(service: RetrievalService) -> list[str]:
    """Different titles of stored sources, evenly spread: questions that the store surely answers."""
    sources = sorted(service.store.chunks.sources())
    step = max(1, len(sources) // SAMPLE)
    titles = []
    for source in sources[::step][:SAMPLE]:
        rows = service.store.chunks.of_source(*source)
        titles.append(rows[0]["header"] or rows[0]["title"] or rows[0]["content"][:200])
    return sorted({title for title in titles if title})

"""The process-wide wiring of one configuration: store, official hosts (or a replay folder), embedding endpoint."""

import threading

from iris_assets.ingest.context import IngestContext
from iris_assets.llm.embeddings import EmbeddingClient, embedding_client
from iris_assets.settings import Settings
from iris_assets.sources.http import HttpClient
from iris_assets.store import open_store

_lock = threading.Lock()
_contexts: dict[str, IngestContext] = {}


def build_http(settings: Settings) -> HttpClient:
    """The client of the official hosts; with IRIS_ASSETS_REPLAY its transport is the simulator of that folder."""
    if settings.iris_assets_replay is None:
        return HttpClient(settings)
    from iris_assets.sample.simulator import replay_transport

    return HttpClient(settings, transport=replay_transport(settings.iris_assets_replay))


def build_embedder(settings: Settings) -> EmbeddingClient | None:
    """The embedding endpoint of the settings, or None when neither a key nor an own endpoint is configured."""
    return embedding_client(settings)


def process_context(settings: Settings) -> IngestContext:
    """The context of these settings, one per process, so that call limits and caches span all partitions."""
    key = _key(settings)
    with _lock:
        if key not in _contexts:
            _contexts[key] = IngestContext(
                store=open_store(settings.store_url, schema=settings.iris_sql_schema),
                settings=settings,
                http=build_http(settings),
                embedder=build_embedder(settings),
            )
        return _contexts[key]


def forget_process_contexts() -> None:
    """Close and drop every context of this process (a new run must see the sources anew)."""
    with _lock:
        for context in _contexts.values():
            context.http.close()
            context.store.close()
        _contexts.clear()


def _key(settings: Settings) -> str:
    # Secrets take part through their hash only: the key never leaves the process, but it might be printed.
    secrets = (settings.database_url, settings.iris_password, settings.llm_api_key, settings.embedding_api_key)
    return settings.model_dump_json() + str(hash(tuple(s.get_secret_value() if s else "" for s in secrets)))

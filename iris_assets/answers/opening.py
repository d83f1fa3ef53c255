"""Store, retrieval and answers of one configuration, opened together and closed together."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from iris_assets.answers.service import AnswerService, build_answer_service
from iris_assets.llm.embeddings import embedding_client
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import Settings
from iris_assets.store import Store, open_store


@dataclass(frozen=True, slots=True)
class Services:
    """What questions need; safe to share between threads."""

    settings: Settings
    store: Store
    retrieval: RetrievalService
    answers: AnswerService


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    """The services over the store of the settings."""
    store = open_store(settings.store_url, schema=settings.iris_sql_schema)
    try:
        retrieval = RetrievalService(store, settings, embedding_client(settings))
        yield Services(settings, store, retrieval, build_answer_service(store, settings, retrieval))
    finally:
        store.close()

"""The services behind the question commands, built from settings and closed after use."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from iris_assets.answers.opening import open_services
from iris_assets.answers.service import AnswerService
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import Settings
from iris_assets.store import Store, open_store


@contextmanager
def opened_store(settings: Settings) -> Iterator[Store]:
    """The store of the settings, closed at the end."""
    store = open_store(settings.store_url, schema=settings.iris_sql_schema)
    try:
        yield store
    finally:
        store.close()


def hint_when_empty(store: Store) -> None:
    """Say on stderr that nothing was collected yet: "no evidence" would let a newcomer look in the wrong place."""
    if store.candidates.count(None) == 0:
        typer.echo(f"O banco {store.url_safe} está vazio: rode antes `iris-assets run --uf SP`.", err=True)


@contextmanager
def retrieval_service(settings: Settings) -> Iterator[RetrievalService]:
    """Search over the store of the settings."""
    with open_services(settings) as services:
        hint_when_empty(services.store)
        yield services.retrieval


@contextmanager
def answer_service(settings: Settings) -> Iterator[AnswerService]:
    """Cited answers over the store of the settings."""
    with open_services(settings) as services:
        hint_when_empty(services.store)
        yield services.answers

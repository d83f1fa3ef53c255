"""The platform behind the commands that read a store which is there: none of them creates one."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.platform import Platform, open_platform
from iris_assets.settings import Settings
from iris_assets.store import Store, require_store

EMPTY = "O banco {url} está vazio: rode antes `iris-assets run --uf SP`."


@contextmanager
def existing_platform(settings: Settings) -> Iterator[Platform]:
    """The platform of a store that is there, closed at the end; StoreError STORE_ABSENT, and nothing is created."""
    try:
        require_store(settings.store_url)
    except ConfigurationError as error:
        if error.code != "STORE_ABSENT":
            raise
        raise StoreError(error.code, error.message, hint=error.hint) from None
    with open_platform(settings) as platform:
        yield platform


@contextmanager
def asked_platform(settings: Settings) -> Iterator[Platform]:
    """The platform for a question; StoreError STORE_EMPTY before anything was collected.

    "No evidence" would let a newcomer look in the wrong place.
    """
    with existing_platform(settings) as platform:
        if _is_empty(platform.store):
            raise StoreError("STORE_EMPTY", EMPTY.format(url=platform.store.url_safe))
        yield platform


@contextmanager
def looked_at_platform(settings: Settings) -> Iterator[Platform]:
    """The platform for figures of the store; an empty one is said on stderr."""
    with existing_platform(settings) as platform:
        if _is_empty(platform.store):
            typer.echo(EMPTY.format(url=platform.store.url_safe), err=True)
        yield platform


def _is_empty(store: Store) -> bool:
    return store.candidates.count(None) == 0

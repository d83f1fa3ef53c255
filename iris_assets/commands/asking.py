"""The platform behind the commands that ask it something."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from iris_assets.platform import Platform, open_platform
from iris_assets.settings import Settings
from iris_assets.store import Store


def hint_when_empty(store: Store) -> None:
    """Say on stderr that nothing was collected yet: "no evidence" would let a newcomer look in the wrong place."""
    if store.candidates.count(None) == 0:
        typer.echo(f"O banco {store.url_safe} está vazio: rode antes `iris-assets run --uf SP`.", err=True)


@contextmanager
def asked_platform(settings: Settings) -> Iterator[Platform]:
    """The platform of the settings, closed at the end; an empty store is said on stderr."""
    with open_platform(settings) as platform:
        hint_when_empty(platform.store)
        yield platform

"""Empty stores to fill: one for each test, or one for all tests of a file that only read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from iris_assets.store import open_store
from iris_assets_tests.retrieval.world import World


@contextmanager
def _opened(folder: Path) -> Iterator[World]:
    store = open_store(f"sqlite:///{folder / 'world.sqlite3'}")
    try:
        yield World(store)
    finally:
        store.close()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with _opened(tmp_path) as world:
        yield world


@pytest.fixture(scope="module")
def shared_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with _opened(tmp_path_factory.mktemp("world")) as world:
        yield world

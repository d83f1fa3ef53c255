"""A small replay folder and clients over it whose pauses take no time but are remembered."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from iris_assets.sample.faults import Faults
from iris_assets.sample.generator import generate
from iris_assets.sample.simulator import ReplayTransport, Simulator
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient


class World:
    """The simulator of the sample and a client of it; `waits` are the pauses the client made, in seconds."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.faults = Faults()
        self.simulator = Simulator(folder, self.faults)
        self.settings = load_settings({}, **settings)
        self.waits: list[float] = []

        async def wait(seconds: float) -> None:
            self.waits.append(seconds)

        self.client = HttpClient(
            self.settings, ReplayTransport(self.simulator), sleep=self.waits.append, async_sleep=wait
        )


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    generate(folder)
    return folder


@pytest.fixture
def make_world(sample_folder: Path) -> Iterator[Callable[..., World]]:
    made: list[World] = []

    def make(**settings: object) -> World:
        made.append(World(sample_folder, **settings))
        return made[-1]

    yield make
    for world in made:
        world.client.close()


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world()

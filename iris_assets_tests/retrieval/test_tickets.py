"""Who runs with whom: the candidate and the vice of one ticket, or that the records do not tell."""

from collections.abc import Iterator

import pytest

from iris_assets.store import open_store
from iris_assets_tests.retrieval.world import World


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('tickets') / 'store.sqlite3'}")
    world = World(store)
    world.candidate("1", "IRACEMA DORNELES", party="PT", office="PRESIDENTE", state="BR", candidate_number=13)
    world.candidate("2", "JURANDIR PEIXOTO", party="PSB", office="VICE-PRESIDENTE", state="BR", candidate_number=13)
    world.candidate("3", "ZULMIRA CASTANHO", party="PL", office="PRESIDENTE", state="BR", candidate_number=22)
    yield world
    store.close()


@pytest.mark.parametrize(
    "question", ["quem é vice da Iracema Dorneles?", "Quem é o candidato a vice de Iracema Dorneles?"]
)
def test_the_vice_is_named_first(world: World, question: str) -> None:
    found = world.service().retrieve(question)
    assert "JURANDIR PEIXOTO (PSB), VICE-PRESIDENTE" in found.said


def test_a_vice_that_was_not_collected_is_said_so(world: World) -> None:
    said = world.service().retrieve("quem é vice da Zulmira Castanho?").said
    assert "não trazem quem compõe a chapa" in said and "ZULMIRA CASTANHO" in said

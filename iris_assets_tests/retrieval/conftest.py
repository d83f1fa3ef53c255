"""Empty stores to fill: one for each test, or one for all tests of a file that only read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from iris_assets.store import open_store
from iris_assets_tests.retrieval.world import World

DEPUTY = {"office": "DEPUTADO FEDERAL"}
ELECTED = {"round_result": "ELEITO POR QP", "round": 1}
BY_AVERAGE = {"round_result": "ELEITO POR MÉDIA", "round": 1}
LOST = {"round_result": "NÃO ELEITO", "round": 1}


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


@pytest.fixture(scope="module")
def elections(shared_world: World) -> World:
    """Eight candidates of 2026 and one of 2022, four of whom sign bills; a plan of 2026 and one bill without topic."""
    world = shared_world
    world.candidate("1", "ANA LIMA", state="DF", party="PT", **DEPUTY, **ELECTED)
    world.candidate("2", "BRUNO COSTA", state="DF", party="PL", **DEPUTY, **BY_AVERAGE)
    world.candidate("3", "CAIO REIS", state="PI", party="UNIÃO", **DEPUTY, **LOST)
    world.candidate("4", "DORA PAZ", state="PI", party="PC DO B", round_result="ELEITO", round=2)
    world.candidate("5", "ENZO LUZ", state="PI", party="PT", round_result="NÃO ELEITO", round=2)
    world.candidate("6", "FLORA SA", state="BR", party="PL", office="PRESIDENTE", registration_status="INAPTO")
    world.candidate("7", "GIL BETO", state="SE", party="REDE", **DEPUTY, round_result="SUPLENTE", round=1)
    world.candidate("8", "HUGO CEARÁ", state="DF", party="NOVO", **DEPUTY, registration_status="APTO")
    world.candidate("9", "IVO MOTA", state="PI", party="PT", election_year=2022)
    world.bill(11, "PL 5/2022", "Cria o cadastro de creches.", ["1"], ["Educação", "Saúde"])
    world.bill(12, "PL 6/2023", "Institui o dia da merenda escolar.", ["1", "2"], ["Educação"])
    world.bill(13, "REQ 7/2023", "Requer audiência pública.", ["2"], ["Viação, Transporte e Mobilidade"])
    world.bill(14, "PEC 8/2024", "Altera o imposto sobre serviços.", ["3"], [])
    world.plan("plan", ["6"], ["Construir creches em tempo integral."])
    world.mandate("H1", "Deputado", "1")
    return world

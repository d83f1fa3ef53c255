"""One PDF that two candidates filed is cited as that of the candidate asked about."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from iris_assets.answers.response import SourceModel
from iris_assets.answers.service import AnswerService
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import open_store
from iris_assets_tests.retrieval.world import World

OLD, NEW = datetime(2022, 8, 20, tzinfo=UTC), datetime(2026, 8, 15, tzinfo=UTC)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[AnswerService]:
    store = open_store(f"sqlite:///{tmp_path / 'world.sqlite3'}")
    world = World(store)
    world.candidate("1", "ANA LIMA")
    world.candidate("2", "BRUNO COSTA")
    world.plan("a" * 64, ["1", "2"], ["Vamos construir creches em todo o estado."])
    filings = (("1", "2022SP1.pdf", "antigo.zip", OLD), ("2", "SP/2026SP2_01.pdf", "novo.zip", NEW))
    with store.transaction() as tx:
        for tse_id, file_name, archive, day in filings:
            store.links.set(
                tx, "GOVERNMENT_PROPOSAL", "a" * 64, world.id_of(tse_id), "FILED_BY", file_name,
                title=f"Proposta de {tse_id}", source_url=f"https://cdn.tse.jus.br/{archive}", source_collected_at=day,
            )  # fmt: skip
    settings = load_settings({}, iris_assets_data=tmp_path)
    yield AnswerService(store, settings, RetrievalService(store, settings))
    store.close()


@pytest.mark.parametrize(
    ("name", "title", "archive", "file_name", "day"),
    [
        ("Ana Lima", "Proposta de 1", "antigo.zip", "2022SP1.pdf", OLD),
        ("Bruno Costa", "Proposta de 2", "novo.zip", "SP/2026SP2_01.pdf", NEW),
    ],
)
def test_the_facts_of_the_filing_are_those_of_the_candidate_asked_about(
    service: AnswerService, name: str, title: str, archive: str, file_name: str, day: datetime
) -> None:
    [source] = service.ask(f"O que {name} propõe sobre creches?").sources
    assert isinstance(source, SourceModel)
    assert (source.title, source.url, source.collected_at) == (title, f"https://cdn.tse.jus.br/{archive}", day)
    assert source.locator == f"arquivo {file_name} dentro do pacote {archive} do TSE"
    assert len(source.candidates) == 2

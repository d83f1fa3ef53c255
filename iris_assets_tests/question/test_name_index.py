"""Names follow the store: a changed candidate, an unchanged number of them, another process that wrote."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from iris_assets.question.name_index import CHECKED, CandidateNames
from iris_assets.store import open_store
from iris_assets.store.search import SearchFilter
from iris_assets_tests.retrieval.world import World


def test_a_new_ballot_name_and_party_are_known_within_a_second(world: World) -> None:
    world.candidate("1", "LIA")
    world.plan("um", ["1"], ["Construir creches em tempo integral."])
    service = world.service()
    assert service.retrieve("O que Lia propõe sobre creches?").candidate is not None
    world.candidate("1", "ZEFA DO MERCADO", party="P9")
    time.sleep(CHECKED)
    found = service.retrieve("O que Zefa do Mercado propõe sobre creches?").candidate
    assert found is not None and (found.ballot_name, found.party) == ("ZEFA DO MERCADO", "P9")
    assert service.retrieve("O que Lia propõe sobre creches?").candidate is None


def test_what_another_process_wrote_is_seen(world: World, tmp_path: Path) -> None:
    world.candidate("1", "LIA")
    now = [0.0]
    names = CandidateNames(world.store, clock=lambda: now[0])
    assert [one.ballot_name for one in names.index(SearchFilter()).candidates.values()] == ["LIA"]
    other = open_store(f"sqlite:///{tmp_path / 'world.sqlite3'}")
    World(other).candidate("1", "NORA")
    other.close()
    now[0] = CHECKED
    assert [one.ballot_name for one in names.index(SearchFilter()).candidates.values()] == ["NORA"]


def test_an_index_is_kept_while_nothing_changes(world: World) -> None:
    world.candidate("1", "LIA")
    now = [0.0]
    names = CandidateNames(world.store, clock=lambda: now[0])
    first = names.index(SearchFilter())
    now[0] = 3600.0
    assert names.index(SearchFilter()) is first


def test_threads_and_scopes_share_one_reading_of_the_candidates(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.candidate("1", "LIA", party="P1")
    world.candidate("2", "NORA", party="P2")
    names, read = CandidateNames(world.store, clock=lambda: 0.0), world.store.candidates.present
    readings: list[int] = []

    def counted(columns: Any) -> Any:
        readings.append(1)
        time.sleep(0.05)  # long enough for the other threads to come
        return read(columns)

    monkeypatch.setattr(world.store.candidates, "present", counted)
    scopes = [SearchFilter(), SearchFilter(parties=("P1",)), SearchFilter(parties=("P2",))] * 4
    with ThreadPoolExecutor(len(scopes)) as pool:
        found = list(pool.map(names.index, scopes))
    assert readings == [1]
    borne = [sorted(one.ballot_name or "" for one in index.candidates.values()) for index in found[:3]]
    assert borne == [["LIA", "NORA"], ["LIA"], ["NORA"]]


@pytest.mark.parametrize(
    ("text", "recognised"),
    [
        ("O farol da barra guia os barcos; há um farol em cada praia.", False),
        ("A escola do bairro leva o nome de Farol; Farol foi prefeito.", True),
        ("Construir creches.", True),
    ],
)
def test_the_indexed_texts_tell_a_common_word_from_a_name(world: World, text: str, recognised: bool) -> None:
    world.candidate("1", "FAROL")
    world.plan("um", ["1"], [text])
    assert (world.service().retrieve("o que farol propõe?").candidate is not None) == recognised

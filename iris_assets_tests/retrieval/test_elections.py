"""Several elections in one store: the year of a question is the election of its answer, in whatever form it stands."""

from collections.abc import Iterator

import pytest

from iris_assets.store import open_store
from iris_assets_tests.retrieval.world import World

PRESIDENT = {"office": "PRESIDENTE", "state": "BR", "party": "PT"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('elections') / 'store.sqlite3'}")
    world = World(store)
    world.candidate("18", "IRACEMA DORNELES", election_year=2018, round_result="NÃO ELEITO", **PRESIDENT)
    world.candidate("22", "IRACEMA DORNELES", election_year=2022, round_result="ELEITO", **PRESIDENT)
    world.candidate(
        "23", "ZULMIRA CASTANHO", election_year=2022, round_result="NÃO ELEITO", office="GOVERNADOR", state="PI"
    )
    world.candidate("26", "ZULMIRA CASTANHO", election_year=2026, office="GOVERNADOR", state="PI")
    world.plan("antigo", ["18"], ["Educação: abriremos 100 escolas técnicas. Cultura: faremos festivais."])
    world.plan("novo", ["22"], ["Educação: abriremos 300 escolas técnicas. Cultura: faremos museus."])
    world.plan("partilhado", ["23", "26"], ["Saneamento: levaremos água a todas as vilas."])
    yield world
    store.close()


def elections(world: World, question: str) -> set[int]:
    found = world.service().retrieve(question)
    return {candidate.year for evidence in found.evidences for candidate in evidence.candidates}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("O que Iracema Dorneles propõe para a educação?", {2022}),
        ("O que Iracema Dorneles propôs em 2018 para a educação?", {2018}),
        ("E o plano de 2018 da Iracema Dorneles, fala de cultura?", {2018}),
        ("iracema dorneles 2018 educação", {2018}),
        ("Compare os planos de Iracema Dorneles de 2018 e de 2022 sobre educação.", {2018, 2022}),
        ("O que Iracema Dorneles propôs na última eleição para a educação?", {2022}),  # 2026 has no results
        ("O que Zulmira Castanho propõe para o saneamento em 2022?", {2022}),  # one plan, filed twice
        ("O que Zulmira Castanho propõe para o saneamento?", {2026}),
    ],
)
def test_evidence_is_of_the_election_that_is_asked_about(world: World, question: str, expected: set[int]) -> None:
    assert elections(world, question) == expected


def test_results_are_those_of_the_newest_election_that_has_any(world: World) -> None:
    found = world.service().retrieve("Quem perdeu a eleição para governador do Piauí?")
    assert [(one.ballot_name, one.year) for evidence in found.evidences for one in evidence.candidates] == [
        ("ZULMIRA CASTANHO", 2022)
    ]


def test_candidates_by_election_are_those_of_every_election(world: World) -> None:
    counted = world.service().retrieve("Quantos candidatos por eleição?").counts
    assert {row.name: row.count for row in counted} == {"2018": 1, "2022": 2, "2026": 1}


def test_a_year_within_a_subject_is_no_election(world: World) -> None:
    assert elections(world, "O que Iracema Dorneles propõe para a Agenda 2030 e a educação?") == {2022}

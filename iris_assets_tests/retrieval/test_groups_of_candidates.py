"""A question about the plans of many, restricted by a result or by who is left out."""

import pytest

from iris_assets.retrieval.types import Retrieval
from iris_assets_tests.retrieval.world import World

PEOPLE = (
    ("1", "ANA LIMA", "PT", "ELEITO"),
    ("2", "BRUNO COSTA", "PL", "NÃO ELEITO"),
    ("3", "CARLA DIAS", "PT", "NÃO ELEITO"),
    ("4", "DAVI REIS", "NOVO", "NÃO ELEITO"),
)


@pytest.fixture(scope="module")
def four(shared_world: World) -> World:
    for tse_id, name, party, result in PEOPLE:
        shared_world.candidate(tse_id, name, party=party, round_result=result, round=2 if tse_id in "12" else 1)
        shared_world.plan(f"p{tse_id}", [tse_id], ["Construir creches em tempo integral."])
    return shared_world


def shown(found: Retrieval) -> set[str]:
    return {one.ballot_name or "" for evidence in found.evidences for one in evidence.candidates}


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("O que os candidatos a governador dizem sobre creches?", "ABCD"),
        ("O que os candidatos, menos a Ana Lima, dizem sobre creches?", "BCD"),
        ("Tirando Ana Lima e Bruno Costa, quem fala de creches?", "CD"),
        ("Fora a Carla Dias, o que os candidatos a governador propõem para creches?", "ABD"),
        ("O que os candidatos que não são do PT dizem sobre creches?", "BD"),
        ("O que os candidatos a governador eleitos propõem sobre creches?", "A"),
        ("O que os candidatos a governador que perderam propõem sobre creches?", "BCD"),
        ("O que os candidatos que foram ao segundo turno dizem sobre creches?", "AB"),
        ("Se eleitos, o que os candidatos a governador propõem para as creches?", "ABCD"),
        ("Se for eleita, o que Ana Lima propõe para as creches?", "A"),
    ],
)
def test_only_the_group_that_the_question_means_is_shown(four: World, question: str, people: str) -> None:
    assert {name[0] for name in shown(four.service().retrieve(question))} == set(people)


def test_a_group_of_nobody_is_said_and_nobody_else_stands_in(four: World) -> None:
    found = four.service().retrieve("O que os candidatos a governador inaptos dizem sobre creches?")
    assert not found.evidences
    assert any("INAPTO" in notice for notice in found.notices)


def test_a_result_that_no_record_has_yet_is_said(world: World) -> None:
    world.candidate("1", "ANA LIMA")
    world.plan("p1", ["1"], ["Construir creches em tempo integral."])
    found = world.service().retrieve("O que os candidatos a governador eleitos dizem sobre creches?")
    assert not found.evidences
    assert any("resultados" in notice for notice in found.notices)

"""The look-up over every candidate: whose plans, on which topic, and what is said where there is none."""

import pytest

from iris_assets.retrieval.types import Turn
from iris_assets_tests.retrieval.world import World


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    world.candidate("1", "ANA", office="PRESIDENTE", state="BR", party="PT")
    world.candidate("2", "BIA", office="PRESIDENTE", state="BR", party="NOVO")
    world.candidate("3", "CAIO", state="PI", party="PT")
    world.candidate("4", "DORA", state="AC")
    world.plan("ana", ["1"], ["O presidente da República do Brasil nas eleições de 2026: construir creches."])
    world.plan("bia", ["2"], ["O presidente da República do Brasil nas eleições de 2026: reduzir impostos."])
    world.plan("caio", ["3"], ["Levar creches ao interior do Piauí."])
    return world


def _told(world: World, question: str) -> dict[str, str]:
    lookup = world.service().retrieve(question).lookup
    assert lookup is not None, question
    return {entry.candidate.ballot_name or "": entry.status for entry in lookup.entries}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("O que cada candidato a presidente da República do Brasil nas eleições de 2026 propõe sobre creches?",
         {"ANA": "found", "BIA": "not_addressed"}),
        ("Na corrida ao Palácio do Planalto, o que cada candidato ao Planalto propõe sobre creches?",
         {"ANA": "found", "BIA": "not_addressed"}),
        ("o que cada candidato do pt propõe sobre creches", {"ANA": "found", "CAIO": "found"}),
        ("O que cada candidato a governador do Piauí propõe sobre creches?", {"CAIO": "found"}),
        ("O que cada candidato a governador propõe sobre creches no Piauí?", {"CAIO": "found"}),
        ("O que cada candidato a presidente propõe sobre creches no Piauí?",
         {"ANA": "not_addressed", "BIA": "not_addressed"}),
        ("Quais as propostas dos candidatos a governador para creches?", {"CAIO": "found", "DORA": "not_collected"}),
        ("O que os presidenciáveis pensam sobre creches?", {"ANA": "found", "BIA": "not_addressed"}),
        ("Compare todos os candidatos a presidente sobre creches", {"ANA": "found", "BIA": "not_addressed"}),
        ("O que cada candidato a governador propõe sobre o presidente da República?",
         {"CAIO": "not_addressed", "DORA": "not_collected"}),
    ],
)  # fmt: skip
def test_whose_plans_and_on_what(full: World, question: str, expected: dict[str, str]) -> None:
    assert _told(full, question) == expected


def test_a_question_without_a_topic_shows_how_each_plan_begins(full: World) -> None:
    found = full.service().retrieve("O que todos os candidatos propõem?")
    assert _told(full, "O que todos os candidatos propõem?") == {
        "ANA": "found", "BIA": "found", "CAIO": "found", "DORA": "not_collected",
    }  # fmt: skip
    assert any("não cita um tema" in notice for notice in found.notices)
    assert not any("não trata do tema" in notice for notice in found.notices)


def test_a_short_question_after_a_look_up_asks_the_same_candidates(full: World) -> None:
    before = Turn("O que cada candidato a presidente propõe sobre creches?")
    lookup = full.service().retrieve("e sobre impostos?", history=[before]).lookup
    assert lookup is not None
    told = {entry.candidate.ballot_name: entry.status for entry in lookup.entries}
    assert told == {"ANA": "not_addressed", "BIA": "found"}


def test_where_nobody_runs_no_plan_is_judged(full: World) -> None:
    found = full.service().retrieve("O que cada candidato a senador do Acre propõe sobre creches?")
    assert (found.lookup, found.evidences) == (None, ())
    assert "Nenhuma candidatura registrada neste recorte (UF: AC; cargo: SENADOR)." in found.notices

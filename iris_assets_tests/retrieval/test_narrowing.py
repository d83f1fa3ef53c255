"""Party, UF and office in a question narrow ordinary search where they surely restrict the records."""

import pytest

from iris_assets.store.search import SearchFilter
from iris_assets_tests.retrieval.world import World


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    for number, (name, party, state) in enumerate(
        (("FLORA", "PT", "PI"), ("BENTO", "PT", "SP"), ("CAIO", "PL", "PI"), ("DALVA", "PT", "PI")), 1
    ):
        world.candidate(str(number), name, party=party, state=state, office="DEPUTADO FEDERAL")
        world.bill(number, f"PL {number}/2023", f"Cria o programa de creches de número {number}.", [str(number)])
    world.bill(9, "PL 9/2023", "Cria a rota da merenda escolar.", ["1"])
    return world


def test_bills_of_a_party_in_a_uf_are_listed_by_ballot_name(full: World) -> None:
    found = full.service().retrieve("projetos do PT no Piauí")
    assert [one.source_id for one in found.evidences] == ["4", "1", "9"]  # DALVA before FLORA
    assert "Busca restrita ao que a pergunta cita (UF: PI; partido: PT)." in found.notices
    assert any(notice.startswith("Candidaturas com registros deste recorte: 2;") for notice in found.notices)


def test_a_topic_within_a_party(full: World) -> None:
    found = full.service().retrieve("Quais projetos do PT tratam de merenda?")
    assert [one.source_id for one in found.evidences] == ["9"]
    assert {one.source_id for one in full.service().retrieve("projetos do PT sobre creches").evidences} == {
        "1", "2", "4",
    }  # fmt: skip


def test_the_callers_filter_comes_first(full: World) -> None:
    found = full.service().retrieve("projetos do PT no Piauí", filters=SearchFilter(states=("SP",)))
    assert [one.source_id for one in found.evidences] == ["2"]


def test_a_place_that_no_text_holds_is_that_of_the_candidates(full: World) -> None:
    found = full.service().retrieve("merenda no Piauí")
    assert [one.source_id for one in found.evidences] == ["9"]
    assert "Busca restrita ao que a pergunta cita (UF: PI)." in found.notices
    listed = full.service().retrieve("projetos no Piauí").evidences
    assert [one.source_id for one in listed] == ["3", "4", "1", "9"]  # CAIO, DALVA, FLORA
    assert full.service().retrieve("projetos sobre o Piauí").evidences == ()  # bills about it, and there are none
    silent = full.service().retrieve("astronomia no Piauí")
    assert silent.evidences == () and not any("restrita" in notice for notice in silent.notices)


def test_leis_of_somebody_are_bills(full: World) -> None:
    for question in ("leis da Flora", "lei de Flora", "projetos de Flora"):
        found = full.service().retrieve(question)
        assert {one.source_id for one in found.evidences} == {"1", "9"}, question

"""Look-ups within filters: what exists outside of them, what is somebody else's, which pages of whose plan."""

import pytest

from iris_assets.retrieval.types import Retrieval, Turn
from iris_assets.store.search import SearchFilter
from iris_assets_tests.retrieval.world import World

OUTSIDE = "fora dos filtros escolhidos"
PAGES = [f"Medida {number}: construir creches no bairro número {number} da cidade." for number in range(1, 9)]


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    world.size, world.overlap = 24, 0  # a passage may begin on one page and end on the next
    world.candidate("100000000001", "ANA LIMA", state="SP", party="PT", candidate_number=13)
    world.candidate("100000000002", "BRUNO COSTA", state="DF", party="UNIÃO", candidate_number=44)
    world.candidate("100000000003", "CARLA DIAS", state="DF", party="PT", candidate_number=13)
    world.plan("planA", ["100000000001"], PAGES)
    world.plan("planB", ["100000000002"], PAGES[:2])
    world.size = 120
    world.bill(77, "PL 403/2023", "Cria o cadastro de creches.", ["100000000002"])
    world.bill(78, "PL 404/2023", "Institui o dia da merenda.", ["100000000001", "100000000002"])
    world.bill(79, "XYZ 5/2023", "Documento de um tipo que ninguém listou.", ["100000000001"])
    return world


def shown(found: Retrieval, document: str, *pages: int) -> bool:
    """Whether the evidences are exactly these pages of a plan, whole, each once, in order."""
    found_pages = [(one.page_start, one.page_end, one.content) for one in found.evidences]
    expected = [(page, page, PAGES[page - 1]) for page in pages]
    return found_pages == expected and {one.source_id for one in found.evidences} == {document}


@pytest.mark.parametrize(
    "filters",
    [
        SearchFilter(states=("SP",)),
        SearchFilter(parties=("PT",)),
        SearchFilter(source_types=("POLITICAL_HISTORY",)),
        SearchFilter(states=("DF",), parties=("PT",)),  # both must hold for one candidate
    ],
)
def test_a_bill_outside_the_filters_is_no_evidence_and_known(full: World, filters: SearchFilter) -> None:
    found = full.service().retrieve("PL 403/2023", filters=filters)
    assert found.evidences == ()
    assert found.plan.unknown_references == ()
    assert any(notice.startswith("PL 403/2023: existe") and OUTSIDE in notice for notice in found.notices)


def test_a_bill_within_the_filters_is_found_and_an_unknown_one_stays_unknown(full: World) -> None:
    filters = SearchFilter(states=("DF",), parties=("UNIÃO",), years=(2026,), source_types=("PROPOSITION",))
    found = full.service().retrieve("PL 403/2023 e PL 999/2023", filters=filters)
    assert [evidence.source_id for evidence in found.evidences] == ["77"]
    assert found.plan.unknown_references == ("PL 999/2023",)
    assert not any(OUTSIDE in notice for notice in found.notices)


@pytest.mark.parametrize("question", ["O PL 403/2023 é da Ana Lima?", "O que Ana Lima diz sobre o PL 403/2023?"])
def test_a_bill_of_somebody_else_is_shown_as_what_it_is(full: World, question: str) -> None:
    found = full.service().retrieve(question)
    assert [(one.source_id, one.candidates[0].ballot_name) for one in found.evidences] == [("77", "BRUNO COSTA")]
    assert found.candidate is None  # it answers for nobody
    assert found.plan.unknown_references == ()
    assert "PL 403/2023 consta nos registros como de BRUNO COSTA; não consta como de ANA LIMA." in found.notices


@pytest.mark.parametrize("question", ["PL 403/2023", "Resuma o PL 403/2023", "O que diz o PL 403/2023?"])
def test_with_a_candidate_selected_only_the_notice_says_whose_it_is(full: World, question: str) -> None:
    found = full.service().retrieve(question, candidate="100000000001")
    assert found.evidences == ()
    assert found.plan.unknown_references == ()
    assert any("não consta como de ANA LIMA" in notice for notice in found.notices)


def test_a_bill_of_several_is_of_each_of_them(full: World) -> None:
    found = full.service().retrieve("PL 404/2023 e PL 404/2023 da Ana Lima", candidate="100000000001")
    assert [evidence.source_id for evidence in found.evidences] == ["78"]
    assert found.candidate is not None and found.candidate.ballot_name == "ANA LIMA"


def test_people_outside_the_filters_are_known_and_give_nothing(full: World) -> None:
    for question in ("100000000001", "O que 100000000001 propõe sobre creches?", "governador 13 de SP"):
        found = full.service().retrieve(question, filters=SearchFilter(states=("DF",)))
        assert found.evidences == () and found.plan.unknown_references == ()
        assert any(OUTSIDE in notice and "UF: DF" in notice for notice in found.notices), question


def test_a_selected_candidate_outside_the_filters_gives_nothing(full: World) -> None:
    found = full.service().retrieve("resuma o plano", candidate="100000000001", filters=SearchFilter(states=("DF",)))
    assert found.evidences == () and found.candidate is None
    assert any("ANA LIMA" in notice and OUTSIDE in notice for notice in found.notices)


def test_a_named_candidate_outside_the_filters_is_known(full: World) -> None:
    found = full.service().retrieve("O que Ana Lima propõe sobre creches?", filters=SearchFilter(states=("DF",)))
    assert found.evidences == ()
    assert any("ANA LIMA" in notice and OUTSIDE in notice for notice in found.notices)
    both = full.service().retrieve("Compare Ana Lima e Bruno Costa: creches", filters=SearchFilter(states=("DF",)))
    assert {one.candidates[0].ballot_name for one in both.evidences} == {"BRUNO COSTA"}
    assert [notice.split(" — ")[0] for notice in both.notices if OUTSIDE in notice] == ["ANA LIMA"]


def test_a_follow_up_does_not_bring_a_candidate_past_the_filters(full: World) -> None:
    turns = [Turn("O que Ana Lima propõe sobre merenda?", "100000000001")]
    found = full.service().retrieve("e sobre creches?", history=turns, filters=SearchFilter(states=("DF",)))
    assert {one.ballot_name for evidence in found.evidences for one in evidence.candidates} == {"BRUNO COSTA"}


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("governador 13 de SP", "ANA LIMA"),
        ("13 para governador no DF", "CARLA DIAS"),
        ("SQ 100000000002", "BRUNO COSTA"),
    ],
)
def test_a_number_with_its_uf_is_one_candidate(full: World, question: str, name: str) -> None:
    found = full.service().retrieve(question)
    assert [(one.source_type, one.candidates[0].ballot_name) for one in found.evidences] == [("CANDIDATE", name)]


def test_an_id_and_a_bill_both_count_in_order(full: World) -> None:
    found = full.service().retrieve("100000000002, PL 403/2023 e governador 13 de SP")
    assert [(one.source_type, one.source_id) for one in found.evidences] == [
        ("CANDIDATE", "100000000002"), ("PROPOSITION", "77"), ("CANDIDATE", "100000000001"),
    ]  # fmt: skip
    selected = full.service().retrieve("100000000001, PL 404/2023 e 100000000002", candidate="100000000002")
    assert [one.source_id for one in selected.evidences] == ["78", "100000000002"]


def test_a_number_of_two_ufs_shows_both(full: World) -> None:
    shown_ones = full.service().retrieve("governador 13").evidences
    assert [one.candidates[0].state for one in shown_ones] == ["SP", "DF"]
    assert full.service().retrieve("governador 13", filters=SearchFilter(states=("DF",))).candidate is not None


def test_several_pages_each_passage_once_in_order(full: World) -> None:
    found = full.service().retrieve("páginas 2, 4 a 5 e 2 do plano de Ana Lima")
    assert shown(found, "planA", 2, 4, 5)


def test_a_page_that_only_one_of_two_plans_has(full: World) -> None:
    found = full.service().retrieve("página 3 dos planos de Ana Lima e Bruno Costa")
    assert shown(found, "planA", 3)
    assert "página 3: não encontrada no plano guardado de BRUNO COSTA." in found.notices
    assert found.plan.unknown_references == ()


def test_a_page_without_a_candidate_asks_whose(full: World) -> None:
    found = full.service().retrieve("página 5 do plano de governo")
    assert found.evidences == ()
    assert "página 5: diga de qual candidatura é o plano de governo." in found.notices


def test_a_page_in_a_follow_up_is_of_the_candidate_before(full: World) -> None:
    turns = [Turn("O que Ana Lima propõe sobre creches?", "100000000001")]
    found = full.service().retrieve("e a página 7 do plano?", history=turns)
    assert shown(found, "planA", 7)


def test_a_range_of_pages_is_cut_with_a_notice(full: World) -> None:
    found = full.service().retrieve("páginas 1 a 300 do plano de Ana Lima")
    assert shown(found, "planA", *range(1, 9))
    assert "A pergunta cita 300 referências; foram consultadas as primeiras 30." in found.notices
    absent = ", ".join(f"página {number}" for number in range(9, 31))
    assert f"Não encontrados nos registros guardados: {absent}." in found.notices


def test_several_kinds_and_a_kind_that_is_on_no_list(full: World) -> None:
    found = full.service().retrieve("PL e PLP 403/2023, XYZ 5/2023")
    assert [evidence.title for evidence in found.evidences] == ["PL 403/2023", "XYZ 5/2023"]
    assert found.plan.unknown_references == ("PLP 403/2023",)

"""How much evidence of whom, in which order: limits, quotas, the published order, the pages of a look-up."""

import pytest

from iris_assets.retrieval.planning import COVERAGE_LIMIT, DISCOVERY_LIMIT, PER_CANDIDATE, SELECTED_LIMIT
from iris_assets.store.search import SearchFilter
from iris_assets_tests.retrieval.world import World

NAMES = ("FLORA", "ÉRICO", "DALVA", "CAIO", "BENTO", "ALICE")  # stored against the order in which they are shown
PAGES = [f"Medida {number}: construir creches no bairro número {number} da cidade." for number in range(1, 31)]


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    """Six candidates whose plans all speak of creches on thirty pages, one passage a page."""
    shared_world.size, shared_world.overlap = 24, 0
    for number, name in enumerate(NAMES, 1):
        shared_world.candidate(str(number), name, party=f"P{number % 2}", state="SP" if number < 5 else "AC")
        shared_world.plan(f"plan{number}", [str(number)], PAGES)
    return shared_world


def test_without_a_candidate_at_most_three_of_each_and_twelve_in_all(full: World) -> None:
    found = full.service().retrieve("construir creches")
    owners = [evidence.candidates[0].ballot_name for evidence in found.evidences]
    assert len(owners) == DISCOVERY_LIMIT == 12
    assert max(owners.count(name) for name in owners) <= PER_CANDIDATE == 3


def test_several_candidates_stand_by_ballot_name_without_accents_and_the_answer_says_so(full: World) -> None:
    found = full.service().retrieve("construir creches")
    owners = [evidence.candidates[0].ballot_name or "" for evidence in found.evidences]
    shown = list(dict.fromkeys(owners))
    assert shown == [name for name in ("ALICE", "BENTO", "CAIO", "DALVA", "ÉRICO", "FLORA") if name in shown]
    assert len(shown) > 1
    assert any("ordem alfabética do nome de urna" in notice for notice in found.notices)


def test_a_selected_candidate_has_eight_and_nobody_elses(full: World) -> None:
    found = full.service().retrieve("construir creches", candidate="3")
    assert len(found.evidences) == SELECTED_LIMIT == 8
    assert {evidence.source_id for evidence in found.evidences} == {"plan3"}
    assert found.candidate is not None and found.candidate.ballot_name == "DALVA"


def test_a_summary_samples_twelve_passages_evenly_in_document_order(full: World) -> None:
    found = full.service().retrieve("Resuma o plano de governo de Dalva")
    rows = full.store.chunks.of_source("GOVERNMENT_PROPOSAL", "plan3")
    last = len(rows) - 1
    expected = [int(i * last / (COVERAGE_LIMIT - 1) + 0.5) for i in range(COVERAGE_LIMIT)]
    assert len(rows) > COVERAGE_LIMIT == 12
    assert [evidence.chunk_index for evidence in found.evidences] == expected


def test_named_candidates_have_equal_places(full: World) -> None:
    found = full.service().retrieve("Compare o que Flora e Alice propõem sobre creches")
    owners = [evidence.candidates[0].ballot_name for evidence in found.evidences]
    assert owners == ["ALICE"] * 4 + ["FLORA"] * 4
    assert any("ordem alfabética" in notice for notice in found.notices)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (SearchFilter(states=("AC",)), {"plan5", "plan6"}),
        (SearchFilter(parties=("P1",)), {"plan1", "plan3", "plan5"}),
        (SearchFilter(parties=("P1",), states=("AC",)), {"plan5"}),
        (SearchFilter(years=(2026,), offices=("GOVERNADOR",), states=("AC",)), {"plan5", "plan6"}),
        (SearchFilter(source_types=("PROPOSITION",)), set()),
    ],
)
def test_filters_hold_everywhere(full: World, filters: SearchFilter, expected: set[str]) -> None:
    service = full.service()
    searched = {evidence.source_id for evidence in service.search("creches", filters=filters, top_k=50).results}
    assert searched == expected
    assert {evidence.source_id for evidence in service.retrieve("creches", filters=filters).evidences} <= expected


def test_a_filter_on_one_candidate_selects_it(full: World) -> None:
    filters = SearchFilter(candidate_ids=(full.id_of("2"),))
    assert {evidence.source_id for evidence in full.service().retrieve("creches", filters=filters).evidences} == {
        "plan2"
    }


def test_the_look_up_over_all_candidates_turns_pages_of_twenty(world: World) -> None:
    for number in range(1, 26):
        world.candidate(str(number), f"NOME {number:02}")
    world.plan("with", ["3"], ["Vamos construir creches."])
    world.plan("without", ["24"], ["Vamos plantar árvores nas praças."])
    question = "O que cada candidato propõe sobre creches?"
    first, second = (world.service().retrieve(question, page=page).lookup for page in (1, 2))
    assert first is not None and second is not None
    assert (first.total, first.pages, len(first.entries), len(second.entries)) == (25, 2, 20, 5)
    beyond = world.service().retrieve(question, page=99)
    assert beyond.lookup == second and "Só há 2 páginas: aparece a última." in beyond.notices
    names = [entry.candidate.ballot_name for entry in (*first.entries, *second.entries)]
    assert names == sorted(names, key=str)
    told = {entry.candidate.tse_id: (entry.status, entry.text) for entry in (*first.entries, *second.entries)}
    assert told["3"] == ("found", "")
    assert told["24"] == ("not_addressed", "o plano não trata do tema")
    assert told["25"] == ("no_plan", "sem plano registrado")
    evidence = first.entries[2].evidence
    assert evidence is not None and evidence.evidence_id == "E1"


@pytest.mark.parametrize("top_k", [1, 8, 50])
def test_a_longer_list_is_filled_from_longer_lists(full: World, top_k: int) -> None:
    """Each search gives twenty hits, or twice as many as are wanted."""
    assert len(full.service().search("creches", top_k=top_k).results) == top_k

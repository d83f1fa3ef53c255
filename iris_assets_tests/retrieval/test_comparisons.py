"""Several candidates in one question: each has its own evidence, and the notices say what is missing."""

import pytest

from iris_assets.retrieval.order import ORDER_NOTICE
from iris_assets_tests.retrieval.world import World


@pytest.fixture(scope="module")
def full(shared_world: World) -> World:
    world = shared_world
    world.size, world.overlap = 24, 0
    world.candidate("1", "LIA")
    world.candidate("2", "CIRO PRADO")
    world.candidate("3", "FELIPE D AVELAR")
    world.candidate("4", "TITO ZUMBA")
    world.candidate("5", "NINO ZUMBA")
    pages = [f"Medida {number}: construir creches no bairro número {number}." for number in range(1, 9)]
    for tse_id in ("1", "2"):
        world.plan(f"plano{tse_id}", [tse_id], pages)
    world.plan("plano3", ["3"], ["Reduzir a fila das creches.", "Privatizar os portos."])
    for number in range(1, 7):
        world.bill(number, f"PL {number}/2023", f"Cria o cadastro de creches número {number}.", ["1", "2"])
    return world


def _owners(world: World, question: str) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    found = world.service().retrieve(question)
    people = [tuple(one.ballot_name or "" for one in evidence.candidates) for evidence in found.evidences]
    return people, tuple(notice for notice in found.notices if not notice.startswith("A busca usou"))


@pytest.mark.parametrize(
    "question",
    ["Compare os planos de Lia e Ciro sobre creches", "compare os planos de lia e ciro em creches"],
)
def test_each_has_its_quota(full: World, question: str) -> None:
    people, notices = _owners(full, question)
    assert people == [("CIRO PRADO",)] * 4 + [("LIA",)] * 4
    assert notices == (ORDER_NOTICE,)


def test_a_name_with_an_apostrophe_takes_nobodys_place(full: World) -> None:
    people, _ = _owners(full, "O que Felipe D'Avelar e Lia propõem no plano de governo para creches?")
    assert people == [("FELIPE D AVELAR",)] + [("LIA",)] * 4


def test_a_bill_of_both_counts_for_both(full: World) -> None:
    people, _ = _owners(full, "Compare os projetos de Lia e Ciro sobre creches")
    assert people == [("CIRO PRADO", "LIA")] * 4


def test_who_has_no_evidence_is_named(full: World) -> None:
    found = full.service().retrieve("Compare o que Lia e Felipe D'Avelar propõem sobre portos")
    assert [one.candidates[0].ballot_name for one in found.evidences] == ["FELIPE D AVELAR"]
    assert [(one.candidate.ballot_name, one.status) for one in found.absent] == [("LIA", "not_addressed")]


def test_who_is_not_recognised_is_named_and_the_others_are_answered(full: World) -> None:
    people, notices = _owners(full, "Compare Felipe D'Avelar e Fulano Beltrano sobre creches")
    assert people == [("FELIPE D AVELAR",)]
    assert "FULANO BELTRANO: nome não reconhecido entre as candidaturas consultadas." in notices


def test_a_name_of_several_asks_which(full: World) -> None:
    found = full.service().retrieve("compare lia e zumba em creches")
    assert found.strategy == "clarification"
    assert [one.ballot_name for one in found.clarification] == ["NINO ZUMBA", "TITO ZUMBA"]


def test_without_a_topic_each_plan_is_sampled(full: World) -> None:
    people, notices = _owners(full, "Compare Lia e Felipe D'Avelar")
    assert people == [("FELIPE D AVELAR",)] + [("LIA",)] * 4
    assert notices == (ORDER_NOTICE,)


def test_what_somebody_proposes_is_the_plan_and_not_the_registry(full: World) -> None:
    found = full.service().retrieve("O que Felipe D'Avelar propõe?")
    assert [(e.source_type, e.source_id) for e in found.evidences] == [("GOVERNMENT_PROPOSAL", "plano3")]
    assert found.strategy == "hybrid"


@pytest.mark.parametrize("question", ["Quem é Lia?", "Que cargo Lia disputa?", "Lia foi eleita?"])
def test_facts_of_the_registry_come_from_it(full: World, question: str) -> None:
    assert [e.source_type for e in full.service().retrieve(question).evidences] == ["CANDIDATE"]

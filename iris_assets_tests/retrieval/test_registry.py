"""Questions that the registry answers, names that several bear, and predictions in short."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.retrieval.service import RetrievalService
from iris_assets.store import open_store
from iris_assets_tests.question.test_refusal_table import refused
from iris_assets_tests.retrieval.world import World


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RetrievalService]:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    world = World(store)
    world.candidate("1", "LIA", name="LIA PRADO")
    world.candidate("2", "JONAS MOURAO", name="JONAS MOURAO", office="PRESIDENTE", state="BR")
    world.candidate("3", "TITO DO MOURAO", name="TITO REIS", state="RJ")
    world.candidate("4", "ZECA", name="ZECA LUZ", party="P2")
    world.plan("um", ["1"], ["Educação em tempo integral nas escolas.", "O partido defende a educação."])
    world.plan("dois", ["2"], ["Educação infantil e creches."])
    yield world.service()
    store.close()


def _records(service: RetrievalService, question: str) -> list[str]:
    found = service.retrieve(question)
    return [evidence.source_id for evidence in found.evidences if evidence.source_type == "CANDIDATE"]


@pytest.mark.parametrize("question", ["Qual o partido de Lia?", "Qual é o número de urna da candidata Lia?"])
def test_registry_facts_come_from_the_registry(service: RetrievalService, question: str) -> None:
    found = service.retrieve(question)
    assert [(e.source_type, e.source_id) for e in found.evidences] == [("CANDIDATE", "1")]
    assert "Partido: P1" in found.evidences[0].content


def test_a_question_beyond_the_registry_is_searched(service: RetrievalService) -> None:
    found = service.retrieve("O que o partido de Lia propõe para a educação?")
    assert {e.source_type for e in found.evidences} == {"GOVERNMENT_PROPOSAL"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Quem são os candidatos a governador de São Paulo?", ["1", "4"]),
        ("Liste os candidatos do P2 a governador em SP", ["4"]),
        ("Quais são as candidaturas à presidência da República?", ["2"]),
        ("Quais candidatos a governador propõem creches?", []),
    ],
)
def test_who_runs_is_listed_by_ballot_name(service: RetrievalService, question: str, expected: list[str]) -> None:
    assert _records(service, question) == expected


def test_a_name_that_two_bear_asks_which(service: RetrievalService) -> None:
    found = service.retrieve("O que Mourao propõe sobre educação?")
    assert found.strategy == "clarification"
    assert [one.tse_id for one in found.clarification] == ["2", "3"]


def test_of_two_bearers_a_fact_of_the_registry_is_given_of_both(service: RetrievalService) -> None:
    assert _records(service, "Qual o número do Mourao?") == ["2", "3"]


def test_who_else_has_the_word_in_the_ballot_name_is_said(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    world = World(store)
    world.candidate("1", "CADU", name="CARLOS PAZ")
    world.candidate("2", "CADU MONTE", name="EDUARDO MONTE", state="RJ")
    found = world.service().retrieve("número do cadu")
    assert [evidence.source_id for evidence in found.evidences] == ["1"]
    assert any("Também têm “cadu” no nome de urna: CADU MONTE" in notice for notice in found.notices)
    store.close()


def test_two_registrations_are_told_apart_by_the_civil_name(service: RetrievalService) -> None:
    found = service.retrieve("Jonas Mourao e Tito do Mourao são a mesma pessoa?")
    assert found.said.startswith("Não: são registros de candidatura de nomes civis diferentes.")
    assert "nome civil JONAS MOURAO" in found.said and "nome civil TITO REIS" in found.said


def test_two_names_of_one_registration_are_said_to_be_one(service: RetrievalService) -> None:
    found = service.retrieve("Jonas e Jonas Mourao são a mesma pessoa?")
    assert found.said.startswith("A pergunta leva a um só registro de candidatura.")
    assert not service.retrieve("Jonas Mourao e Xerxes Quadros são a mesma pessoa?").said


def test_a_result_to_come_is_said_with_the_record(service: RetrievalService) -> None:
    found = service.retrieve("a Lia já foi eleita?")
    assert found.said == "O registro guardado ainda não traz o resultado da eleição de 2026."
    assert [evidence.source_id for evidence in found.evidences] == ["1"]


def test_what_no_column_tells_of_somebody_is_said_before_the_record(service: RetrievalService) -> None:
    assert service.retrieve("Qual o patrimônio da Lia?").said.startswith("Os registros guardados não trazem bens")


def test_beside_a_recognised_name_who_runs_for_the_same_office_is_meant_and_that_is_said(
    service: RetrievalService,
) -> None:
    found = service.retrieve("Compare os planos de Lia e Mourao sobre educação")
    assert [one["tse_id"] for one in found.understood["people"]] == ["1", "3"]
    assert any("MOURAO" in notice and "GOVERNADOR" in notice for notice in found.notices)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Jonas Mourao vai ganhar?", "prediction"),
        ("Quem lidera as pesquisas?", "prediction"),
        ("Qual candidato tem mais projetos?", "ranking"),
        ("Quais deputados apresentaram menos proposições?", "ranking"),
        ("Quanto um professor vai ganhar?", None),
        ("O que o trabalhador vai ganhar?", None),
        ("Qual candidato promete mais vagas em creches?", None),
        ("Quantos projetos tem o deputado?", None),
    ],
)
def test_short_predictions_and_counts_as_contests_are_refused(question: str, kind: str | None) -> None:
    assert refused(question) == kind

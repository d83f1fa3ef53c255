"""Answers in the store: the same question is answered by the stored one, and what nobody opens is forgotten."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from iris_assets.answers.service import AnswerService
from iris_assets.retrieval.service import RetrievalService
from iris_assets.retrieval.types import Turn
from iris_assets.store import Store
from iris_assets.store.search import SearchFilter
from iris_assets_tests.answers.world import ANA, build_world

QUESTION = "O que os planos propõem sobre creches?"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[tuple[AnswerService, Store]]:
    settings, store = build_world(tmp_path / "data")
    yield AnswerService(store, settings, RetrievalService(store, settings)), store
    store.close()


def stored(store: Store) -> tuple[int, int]:
    tables = store.statistics()["tables"]
    return tables["answer"], tables["answer_evidence"]


def test_the_same_question_over_the_same_records_is_one_stored_answer(world: tuple[AnswerService, Store]) -> None:
    service, store = world
    first = service.ask(QUESTION)
    before = stored(store)
    again = service.ask(f" {QUESTION} ")
    assert again == first and stored(store) == before == (1, len(first.sources))
    assert service.get(first.answer_id or "") == first
    assert service.ask(QUESTION, again=True).answer_id != first.answer_id


def test_another_filter_history_or_page_is_another_answer(world: tuple[AnswerService, Store]) -> None:
    service, _ = world
    answers = [
        service.ask(QUESTION),
        service.ask(QUESTION, filters=SearchFilter(states=("SP",))),
        service.ask(QUESTION, candidate=ANA),
        service.ask(QUESTION, history=[Turn("E as escolas?", ANA)]),
        service.ask(QUESTION, page=2),
    ]
    assert len({answer.answer_id for answer in answers}) == len(answers)


def test_records_that_changed_are_asked_anew(world: tuple[AnswerService, Store]) -> None:
    service, store = world
    first = service.ask(QUESTION)
    run = store.runs.start("chunks", "SP", {})
    with store.transaction() as tx:
        store.runs.count(tx, run.id, updated=1)
    store.runs.finish(run.id, "SUCCESS")
    assert service.ask(QUESTION).answer_id != first.answer_id


def test_while_another_process_writes_an_answer_is_served_without_an_address(
    world: tuple[AnswerService, Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, store = world
    monkeypatch.setattr("iris_assets.answers.record.WAIT_SECONDS", 0.1)
    with closing(sqlite3.connect(tmp_path / "data" / "iris_assets.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = service.ask(QUESTION)
        other.execute("ROLLBACK")
    assert answer.answer_id is None and "20 creches" in answer.answer
    assert any("não foi guardada" in notice for notice in answer.notices)
    assert stored(store) == (0, 0)
    assert service.ask(QUESTION).answer_id is not None


def test_an_answer_that_nobody_opened_again_is_forgotten(world: tuple[AnswerService, Store]) -> None:
    service, store = world
    opened, unopened = service.ask(QUESTION), service.ask("O que os planos propõem sobre barragens?")
    now = datetime.now(UTC)
    assert store.answers.forget(now - timedelta(days=1)) == 0
    store.answers.opened(opened.answer_id or "")
    row = store.answers.find(opened.answer_id or "")
    assert row is not None and row["opened_at"] is not None
    assert store.answers.forget(row["opened_at"]) == 1
    assert store.answers.find(unopened.answer_id or "") is None
    assert service.get(opened.answer_id or "") == opened


def test_an_answer_refers_to_chunks_and_copies_none(world: tuple[AnswerService, Store]) -> None:
    service, store = world
    answer = service.ask(QUESTION)
    row = store.answers.get(answer.answer_id or "")
    assert row is not None
    assert [evidence["passage"] for evidence in row["evidences"]] == [None] * len(answer.sources)
    assert all(source.quote in answer.answer for source in answer.sources if "‹" not in answer.answer)

"""A damaged text index is an error to whoever searches and is found by start or doctor; it never says "nothing found"."""

import sqlite3
from pathlib import Path

import pytest

from iris_assets.errors import StoreError
from iris_assets.store.search import SearchFilter
from iris_assets.store.sqlite import index as sqlite_index
from iris_assets_tests.store.search_bench import Bench

ROWS = (
    "DELETE FROM chunk_search WHERE rowid = 4",
    "DELETE FROM chunk_search_docsize WHERE id = 4",
    "DELETE FROM PoliticalChunk WHERE Id = 4",
)
UNREADABLE = (
    "DROP TABLE chunk_search",
    "DROP TABLE chunk_search_vocabulary",
    "DROP TABLE chunk_search_change",
    "DROP TABLE chunk_search_docsize",
    "DROP TABLE chunk_search_config",
    "DELETE FROM chunk_search_data",
)
INSIDE = (
    "UPDATE chunk_search_data SET block = x'00' WHERE id > 10",
    "DELETE FROM chunk_search_data WHERE id > 10",
    "UPDATE chunk_search_content SET c2 = 'x' WHERE id = 3",
    "DELETE FROM chunk_search_content WHERE id = 4",
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path / "store.sqlite3")
    for number in range(20):
        bench.add(str(number), f"creche escola {'rural' * (number % 2)}", tokens=["ufsp"])
    return bench


def damage(bench: Bench, statement: str) -> None:
    """As another program does it; our own connections forget what they knew of the table."""
    with bench.write() as connection:
        connection.exec_driver_sql(statement)
    bench.engine.dispose()


def code_of(bench: Bench, question: str, **options: object) -> str:
    with pytest.raises(StoreError) as raised:
        bench.ask(question, **options)
    assert "doctor" in (raised.value.hint or "")
    return raised.value.code


@pytest.mark.parametrize("statement", [*ROWS, *UNREADABLE])
def test_a_start_sees_rows_that_differ_and_tables_that_cannot_be_read(bench: Bench, statement: str) -> None:
    assert bench.lexical.verify().ok
    damage(bench, statement)
    assert not bench.lexical.verify().ok


@pytest.mark.parametrize("statement", [*UNREADABLE, *INSIDE])
def test_doctors_look_sees_what_fts5_finds_and_a_rebuild_mends_it(bench: Bench, statement: str) -> None:
    before = bench.ask("creche rural")
    assert bench.lexical.verify(deep=True).ok
    damage(bench, statement)
    assert not bench.lexical.verify(deep=True).ok
    assert bench.lexical.rebuild() == 20
    assert bench.lexical.verify(deep=True).ok
    assert bench.ask("creche rural") == before and len(before) == 20


@pytest.mark.parametrize("statement", [UNREADABLE[0], UNREADABLE[5], INSIDE[0], INSIDE[1], ROWS[2]])
def test_a_search_that_meets_damage_says_so(bench: Bench, statement: str) -> None:
    damage(bench, statement)
    assert code_of(bench, "creche") == "LEXICAL_INDEX_DAMAGED"
    assert code_of(bench, "creche", restriction=SearchFilter(states=("SP",))) == "LEXICAL_INDEX_DAMAGED"


def test_a_busy_store_is_not_taken_for_a_damaged_index(bench: Bench, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    with bench.read() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 1")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Exception, match="database is locked"):
            sqlite_index.health(connection)
    other.close()
    with bench.read() as connection:
        assert sqlite_index.health(connection).ok

"""A damaged text index is an error to whoever searches and is found by the next start; it never says "nothing found"."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.engine import Connection

from iris_assets.errors import StoreError
from iris_assets.store.search import SearchFilter
from iris_assets.store.sqlite import index as sqlite_index
from iris_assets.store.sqlite import verify as sqlite_verify
from iris_assets.store.sqlite.postings import BLOCK, term_key
from iris_assets.store.sqlite.verify import counted, started, verified
from iris_assets_tests.store.search_bench import Bench

TAIL = (
    "UPDATE chunk_search_tail SET terms = x''",
    "UPDATE chunk_search_tail SET terms = x'0102'",
    "UPDATE chunk_search_tail SET terms = (SELECT terms FROM chunk_search_tail LIMIT 1)",
    "UPDATE chunk_search_tail SET chunk_id = chunk_id + 100000",
    "DELETE FROM chunk_search_tail",
)
POSTINGS = (
    "DELETE FROM chunk_search_posting WHERE key % 10 <> 0",
    "DELETE FROM chunk_search_posting WHERE key <> (SELECT min(key) FROM chunk_search_posting)",
    "UPDATE chunk_search_posting SET postings = substr(postings, 1, 4)",
    "UPDATE chunk_search_posting SET postings = x'010203'",
    "UPDATE chunk_search_posting SET postings = x'ffff0001'",
    "UPDATE chunk_search_block SET block = block + 7",
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path / "store.sqlite3")
    for number in range(20):
        bench.add(str(number), f"creche escola {'rural' * (number % 2)}", tokens=["ufsp"], vector=np.ones(3))
    return bench


@pytest.fixture(scope="module")
def full_block(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("full") / "store.sqlite3"
    bench = Bench(path)
    bench.add_many([(f"{n:05}", "creche escola") for n in range(BLOCK + 5)], ["ufsp"])
    bench.engine.dispose()
    return path


@contextmanager
def unwatched(bench: Bench) -> Iterator[Connection]:
    """Changes that no trigger sees, as a bad disk makes them."""
    with bench.write() as connection:
        for name in sqlite_index.WATCHES:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        yield connection
        sqlite_index.create(connection)


def code_of(bench: Bench, question: str = "creche", **options: object) -> str:
    with pytest.raises(StoreError) as raised:
        bench.ask(question, **options)
    assert raised.value.hint
    return raised.value.code


def start(bench: Bench) -> str:
    """What a start finds, and mends."""
    with bench.write() as connection:
        found = verified(connection, started)
        assert sqlite_verify.repair(connection, lambda _, ids: bench.tokens) == found.detail
    assert bench.lexical.verify(deep=True).ok
    return found.detail


@pytest.mark.parametrize("damage", TAIL)
def test_the_next_search_sees_what_another_program_did_to_the_index(bench: Bench, damage: str) -> None:
    before = bench.ask("creche rural")
    with bench.write() as connection:
        connection.exec_driver_sql(damage)
    assert code_of(bench, "creche rural") == "LEXICAL_INDEX_DAMAGED"
    with pytest.raises(StoreError, match="LEXICAL_INDEX_DAMAGED"):
        bench.lexical.document_frequency(["crech"])
    with pytest.raises(StoreError, match="LEXICAL_INDEX_DAMAGED"):
        bench.vectors.search(np.ones(3, dtype=np.float32), "m", 3, SearchFilter(states=("SP",)), 5)
    assert not bench.lexical.verify().ok
    assert start(bench)
    assert bench.ask("creche rural") == before and len(before) == 20


@pytest.mark.large_units
@pytest.mark.parametrize("damage", POSTINGS)
def test_damaged_postings_are_seen_by_the_next_search_and_by_a_start(
    full_block: Path, tmp_path: Path, damage: str
) -> None:
    shutil.copy(full_block, tmp_path / "seen.sqlite3")
    bench = Bench(tmp_path / "seen.sqlite3")
    assert len(bench.ask("creche", limit=5)) == 5
    with bench.write() as connection:
        connection.exec_driver_sql(damage)
    assert code_of(bench, restriction=SearchFilter(states=("SP",))) == "LEXICAL_INDEX_DAMAGED"
    with bench.read() as connection:
        assert not verified(connection, counted).ok
    shutil.copy(full_block, tmp_path / "unseen.sqlite3")
    bench = Bench(tmp_path / "unseen.sqlite3")
    with bench.read() as connection:
        assert verified(connection, started).ok
    with unwatched(bench) as connection:
        connection.exec_driver_sql(damage)
    with bench.read() as connection:
        assert "checksum of the postings" in verified(connection, started).detail


@pytest.mark.parametrize(
    "damage",
    [
        *TAIL,
        "UPDATE chunk_search_content SET c2 = 'x' WHERE id = 3",
        "UPDATE chunk_search_content SET c3 = c3 || 'x' WHERE id = 20",
        "UPDATE chunk_search_row SET signature = signature + 1 - 2 * (chunk_id % 2)",
        "UPDATE chunk_search_state SET term_count = 1",
        "UPDATE PoliticalChunk SET SearchText = replace(SearchText, 'crech', 'outra') WHERE Id = 1",
        "DELETE FROM chunk_search_content WHERE id = 4",
        "DELETE FROM chunk_search_docsize WHERE id = 4",
    ],
)
def test_a_start_finds_what_no_trigger_saw(bench: Bench, damage: str) -> None:
    with unwatched(bench) as connection:
        connection.exec_driver_sql(damage)
    assert start(bench)


def test_a_state_that_is_gone_is_damage_and_not_a_raw_error(bench: Bench) -> None:
    with bench.write() as connection:
        connection.exec_driver_sql("DELETE FROM chunk_search_state")
    assert code_of(bench) == "LEXICAL_INDEX_DAMAGED"
    with pytest.raises(StoreError, match="LEXICAL_INDEX_DAMAGED"):
        bench.lexical.size()
    assert start(bench) == "the index has lost its state"
    assert bench.lexical.size() == 20


def test_watches_that_are_gone_are_seen(bench: Bench) -> None:
    with bench.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER chunk_search_tail_update")
    assert start(bench) == "the triggers that watch the index are gone"


@pytest.mark.parametrize(
    "damage",
    [
        TAIL[1],
        TAIL[3],
        "UPDATE chunk_search_tail SET terms = terms || x'28f0'",
        "UPDATE chunk_search_content SET c0 = '', c1 = '', c2 = 'x'",
    ],
)
def test_a_search_that_meets_damage_says_so_and_the_next_start_mends_it(bench: Bench, damage: str) -> None:
    """Also what happened behind the triggers' back, since the last start."""
    with unwatched(bench) as connection:
        connection.exec_driver_sql(damage)
    assert code_of(bench) == "LEXICAL_INDEX_DAMAGED"
    assert bench.lexical.verify().detail == "something else than its writer has changed the index"
    assert start(bench)
    assert len(bench.ask("creche")) == 20


def test_phrases_of_a_damaged_fts5_table_are_an_error_once_and_mended_by_the_next_start(bench: Bench) -> None:
    before = bench.ask('"creche escola"')
    with bench.write() as connection:
        connection.exec_driver_sql("DELETE FROM chunk_search_data WHERE id > 10")
    bench.engine.dispose()
    assert code_of(bench, '"creche escola"') == "LEXICAL_INDEX_DAMAGED"
    assert start(bench)
    assert bench.ask('"creche escola"') == before


@pytest.mark.parametrize(
    "damage", ["DELETE FROM chunk_search_data", "DROP TABLE chunk_search_config", "DROP TABLE chunk_search_docsize"]
)
def test_an_fts5_table_that_cannot_be_opened_is_written_anew(bench: Bench, damage: str) -> None:
    before = bench.ask('"creche escola"')
    with bench.write() as connection:
        connection.exec_driver_sql(damage)
    bench.engine.dispose()
    assert start(bench).startswith("the index cannot be read")
    assert bench.ask('"creche escola"') == before


def test_two_words_that_share_a_key_are_no_damage(bench: Bench) -> None:
    """Postings that name a chunk whose text, which is whole, does not hold the word."""
    word = np.array([term_key("vacin") << 16 | 1 << 8 | 3], dtype="<u8").tobytes()
    with unwatched(bench) as connection:
        connection.exec_driver_sql(
            "UPDATE chunk_search_tail SET terms = CAST(terms || ? AS BLOB) WHERE chunk_id = 2", (word,)
        )
    assert bench.ask("vacina") == []


def test_the_writer_does_not_cover_up_what_others_did(bench: Bench) -> None:
    with bench.write() as connection:
        connection.exec_driver_sql("DELETE FROM chunk_search_tail WHERE chunk_id = 1")
    bench.add("21", "ponte")
    assert code_of(bench) == "LEXICAL_INDEX_DAMAGED"


def test_a_writer_that_broke_off_in_a_unit_that_was_committed_leaves_a_suspicion(bench: Bench) -> None:
    with bench.write() as connection:
        connection.exec_driver_sql("DROP TABLE chunk_search_block")
    with bench.write() as connection, pytest.raises(Exception, match="chunk_search_block"):
        sqlite_index.write(connection, 20, bench.analyzer.prepare("", "", "ponte"), [])
    with bench.read() as connection:
        assert connection.exec_driver_sql("SELECT suspect FROM chunk_search_state").scalar_one() == 1


def test_a_busy_store_is_not_taken_for_a_damaged_index(bench: Bench, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "store.sqlite3", isolation_level=None)
    with bench.read() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 1")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Exception, match="database is locked"):
            verified(connection, counted)
    other.close()
    with bench.read() as connection:
        assert verified(connection, counted).ok


def test_of_a_large_store_every_start_reads_another_share(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_verify, "READ_AT_START", 5)
    with unwatched(bench) as connection:
        connection.exec_driver_sql("UPDATE chunk_search_content SET c3 = 'x' WHERE id = 7")
    with bench.read() as connection:
        found = {verified(connection, started).detail for _ in range(100)}
    assert found == {"", "chunk 7 was indexed with other terms"}


@pytest.mark.parametrize(
    ("damage", "detail"),
    [
        ("UPDATE chunk_search_row SET filter = '' WHERE chunk_id = 9", "chunk 9 was indexed with other filters"),
        ("UPDATE chunk_search_data SET block = x'00'", "the index cannot be read"),
    ],
)
def test_a_deep_look_derives_what_no_checksum_covers(bench: Bench, damage: str, detail: str) -> None:
    with unwatched(bench) as connection:
        connection.exec_driver_sql(damage)
    assert bench.lexical.verify().ok
    assert bench.lexical.verify(deep=True).detail.startswith(detail)
    assert not bench.lexical.verify().ok  # noted for the next start
    assert start(bench)

"""What only a server can tell (IRIS_TEST_URL): plans, indexes, locks, passwords. Skipped where there is none."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from sqlalchemy import select
from sqlalchemy.engine import make_url

from iris_assets.errors import StoreError
from iris_assets.store import Store, admin, open_store
from iris_assets.store.copying import copy_tables
from iris_assets.store.iris.ddl import VECTOR_INDEX, create_vector_index, drop_embedding, drop_vector_index
from iris_assets.store.migrations import HEAD
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets.store.tables.schema import candidate
from iris_assets_tests.store import flow
from iris_assets_tests.store.conftest import (
    IRIS_TEST_SCHEMA,
    IRIS_TEST_STORE,
    IRIS_TEST_URL,
    add_candidate,
    add_document,
    chunk_row,
    empty_iris,
)
from iris_assets_tests.store.plans import plan_of, sent_by
from iris_assets_tests.store.verification import VERSION_PROPERTY

T = TypeVar("T")
pytestmark = pytest.mark.skipif(not IRIS_TEST_URL, reason="needs an IRIS server: IRIS_TEST_URL")


@pytest.fixture
def server() -> Iterator[Store]:
    """The emptied test schema; its connection, one of eight, is given back."""
    opened = empty_iris()
    yield opened
    opened.close()


def _raw(store: Store, use: Callable[[Any], T]) -> T:
    """What the driver's own connection answers."""
    with store.snapshot() as tx:
        return use(tx.connection.connection.dbapi_connection)


def test_the_server_tells_which_version_it_is(server: Store, record_testsuite_property: Callable[..., None]) -> None:
    """The image's tag rolls: the page shows what answered."""
    import iris

    version = _raw(server, lambda link: iris.createIRIS(link).classMethodString("%SYSTEM.Version", "GetVersion"))
    record_testsuite_property(VERSION_PROPERTY, version)
    assert version.startswith("IRIS")


def test_uncommitted_rows_are_not_read(server: Store) -> None:
    dialect: Any = server.engine.dialect
    assert _raw(server, dialect.get_isolation_level) == "READ COMMITTED"


def test_a_bound_empty_text_would_be_no_null(server: Store) -> None:
    """Why the store binds NULL: past it, the server keeps an empty text as a value of its own."""
    one, two = add_candidate(server, "1", ballot_name=""), add_candidate(server, "2", ballot_name="")
    c = candidate.c
    with server.transaction() as tx:
        table = f'{IRIS_TEST_SCHEMA}."Candidate"'
        tx.connection.exec_driver_sql(f'UPDATE {table} SET "BallotName" = ? WHERE "Id" = ?', ("", two))
    with server.snapshot() as tx:
        nulls = tx.connection.execute(select(c.id).where(c.ballot_name.is_(None))).scalars().all()
    assert nulls == [one]


def test_the_migrated_schema_has_no_findings(server: Store) -> None:
    server.close()
    assert admin.check(IRIS_TEST_STORE)["findings"] == []


def test_words_with_digits_and_operators_are_found(server: Store) -> None:
    add_document(server, "a" * 64, [add_candidate(server)], ["educacao 1234/2023 covid-19 sus", "and or not"])
    for term in ("educacao", "1234/2023", "covid-19", "not"):
        assert server.lexical.search(LexicalQuery(terms=((term,),))), term


def test_the_vector_index_serves_the_nearest_neighbours(server: Store) -> None:
    one = add_candidate(server)
    add_document(server, "a" * 64, [one], ["x"])
    with server.transaction() as tx:
        rows = [chunk_row(n, f"passagem {n}") for n in range(200)]
        server.chunks.replace(tx, "GOVERNMENT_PROPOSAL", "a" * 64, rows)
    vectors = np.random.default_rng(1).standard_normal((200, 3)).astype(np.float32)
    with server.transaction() as tx:
        pending = server.chunks.pending("m", 3)
        server.chunks.set_vectors(tx, [(row["id"], vectors[n]) for n, row in enumerate(pending)], "m", 3)
    exact = server.vectors.search(vectors[7], "m", 3, SearchFilter(), 5)
    with server.schema_session() as connection:
        connection.exec_driver_sql(create_vector_index(IRIS_TEST_SCHEMA))
    try:
        assert server.engine.has_vector_index()
        assert server.vectors.search(vectors[7], "m", 3, SearchFilter(), 5)[0] == exact[0]
        sent = sent_by(lambda: server.vectors.search(vectors[7], "m", 3, SearchFilter(), 5))
        statement, parameters = next(pair for pair in sent if "VECTOR_COSINE" in pair[0])
        with server.snapshot() as tx:
            plan = plan_of(tx.connection, statement, parameters)
        assert re.search(rf"index map \S*{VECTOR_INDEX}", plan, re.IGNORECASE), plan
    finally:
        with server.schema_session() as connection:
            connection.exec_driver_sql(drop_vector_index(IRIS_TEST_SCHEMA))


def test_another_dimension(server: Store) -> None:
    add_document(server, "a" * 64, [add_candidate(server)], ["x"])
    server.close()
    assert admin.set_dimension(IRIS_TEST_STORE, 4) == 1
    try:
        with server.transaction() as tx:
            row = server.chunks.pending("m", 4)[0]
            server.chunks.set_vectors(tx, [(row["id"], [1, 0, 0, 0])], "m", 4)
    finally:
        server.close()
        admin.set_dimension(IRIS_TEST_STORE, 3)


def test_changes_of_the_schema_that_broke_off_are_completed(server: Store) -> None:
    """As broken calls leave it: without the column, then without an index and the mark of the migration."""
    with server.schema_session() as connection:
        connection.exec_driver_sql(drop_embedding(IRIS_TEST_SCHEMA))
    server.close()
    assert "column PoliticalChunk.Embedding is missing" in admin.check(IRIS_TEST_STORE)["findings"]
    assert admin.set_dimension(IRIS_TEST_STORE, 3) == 0
    with server.schema_session() as connection:
        connection.exec_driver_sql(f'DROP INDEX CandidatePartyIdx ON {IRIS_TEST_SCHEMA}."Candidate"')
        connection.exec_driver_sql(f"DELETE FROM {IRIS_TEST_SCHEMA}.alembic_version")
    server.close()
    assert admin.upgrade(IRIS_TEST_STORE, dimension=3) == HEAD
    assert admin.check(IRIS_TEST_STORE)["findings"] == []
    try:
        built = [admin.build_vector_index(IRIS_TEST_STORE) for _ in range(2)]
        assert built == [True, False]
    finally:
        with server.schema_session() as connection:
            connection.exec_driver_sql(drop_vector_index(IRIS_TEST_SCHEMA))


def test_two_processes_write_at_once(server: Store) -> None:
    server.close()
    code = (
        "import sys\n"
        "from iris_assets.store import open_store\n"
        "from iris_assets_tests.store.conftest import candidate_row\n"
        "store = open_store(sys.argv[1])\n"
        "for n in range(20):\n"
        "    with store.transaction() as tx:\n"
        "        store.candidates.upsert(tx, [candidate_row(f'{sys.argv[2]}-{n}'), candidate_row('shared', round=n)])\n"
    )
    command = [sys.executable, "-c", code, IRIS_TEST_STORE]
    processes = [subprocess.Popen([*command, name]) for name in "ab"]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    assert len(server.candidates.list()) == 41


def test_a_wrong_password() -> None:
    url = make_url(IRIS_TEST_STORE).set(password="certainly not this").render_as_string(hide_password=False)
    with pytest.raises(StoreError) as denied:
        open_store(url)
    assert denied.value.code == "STORE_ACCESS_DENIED"


def test_a_store_moves_there_and_back(server: Store, tmp_path: Path) -> None:
    source = open_store(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    home = open_store(f"sqlite:///{tmp_path / 'b.sqlite3'}")
    flow.write_everything(source)
    copy_tables(source, server, lambda _table, _done: None)
    copy_tables(server, home, lambda _table, _done: None)
    assert flow.logical_rows(source) == flow.logical_rows(home)

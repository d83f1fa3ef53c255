"""The IRIS engine's manners: one connection, lost links, licences, locks, forks; and the real driver on dead ports."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy

import iris_assets
from iris_assets.errors import ConfigurationError, StoreError, UsageError
from iris_assets.store import open_store
from iris_assets.store.iris.engine import IrisEngine, check_dialect
from iris_assets.store.iris.search import all_terms, any_term, quoted
from iris_assets.store.iris.types import vector_text
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets_tests.conftest import missing
from iris_assets_tests.store.conftest import add_candidate, add_document, candidate_row, recorded_store
from iris_assets_tests.store.recorder import OperationalError, Recorder

LOST = OperationalError("<COMMUNICATION LINK ERROR> Failed to receive message; Details: Error code: 104")
LOCKED = OperationalError("[SQLCODE: <-110>:<Locking conflict in filing>] [%msg: <Table locked>]")
LICENCE = OperationalError("[SQLCODE: <-450>] Connection refused: License limit exceeded")


def test_a_process_takes_one_connection_and_gives_it_back(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    for number in range(5):
        add_candidate(store, str(number))
    assert [event.kind for event in recorder.events].count("connect") == 1
    store.close()
    assert recorder.events[-1].kind == "close"
    add_candidate(store, "later")
    assert [event.kind for event in recorder.events].count("connect") == 2


def test_a_unit_is_one_transaction(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    recorder.events.clear()
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row(str(n)) for n in range(400)])
        store.state.put(tx, "candidates", "SP", "k")
    kinds = [event.kind for event in recorder.events if event.kind in {"commit", "rollback"}]
    assert kinds[0] == "commit" and kinds.count("commit") == 1
    batches = [event for event in recorder.events if event.kind == "executemany"]
    assert [len(event.parameters) for event in batches] == [400]


@pytest.mark.large_units
def test_a_unit_beyond_500_rows_of_a_table_is_logged(recorder: Recorder, caplog: pytest.LogCaptureFixture) -> None:
    rows = [candidate_row(str(number)) for number in range(501)]
    store = recorded_store(recorder)
    with store.transaction() as tx:
        store.candidates.upsert(tx, rows[:500])
    with store.transaction() as tx:  # the next unit counts from nothing
        store.candidates.upsert(tx, [{**row, "party": "PXB"} for row in rows[:500]])
    assert not caplog.records
    with store.transaction() as tx:
        store.candidates.upsert(tx, [{**row, "party": "PXC"} for row in rows])
    assert [record.getMessage() for record in caplog.records] == [
        "one transaction changes 501 rows of Candidate; up to 500 are meant"
    ]


def test_a_filter_beyond_what_the_server_binds_is_refused_before_it_is_sent(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    recorder.events.clear()
    with pytest.raises(UsageError) as refused:
        store.candidates.count(SearchFilter(candidate_ids=tuple(range(501))))
    assert refused.value.code == "FILTER_TOO_LARGE"
    assert not [event for event in recorder.events if event.kind == "execute" and len(event.parameters or ()) > 500]


def test_a_lost_link_undoes_the_unit_and_the_next_one_takes_a_new_connection(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    recorder.failures.append(("INSERT OR UPDATE", LOST))
    with pytest.raises(StoreError) as lost:
        add_candidate(store, "1")
    assert lost.value.code == "STORE_LINK_LOST" and lost.value.retryable
    assert store.candidates.list() == []
    add_candidate(store, "1")
    assert len(store.candidates.list()) == 1
    assert [event.kind for event in recorder.events].count("connect") == 2


def test_a_socket_that_died_in_the_pool_is_replaced_before_it_is_used(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    add_candidate(store, "1")
    recorder.failures.append(("SELECT 1", LOST))
    assert len(store.candidates.list()) == 1
    assert [event.kind for event in recorder.events].count("connect") == 2


def test_a_full_licence_is_waited_for_and_then_told(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    store.close()
    recorder.failures += [("connect", LICENCE)] * 3
    assert store.candidates.list() == []
    store.close()
    recorder.failures += [("connect", LICENCE)] * 6
    with pytest.raises(StoreError) as full:
        store.candidates.list()
    assert full.value.code == "STORE_LICENCE" and full.value.retryable


def test_a_lock_of_another_process_is_told_as_busy(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    recorder.failures.append(("INSERT OR UPDATE", LOCKED))
    with pytest.raises(StoreError) as busy:
        add_candidate(store, "1")
    assert (busy.value.code, busy.value.retryable, busy.value.details["sqlcode"]) == ("STORE_BUSY", True, -110)


def test_a_child_does_not_use_the_parents_connection(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    add_candidate(store, "1")
    recorder.events.clear()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            store.candidates.list()
            kinds = [event.kind for event in recorder.events]
            status = 0 if kinds[0] == "connect" and "close" not in kinds else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    store.candidates.list()
    assert "connect" not in [event.kind for event in recorder.events]


def test_a_schema_that_was_not_migrated_is_refused(recorder: Recorder) -> None:
    recorder.scripted.append(("alembic_version", [("0000",)]))
    with pytest.raises(StoreError) as newer:
        recorded_store(recorder)
    assert newer.value.code == "STORE_NEWER"
    recorder.scripted.clear()
    recorder.failures.append(("alembic_version", OperationalError("[SQLCODE: <-30>:<Table or view not found>]")))
    with pytest.raises(StoreError) as missing:
        recorded_store(recorder)
    assert missing.value.code == "STORE_NOT_MIGRATED" and "iris-assets db upgrade" in missing.value.hint


def test_vectors_of_another_length_than_the_column_are_refused(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    add_document(store, "d" * 64, [add_candidate(store)], ["saude"])
    with store.transaction() as tx:
        store.state.put(tx, "schema", "embedding_dimension", "1536")
    with pytest.raises(StoreError) as refused, store.transaction() as tx:
        store.chunks.set_vectors(tx, [(1, [1.0, 2.0, 3.0])], "m", 3)
    assert refused.value.code == "VECTOR_DIMENSION" and "db set-dimension 3" in refused.value.hint


def test_the_password_is_in_no_text_that_we_show(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    assert store.url_safe == "iris://user:***@127.0.0.1:1972/IRISAPP"
    recorder.failures.append(("INSERT OR UPDATE", LOCKED))
    with pytest.raises(StoreError) as refused:
        add_candidate(store, "1")
    assert "secret" not in str(refused.value) and "secret" not in repr(refused.value.__cause__)


def test_no_word_of_a_question_is_an_operator_of_the_text_index() -> None:
    assert quoted("1234/2023") == '"1234 2023"' and quoted('a" OR *') == '"a OR"' and quoted("[not, x?]") == '"not x"'
    assert all_terms((("saud",), ("pec", "proposta de emenda"))) == '("saud") AND ("pec" OR "proposta de emenda")'
    assert any_term((("saud",), ("%",), ("escol",))) == '("saud") OR ("escol")'


def test_a_term_without_words_is_never_sent_to_the_text_index(recorder: Recorder) -> None:
    recorder.scripted += [("Rank(%ID", []), ("%FIND", [(4,)])]
    store = recorded_store(recorder)
    recorder.events.clear()
    assert store.lexical.document_frequency(["%", "_", "*?", "saud"]) == {"%": 0, "_": 0, "*?": 0, "saud": 4}
    store.lexical.search(LexicalQuery(terms=(("%",), ("saud", "_")), exact_terms=("*",)))
    store.lexical.search(LexicalQuery(terms=(("%",), ("_",))))
    sent = {value for event in recorder.statements() if "%FIND" in event.statement for value in event.parameters}
    assert sent == {'"saud"', '("saud")'}


def test_the_text_of_a_vector_brings_every_float32_back() -> None:
    import numpy as np

    vector = np.random.default_rng(7).standard_normal(1536).astype(np.float32)
    assert np.array_equal(np.array(vector_text(vector).split(","), dtype=np.float32), vector)


def test_the_schema_name_cannot_carry_sql() -> None:
    with pytest.raises(ConfigurationError):
        IrisEngine("iris://u:p@h:1972/N", schema='x"; DROP TABLE y')


@contextmanager
def _port(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(4)

    def accept() -> None:
        connections = []
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            connections.append(connection)
            serve(connection)

    threading.Thread(target=accept, daemon=True).start()
    yield server.getsockname()[1]
    server.close()


def _garbage(connection: socket.socket) -> None:
    connection.recv(10)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 20)


def _silence(_connection: socket.socket) -> None:
    return None


@pytest.mark.parametrize(
    ("serve", "codes"),
    [
        (_silence, {"STORE_TIMEOUT"}),
        # A slow machine may not get to answer in time: then it is as good as silent.
        (_garbage, {"STORE_UNREACHABLE", "STORE_TIMEOUT"}),
        (socket.socket.close, {"STORE_UNREACHABLE", "STORE_TIMEOUT"}),
    ],
    ids=["silent", "garbage", "closing"],
)
def test_the_real_driver_on_a_port_that_is_no_iris(serve: Callable[[socket.socket], None], codes: set[str]) -> None:
    with _port(serve) as port:
        engine = IrisEngine(f"iris://u:p@127.0.0.1:{port}/NS", schema="S", connect_seconds=1)
        started = time.monotonic()
        with pytest.raises(StoreError) as failed:
            engine.open()
    assert failed.value.code in codes and failed.value.retryable and time.monotonic() - started < 5


def test_the_real_driver_on_a_closed_port() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(StoreError) as failed:
        open_store(f"iris://u:p@127.0.0.1:{port}/NS")
    assert failed.value.code == "STORE_UNREACHABLE" and "IRIS_HOST" in failed.value.hint


def test_another_dialect_behind_the_same_url_is_refused() -> None:
    from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

    with pytest.raises(ConfigurationError) as wrong:
        check_dialect(SQLiteDialect_pysqlite)
    assert wrong.value.code == "IRIS_DIALECT_WRONG" and "sqlalchemy-iris" in wrong.value.hint


def test_the_wrong_package_in_another_environment_is_refused(tmp_path: Path) -> None:
    """sqlalchemy-iris really installed, before the platform's own packages: it takes `iris://` and `iris` over."""
    uv, place = Path(sys.executable).with_name("uv"), tmp_path / "wrong"
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, place], check=True)
    python = place / "bin" / "python"
    install = [uv, "pip", "install", "--quiet", "--python", python, "--no-deps", "sqlalchemy-iris==0.19.0"]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        missing("no package registry can be reached")
    ours = Path(sqlalchemy.__file__).parent.parent
    (next(place.glob("lib/python3*/site-packages")) / "platform.pth").write_text(f"{ours}\n")
    code = "from iris_assets.store import open_store; open_store('iris://u:p@127.0.0.1:1/NS')"
    environment = {**os.environ, "PYTHONPATH": str(Path(iris_assets.__file__).parent.parent)}
    done = subprocess.run([python, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert "IRIS_DIALECT_WRONG" in done.stderr and "served by sqlalchemy_iris" in done.stderr


def test_without_the_extra_the_error_names_it() -> None:
    code = (
        "import sys\n"
        "sys.modules['iris'] = None\n"
        "sys.modules['sqlalchemy_intersystems_iris'] = None\n"
        "from iris_assets.store import open_store\n"
        "open_store('iris://u:p@127.0.0.1:1/NS')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "IRIS_DRIVER_MISSING" in done.stderr and "iris-assets[iris]" in done.stderr

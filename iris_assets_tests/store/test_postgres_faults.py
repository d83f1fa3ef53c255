"""What happens to a PostgreSQL store: kills of writer and server, cut connections, locks, a full disk, many writers."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from iris_assets.errors import StoreError
from iris_assets.store import Store, admin, open_store
from iris_assets.store.postgres.engine import PostgresEngine
from iris_assets.store.search import LexicalQuery
from iris_assets.ufs import PARTITIONS
from iris_assets_tests.postgres import PostgresServer
from iris_assets_tests.store.conftest import add_candidate, add_document, candidate_row, chunk_row
from iris_assets_tests.store.flow import logical_rows
from iris_assets_tests.store.proxy import Proxy
from iris_assets_tests.store.test_sqlite_faults import HALF_A_UNIT


def _run(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


def _impatient(url: str, **seconds: float) -> Store:
    """A store that soon gives up."""
    return Store(PostgresEngine(make_url(url), **seconds))


@contextmanager
def _outsider(url: str) -> Iterator[Any]:
    """A session of somebody else: psql, a report."""
    engine = create_engine(make_url(url))
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def test_a_kill_of_the_writer_loses_its_open_unit_only(postgres_url: str) -> None:
    process = _run(HALF_A_UNIT, postgres_url)
    assert process.stdout is not None and process.stdout.readline() == "in the middle\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    store = open_store(postgres_url)
    with store.transaction() as tx:  # the turn of the dead is free
        store.candidates.upsert(tx, [candidate_row("new", party="PXA")])
    rows = store.candidates.list()
    assert len(rows) == 401 and {row["party"] for row in rows} == {"PXA"}
    assert store.lexical.verify(deep=True).ok and store.lexical.size() == 0
    store.runs.start("TSE_CANDIDATES", "SP", {})
    assert [run.error_code for run in store.runs.latest()] == [None, "RUN_DIED"]
    store.close()


def test_a_kill_of_the_server_undoes_the_open_unit_and_the_next_one_works(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    store = open_store(postgres_url)
    add_document(store, "d" * 64, [add_candidate(store, "1")], ["saude publica"])
    with pytest.raises(StoreError) as lost, store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("2")])
        postgres_server.kill()
        store.candidates.upsert(tx, [candidate_row("3")])
    assert lost.value.code == "STORE_LINK_LOST" and lost.value.retryable
    restart = threading.Timer(1, postgres_server.start)  # while the store already asks again
    restart.start()
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("4")])
    restart.join()
    assert sorted(row["tse_id"] for row in store.candidates.list()) == ["1", "4"]
    assert store.lexical.verify(deep=True).ok and store.lexical.size() == 1
    store.close()


def test_a_server_that_never_answered_is_not_waited_for(postgres_url: str) -> None:
    started = time.monotonic()
    with pytest.raises(StoreError) as away:
        open_store("postgresql+psycopg://u:secret@127.0.0.1:9/store")
    assert away.value.code == "STORE_UNREACHABLE" and away.value.retryable and "secret" not in str(away.value)
    assert time.monotonic() - started < 10
    with pytest.raises(StoreError) as absent:
        open_store(str(postgres_url).replace("/store?", "/nothing?"))
    assert absent.value.code == "STORE_UNREACHABLE"


@pytest.mark.parametrize("when", ["statement", "COMMIT"])
def test_a_connection_cut_in_a_unit_is_told_and_the_next_unit_works(
    postgres_server: PostgresServer, postgres_url: str, when: str
) -> None:
    with Proxy(postgres_server.socket) as proxy:
        url = f"postgresql+psycopg://postgres@127.0.0.1:{proxy.port}/store?sslmode=disable"
        store = open_store(url)
        add_candidate(store, "1")
        with pytest.raises(StoreError) as lost, store.transaction() as tx:
            store.candidates.upsert(tx, [candidate_row("2")])
            proxy.cut()
            if when == "statement":
                store.candidates.upsert(tx, [candidate_row("3")])
        assert lost.value.code == "STORE_LINK_LOST" and lost.value.retryable
        assert ("may be stored" in str(lost.value.hint)) == (when == "COMMIT")
        add_candidate(store, "4")
        assert sorted(row["tse_id"] for row in store.candidates.list()) == ["1", "4"]
        store.close()


def test_a_turn_is_waited_for_and_then_told(postgres_url: str) -> None:
    impatient, patient = _impatient(postgres_url, turn_seconds=0.3), open_store(postgres_url)
    inside, done = threading.Event(), threading.Event()

    def hold() -> None:
        with patient.transaction():
            inside.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(30)
    with pytest.raises(StoreError) as busy, impatient.transaction():
        pass
    assert busy.value.code == "STORE_BUSY" and busy.value.retryable
    with pytest.raises(StoreError), patient.transaction(wait=0):
        pass
    assert impatient.candidates.list() == []  # readers are not blocked
    done.set()
    thread.join()
    add_candidate(impatient, "1")
    for store in (impatient, patient):
        store.close()


def test_a_deadlock_with_somebody_elses_session_undoes_the_unit(postgres_url: str) -> None:
    store = open_store(postgres_url)
    for tse_id in ("1", "2"):
        add_candidate(store, tse_id)
    take = text('UPDATE "Candidate" SET "Party" = \'PXO\' WHERE "TseId" = :id')
    with _outsider(postgres_url) as other:
        other.execute(take, {"id": "2"})
        with pytest.raises(StoreError) as dead, store.transaction() as tx:
            store.candidates.upsert(tx, [candidate_row("1", party="PXB")])
            waiting = threading.Thread(target=other.execute, args=(take, {"id": "1"}))
            waiting.start()
            time.sleep(1.5)  # the other one's own look for a deadlock, after a second, finds none yet
            store.candidates.upsert(tx, [candidate_row("2", party="PXB")])
        waiting.join()
        other.rollback()
    assert dead.value.code == "STORE_BUSY" and dead.value.retryable
    assert dead.value.details == {"sqlstate": "40P01"}
    assert {row["party"] for row in store.candidates.list()} == {"PXA"}
    store.close()


def test_a_statement_that_takes_too_long_is_ended(postgres_url: str) -> None:
    store = _impatient(postgres_url, statement_seconds=0.2)
    with pytest.raises(StoreError) as slow, store.snapshot() as tx:
        tx.connection.execute(text("SELECT pg_sleep(30)"))
    assert slow.value.code == "STORE_TIMEOUT" and slow.value.retryable
    store.close()


def test_a_long_read_sees_one_moment_and_blocks_no_writer(postgres_url: str) -> None:
    store, other = open_store(postgres_url), open_store(postgres_url)
    add_candidate(store, "1")
    with store.snapshot():
        assert len(store.candidates.list()) == 1
        add_document(other, "d" * 64, [add_candidate(other, "2")], ["saude publica"])
        assert len(store.candidates.list()) == 1
        assert store.lexical.search(LexicalQuery(terms=(("saude",),))) == []
    assert len(store.candidates.list()) == 2
    assert len(store.lexical.search(LexicalQuery(terms=(("saude",),)))) == 1
    for one in (store, other):
        one.close()


@pytest.fixture
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file system of 24 megabytes that the server may use (root only)."""
    folder = Path(f"/tmp/iris-assets-small-{os.getpid()}")
    folder.mkdir()
    mount = shutil.which("mount")
    options = "size=24m,mode=0777"
    command = [str(mount), "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or mount is None or subprocess.run(command, check=False, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("mounting a small tmpfs needs root")
    (folder / "space").mkdir()
    shutil.chown(folder / "space", "pgserver")
    yield folder / "space"
    subprocess.run(["umount", "-l", str(folder)], check=True)
    folder.rmdir()


def test_a_full_disk_undoes_the_unit_and_keeps_the_rest(postgres_server: PostgresServer, small_disk: Path) -> None:
    url = postgres_server.fresh_on("small", small_disk)
    admin.upgrade(url)
    store = open_store(url)
    add_candidate(store, "1")
    noise = [os.urandom(15_000).hex() for _ in range(1_000)]
    document = {"election_year": 2026, "source_url": "u", "text_status": "OK"}
    with pytest.raises(StoreError) as full, store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("2")])
        for number, raw_text in enumerate(noise):
            store.documents.upsert(tx, {**document, "document_hash": str(number), "raw_text": raw_text})
    assert full.value.code == "STORE_FULL" and not full.value.retryable
    assert [row["tse_id"] for row in store.candidates.list()] == ["1"]
    add_candidate(store, "3")
    store.close()
    postgres_server.drop("small")


PLANS = 2

WRITE = """
import sys
from iris_assets.store import open_store
from iris_assets_tests.store.test_postgres_faults import collect
store = open_store(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for uf in sys.argv[2:]:
    collect(store, uf)
store.close()
"""


def collect(store: Store, uf: str) -> None:
    """One UF's candidates, plans of its own and one that candidates of every UF filed."""
    run = store.runs.start("TSE_CANDIDATES", uf, {})
    people = [candidate_row(f"{uf}{n}", state=uf, ballot_name=f"{uf} {n}") for n in range(10)]
    with store.transaction() as tx:
        store.candidates.upsert(tx, people)
        store.runs.count(tx, run.id, read=10, created=10)
    ids = [row["id"] for row in store.candidates.list(states=(uf,))]
    for number in range(PLANS):
        add_document(store, f"{uf}{number}", ids[number : number + 2], [f"saude {uf} {n}" for n in range(3)])
    with store.transaction() as tx:
        store.links.set(tx, "GOVERNMENT_PROPOSAL", "shared", ids[0], "FILED_BY", "todos.pdf")
        store.chunks.replace(
            tx, "GOVERNMENT_PROPOSAL", "shared", [chunk_row(n, f"saude de todos {n}") for n in range(5)]
        )
    store.runs.finish(run.id, "SUCCESS")


def _by_processes(url: str, parts: list[list[str]], meanwhile: Callable[[], None]) -> None:
    command = [sys.executable, "-c", WRITE, url]
    running = [
        subprocess.Popen([*command, *part], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for part in parts
    ]
    for process in running:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.close()
    while any(process.poll() is None for process in running):
        meanwhile()
    assert [process.returncode for process in running] == [0] * len(running)


def _comparable(store: Store) -> dict[str, Any]:
    return {name: rows for name, rows in logical_rows(store).items() if name not in {"IngestionRun", "SourceState"}}


def test_four_processes_write_28_ufs_as_one_would_while_others_read(postgres_url: str, tmp_path: Path) -> None:
    store = open_store(postgres_url)
    seen = []

    def read() -> None:
        """What a page asks for, in one snapshot: no link without its candidate, no chunk without its words."""
        with store.snapshot():
            hits = store.lexical.search(LexicalQuery(terms=(("saude",),)))
            found = store.chunks.get([hit.chunk_id for hit in hits])
            assert len(found) == len(hits) and store.chunks.orphan_count() == 0
            assert store.lexical.verify().ok
        seen.append(len(hits))

    _by_processes(postgres_url, [list(PARTITIONS[part::4]) for part in range(4)], read)
    alone = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    for uf in PARTITIONS:
        collect(alone, uf)
    assert seen and _comparable(store) == _comparable(alone)
    assert len(store.links.of_source("GOVERNMENT_PROPOSAL", "shared")) == len(PARTITIONS)
    runs = store.runs.latest(limit=100)
    assert {run.status for run in runs} == {"SUCCESS"} and len(runs) == len(PARTITIONS)
    assert _filters(store) == {f"uf{uf.lower()}" for uf in PARTITIONS}
    for one in (store, alone):
        one.close()


def _filters(store: Store) -> set[str]:
    """The UFs by which the shared plan's first chunk is found: no writer has overwritten another's."""
    sql = (
        'SELECT unnest("Filter") FROM "ChunkSearch" JOIN "PoliticalChunk" ON "Id" = "ChunkId" '
        'WHERE "SourceId" = \'shared\' AND "ChunkIndex" = 0'
    )
    with store.snapshot() as tx:
        return {token for token in tx.connection.execute(text(sql)).scalars() if token.startswith("uf")}


def test_two_writers_of_one_uf_leave_what_one_leaves(postgres_url: str, tmp_path: Path) -> None:
    _by_processes(postgres_url, [["SP", "RJ"], ["SP", "RJ"]], lambda: time.sleep(0.05))
    store, alone = open_store(postgres_url), open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    for uf in ("SP", "RJ"):
        collect(alone, uf)
    assert _comparable(store) == _comparable(alone)
    for one in (store, alone):
        one.close()

"""What SQLite does to us: kills, locks, full disks, damaged files, several processes at once."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from iris_assets.errors import ConfigurationError, StoreError
from iris_assets.store import Store, open_store
from iris_assets.store.core import Store as StoreClass
from iris_assets.store.sqlite.engine import SqliteEngine
from iris_assets_tests.store.conftest import add_candidate, add_document, candidate_row


def _run(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


HALF_A_UNIT = """
import sys, time
from iris_assets.store import open_store
from iris_assets_tests.store.conftest import candidate_row, chunk_row
store = open_store(sys.argv[1])
store.runs.start("TSE_CANDIDATES", "SP", {})
with store.transaction() as tx:
    store.candidates.upsert(tx, [candidate_row(str(n)) for n in range(400)])
with store.transaction() as tx:
    store.candidates.upsert(tx, [candidate_row(str(n), party="PXB") for n in range(800)])
    store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", "h", [chunk_row(n, f"saude {n}") for n in range(50)])
    print("in the middle", flush=True)
    time.sleep(60)
"""


def test_a_kill_in_the_middle_of_a_unit_loses_that_unit_only(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite3'}"
    process = _run(HALF_A_UNIT, url)
    assert process.stdout is not None and process.stdout.readline() == "in the middle\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    store = open_store(url)
    store.check_integrity()
    rows = store.candidates.list()
    assert len(rows) == 400 and {row["party"] for row in rows} == {"PXA"}
    assert store.lexical.verify(deep=True).ok and store.lexical.size() == 0
    store.runs.start("TSE_CANDIDATES", "SP", {})
    assert [run.error_code for run in store.runs.latest()] == [None, "RUN_DIED"]


HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("COMMIT")
"""


def _store(path: Path, busy_seconds: float) -> Store:
    engine = SqliteEngine(f"sqlite:///{path}", busy_seconds=busy_seconds)
    engine.open()
    return StoreClass(engine)


def test_a_lock_of_another_process_is_waited_for_and_then_told(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    impatient, patient = _store(path, 0.3), _store(path, 20.0)
    holder = _run(HOLD, str(path), "2.5")
    assert holder.stdout is not None and holder.stdout.readline() == "locked\n"
    started = time.monotonic()
    with pytest.raises(StoreError) as busy, impatient.transaction():
        pass
    assert busy.value.code == "STORE_BUSY" and busy.value.retryable and time.monotonic() - started < 2
    assert impatient.candidates.list() == []  # readers are not blocked
    with patient.transaction() as tx:
        patient.candidates.upsert(tx, [candidate_row("1")])
    holder.wait()
    assert len(impatient.candidates.list()) == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes (root only)."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    if (
        os.geteuid() != 0
        or mount is None
        or subprocess.run(
            [mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], check=False, capture_output=True
        ).returncode
    ):
        pytest.skip("mounting a small tmpfs needs root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_undoes_the_unit_and_keeps_the_rest(small_disk: Path) -> None:
    store = open_store(f"sqlite:///{small_disk / 'store.sqlite3'}")
    add_candidate(store, "1")
    _fill_until_full(store)
    store.close()


def test_a_full_database_undoes_the_unit_and_keeps_the_rest(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    add_candidate(store, "1")
    assert isinstance(store.engine, SqliteEngine)
    event.listen(store.engine._engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count = 200").fetchall())
    store.close()  # so that the next unit takes a connection with the limit
    _fill_until_full(store)


def _fill_until_full(store: Store) -> None:
    document = {"document_hash": "h", "election_year": 2026, "source_url": "u", "text_status": "OK"}
    with pytest.raises(StoreError) as full, store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("2")])
        store.documents.upsert(tx, {**document, "raw_text": "saúde " * 1_000_000})
    assert full.value.code == "STORE_FULL"
    assert [row["tse_id"] for row in store.candidates.list()] == ["1"]
    add_candidate(store, "3")
    store.check_integrity()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    path.write_bytes(b"<html>this is no database</html>" * 200)
    with pytest.raises(StoreError) as damaged:
        open_store(f"sqlite:///{path}")
    assert damaged.value.code == "STORE_DAMAGED" and str(path.name) in str(damaged.value)


def test_damage_inside_a_file_is_found_by_the_integrity_check(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = open_store(f"sqlite:///{path}")
    add_document(store, "d" * 64, [add_candidate(store)], [f"saude {n} " * 300 for n in range(40)])
    store.optimise()
    store.close()
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 8192] = b"\x55" * 8192
    path.write_bytes(bytes(data))
    with pytest.raises(StoreError) as damaged:
        store.check_integrity()
    assert damaged.value.code == "STORE_DAMAGED"


def test_a_store_of_a_later_version_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    open_store(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError) as newer:
        open_store(f"sqlite:///{path}")
    assert newer.value.code == "STORE_NEWER"


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", "sqlite://", "sqlite:///:memory:"])
def test_urls_that_name_no_store_are_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        open_store(url)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError) as unreachable:
        open_store(f"sqlite:///{tmp_path / 'file' / 'store.sqlite3'}")
    assert unreachable.value.code == "STORE_UNREACHABLE"


WRITE = """
import sys
from iris_assets.store import open_store
from iris_assets_tests.store.conftest import candidate_row
store = open_store(sys.argv[1])
for n in range(30):
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row(f"{sys.argv[2]}-{n}"), candidate_row("shared", round=n)])
"""


def test_processes_that_open_a_fresh_file_and_write_at_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'store.sqlite3'}"
    processes = [_run(WRITE, url, name) for name in "abc"]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    store = open_store(url)
    store.check_integrity()
    assert len(store.candidates.list()) == 3 * 30 + 1


def test_threads_write_one_after_the_other(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    run = store.runs.start("CAMARA", "SP", {})

    def count() -> None:
        for _ in range(20):
            with store.transaction() as tx:
                store.runs.count(tx, run.id, read=1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.runs.latest()[0].records_read == 80


def test_a_backup_is_a_whole_store(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    add_document(store, "d" * 64, [add_candidate(store)], ["saude"])
    copy = store.backup(tmp_path / "backups")
    assert copy is not None
    restored = open_store(f"sqlite:///{copy}")
    restored.check_integrity()
    assert restored.statistics() == store.statistics() and restored.lexical.verify(deep=True).ok

"""The store's contract for runs and units: finished once, dead ones closed, counters with their data, no nesting."""

import os
import subprocess
import sys

import pytest

from iris_assets.errors import StoreError
from iris_assets.store import Store
from iris_assets.store.process import is_dead, parse_process, this_process
from iris_assets_tests.store.conftest import candidate_row


def test_a_run_is_finished_once_from_running(store: Store) -> None:
    run = store.runs.start("CAMARA", "SP", {"limit": 50})
    assert run.status == "RUNNING" and run.parameters_json == {"limit": 50}
    done = store.runs.finish(
        run.id, "PARTIAL", source_hash="h", error_code="X", error_message="m" * 40_000, work={"calls": 3}
    )
    assert (done.status, done.error_code, done.work_json) == ("PARTIAL", "X", {"calls": 3})
    assert done.finished_at is not None and done.error_message is not None and len(done.error_message) == 32_000
    with pytest.raises(StoreError) as again:
        store.runs.finish(run.id, "SUCCESS")
    assert again.value.code == "RUN_NOT_RUNNING"
    assert store.runs.latest()[0] == done


def test_counters_and_data_of_a_unit_go_together(store: Store) -> None:
    run = store.runs.start("TSE_CANDIDATES", "SP", {})
    with pytest.raises(RuntimeError), store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("1")])
        store.runs.count(tx, run.id, read=1, created=1)
        raise RuntimeError("undone")
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("2")])
        store.runs.count(tx, run.id, read=2, created=1, skipped=1)
    latest = store.runs.latest(source="TSE_CANDIDATES", partition="SP")[0]
    counters = (latest.records_read, latest.records_created, latest.records_skipped, latest.records_failed)
    assert counters == (2, 1, 1, 0) and [row["tse_id"] for row in store.candidates.list()] == ["2"]


def test_a_run_of_a_dead_process_is_closed_by_the_next_start(store: Store) -> None:
    dead = store.runs.start("CAMARA", "SP", {})
    alive = store.runs.start("CAMARA", "AC", {})
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    here = this_process()
    key = f"{here.host}|{here.boot}|{process.pid}|1"
    _set_process(store, dead.id, key)
    store.runs.start("CAMARA", "SP", {})
    rows = {row.id: row for row in store.runs.latest()}
    assert (rows[dead.id].status, rows[dead.id].error_code) == ("FAILED", "RUN_DIED")
    assert rows[alive.id].status == "RUNNING"
    assert {row.run_partition for row in store.runs.running()} == {"AC", "SP"}
    assert store.runs.close_dead() == 0


def test_a_process_is_told_from_another_with_its_number() -> None:
    here = this_process()
    assert parse_process(here.key) == here and is_dead(here) is False
    reused = parse_process(f"{here.host}|{here.boot}|{here.pid}|1")
    rebooted = parse_process(f"{here.host}|00000000|{here.pid}|{here.started}")
    elsewhere = parse_process(f"another-host|{here.boot}|{here.pid}|{here.started}")
    assert reused is not None and rebooted is not None and elsewhere is not None
    assert is_dead(reused) is True and is_dead(rebooted) is True and is_dead(elsewhere) is None
    assert parse_process("nonsense") is None


def test_reads_inside_a_unit_see_its_writes_and_units_do_not_nest(store: Store) -> None:
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("1")])
        assert store.candidates.by_tse_id("1") is not None
        with pytest.raises(StoreError) as nested, store.transaction():
            pass
        assert nested.value.code == "TRANSACTION_NESTED"
    assert store.candidates.by_tse_id("1") is not None


def test_a_read_inside_a_read_uses_its_connection_and_a_unit_inside_one_is_refused(store: Store) -> None:
    """A server gives a process one connection: a second one would be waited for in vain."""
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("1")])
    with store.snapshot() as outer:
        with store.snapshot() as inner:
            assert inner is outer
        assert store.candidates.by_tse_id("1") is not None and not store.vectors.has("m", 3)
        with pytest.raises(StoreError) as nested, store.transaction():
            pass
    assert nested.value.code == "TRANSACTION_NESTED"
    with store.transaction() as tx:
        store.candidates.upsert(tx, [candidate_row("2")])


def test_a_forked_child_can_use_the_store(store: Store) -> None:
    store.runs.start("CAMARA", "SP", {})
    child = os.fork()
    if child == 0:
        status = 1
        try:
            store.runs.start("CAMARA", "RJ", {})
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    store.runs.start("CAMARA", "AC", {})
    assert {row.run_partition for row in store.runs.latest()} == {"SP", "RJ", "AC"}


def test_a_child_forked_inside_a_read_opens_a_connection_of_its_own(store: Store) -> None:
    with store.snapshot() as parents:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with store.snapshot() as own:
                    status = 0 if own.connection is not parents.connection and store.runs.latest() == [] else 2
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.runs.latest() == []


def _set_process(store: Store, run_id: int, key: str) -> None:
    from iris_assets.store.tables.rows import update_rows
    from iris_assets.store.tables.schema import ingestion_run

    with store.transaction() as tx:
        update_rows(tx, ingestion_run, {run_id: {"process_key": key}})

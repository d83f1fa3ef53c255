"""How a stage that breaks is recorded."""

from pathlib import Path

import pytest

from iris_assets.ingest.reporting import stage_run
from iris_assets.store import open_store


def test_a_bug_is_a_failed_run_that_names_the_place_and_no_data(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    with stage_run(store, "chunks", "RAG_CHUNKS", "SP", {}) as run:
        {}["title of elector 123"]
    assert run.report.error_code == "UNEXPECTED"
    message = run.report.error_message or ""
    assert "KeyError at test_reporting.py:" in message
    assert "elector" not in message
    row = store.runs.latest(limit=1)[0]
    assert (row.status, row.error_code, row.error_message) == ("FAILED", "UNEXPECTED", message)
    store.close()


def test_an_interrupt_is_recorded_and_goes_on(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    with pytest.raises(KeyboardInterrupt), stage_run(store, "chunks", "RAG_CHUNKS", "SP", {}):
        raise KeyboardInterrupt
    assert [(row.status, row.error_code) for row in store.runs.latest(limit=1)] == [("FAILED", "INTERRUPTED")]
    store.close()

"""The one connection of a process: whose turn it is, when it goes back, what a broken one means to callers."""

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from iris_assets.errors import StoreError
from iris_assets.platform import Platform
from iris_assets.settings import load_settings
from iris_assets.store import Store
from iris_assets.store.search import LexicalQuery, SearchFilter
from iris_assets.web.app import create_app
from iris_assets_tests.store import recorder as recording
from iris_assets_tests.store.conftest import add_candidate, recorded_store
from iris_assets_tests.store.recorder import OperationalError, Recorder
from iris_assets_tests.store.test_iris_engine import LICENCE, LOST

QUESTION = np.ones(3, dtype=np.float32)
SEARCHES: dict[str, tuple[str, Callable[[Store], object]]] = {
    "lexical.search": ("%FIND", lambda store: store.lexical.search(LexicalQuery(terms=(("saud",),)))),
    "lexical.document_frequency": ("%FIND", lambda store: store.lexical.document_frequency(["saud"])),
    "lexical.size": ("count(*)", lambda store: store.lexical.size()),
    "lexical.verify": ("count(*)", lambda store: store.lexical.verify(deep=True)),
    "lexical.rebuild": ("BUILD INDEX", lambda store: store.lexical.rebuild()),
    "vectors.search": ("VECTOR_COSINE", lambda store: store.vectors.search(QUESTION, "m", 3, SearchFilter(), 5)),
    "vectors.has": ("SELECT TOP", lambda store: store.vectors.has("m", 3)),
}


def _kinds(recorder: Recorder) -> list[str]:
    return [event.kind for event in recorder.events]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_tells_what_the_drivers_error_means(recorder: Recorder, name: str) -> None:
    words, search = SEARCHES[name]
    store = recorded_store(recorder)
    recorder.failures.append((words, LOST))
    with pytest.raises(StoreError) as lost:
        search(store)
    assert lost.value.code == "STORE_LINK_LOST" and "SELECT" not in str(lost.value)
    store.close()
    recorder.failures += [("connect", LICENCE)] * 6
    with pytest.raises(StoreError) as full:
        search(store)
    assert full.value.code == "STORE_LICENCE"


def _platform(store: Store, folder: Path) -> Platform:
    settings = load_settings({}, iris_assets_data=folder)
    return Platform(settings, store=store, embedder=None)


def test_a_request_that_meets_a_broken_link_answers_503(recorder: Recorder, tmp_path: Path) -> None:
    platform = _platform(recorded_store(recorder), tmp_path)
    with TestClient(create_app(platform.settings, platform=platform), raise_server_exceptions=False) as client:
        recorder.failures.append(("%FIND", LOST))
        reply = client.post("/api/search", json={"query": "merenda escolar", "mode": "lexical"})
    assert (reply.status_code, reply.json()["details"]["code"]) == (503, "STORE_LINK_LOST")


def test_the_page_holds_no_connection_between_requests(
    recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = _platform(recorded_store(recorder), tmp_path)
    # The recorder has SQLite behind it, which knows no %FIND.
    monkeypatch.setattr(platform.store.lexical, "document_frequency", lambda terms: dict.fromkeys(terms, 1))
    platform.store.close()
    with TestClient(create_app(platform.settings, platform=platform)) as client:
        for path in ("/api/candidates", "/api/runs", "/api/health"):
            recorder.events.clear()
            assert client.get(path).status_code == 200
            assert (_kinds(recorder).count("connect"), _kinds(recorder)[-1]) == (1, "close")
        recorder.events.clear()
        events = client.post(
            "/api/ask", json={"question": "Quantos candidatos há?"}, headers={"Accept": "text/event-stream"}
        )
        assert "event: answer" in events.text and _kinds(recorder).count("connect") == 1
        assert _kinds(recorder)[-1] == "close"


def test_overlapping_work_shares_the_connection_and_the_last_gives_it_back(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    with store.work():
        with store.work():
            store.candidates.list()
        assert "close" not in _kinds(recorder)
        store.candidates.list()
    assert (_kinds(recorder).count("connect"), _kinds(recorder)[-1]) == (1, "close")
    store.candidates.list()
    assert _kinds(recorder).count("connect") == 2


def test_a_connection_in_use_is_not_taken_away(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    with store.snapshot():
        with store.work():
            pass
        assert "close" not in _kinds(recorder)


def test_a_thread_that_waits_in_vain_for_its_turn_is_told_busy(recorder: Recorder) -> None:
    store = recorded_store(recorder, turn_seconds=0.05)
    inside, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store.snapshot():
            inside.set()
            done.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(10)
    with pytest.raises(StoreError) as busy:
        store.candidates.list()
    with pytest.raises(StoreError) as search:
        store.vectors.has("m", 3)
    done.set()
    thread.join()
    assert {busy.value.code, search.value.code} == {"STORE_BUSY"} and busy.value.retryable
    assert store.candidates.list() == []


def test_a_link_lost_at_the_commit_does_not_claim_that_the_unit_was_undone(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    recorder.failures.append(("COMMIT after the server stored it", LOST))
    with pytest.raises(StoreError) as lost:
        add_candidate(store, "1")
    assert (lost.value.code, lost.value.retryable) == ("STORE_LINK_LOST", True)
    assert "may be stored or not" in lost.value.hint and "undone" not in lost.value.hint
    assert [row["tse_id"] for row in store.candidates.list()] == ["1"]
    recorder.failures.append(("INSERT OR UPDATE", LOST))
    with pytest.raises(StoreError) as before:
        add_candidate(store, "2")
    assert "the transaction was undone" in before.value.hint
    assert [row["tse_id"] for row in store.candidates.list()] == ["1"]


def test_a_locked_row_at_the_commit_undoes_the_unit(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    recorder.failures.append(("COMMIT refused", OperationalError("[SQLCODE: <-110>:<Locking conflict in filing>]")))
    with pytest.raises(StoreError) as busy:
        add_candidate(store, "1")
    assert busy.value.code == "STORE_BUSY" and store.candidates.list() == []


def test_uncommitted_rows_are_not_read(recorder: Recorder) -> None:
    """The dialect's own default is READ UNCOMMITTED; the level is set once per connection, and holds until it ends."""
    store = recorded_store(recorder)
    store.candidates.list()
    store.close()
    store.candidates.list()
    kinds = [event.kind if event.kind == "connect" else event.statement for event in recorder.events]
    first, second = [number for number, kind in enumerate(kinds) if kind == "connect"]
    level = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"
    assert kinds.count(level) == 2 and kinds[first + 1] == level and kinds[second + 1] == level


class _Watched(recording.Connection):
    """A driver's connection that writes down in which process it is finalised."""

    def __init__(self, recorder: Recorder, log: Path) -> None:
        super().__init__(recorder)
        self.log = log

    def __del__(self) -> None:
        with self.log.open("a") as file:
            file.write(f"{os.getpid()}\n")


class _WatchedRecorder(Recorder):
    def connect(self, **arguments: Any) -> recording.Connection:
        super().connect(**arguments)
        return _Watched(self, self.file.with_suffix(".log"))


def test_a_child_never_finalises_the_parents_connection(tmp_path: Path) -> None:
    recorder = _WatchedRecorder(tmp_path / "behind.sqlite3")
    store = recorded_store(recorder)
    add_candidate(store, "1")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            gc.collect()
            log = tmp_path / "behind.log"
            before = log.read_text() if log.exists() else ""
            assert len(store.candidates.list()) == 1
            gc.collect()
            status = 0 if (log.read_text() if log.exists() else "") == before else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

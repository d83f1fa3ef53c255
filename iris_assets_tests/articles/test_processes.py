"""Four processes on one state file, killed again and again: nothing lost, nothing twice, no half pair."""

import itertools
import json
import sqlite3
import time
from hashlib import sha256
from pathlib import Path

import pytest

from iris_assets.articles.pair import pair_is_whole, write_pair
from iris_assets.articles.state import NEXT, StateStore, now
from iris_assets.errors import StoreError
from iris_assets_tests.articles import samples
from iris_assets_tests.articles.workers import Workers
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI

COUNT, KILLS = 8, 6
STATES = ("received", "validated", "content_cleaned", "ecp_approved", "enriched", "completed_text")


def test_killed_processes_lose_nothing_and_double_nothing(model: FakeOpenAI, tmp_path: Path) -> None:
    model.reply = samples.reply()
    # The fake answers under its lock; the wait must not be held there.
    model.refuses = lambda route, body: time.sleep(0.15)
    workers = Workers(tmp_path, model.url, COUNT)
    running = [workers.start(first) for first in (0, 2, 4, 6)]
    deadline = time.monotonic() + 60
    for kill in range(KILLS):
        while model.calls[CHAT] < 2 + 3 * kill and time.monotonic() < deadline:
            time.sleep(0.01)
        assert workers.kill(running[kill % 4]) == -9
        running[kill % 4] = workers.start(2 * (kill % 4))
    assert [workers.wait(child) for child in running] == [0, 0, 0, 0]
    calls = model.calls[CHAT]
    assert calls <= 3 * COUNT + KILLS  # at most the call in flight of a killed process is asked again
    _whole(tmp_path)
    assert workers.wait(workers.start(0)) == 0
    assert model.calls[CHAT] == calls  # the same again: no call at all
    workers.close()


def _whole(folder: Path) -> None:
    out = folder / "out"
    manifests = [json.loads(path.read_text("utf-8")) for path in out.glob("*.result.json")]
    assert sorted(item["article_id"] for item in manifests) == sorted(f"a{number}" for number in range(COUNT))
    assert len(list(out.iterdir())) == 2 * COUNT  # the pairs, and nothing left over
    for item in manifests:
        assert item["status"] == "completed_text"
        page = (out / f"{item['fingerprint']}.md").read_bytes()
        assert sha256(page).hexdigest() == item["markdown_sha256"]
    rows = sqlite3.connect(folder / "state.sqlite3").execute(
        "SELECT state, count(*), count(DISTINCT fingerprint) FROM transition GROUP BY state"
    )
    assert {state: (total, different) for state, total, different in rows} == dict.fromkeys(STATES, (COUNT, COUNT))


def test_only_the_drawn_transitions_are_possible(tmp_path: Path) -> None:
    path = {None: [], "received": ["received"]}
    path |= {state: list(STATES[: STATES.index(state) + 1]) for state in STATES[1:]}
    path["ecp_rejected"] = ["received", "validated", "content_cleaned", "ecp_rejected"]
    store = StateStore(tmp_path / "state.sqlite3")
    for number, (source, walked) in enumerate(path.items()):
        for target in (*STATES, "ecp_rejected"):
            key = f"{number}-{target}"
            for state in walked:
                store.advance(key, state, {}, 0.0, now())
            if target in NEXT[source]:
                store.advance(key, target, {}, 0.0, now())
                assert (store.get(key) or ("",))[0] == target
            else:
                with pytest.raises(StoreError, match="TRANSITION_INVALID"):
                    store.advance(key, target, {}, 0.0, now())
                assert [row["state"] for row in store.transitions(key)] == walked
    allowed = {(source, target) for source, targets in NEXT.items() for target in targets if target != "failed"}
    assert allowed == {(None, "received"), *itertools.pairwise(STATES), ("content_cleaned", "ecp_rejected")}


def test_a_failure_keeps_the_last_safe_state_and_its_code(tmp_path: Path) -> None:
    store = StateStore(tmp_path / "state.sqlite3")
    store.advance("f", "received", {"a": 1}, 0.0, now())
    store.fail("f", "LLM_TIMEOUT", {"a": 2}, time.monotonic(), now())
    assert store.get("f") == ("received", {"a": 2}, "LLM_TIMEOUT")
    failed = store.transitions("f")[-1]
    assert (failed["state"], failed["error_code"]) == ("failed", "LLM_TIMEOUT")
    assert failed["started_at"] <= failed["ended_at"] and failed["seconds"] < 5
    store.advance("f", "validated", {}, 0.0, now())
    assert store.get("f") == ("validated", {}, None)


def test_the_state_file_is_in_wal_mode_and_waits_for_another_writer(tmp_path: Path) -> None:
    file = tmp_path / "state.sqlite3"
    store = StateStore(file, busy_timeout_seconds=0.2)
    other = sqlite3.connect(file, isolation_level=None)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    with pytest.raises(StoreError, match="STATE_STORE_FAILED"):
        store.advance("f", "received", {}, 0.0, now())
    assert 0.15 < time.monotonic() - started < 5
    other.execute("ROLLBACK")
    store.advance("f", "received", {}, 0.0, now())


def test_a_pair_is_whole_or_it_is_written_again(tmp_path: Path) -> None:
    write_pair(tmp_path, "f", "{}", "texto")
    assert pair_is_whole(tmp_path, "f", "texto") and not pair_is_whole(tmp_path, "f", "outro")
    (tmp_path / "f.result.json").unlink()
    assert not pair_is_whole(tmp_path, "f", "texto")
    (tmp_path / ".f.md.tmp").write_text("what a killed process left")
    write_pair(tmp_path, "f", "{}", "texto")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.md", "f.result.json"]
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="OUTPUT_NOT_WRITTEN"):
        write_pair(blocked, "f", "{}", None)

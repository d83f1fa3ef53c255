"""Command lines that share one Dagster instance: its tables are made once, and nobody waits for a free pool for ever."""

import time
from pathlib import Path

import dagster as dg
import pytest

from iris_assets.defs import launch


def test_a_step_that_waits_beside_a_free_slot_is_woken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dagster enters a step as waiting after it looked for a slot: one given back in between wakes nobody."""
    monkeypatch.setattr(launch, "WAKE_SECONDS", 0.01)
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        storage = instance.event_log_storage
        storage.set_concurrency_slots("tse", 1)
        storage.add_pending_step("tse", "run", "candidates", priority=0, should_assign=False)
        assert not storage.check_concurrency_claim("tse", "run", "candidates").is_assigned
        with launch.waking_steps(instance):
            deadline = time.monotonic() + 60
            while not storage.check_concurrency_claim("tse", "run", "candidates").is_assigned:
                assert time.monotonic() < deadline
                time.sleep(0.01)


def test_a_step_behind_a_full_pool_goes_on_waiting(tmp_path: Path) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        storage = instance.event_log_storage
        storage.set_concurrency_slots("tse", 1)
        assert storage.claim_concurrency_slot("tse", "first", "candidates").is_claimed
        storage.add_pending_step("tse", "second", "candidates", priority=0, should_assign=False)
        launch.wake_steps(instance)
        assert not storage.check_concurrency_claim("tse", "second", "candidates").is_assigned

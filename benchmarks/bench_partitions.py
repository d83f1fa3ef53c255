"""What planning the partitions costs: loading the definitions, a tick of the daily schedule, the launch of a backfill.

`python benchmarks/bench_partitions.py`: nothing is run, the runs stay in the queue; prints JSON.
"""

import json
import logging
import os
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).parents[1]))

LAUNCHED = 8  # partitions of the backfill: each run that is queued costs the same
QUEUE = {"run_coordinator": {"module": "dagster.core.run_coordinator", "class": "QueuedRunCoordinator"}}


def measure(folder: str) -> dict[str, Any]:
    import dagster as dg
    from dagster._core.test_utils import in_process_test_workspace
    from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

    from iris_assets.definitions import build
    from iris_assets.ingest.stages import STAGES

    found: dict[str, Any] = {}
    clock = _Clock(found)
    repository = build().get_repository_def()
    clock.lap("load_definitions_s")
    keys = repository.asset_graph.get(dg.AssetKey(STAGES[0])).partitions_def.get_partition_keys()
    found["partitions"] = len(keys)
    with dg.DagsterInstance.local_temp(folder, overrides=QUEUE) as instance:
        schedule = repository.get_schedule_def("daily_refresh")
        moment = datetime(2026, 8, 15, 4, tzinfo=ZoneInfo("America/Sao_Paulo"))
        clock.lap("")
        tick = schedule.evaluate_tick(dg.build_schedule_context(instance, moment, repository_def=repository))
        clock.lap("tick_s")
        found["runs_asked"] = len(tick.run_requests or ())
        origin = LoadableTargetOrigin(module_name="iris_assets.definitions", attribute="defs")
        with in_process_test_workspace(instance, origin) as workspace:
            clock.lap("")
            _launch(instance, workspace, keys[:LAUNCHED])
            clock.lap("launch_backfill_s")
        found["runs_queued"] = instance.get_runs_count()
    return found


class _Clock:
    def __init__(self, found: dict[str, Any]) -> None:
        self._found, self._since = found, time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        if name:
            self._found[name] = round(now - self._since, 2)
        self._since = now


def _launch(instance: Any, workspace: Any, keys: list[str]) -> None:
    """Until the daemon has queued a run for each of the partitions."""
    import dagster as dg
    from dagster._core.execution.backfill import PartitionBackfill
    from dagster._daemon.backfill import execute_backfill_iteration

    from iris_assets.ingest.stages import STAGES

    instance.add_backfill(
        PartitionBackfill.from_asset_partitions(
            backfill_id="planning", asset_graph=workspace.asset_graph, partition_names=keys,
            asset_selection=[dg.AssetKey(stage) for stage in STAGES], backfill_timestamp=time.time(), tags={},
            dynamic_partitions_store=instance, all_partitions=False, title=None, description=None, run_config=None,
        )
    )  # fmt: skip
    for _ in range(30):
        list(execute_backfill_iteration(workspace.process_context, logging.getLogger("bench")))
        if instance.get_runs_count() >= len(keys):
            return


if __name__ == "__main__":
    os.environ["INGEST_STATES"] = "AC,AL,AM,AP,BA,CE,DF,ES,GO,MA,MG,MS,MT,PA,PB,PE,PI,PR,RJ,RN,RO,RR,RS,SC,SE,SP,TO,BR"
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(folder), indent=1))

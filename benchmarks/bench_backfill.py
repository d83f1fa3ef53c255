"""The backfill of all 28 partitions of the sample through a real daemon, two runs at a time; prints JSON.

`python benchmarks/bench_backfill.py [PARTITIONS]`: once whole, then again with AC broken at its source.
"""

import json
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import dagster as dg

from iris_assets.sample.generator import generate
from iris_assets.ufs import PARTITIONS
from iris_assets_tests.flows.daemon import Platform, running_platform
from iris_assets_tests.flows.spoiling import drop_column

DATA_FIRST = ("SP", "AC", "BR")


def measure(count: int) -> dict[str, Any]:
    ufs = [*DATA_FIRST, *(uf for uf in PARTITIONS if uf not in DATA_FIRST)][:count]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder / "replay")
        with running_platform(folder, folder / "replay") as platform:
            whole = _backfill(platform, ufs)
            drop_column(folder / "replay", "AC")
            broken = _backfill(platform, ufs)
    # The run workers are grandchildren: they count once the code server has ended.
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "whole": whole,
        "AC broken": broken,
        "cpu_s_per_partition": round((used.ru_utime + used.ru_stime) / 2 / count, 1),
    }


def _backfill(platform: Platform, ufs: list[str]) -> dict[str, Any]:
    started = time.time()
    backfill = platform.backfill([f"{uf}|2026" for uf in ufs])
    status = platform.wait_backfill(backfill, 3600)
    took = time.time() - started
    with platform.instance() as instance:
        records = list(instance.get_run_records(dg.RunsFilter(tags={"dagster/backfill": backfill})))
        work = sum(_step_seconds(instance, record.dagster_run.run_id) for record in records)
    first = min(record.start_time or started for record in records)
    last = max(record.end_time or started for record in records)
    return {
        "status": status,
        "runs": dict(Counter(record.dagster_run.status.value for record in records)),
        "red": [
            record.dagster_run.tags["dagster/partition"] for record in records if not record.dagster_run.is_success
        ],
        "seconds": round(took, 1),
        "seconds_to_the_first_run": round(first - started, 1),
        "seconds_per_partition": round(took / len(ufs), 1),
        "seconds_of_steps_per_partition": round(work / len(ufs), 1),
        # Two runs share the clock: what a partition costs beyond its own steps, per slot.
        "orchestration_per_partition": round((2 * (last - started) - work) / len(ufs), 1),
    }


def _step_seconds(instance: dg.DagsterInstance, run_id: str) -> float:
    return sum(
        stats.end_time - stats.start_time
        for stats in instance.get_run_step_stats(run_id)
        if stats.end_time and stats.start_time
    )


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]) if sys.argv[1:] else 28), indent=1))

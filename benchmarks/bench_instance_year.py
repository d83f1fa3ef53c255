"""A year of daily runs of 27 UFs in a Dagster instance, with the weekly maintenance; prints JSON.

`python benchmarks/bench_instance_year.py [DAYS] [UFS]` (the instance lies in TMPDIR: a memory file system spares the disk).
"""

import json
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import dagster as dg

from iris_assets.definitions import build
from iris_assets.defs.pruning import compact, delete_old_runs, instance_bytes
from iris_assets.sample.generator import generate
from iris_assets.ufs import PARTITIONS
from iris_assets_tests.defs.long_use import DailyRuns, days, make_one_run

FIRST = datetime(2026, 1, 1, 7, tzinfo=UTC)


def measure(count: int, ufs: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder / "replay")
        variables = {
            "IRIS_ASSETS_DATA": str(folder / "data"),
            "IRIS_ASSETS_REPLAY": str(folder / "replay"),
            "OCR": "off",
        }
        run_id = make_one_run(folder / "home", build(variables).resolve_job_def("refresh"), "SP|2026")
        with dg.DagsterInstance.from_config(str(folder / "home")) as instance:
            return _year(instance, DailyRuns(folder / "home", run_id, "SP|2026"), count, ufs)


def _year(instance: dg.DagsterInstance, runs: DailyRuns, count: int, ufs: list[str]) -> dict[str, Any]:
    empty = instance_bytes(instance)
    before, after, seconds, grown = [], [], [], 0
    for number, day in enumerate(days(FIRST, count)):
        runs.add_day(day, ufs)
        if number % 7 != 6:
            continue
        before.append(instance_bytes(instance))
        grown += before[-1] - (after[-1] if after else empty)
        started = time.process_time()
        delete_old_runs(instance, before=day - timedelta(days=30))
        assert compact(instance)
        seconds.append(time.process_time() - started)
        after.append(instance_bytes(instance))
    kept = {uf for uf in ufs if uf in instance.get_materialized_partitions(dg.AssetKey("embeddings"))}
    return {
        "days": count,
        "runs_inserted": count * len(ufs),
        "runs_left": instance.get_runs_count(),
        "kb_per_run": round(before[0] / (7 * len(ufs)) / 1e3),
        "mb_without_maintenance": round((empty + grown) / 1e6),
        "mb_most": round(max(before) / 1e6),
        "mb_after_each_fifth_week": [round(size / 1e6) for size in after[4::5]],
        "mb_at_the_end": round(after[-1] / 1e6),
        "cpu_s_of_one_maintenance": round(max(seconds), 1),
        "partitions_still_materialised": len(kept),
    }


if __name__ == "__main__":
    given = [int(value) for value in sys.argv[1:]]
    print(json.dumps(measure(given[0] if given else 365, list(PARTITIONS[: given[1] if given[1:] else 27])), indent=1))

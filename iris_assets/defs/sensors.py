"""Sensors: evaluate a UF after its vectors were materialised or after the question file changed."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import dagster as dg
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES

from iris_assets.defs.jobs import evaluation_job
from iris_assets.evaluation import default_question_file

EMBEDDINGS: Final = dg.AssetKey("embeddings")
EVENTS_PER_TICK: Final = 100


@dg.sensor(
    job=evaluation_job,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="One evaluation run per UF whose `embeddings` were materialised, or all of them when the questions change.",
)
def evaluation_sensor(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    cursor = _Cursor.parse(context.cursor)
    cursor.take(_materialised(context.instance, cursor.after))
    cursor.see_questions(_file_hash(default_question_file()), context.instance)
    busy = _busy_partitions(context.instance)
    requests = [
        dg.RunRequest(run_key=f"evaluation:{uf}:{cause}", partition_key=uf, tags={"evaluation_cause": cause})
        for uf, cause in cursor.release(busy)
    ]
    return dg.SensorResult(
        run_requests=requests,
        cursor=cursor.dump(),
        skip_reason=None if requests else dg.SkipReason(_why_nothing(cursor, busy)),
    )


class _Cursor:
    """Where the event log was read to, which UFs wait for their ingestion to end, and the questions last seen."""

    def __init__(self, after: int, waiting: dict[str, str], known: list[str], questions: str | None) -> None:
        self.after = after
        self.waiting = waiting
        self.known = known
        self.questions = questions

    @classmethod
    def parse(cls, text: str | None) -> "_Cursor":
        data: dict[str, Any] = json.loads(text) if text else {}
        return cls(data.get("after", 0), data.get("waiting", {}), data.get("known", []), data.get("questions"))

    def dump(self) -> str:
        return json.dumps(
            {"after": self.after, "waiting": self.waiting, "known": self.known, "questions": self.questions},
            sort_keys=True,
        )

    def take(self, events: Iterable[tuple[str, int]]) -> None:
        """New materialisations (UF, storage id), oldest first; the newest per UF is its cause."""
        for uf, storage_id in events:
            self.after = max(self.after, storage_id)
            self.waiting[uf] = str(storage_id)
            if uf not in self.known:
                self.known.append(uf)

    def see_questions(self, file_hash: str, instance: dg.DagsterInstance) -> None:
        """A changed question file is a cause of its own for every UF that was ever materialised."""
        if self.questions is not None and self.questions != file_hash:
            for uf in self.known:
                self.waiting.setdefault(uf, f"questions-{file_hash[:16]}-{self.after}")
        self.questions = file_hash

    def release(self, busy: set[str]) -> list[tuple[str, str]]:
        """The (UF, cause) pairs that may run now; the UFs still being ingested go on waiting."""
        ready = sorted((uf, cause) for uf, cause in self.waiting.items() if uf not in busy)
        for uf, _ in ready:
            del self.waiting[uf]
        return ready


def _materialised(instance: dg.DagsterInstance, after: int) -> list[tuple[str, int]]:
    records = instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=EMBEDDINGS, after_storage_id=after), limit=EVENTS_PER_TICK, ascending=True
    ).records
    return [(record.partition_key, record.storage_id) for record in records if record.partition_key]


def _busy_partitions(instance: dg.DagsterInstance) -> set[str]:
    """UFs with an unfinished run other than an evaluation: their store is still changing."""
    runs = instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES)))
    return {
        run.tags["dagster/partition"]
        for run in runs
        if "dagster/partition" in run.tags and run.job_name != evaluation_job.name
    }


def _file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _why_nothing(cursor: _Cursor, busy: set[str]) -> str:
    waiting = sorted(set(cursor.waiting) & busy)
    return f"waiting for the ingestion of {', '.join(waiting)}" if waiting else "no new vectors and no new questions"

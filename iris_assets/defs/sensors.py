"""Sensors: evaluate a UF after its vectors were materialised or after the question files changed."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import dagster as dg
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES

import iris_assets
from iris_assets.defs.automation import sensor_status
from iris_assets.defs.jobs import evaluation_job
from iris_assets.defs.launch import PROCESS_TAG
from iris_assets.defs.partitions import keys_between, uf_of
from iris_assets.evaluation import question_files
from iris_assets.files import sha256_of
from iris_assets.settings import load_settings
from iris_assets.store.process import is_dead, parse_process
from iris_assets.ufs import PARTITIONS

EMBEDDINGS: Final = dg.AssetKey("embeddings")
EVENTS_PER_TICK: Final = 100
CORPUS: Final = "figures/corpus_digest"
CORPUS_SIGNS: Final = 16  # of the digest, in the cursor
ANSWERING: Final = ("answers", "grounding", "question", "retrieval", "words")


@dg.sensor(
    job=evaluation_job,
    minimum_interval_seconds=30,
    default_status=sensor_status(),
    description="One evaluation run per UF whose `embeddings` of any election were materialised, all when the questions change.",
)
def evaluation_sensor(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    cursor = _Cursor.parse(context.cursor)
    more = cursor.read(context.instance)
    cursor.see_questions(_asked_hash())
    busy = _busy_partitions(context.instance)
    requests = [
        dg.RunRequest(run_key=f"evaluation:{uf}:{cause}", partition_key=uf, tags={"evaluation_cause": cause})
        for uf, cause in ([] if more else cursor.release(busy))
    ]
    return dg.SensorResult(
        run_requests=requests,
        cursor=cursor.dump(),
        skip_reason=None if requests else dg.SkipReason(_why_nothing(cursor, busy, more)),
    )


class _Cursor:
    """What was seen: the event log up to `after`, the newest materialisation of each UF with the corpus that it told of
    (`12` or `12:digest`), the questions with the code of answering; who waits.
    """

    def __init__(self, after: int | None, seen: dict[str, int | str], waiting: dict[str, str], questions: str) -> None:
        self.after = after
        told = {uf: str(mark).partition(":") for uf, mark in seen.items()}
        self.seen = {uf: int(storage_id) for uf, (storage_id, _, _) in told.items()}
        self.corpora = {uf: corpus for uf, (_, _, corpus) in told.items() if corpus}
        self.waiting = waiting
        self.questions = questions

    @classmethod
    def parse(cls, text: str | None) -> "_Cursor":
        data: dict[str, Any] = json.loads(text) if text else {}
        return cls(data.get("after"), data.get("seen", {}), data.get("waiting", {}), data.get("questions", ""))

    def dump(self) -> str:
        seen = {uf: f"{mark}:{self.corpora[uf]}" if uf in self.corpora else mark for uf, mark in self.seen.items()}
        state = {"after": self.after, "seen": seen, "waiting": self.waiting, "questions": self.questions}
        return json.dumps(state, sort_keys=True)

    def read(self, instance: dg.DagsterInstance) -> bool:
        """Take what was materialised since the last tick; whether more events wait for the next one.

        The first tick takes the newest materialisation of each UF instead of the whole history.
        """
        if self.after is None:
            newest = instance.get_latest_storage_id_by_partition(EMBEDDINGS, dg.DagsterEventType.ASSET_MATERIALIZATION)
            self.after = 0
            self.take((uf_of(key), storage_id, "") for key, storage_id in newest.items())
            return False
        events = _materialised(instance, self.after)
        self.take(events)
        return len(events) == EVENTS_PER_TICK

    def take(self, events: Iterable[tuple[str, int, str]]) -> None:
        """(UF, storage id, digest of the corpus) of materialisations; the newest per UF is its cause.

        One that tells of the corpus which the UF was evaluated on is none.
        """
        for uf, storage_id, corpus in events:
            self.after = max(self.after or 0, storage_id)
            if uf in PARTITIONS and storage_id > self.seen.get(uf, 0):
                self.seen[uf] = storage_id
                if not corpus or self.corpora.get(uf) != corpus[:CORPUS_SIGNS]:
                    self.waiting[uf] = str(storage_id)
                self.corpora |= {uf: corpus[:CORPUS_SIGNS]} if corpus else {}

    def see_questions(self, asked_hash: str) -> None:
        """Changed questions, or a changed code of answering, are a cause for every UF that does not wait anyway."""
        if self.questions and self.questions != asked_hash:
            for uf, storage_id in self.seen.items():
                self.waiting.setdefault(uf, f"questions-{asked_hash[:16]}-{storage_id}")
        self.questions = asked_hash

    def release(self, busy: set[str]) -> list[tuple[str, str]]:
        """The (UF, cause) pairs that may run now; the UFs still being ingested go on waiting."""
        ready = sorted((uf, cause) for uf, cause in self.waiting.items() if uf not in busy)
        for uf, _ in ready:
            del self.waiting[uf]
        return ready


def _materialised(instance: dg.DagsterInstance, after: int) -> list[tuple[str, int, str]]:
    records = instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=EMBEDDINGS, after_storage_id=after), limit=EVENTS_PER_TICK, ascending=True
    ).records
    return [(uf_of(record.partition_key or ""), record.storage_id, _corpus_of(record)) for record in records]


def _corpus_of(record: dg.EventLogRecord) -> str:
    told = record.asset_materialization.metadata.get(CORPUS) if record.asset_materialization else None
    return str(told.value) if told else ""


def _asked_hash() -> str:
    questions = _files_hash(question_files(load_settings()))
    return hashlib.sha256(f"{questions} {_code_hash()}".encode()).hexdigest()


@cache
def _code_hash() -> str:
    """SHA-256 over the modules that answer: how the same corpus may come to answer otherwise."""
    root = Path(iris_assets.__file__).parent
    return _files_hash([file for room in ANSWERING for file in sorted((root / room).rglob("*.py"))])


def _busy_partitions(instance: dg.DagsterInstance) -> set[str]:
    """UFs with an unfinished run other than an evaluation: their store is still changing.

    The run of a command line whose process is gone does not count: only the next command line closes it.
    """
    busy: set[str] = set()
    for run in instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES))):
        process = parse_process(run.tags.get(PROCESS_TAG))
        if run.job_name != evaluation_job.name and not (process is not None and is_dead(process)):
            busy |= _partitions_of(run.tags)
    return busy


def _partitions_of(tags: Mapping[str, str]) -> set[str]:
    """The UF of a run, or those of the range of a single-run backfill."""
    first, last = tags.get("dagster/asset_partition_range_start"), tags.get("dagster/asset_partition_range_end")
    if first and last:
        return {uf_of(key) for key in keys_between(first, last)}
    return {uf_of(tags["dagster/partition"])} if "dagster/partition" in tags else set()


def _files_hash(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(bytes.fromhex(sha256_of(file)))
    return digest.hexdigest()


def _why_nothing(cursor: _Cursor, busy: set[str], more: bool) -> str:
    if more:
        return "reading a long history of materialisations: it goes on at the next tick"
    waiting = sorted(set(cursor.waiting) & busy)
    return f"waiting for the ingestion of {', '.join(waiting)}" if waiting else "no new vectors and no new questions"

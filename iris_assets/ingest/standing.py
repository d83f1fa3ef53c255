"""How every partition of a stage stands: the last outcome of each check, and since when it fails."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from iris_assets.ingest.checks import CheckOutcome
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.store import Store

CHECKED: Final = "checks"  # the name under which SourceState keeps the outcomes
COMPLETE: Final = "complete"
RUNS_READ: Final = 50


@dataclass(frozen=True, slots=True)
class Failing:
    """A check that fails for one partition, with the moment of the first run that failed it."""

    partition: str
    description: str
    since: datetime
    failed_run: bool = False  # the run itself ended FAILED


def remember(context: IngestContext, report: StageReport, outcomes: Iterable[CheckOutcome]) -> None:
    """Keep the outcomes of a partition's newest run; a failure that goes on keeps its first moment."""
    store, key = context.store, f"{report.stage}:{report.partition}"
    known = store.state.get(CHECKED, key)
    before = {name: value["since"] for name, value in (known.detail if known else {}).items()}
    now = (report.finished_at or report.started_at).isoformat()
    failing = {
        outcome.name: {"description": outcome.description, "since": before.get(outcome.name, now)}
        for outcome in outcomes
        if not outcome.passed and outcome.name != COMPLETE
    }
    with store.transaction() as tx:
        store.state.put(tx, CHECKED, key, report.run_key, failing)


def failing_partitions(store: Store, stage: str, source: str) -> dict[str, list[Failing]]:
    """By check: the partitions whose newest run fails it, in their order. `complete` comes from IngestionRun itself."""
    found: dict[str, list[Failing]] = {}
    for key, state in sorted(store.state.all(CHECKED, prefix=f"{stage}:").items()):
        for name, value in state.detail.items():
            since = datetime.fromisoformat(value["since"])
            found.setdefault(name, []).append(Failing(key.partition(":")[2], value["description"], since))
    found[COMPLETE] = [
        Failing(uf, run.error_message or run.status, _failing_since(store, source, uf), run.status == "FAILED")
        for uf, run in sorted(store.runs.latest_of_each(source).items())
        if run.status != "SUCCESS"
    ]
    return found


def _failing_since(store: Store, source: str, partition: str) -> datetime:
    """When the first run of the present row of runs without success began."""
    runs = [run for run in store.runs.latest(RUNS_READ, source, partition) if run.status != "RUNNING"]
    good = next((place for place, run in enumerate(runs) if run.status == "SUCCESS"), len(runs))
    return runs[good - 1].started_at

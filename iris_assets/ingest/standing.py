"""How every partition of a stage stands: the last outcome of each check, and since when it fails."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from iris_assets.ingest.checks import CheckOutcome
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.store import Store
from iris_assets.store.tables.runs import RunRow

CHECKED: Final = "checks"  # the name under which SourceState keeps the outcomes
COMPLETE: Final = "complete"
RUNS_READ: Final = 50


@dataclass(frozen=True, slots=True)
class Failing:
    """A check that fails for one partition, with the moment of the first run that failed it."""

    partition: str
    election_year: int | None
    description: str
    since: datetime
    failed_run: bool = False  # the run itself ended FAILED


def remember(context: IngestContext, report: StageReport, outcomes: Iterable[CheckOutcome]) -> None:
    """Keep the outcomes of a partition's newest run; a failure that goes on keeps its first moment."""
    store, key = context.store, f"{report.stage}:{named(report.partition, report.election_year)}"
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


def named(partition: str, election_year: int | None) -> str:
    """`AC 2022`; the UF alone where no election is known."""
    return partition if election_year is None else f"{partition} {election_year}"


def failing_partitions(store: Store, stage: str, source: str) -> dict[str, list[Failing]]:
    """By check: the partitions whose newest run fails it, in their order. `complete` comes from IngestionRun itself."""
    found: dict[str, list[Failing]] = {}
    states = store.state.all(CHECKED, prefix=f"{stage}:")
    superseded = {key.partition(" ")[0] for key in states if " " in key}  # what was kept before elections were
    for key, state in sorted(states.items()):
        if key in superseded:
            continue
        for name, value in state.detail.items():
            since = datetime.fromisoformat(value["since"])
            uf, _, year = key.partition(":")[2].partition(" ")
            failing = Failing(uf, int(year) if year else None, value["description"], since)
            found.setdefault(name, []).append(failing)
    found[COMPLETE] = [
        Failing(
            run.run_partition,
            run.election_year,
            run.error_message or run.status,
            _failing_since(store, source, run),
            run.status == "FAILED",
        )
        for run in _in_order(store.runs.latest_of_each(source).values())
        if run.status != "SUCCESS"
    ]
    return found


def _in_order(runs: Iterable[RunRow]) -> list[RunRow]:
    return sorted(runs, key=lambda run: named(run.run_partition, run.election_year))


def _failing_since(store: Store, source: str, newest: RunRow) -> datetime:
    """When the first run of the present row of runs without success began."""
    found = store.runs.latest(RUNS_READ, source, newest.run_partition, newest.election_year)
    runs = [run for run in found if run.status != "RUNNING"]
    good = next((place for place, run in enumerate(runs) if run.status == "SUCCESS"), len(runs))
    return runs[good - 1].started_at

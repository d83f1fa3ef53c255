"""What a run says of its source: the data contract, doubts about the number of rows, a refused download."""

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.sources.archive import Archive
from iris_assets.sources.data_contracts import DATA_CONTRACTS, REGISTRATION_SHOWN_BY, someone_runs
from iris_assets.ufs import PARTITIONS

ROW_COUNT_SUSPICIOUS: Final = "ROW_COUNT_SUSPICIOUS"  # the code of a gap on which the next stages must not work
SCOPE_FILE: Final = "SCOPE.json"


def row_doubt(context: IngestContext, source: str, rows: int, collected: date) -> str:
    """Why this number of rows is suspicious; empty when it is not, or when an offline copy stands for the source."""
    if context.settings.iris_assets_replay is not None:
        return ""
    return DATA_CONTRACTS[source].doubt(rows, context.settings.ingest_election_year, collected)


def rows_expected(context: IngestContext, uf: str) -> bool:
    """Whether the registry must have candidates of `uf` by now; an offline copy may say which UFs it holds."""
    settings = context.settings
    if not someone_runs(settings.ingest_election_year, uf, settings.ingest_offices):
        return False
    if not in_copy(context, uf):
        return False
    return settings.reference_date >= date(settings.ingest_election_year, *REGISTRATION_SHOWN_BY)


def in_copy(context: IngestContext, uf: str) -> bool:
    """Whether the source may hold `uf`: always, but for an offline copy that names other UFs."""
    replay = context.settings.iris_assets_replay
    return replay is None or uf in copied_states(replay)


def copied_states(folder: Path) -> frozenset[str]:
    """The UFs that an offline copy holds: those of its SCOPE.json, all of them when it has none."""
    file = folder / SCOPE_FILE
    return frozenset(json.loads(file.read_text(encoding="utf-8"))["states"] if file.is_file() else PARTITIONS)


def say_refused(report: StageReport, archive: Archive) -> None:
    """A newer file that was refused by the name of its fault is a gap: the last good copy stays in use."""
    for note in archive.notes:
        code, _, text = note.partition(": ")
        report.gap(code, text)


def contract_finding(context: IngestContext, report: StageReport) -> tuple[bool, str, dict[str, Any]]:
    """(is as much as usual, in words, the data contract): the source as it should be beside what came."""
    settings = context.settings
    contract = DATA_CONTRACTS[report.stage]
    usual = contract.usual(settings.ingest_election_year)
    figures: dict[str, Any] = {
        "publisher": contract.publisher,
        "licence": contract.licence,
        "address": contract.address,
        "required": ", ".join(contract.required),
        "fewest_rows": usual.fewest,
        "most_rows": usual.most,
    }
    rows = len(context.store.camara.deputies()) if report.stage == "camara" else report.figures.get("source_rows")
    if rows is None:
        return True, "nothing was published that could be counted", figures
    doubt = row_doubt(context, report.stage, rows, report.started_at.date())
    offline = " (an offline copy: not judged)" if settings.iris_assets_replay is not None else ""
    return not doubt, doubt or f"{rows} {contract.rows}{offline}", {**figures, "rows": rows}

"""What a run says of its source: the passport, doubts about the number of rows, a refused download."""

from datetime import date
from typing import Any

from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.sources.archive import Archive
from iris_assets.sources.passports import PASSPORTS


def row_doubt(context: IngestContext, source: str, rows: int, collected: date) -> str:
    """Why this number of rows is suspicious; empty when it is not, or when an offline copy stands for the source."""
    if context.settings.iris_assets_replay is not None:
        return ""
    return PASSPORTS[source].doubt(rows, context.settings.ingest_election_year, collected)


def say_refused(report: StageReport, archive: Archive) -> None:
    """A newer file that was refused by the name of its fault is a gap: the last good copy stays in use."""
    for note in archive.notes:
        code, _, text = note.partition(": ")
        report.gap(code, text)


def passport_finding(context: IngestContext, report: StageReport) -> tuple[bool, str, dict[str, Any]]:
    """(is as much as usual, in words, the passport): the source as it should be beside what came."""
    settings = context.settings
    passport = PASSPORTS[report.stage]
    usual = passport.usual(settings.ingest_election_year)
    figures: dict[str, Any] = {
        "publisher": passport.publisher,
        "licence": passport.licence,
        "address": passport.address,
        "required": ", ".join(passport.required),
        "fewest_rows": usual.fewest,
        "most_rows": usual.most,
    }
    rows = len(context.store.camara.deputies()) if report.stage == "camara" else report.figures.get("source_rows")
    if rows is None:
        return True, "nothing was published that could be counted", figures
    doubt = row_doubt(context, report.stage, rows, report.started_at.date())
    offline = " (an offline copy: not judged)" if settings.iris_assets_replay is not None else ""
    return not doubt, doubt or f"{rows} {passport.rows}{offline}", {**figures, "rows": rows}

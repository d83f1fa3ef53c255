"""Stage `candidates`: the court's registry archive of one UF into the Candidate table, by difference."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from iris_assets import logs
from iris_assets.ingest.candidate_changes import COMPARED, Changes
from iris_assets.ingest.candidate_doubles import Doubles
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.ingest.reporting import StageReport, StageRun, stage_run
from iris_assets.ingest.source_checks import ROW_COUNT_SUSPICIOUS, in_copy, row_doubt, rows_expected, say_refused
from iris_assets.ingest.stages import AUDITED
from iris_assets.sources.archive import Archive
from iris_assets.sources.candidate_rows import CandidateBatch
from iris_assets.sources.candidates import read_candidates
from iris_assets.sources.row_counts import disagreement, member_rows, national_rows
from iris_assets.store import Outcome, batches, in_units
from iris_assets.store.inputs import ChangeValues

log = logging.getLogger(__name__)

CODE_VERSION: Final = "3"
SUSPICIOUS_SHARE: Final = 0.5
FEWEST_TO_COMPARE: Final = 20
INVALID_SHOWN: Final = 20
REMEMBERED: Final = ("rows_stored", "source_rows", "generated")


def ingest_candidates(context: IngestContext, uf: str, *, full_refresh: bool = False) -> StageReport:
    """Read the member of `uf` (or the national one filtered) and upsert its candidates, 500 rows a transaction.

    An archive that was already consumed with the same filters and code is not read; what was wrong with it is said
    again. The report's tables `changes_by_field` and `changes` show what the court corrected.
    """
    settings = context.settings
    parameters = {
        "uf": uf,
        "election_year": settings.ingest_election_year,
        "dataset": settings.dataset_id,
        "offices": list(settings.ingest_offices),
        "code_version": CODE_VERSION,
    }
    with stage_run(
        context.store, "candidates", AUDITED["candidates"], uf, parameters, context.settings.ingest_election_year
    ) as run:
        archive = _archive(context, run)
        run.report.source_hash = archive.sha256
        key = input_fingerprint(archive=archive.sha256, **parameters)
        unit = f"{settings.dataset_id}:{uf}"
        state = context.store.state.get("candidates", unit)
        if state is not None and state.consumed_key == key and not full_refresh:
            logs.event(log, "file skipped", url=archive.url, reason="unchanged")
            _say_again(run.report, state.detail or {})
        else:
            known = len(run.report.gaps)  # a refused download is this run's gap, not one of the archive in use
            invalid = _read_archive(context, run, archive, uf)
            with context.store.transaction() as tx:
                context.store.state.put(tx, "candidates", unit, key, _to_remember(run.report, known, invalid))
        _miss_everybody(context, run.report, uf)
    return run.report


def _miss_everybody(context: IngestContext, report: StageReport, uf: str) -> None:
    """A UF that owes us candidates and has none is a gap, also when the archive is that of the last run."""
    if report.figures.get("rows_stored"):
        return
    if not in_copy(context, uf):
        report.notes.append(f"no candidates of {uf} in this copy: its SCOPE.json names other UFs")
    elif rows_expected(context, uf):
        year = context.settings.ingest_election_year
        report.gap(ROW_COUNT_SUSPICIOUS, f"no candidates of {uf} in the archive: every UF has some in {year}")


def _archive(context: IngestContext, run: StageRun) -> Archive:
    before = context.http.calls
    archive: Archive = context.cached("candidates_archive", context.tse().candidates_archive)
    run.report.work["http_calls"] = context.http.calls - before
    say_refused(run.report, archive)
    return archive


def _to_remember(report: StageReport, known: int, invalid: int) -> dict[str, Any]:
    """What a run over the same archive has to say without reading it."""
    return {
        "figures": {name: report.figures[name] for name in REMEMBERED if name in report.figures},
        "gaps": report.gaps[known:],
        "notes": report.notes,
        "invalid_rows": invalid,
        "invalid": report.errors[:INVALID_SHOWN],
    }


def _say_again(report: StageReport, remembered: Mapping[str, Any]) -> None:
    report.notes.append("the archive and the filters are those of the last run: nothing was read")
    report.notes.extend(remembered.get("notes", []))
    report.figures.update(remembered.get("figures", {}))
    report.gaps.extend(remembered.get("gaps", []))
    if remembered.get("invalid_rows"):
        shown = "; ".join(error.partition(": ")[2] for error in remembered["invalid"])
        report.gap("CSV_ROW_INVALID", f"{remembered['invalid_rows']} rows of the unchanged archive: {shown}")


def _read_archive(context: IngestContext, run: StageRun, archive: Archive, uf: str) -> int:
    """Store the rows, mark the removed ones, say what changed; how many rows were invalid."""
    settings, report = context.settings, run.report
    suspicious = _count_source_rows(context, report, archive)
    before = _stored_count(context, uf)
    changes = Changes(settings.ingest_election_year, report.run_key)
    doubles = Doubles()
    seen: set[str] = set()
    invalid = 0
    reading = read_candidates(
        archive,
        uf,
        election_year=settings.ingest_election_year,
        offices=settings.ingest_offices,
        splits=context.downloads / "splits",
    )
    for batch in reading:
        doubles.see(batch.rows)
        _store_batch(context, run, batch, changes)
        seen.update(row["tse_id"] for row in batch.rows)
        invalid += len(batch.bad_rows)
        context.progress(f"{uf} candidates", report.work["rows_read"], None)
    report.notes.extend(reading.notes)
    for code, text in reading.gaps:
        report.gap(code, text)
    report.notes.extend(doubles.notes())
    report.figures["generated"] = reading.generated
    suspicious = suspicious or _few_of_the_stored(report, before, len(seen), uf)
    # A cut or empty file must not mark half the registry as removed.
    removed = 0 if suspicious else _mark_removed(context, run, uf, seen, changes)
    report.figures.update(rows_stored=len(seen), removed_at_source=removed, changed_fields=dict(changes.fields))
    report.tables["changes_by_field"] = changes.counts(removed) if before else []  # at first everything is new
    report.tables["changes"] = changes.sample
    report.tables["possible_doubles"] = doubles.sample
    return invalid


def _count_source_rows(context: IngestContext, report: StageReport, archive: Archive) -> bool:
    """Note how many rows the whole country has; True (and a gap) when that cannot be right."""
    counts = member_rows(archive, context.downloads / "counts")
    report.figures["source_rows"] = national_rows(counts)
    problem = disagreement(counts)
    if problem:
        report.notes.append(problem)
    doubt = row_doubt(context, "candidates", national_rows(counts), archive.collected_at.date())
    if doubt:
        report.gap(ROW_COUNT_SUSPICIOUS, doubt)
    return bool(doubt)


def _few_of_the_stored(report: StageReport, stored: int, seen: int, uf: str) -> bool:
    if stored < FEWEST_TO_COMPARE or seen >= stored * SUSPICIOUS_SHARE:
        return False
    report.gap(ROW_COUNT_SUSPICIOUS, f"the archive has {seen} candidates of {uf}, {stored} are stored")
    return True


def _stored_count(context: IngestContext, uf: str) -> int:
    """Candidates that this run judges and that the court did not drop."""
    settings = context.settings
    stored = context.store.candidates.list(
        election_year=settings.ingest_election_year, states=(uf,), offices=settings.ingest_offices, columns=("id",)
    )
    return len(stored)


def _store_batch(context: IngestContext, run: StageRun, batch: CandidateBatch, changes: Changes) -> None:
    """The rows transaction by transaction; what was read, skipped and invalid is counted with the first."""
    year = context.settings.ingest_election_year
    counts = {"read": batch.rows_read, "skipped": batch.skipped.total(), "failed": len(batch.bad_rows)}
    stored = context.store.candidates.by_tse_ids(year, [row["tse_id"] for row in batch.rows], ("tse_id", *COMPARED))
    corrections = changes.see(batch.rows, stored)

    def changed(row: Mapping[str, Any]) -> int:
        return max(1, len(corrections.get(row["tse_id"], ())))

    for rows in in_units(batch.rows, changed, context.store.limits.transaction_rows) if batch.rows else ((),):
        corrected = [change for row in rows for change in corrections.pop(row["tse_id"], ())]
        _store_rows(context, run, rows, corrected, **counts)
        counts = dict.fromkeys(counts, 0)
    report = run.report
    report.work["rows_read"] += batch.rows_read
    for name, number in batch.skipped.items():
        report.figures[f"skipped_{name}"] = report.figures.get(f"skipped_{name}", 0) + number
    for bad in batch.bad_rows:
        report.unit_failed("CSV_ROW_INVALID", f"line {bad.line}: {bad.reason}")


def _store_rows(
    context: IngestContext,
    run: StageRun,
    rows: Sequence[Mapping[str, Any]],
    corrected: Sequence[ChangeValues],
    *,
    read: int,
    skipped: int,
    failed: int,
) -> None:
    """One transaction: the rows, what they correct, and the counters that describe them."""
    with context.store.transaction() as tx:
        context.store.changes.add(tx, corrected)
        outcomes = Counter(context.store.candidates.upsert(tx, rows)) if rows else Counter[Outcome]()
        run.count(
            tx,
            read=read,
            created=outcomes[Outcome.INSERTED],
            updated=outcomes[Outcome.UPDATED],
            skipped=skipped + outcomes[Outcome.UNCHANGED],
            failed=failed,
        )


def _mark_removed(context: IngestContext, run: StageRun, uf: str, seen: set[str], changes: Changes) -> int:
    """Candidates that the court dropped are kept and marked; only offices within today's filter are judged."""
    settings, store = context.settings, context.store
    gone = store.candidates.absent(settings.ingest_election_year, uf, settings.ingest_offices, seen)
    for part in batches(gone, store.limits.transaction_rows):
        dropped = changes.removed(row["tse_id"] for row in store.candidates.by_ids(part).values())
        with store.transaction() as tx:
            store.candidates.mark_removed(tx, part)
            store.changes.add(tx, dropped)
            run.count(tx, updated=len(part))
    if gone:
        run.report.notes.append(
            f"{len(gone)} candidates are no longer in the archive: kept, marked as removed at the source"
        )
    return len(gone)

"""Stage `candidates`: the court's registry archive of one UF into the Candidate table, by difference."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from iris_assets.ingest.consumption import consumed_key
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport, StageRun, stage_run
from iris_assets.sources.archive import Archive
from iris_assets.sources.candidates import read_candidates
from iris_assets.store import Outcome

CODE_VERSION: Final = "1"
BATCH_ROWS: Final = 500
SAMPLE_OF_CHANGES: Final = 20
SUSPICIOUS_SHARE: Final = 0.5
FEWEST_TO_COMPARE: Final = 20
NOT_COMPARED: Final = frozenset({"source_collected_at", "source_url"})


def ingest_candidates(context: IngestContext, uf: str, *, full_refresh: bool = False) -> StageReport:
    """Read the member of `uf` (or the national one filtered) and upsert its candidates, 500 rows a transaction.

    An archive that was already consumed with the same filters and code is not read. The report's table
    `changes` shows which fields the court corrected.
    """
    settings = context.settings
    parameters = {
        "uf": uf,
        "election_year": settings.ingest_election_year,
        "dataset": settings.dataset_id,
        "offices": list(settings.ingest_offices),
        "code_version": CODE_VERSION,
    }
    with stage_run(context.store, "candidates", "TSE_CANDIDATES", uf, parameters) as run:
        report = run.report
        archive = _archive(context, run)
        report.source_hash = archive.sha256
        key = consumed_key(archive=archive.sha256, **parameters)
        unit = f"{settings.dataset_id}:{uf}"
        state = context.store.state.get("candidates", unit)
        if state is not None and state.consumed_key == key and not full_refresh:
            report.notes.append("the archive and the filters are those of the last run: nothing was read")
            report.figures.update(state.detail or {})
            return report
        figures = _read_archive(context, run, archive, uf)
        report.figures.update(figures)
        with context.store.transaction() as tx:
            context.store.state.put(tx, "candidates", unit, key, figures)
    return report


def _archive(context: IngestContext, run: StageRun) -> Archive:
    before = context.http.calls
    archive: Archive = context.cached("candidates_archive", context.tse().candidates_archive)
    run.report.work["http_calls"] = context.http.calls - before
    run.report.notes.extend(archive.notes)
    return archive


def _read_archive(context: IngestContext, run: StageRun, archive: Archive, uf: str) -> dict[str, Any]:
    settings = context.settings
    before = _stored(context, uf)
    changes = _Changes(before)
    seen: set[str] = set()
    reading = read_candidates(
        archive,
        uf,
        election_year=settings.ingest_election_year,
        offices=settings.ingest_offices,
        splits=context.downloads / "splits",
    )
    for batch in reading:
        for start in range(0, max(len(batch.rows), 1), BATCH_ROWS):
            rows = batch.rows[start : start + BATCH_ROWS]
            first = start == 0
            _store_rows(
                context,
                run,
                rows,
                read=batch.rows_read if first else 0,
                skipped=sum(batch.skipped.values()) if first else 0,
                failed=len(batch.bad_rows) if first else 0,
            )
            changes.see(rows)
        seen.update(row["tse_id"] for row in batch.rows)
        run.report.work["rows_read"] += batch.rows_read
        run.report.figures.update(
            Counter(run.report.figures) + Counter({f"skipped_{k}": v for k, v in batch.skipped.items()})
        )
        for bad in batch.bad_rows:
            run.report.unit_failed("CSV_ROW_INVALID", f"line {bad.line}: {bad.reason}")
        context.progress(f"{uf} candidates", run.report.work["rows_read"], None)
    run.report.notes.extend(reading.notes)
    present = sum(not row["removed_at_source"] and row["office"] in settings.ingest_offices for row in before.values())
    if present >= FEWEST_TO_COMPARE and len(seen) < present * SUSPICIOUS_SHARE:
        # A cut or empty file must not mark half the registry as removed.
        run.report.gap("ROW_COUNT_SUSPICIOUS", f"the archive has {len(seen)} candidates of {uf}, {present} are stored")
    else:
        _mark_removed(context, run, uf, seen)
    run.report.tables["changes"] = changes.sample
    return {**run.report.figures, "rows_stored": len(seen), "changed_fields": dict(changes.fields)}


def _stored(context: IngestContext, uf: str) -> dict[str, Mapping[str, Any]]:
    rows = context.store.candidates.list(
        election_year=context.settings.ingest_election_year, states=(uf,), include_removed=True
    )
    return {row["tse_id"]: row for row in rows}


def _store_rows(
    context: IngestContext, run: StageRun, rows: Sequence[Mapping[str, Any]], *, read: int, skipped: int, failed: int
) -> None:
    """One transaction: the rows and the counters that describe them."""
    with context.store.transaction() as tx:
        outcomes = Counter(context.store.candidates.upsert(tx, rows)) if rows else Counter[Outcome]()
        run.count(
            tx,
            read=read,
            created=outcomes[Outcome.INSERTED],
            updated=outcomes[Outcome.UPDATED],
            skipped=skipped + outcomes[Outcome.UNCHANGED],
            failed=failed,
        )


def _mark_removed(context: IngestContext, run: StageRun, uf: str, seen: set[str]) -> None:
    """Candidates that the court dropped are kept and marked; only offices within today's filter are judged."""
    settings = context.settings
    with context.store.transaction() as tx:
        removed = context.store.candidates.mark_removed(
            tx, settings.ingest_election_year, uf, settings.ingest_offices, seen
        )
        run.count(tx, updated=removed)
    if removed:
        run.report.notes.append(
            f"{removed} candidates are no longer in the archive: kept, marked as removed at the source"
        )
    run.report.figures["removed_at_source"] = removed


class _Changes:
    """Which fields differ from what was stored: counts per field and a small sample with old and new value."""

    def __init__(self, before: Mapping[str, Mapping[str, Any]]) -> None:
        self._before = before
        self.fields: Counter[str] = Counter()
        self.sample: list[dict[str, Any]] = []

    def see(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            old = self._before.get(row["tse_id"])
            if old is None:
                continue
            for name, value in row.items():
                if name not in NOT_COMPARED and (value or None) != (old.get(name) or None):
                    self._note(row["tse_id"], name, old.get(name), value)

    def _note(self, tse_id: str, name: str, old: Any, new: Any) -> None:
        self.fields[name] += 1
        if len(self.sample) < SAMPLE_OF_CHANGES:
            self.sample.append({"tse_id": tse_id, "field": name, "before": str(old), "after": str(new)})

"""Stage `camara`: which candidates are deputies, and the history and bills of those who are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from iris_assets.ingest.camara_bills import ApiBills
from iris_assets.ingest.camara_deputies import DeputyBook
from iris_assets.ingest.camara_files import FileBills, covered_by
from iris_assets.ingest.camara_histories import HistoryCollector
from iris_assets.ingest.camara_identity import Matched, identify
from iris_assets.ingest.camara_plan import CODE_VERSION, Planner, Range
from iris_assets.ingest.camara_signers import Signers, load_signers
from iris_assets.ingest.camara_storing import BillWriter
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport, StageRun, stage_run
from iris_assets.ingest.stages import AUDITED
from iris_assets.sources.camara import CamaraSource, lookback
from iris_assets.sources.camara_bulk import BulkFiles, CamaraBulk

__all__ = ["CODE_VERSION", "ingest_camara"]

CACHE: Final = "camara"
SHOWN: Final = 20


@dataclass(slots=True)
class Shared:
    """What one run of the process learns once for all partitions."""

    source: CamaraSource
    bulk: CamaraBulk
    window: Range
    book: DeputyBook | None = None
    files: BulkFiles | None = None
    done: set[int] = field(default_factory=set)


def ingest_camara(context: IngestContext, uf: str, *, full_refresh: bool = False) -> StageReport:
    """Match the candidates of `uf`, then collect history and bills of the matched ones.

    A bill or a deputy that cannot be had counts as failed and makes the stage PARTIAL; without the listing of the
    deputies, or with a broken overrides.json, it is FAILED and nothing was changed.
    """
    parameters = _parameters(context, uf, full_refresh)
    with (
        stage_run(
            context.store, "camara", AUDITED["camara"], uf, parameters, context.settings.ingest_election_year
        ) as run,
        _calls_counted(context, run),
    ):
        shared = _shared(context, full_refresh)
        book = _book(context, run, shared, full_refresh)
        identified = identify(context, run, uf, book, full_refresh=full_refresh)
        chosen = _limited(context, run, identified.matched)
        signers = load_signers(context, identified.matched_deputies)
        deputies = list(dict.fromkeys(item.deputy_id for item in chosen))
        HistoryCollector(context, run, shared.source, book, shared.window).collect(
            deputies, signers, full_refresh=full_refresh
        )
        writer = BillWriter(context, run, signers)
        writer.link_stored(uf, [item.deputy_id for item in identified.matched])
        _collect_bills(context, run, shared, uf, deputies, signers, writer, full_refresh)
    return run.report


def _parameters(context: IngestContext, uf: str, full_refresh: bool) -> dict[str, Any]:
    settings = context.settings
    return {
        "uf": uf,
        "election_year": settings.ingest_election_year,
        "offices": list(settings.ingest_offices),
        "source": settings.camara_source,
        "as_of": settings.reference_date.isoformat(),
        "lookback_years": settings.camara_lookback_years,
        "max_matched_candidates": settings.camara_max_matched_candidates,
        "max_propositions_per_candidate": settings.camara_max_propositions_per_candidate,
        "max_authors_per_proposition": settings.camara_max_authors_per_proposition,
        "full_refresh": full_refresh,
        "code_version": CODE_VERSION,
    }


@contextmanager
def _calls_counted(context: IngestContext, run: StageRun) -> Iterator[None]:
    before = context.http.calls
    try:
        yield
    finally:
        run.report.work["http_calls"] += context.http.calls - before


def _shared(context: IngestContext, full_refresh: bool) -> Shared:
    settings = context.settings
    window = lookback(settings.reference_date, settings.camara_lookback_years)
    key = f"{CACHE}:{window}:{full_refresh}"
    shared: Shared = context.cached(key, lambda: _make_shared(context, window))
    return shared


def _make_shared(context: IngestContext, window: Range) -> Shared:
    source = CamaraSource(context.http, context.settings)
    return Shared(source, CamaraBulk(context.http, context.settings, context.downloads), window)


def _book(context: IngestContext, run: StageRun, shared: Shared, full_refresh: bool) -> DeputyBook:
    """The deputies, collected by the first partition that needs them; every partition says what is missing."""
    if shared.book is None:
        book = DeputyBook(context, shared.source, *shared.window)
        book.collect(run, full_refresh=full_refresh)
        shared.book = book
    elif shared.book.missing:
        ids = ", ".join(str(number) for number in sorted(shared.book.missing)[:SHOWN])
        run.report.gap("DEPUTIES_MISSING", f"{len(shared.book.missing)} deputies could not be had: {ids}")
    return shared.book


def _limited(context: IngestContext, run: StageRun, matched: tuple[Matched, ...]) -> tuple[Matched, ...]:
    most = context.settings.camara_max_matched_candidates
    if most and len(matched) > most:
        run.report.notes.append(f"collection is limited to {most} of {len(matched)} matched candidates, in TseId order")
        return matched[:most]
    return matched


def _collect_bills(
    context: IngestContext,
    run: StageRun,
    shared: Shared,
    uf: str,
    deputies: list[int],
    signers: Signers,
    writer: BillWriter,
    full_refresh: bool,
) -> None:
    """By the yearly files, by the API, or by both: the files first, then what the API has beyond them."""
    mode, covered = context.settings.camara_source, None
    if mode != "api" and deputies:
        files = _files(run, shared)
        if mode == "bulk" and not files.years:
            first, last = shared.window
            said = f"no yearly file of bills from {first.year} to {last.year}: no bill was collected"
            run.report.gap("YEARLY_FILES_MISSING", said)
        covered = covered_by(files)
        reader = FileBills(context, run, shared.bulk, files, shared.window)
        reader.collect(uf, deputies, signers, writer, full_refresh=full_refresh)
    if mode != "bulk":
        planner = Planner(context.settings, shared.window, covered)
        api = ApiBills(context, run, shared.source, planner, shared.window, shared.done)
        listings, states = api.look_up(deputies, full_refresh=full_refresh)
        api.fetch(listings, writer, full_refresh=full_refresh)
        api.remember(listings, states, writer.failed)
    _explain(run, writer)


def _files(run: StageRun, shared: Shared) -> BulkFiles:
    """The yearly files, downloaded by the first partition that needs them; what is not there is said by each."""
    if shared.files is None:
        shared.files = shared.bulk.files(*shared.window)
    run.report.notes.extend(shared.files.notes)
    return shared.files


def _explain(run: StageRun, writer: BillWriter) -> None:
    if writer.failed:
        run.report.notes.append(f"{len(writer.failed)} bills could not be had; they are asked again by the next run")
    if writer.not_signed:
        ids = ", ".join(str(number) for number in sorted(writer.not_signed)[:SHOWN])
        run.report.notes.append(f"{len(writer.not_signed)} listed bills name no matched author, not attributed: {ids}")

"""Plans of an archive into ProposalDocument: extraction in a bounded pool, one transaction a PDF."""

import hashlib
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from iris_assets import logs
from iris_assets.documents import ExtractedDocument, ExtractionLimits, PdfPool, PlanFiles, raw_text
from iris_assets.documents.recognised import RECOGNISED
from iris_assets.errors import DocumentError, SourceContractError
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.archive import Archive
from iris_assets.sources.proposals import ProposalMember, opened_plans
from iris_assets.store import Outcome
from iris_assets.store.inputs import DocumentValues
from iris_assets.store.records import CandidateRow, DocumentRow
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Plan:
    """One archive member with the candidate who filed it and its bytes' hash."""

    member: ProposalMember
    candidate: CandidateRow
    document_hash: str = ""
    data: bytes = field(default=b"", repr=False)


def store_plans(
    context: IngestContext, run: StageRun, archive: Archive, plans: list[Plan], *, ocr: bool, full_refresh: bool
) -> None:
    """Extract, store and link the plans; bytes that are stored already are linked only."""
    orphans = run.report.figures["candidate_not_found"]
    with context.store.transaction() as tx:
        run.count(tx, read=orphans, skipped=orphans)
    settings = context.settings
    known = context.store.documents.hashes(settings.ingest_election_year)
    limits = ExtractionLimits(seconds=settings.pdf_max_seconds, memory_mb=settings.pdf_max_memory_mb)
    files = PlanFiles(settings.iris_assets_data / "plans") if settings.keep_plan_files else None
    done = 0
    with (
        PdfPool(settings.pdf_workers, limits, ocr=ocr, ocr_cache=settings.iris_assets_data / RECOGNISED) as pool,
        opened_plans(archive) as read,
    ):
        for plan, outcome in _extracted(
            pool, read, plans, known, ocr=ocr, full_refresh=full_refresh, run=run, files=files
        ):
            _store_one(context, run, archive, plan, outcome)
            done += 1
            context.progress(f"{archive.label} proposals", done, len(plans))


def _extracted(
    pool: PdfPool,
    read: Callable[[ProposalMember], bytes],
    plans: list[Plan],
    known: Mapping[str, DocumentRow],
    *,
    ocr: bool,
    full_refresh: bool,
    run: StageRun,
    files: PlanFiles | None,
) -> Iterator[tuple[Plan, ExtractedDocument | DocumentError | None]]:
    """Each plan with its text, its error, or None when its bytes are stored already; a few PDFs are in flight."""
    pending: list[tuple[Plan, Any]] = []
    submitted: set[str] = set()
    for plan in plans:
        try:
            plan.data = read(plan.member)
        except SourceContractError as error:
            run.report.gap(error.code, error.message)
            yield plan, DocumentError(error.code, error.message)
            continue
        plan.document_hash = hashlib.sha256(plan.data).hexdigest()
        if files is not None:
            files.keep(plan.document_hash, plan.data)
        stored = known.get(plan.document_hash)
        recognisable = ocr and stored is not None and stored["text_status"] in {"EMPTY", "PARTIAL"}
        if plan.document_hash in submitted or (stored is not None and not full_refresh and not recognisable):
            plan.data = b""
            pending.append((plan, None))
        else:
            submitted.add(plan.document_hash)
            run.report.work["pdfs_extracted"] += 1
            pending.append((plan, pool.submit(plan.data)))
            plan.data = b""
        while len(pending) > 2 * pool.workers:
            yield _result(*pending.pop(0))
    for plan, future in pending:
        yield _result(plan, future)


def _result(plan: Plan, future: Any) -> tuple[Plan, ExtractedDocument | DocumentError | None]:
    if future is None:
        return plan, None
    try:
        return plan, future.result()
    except DocumentError as error:
        return plan, error


def _store_one(
    context: IngestContext,
    run: StageRun,
    archive: Archive,
    plan: Plan,
    outcome: ExtractedDocument | DocumentError | None,
) -> None:
    """One transaction: the document, its link and the counters of this PDF."""
    if isinstance(outcome, DocumentError):
        logs.event(log, "file skipped", logging.WARNING, file=ascii(plan.member.name)[1:-1], code=outcome.code)
    store = context.store
    with store.transaction() as tx:
        stored = Outcome.UNCHANGED
        if outcome is not None and plan.document_hash:
            stored = store.documents.upsert(tx, _row(context, archive, plan, outcome))
        link = Outcome.UNCHANGED
        if plan.document_hash:
            link = store.links.set(
                tx,
                GOVERNMENT_PROPOSAL,
                plan.document_hash,
                plan.candidate["id"],
                "FILED_BY",
                file_name=plan.member.name,
                title=_title(plan),
                source_url=archive.url,
                source_collected_at=archive.collected_at,
            )
        failed = isinstance(outcome, DocumentError)
        changed = stored if stored is not Outcome.UNCHANGED else link
        run.count(
            tx,
            read=1,
            created=int(not failed and changed is Outcome.INSERTED),
            updated=int(not failed and changed is Outcome.UPDATED),
            skipped=int(not failed and changed is Outcome.UNCHANGED),
            failed=int(failed),
        )


def _row(
    context: IngestContext, archive: Archive, plan: Plan, outcome: ExtractedDocument | DocumentError
) -> DocumentValues:
    known = context.store.documents.get(plan.document_hash)
    year = context.settings.ingest_election_year
    # What another election filed first stays as it was: who files it again, and from which archive, stands on the link.
    earlier = known if known and known["election_year"] != year else None
    first: DocumentValues = {
        "election_year": earlier["election_year"] if earlier else year,
        "title": known["title"] if known else _title(plan),
        "source_url": earlier["source_url"] if earlier else archive.url,
        "source_resource_id": earlier["source_resource_id"] if earlier else archive.resource_id,
        "file_name": known["file_name"] if known else plan.member.name,
    }
    row: DocumentValues = {
        "document_hash": plan.document_hash,
        **first,
        "source_collected_at": archive.collected_at,
    }
    if isinstance(outcome, DocumentError):
        return {**row, "text_status": "FAILED", "error_code": outcome.code}
    return {
        **row,
        "raw_text": raw_text(outcome.pages),
        "page_count": len(outcome.pages),
        "text_status": outcome.status,
        "error_code": "PDF_TEXT_EXTRACTION_EMPTY" if outcome.status == "EMPTY" else None,
        "engine": outcome.engine,
        "quality_json": outcome.quality,
        "ocr_pages": [page.number for page in outcome.pages if page.ocr] or None,
        "page_labels": {str(page.number): page.label for page in outcome.pages if page.label} or None,
    }


def _title(plan: Plan) -> str:
    name = plan.candidate["ballot_name"] or plan.candidate["name"]
    return f"Proposta de governo - {name} - documento {plan.member.sequence:02d}"

"""Stage `proposals`: the government-plan archive of one UF into ProposalDocument, one transaction a PDF."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from iris_assets import logs
from iris_assets.documents import ocr_available
from iris_assets.errors import SourceContractError
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.ingest.proposal_documents import Plan, store_plans
from iris_assets.ingest.reporting import StageReport, StageRun, stage_run
from iris_assets.ingest.source_checks import row_doubt, say_refused
from iris_assets.ingest.stages import AUDITED
from iris_assets.sources.archive import Archive
from iris_assets.sources.data_contracts import expects_plans
from iris_assets.sources.proposals import READ, ProposalMember, proposal_members
from iris_assets.store.records import CandidateRow, DocumentRow
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL

log = logging.getLogger(__name__)

CODE_VERSION: Final = "2"
# What the text quality report counts, shown for every document.
MENDED: Final = (
    "controls_removed",
    "ligatures_joined",
    "split_ligatures_joined",
    "hyphenations_joined",
    "accents_composed",
    "narrow_spaces_restored",
    "glued_words_parted",
    "unmapped_glyphs",
    "unmapped_glyphs_repaired",
    "masked_cpf",
    "masked_email",
    "masked_phone",
)


def ingest_proposals(context: IngestContext, uf: str, *, full_refresh: bool = False) -> StageReport:
    """Extract, clean and link the plans of `uf`; an unchanged archive or PDF costs nothing.

    A plan without text (EMPTY), a file that cannot be read (FAILED) or an archive that is listed but not
    published make the stage PARTIAL, also on a rerun, without work.
    """
    settings = context.settings
    ocr = settings.ocr == "auto" and ocr_available()
    parameters = {
        "uf": uf,
        "election_year": settings.ingest_election_year,
        "dataset": settings.dataset_id,
        "ocr": ocr,
        "code_version": CODE_VERSION,
    }
    with stage_run(
        context.store, "proposals", AUDITED["proposals"], uf, parameters, context.settings.ingest_election_year
    ) as run:
        archive = _archive(context, run, uf)
        if archive is None:
            return run.report
        candidates = _candidates(context, uf)
        plans = _plans(run, archive, candidates)
        key = input_fingerprint(
            archive=archive.sha256, filed=sorted((plan.member.name, plan.member.tse_id) for plan in plans), **parameters
        )
        unit = f"{settings.dataset_id}:{uf}"
        state = context.store.state.get("proposals", unit)
        if state is not None and state.consumed_key == key and not full_refresh:
            logs.event(log, "file skipped", url=archive.url, reason="unchanged")
            run.report.notes.append("the archive and its candidates are those of the last run: no PDF was opened")
            run.report.gaps.extend((state.detail or {}).get("gaps", []))
        else:
            gaps = _read_archive(context, run, archive, plans, candidates, ocr=ocr, full_refresh=full_refresh)
            with context.store.transaction() as tx:
                context.store.state.put(tx, "proposals", unit, key, {"gaps": gaps})
        _report_texts(context, run, candidates)
    return run.report


def _archive(context: IngestContext, run: StageRun, uf: str) -> Archive | None:
    before = context.http.calls
    try:
        archive = context.tse().proposal_archive(uf)
    except SourceContractError as error:
        if error.code != "RESOURCE_NOT_PUBLISHED":
            raise
        run.report.gap(error.code, error.message)
        return None
    finally:
        run.report.work["http_calls"] = context.http.calls - before
    if archive is None:
        run.report.notes.append(f"the catalogue lists no government plans for {uf}")
        return None
    run.report.source_hash = archive.sha256
    say_refused(run.report, archive)
    return archive


def _candidates(context: IngestContext, uf: str) -> dict[str, CandidateRow]:
    rows = context.store.candidates.list(election_year=context.settings.ingest_election_year, states=(uf,))
    return {row["tse_id"]: row for row in rows}


def _plans(run: StageRun, archive: Archive, candidates: Mapping[str, CandidateRow]) -> list[Plan]:
    """Members whose SQ is a candidate in scope, in name order; the others are told, and their PDFs never opened."""
    members, ignored = proposal_members(archive)
    plans = []
    orphans = []
    unread: list[ProposalMember] = []
    for member in sorted(members, key=lambda m: m.name):
        candidate = candidates.get(member.tse_id)
        if candidate is None:
            orphans.append(member.name)
        elif member.form != READ:
            unread.append(member)
        else:
            plans.append(Plan(member, candidate))
    if ignored:
        run.report.notes.append(f"members that are no plan: {', '.join(sorted(ignored)[:20])}")
    for name in sorted(ignored):
        logs.event(log, "file skipped", file=ascii(name)[1:-1], reason="no plan")
    for name in orphans:
        logs.event(log, "file skipped", file=ascii(name)[1:-1], code="PROPOSAL_CANDIDATE_NOT_FOUND")
    for name in orphans[:20]:
        run.report.notes.append(f"PROPOSAL_CANDIDATE_NOT_FOUND: {name}")
    for member in unread:
        run.report.gap("PLAN_FORMAT_UNREAD", f"{member.name}: a plan in {member.form}, listed and not read")
    run.report.figures["candidate_not_found"] = len(orphans)
    run.report.figures["plans_in_other_formats"] = len(unread)
    run.report.figures["plans"] = len(plans)
    run.report.figures["source_rows"] = len(members)
    return plans


def _read_archive(
    context: IngestContext,
    run: StageRun,
    archive: Archive,
    plans: list[Plan],
    candidates: Mapping[str, CandidateRow],
    *,
    ocr: bool,
    full_refresh: bool,
) -> list[str]:
    """Store and link every plan, retire what is gone; the gaps that the archive itself has."""
    report = run.report
    known = len(report.gaps)
    doubt = ""
    if expects_plans(report.partition, context.settings.ingest_election_year):
        doubt = row_doubt(context, "proposals", report.figures["source_rows"], archive.collected_at.date())
    if doubt:
        report.gap("ROW_COUNT_SUSPICIOUS", doubt)
    store_plans(context, run, archive, plans, ocr=ocr, full_refresh=full_refresh)
    if not doubt:
        # A cut archive must not retire what it lacks.
        _retire_missing(context, run, report.partition, candidates, plans)
    return report.gaps[known:]


def _filed(context: IngestContext, uf: str, candidates: Mapping[str, CandidateRow]) -> set[tuple[int, str]]:
    """(candidate id, document hash) of every plan that is stored as filed by one of these candidates."""
    ids = {candidate["id"] for candidate in candidates.values()}
    links = context.store.links.of_partition(uf, GOVERNMENT_PROPOSAL)
    return {(number, source_id) for (_, source_id), filed_by in links.items() for number in filed_by if number in ids}


def _retire_missing(
    context: IngestContext,
    run: StageRun,
    uf: str,
    candidates: Mapping[str, CandidateRow],
    plans: list[Plan],
) -> None:
    """Links whose PDF is no longer in the archive go; a document without a link goes with its chunks."""
    present = {(plan.candidate["id"], plan.document_hash) for plan in plans if plan.document_hash}
    unread = {plan.candidate["id"] for plan in plans if not plan.document_hash}
    gone = {pair for pair in _filed(context, uf, candidates) - present if pair[0] not in unread}
    for candidate_id, document_hash in sorted(gone):
        context.store.links.withdraw(GOVERNMENT_PROPOSAL, document_hash, candidate_id)
    run.report.figures["retired"] = len(gone)
    if gone:
        run.report.notes.append(
            f"{len(gone)} documents are no longer in the archive of {uf}: retired with their chunks"
        )


def _report_texts(context: IngestContext, run: StageRun, candidates: Mapping[str, CandidateRow]) -> None:
    """Show the text quality of every stored document of this UF; without text, or unreadable, is a gap each time."""
    filed = _filed(context, run.report.partition, candidates)
    documents = {
        document["document_hash"]: document
        for candidate_id in sorted({candidate_id for candidate_id, _ in filed})
        for document in context.store.documents.of_candidate(candidate_id)
    }
    rows = []
    for document in sorted(documents.values(), key=lambda row: row["file_name"] or ""):
        rows.append(_quality_row(document))
        if document["text_status"] == "EMPTY":
            said = f"{document['file_name']}: no text on {document['page_count']} pages"
            run.report.gap("PDF_TEXT_EXTRACTION_EMPTY", said)
        elif document["text_status"] == "FAILED":
            run.report.gap(document["error_code"] or "PDF_FAILED", f"{document['file_name']} could not be read")
        elif lost := (document["quality_json"] or {}).get("pages_with_lost_letters"):
            said = (
                f"{document['file_name']}: letters without a Unicode mapping on pages {', '.join(map(str, lost[:20]))}"
            )
            run.report.gap("PDF_LETTERS_LOST", said)
    run.report.tables["documents"] = rows
    run.report.figures["rows_stored"] = len(documents)


def _quality_row(document: DocumentRow) -> dict[str, Any]:
    quality = document["quality_json"] or {}
    return {
        "file": document["file_name"],
        "pages": document["page_count"],
        "status": document["text_status"],
        "engine": document["engine"],
        "without_text": quality.get("pages_without_text_count", 0),
        "recognised": len(document["ocr_pages"] or ()),
        "page_errors": quality.get("page_error_count", 0),
        "pages_doubted": len(quality.get("second_engine_word_recall", ())),
        **{name: quality.get(name, 0) for name in MENDED},
    }

"""What is asserted after each stage, without Dagster: the outcomes become asset checks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.ingest.source_checks import ROW_COUNT_SUSPICIOUS, contract_finding
from iris_assets.sources.data_contracts import DATA_CONTRACTS
from iris_assets.words.source_kinds import GOVERNMENT_PROPOSAL, NEWS_ARTICLE, PROPOSITION

FEWEST_GONE: Final = 5
LINKED: Final = {"proposals": GOVERNMENT_PROPOSAL, "camara": PROPOSITION, "articles": NEWS_ARTICLE}


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One assertion about a partition: passed or not, with the numbers in words.

    `damage` marks a failure on which the next stage must not work.
    """

    name: str
    passed: bool
    description: str
    figures: dict[str, Any] = field(default_factory=dict)
    damage: bool = False


CHECKS: Final[dict[str, dict[str, str]]] = {
    "candidates": {
        "complete": "WARN for a UF whose last run ended PARTIAL, ERROR for FAILED; says what is missing.",
        "row_count": "ERROR, and the next stages wait, when a UF has no candidates or suspiciously few.",
    },
    "proposals": {
        "complete": "WARN when the stage ended PARTIAL: no text layer, an unreadable PDF, an archive not published.",
        "row_count": "WARN when more than half of the plans of a UF vanished at once.",
    },
    "camara": {
        "complete": "WARN when the stage ended PARTIAL; says which bills or deputies could not be had.",
        "review_open": "WARN while candidates are in REVIEW and wait for a human.",
    },
    "chunks": {
        "complete": "WARN when the stage ended PARTIAL.",
        "row_count": "WARN when more than half of the chunks of a UF vanished at once.",
        "no_orphans": "WARN when a chunk belongs to no candidate.",
        "no_duplicates": "WARN when one source holds the same chunk twice.",
        "lexical_in_step": "WARN when the lexical index does not hold exactly the stored chunks.",
    },
    "articles": {
        "complete": "WARN when the stage ended PARTIAL: an article could not be read or finished.",
    },
    "embeddings": {
        "complete": "WARN when the stage ended PARTIAL: vectors are pending.",
        "vector_coverage": "WARN when chunks have no vector of the configured model.",
    },
}

for _source in DATA_CONTRACTS:
    CHECKS[_source]["source_passport"] = "WARN when the source gave far fewer or far more rows than is usual for it."


def check_stage(context: IngestContext, report: StageReport) -> list[CheckOutcome]:
    """Every check of the report's stage; a FAILED one is only incomplete: what is stored was checked before."""
    if report.status == "FAILED":
        return [_complete(report)]
    outcomes = [_complete(report), *_OF_STAGE[report.stage](context, report)]
    if report.stage in DATA_CONTRACTS:
        outcomes.append(CheckOutcome("source_passport", *contract_finding(context, report)))
    return outcomes


def rows_stored(context: IngestContext, stage: str, uf: str) -> int:
    """How many rows of the UF the table behind a stage holds now: candidates, plans, bills, articles, chunks, vectors."""
    store, settings = context.store, context.settings
    if stage == "candidates":
        return len(store.candidates.list(election_year=settings.ingest_election_year, states=(uf,)))
    if stage in LINKED:
        return len(store.links.of_partition(uf, LINKED[stage]))
    chunks = sum(store.chunks.sources(uf).values())
    if stage == "chunks":
        return chunks
    return chunks - store.chunks.pending_count(settings.embedding_model, settings.embedding_dimension, partition=uf)


def _complete(report: StageReport) -> CheckOutcome:
    return CheckOutcome("complete", report.status == "SUCCESS", report.error_message or "complete")


def _candidates(context: IngestContext, report: StageReport) -> Iterator[CheckOutcome]:
    found = [gap for gap in report.gaps if gap.startswith(ROW_COUNT_SUSPICIOUS)]
    rows = int(report.figures.get("rows_stored", 0))
    yield CheckOutcome(
        "row_count", not found, "; ".join(found) or f"{rows} candidates", {"candidates": rows}, damage=bool(found)
    )


def _proposals(context: IngestContext, report: StageReport) -> Iterator[CheckOutcome]:
    yield _row_count("plans", left=int(report.figures.get("rows_stored", 0)), gone=report.figures.get("retired", 0))


def _row_count(what: str, *, left: int, gone: int) -> CheckOutcome:
    """Suspicious: more than half of what was there, and not just a handful, went in one run."""
    suspicious = gone >= FEWEST_GONE and gone > left
    text = f"{gone} {what} vanished, {left} are left" if suspicious else f"{left} {what}"
    return CheckOutcome("row_count", not suspicious, text, {what: left, "gone": max(gone, 0)})


def _articles(context: IngestContext, report: StageReport) -> Iterator[CheckOutcome]:
    yield from ()


def _camara(context: IngestContext, report: StageReport) -> Iterator[CheckOutcome]:
    settings = context.settings
    rows = context.store.candidates.list(election_year=settings.ingest_election_year, states=(report.partition,))
    review = sorted(row["tse_id"] for row in rows if row["match_status"] == "REVIEW")
    text = f"{len(review)} in REVIEW: {', '.join(review[:10])}; see iris-assets review" if review else "none in REVIEW"
    yield CheckOutcome("review_open", not review, text, {"review": len(review)})


def _chunks(context: IngestContext, report: StageReport) -> Iterator[CheckOutcome]:
    removed = report.work["chunks_removed"] - report.work["chunks_written"]
    yield _row_count("chunks", left=int(report.figures.get("chunks", 0)), gone=removed)
    orphans = context.store.chunks.orphan_count()
    yield CheckOutcome("no_orphans", orphans == 0, f"{orphans} chunks without a candidate", {"orphans": orphans})
    twice = context.store.chunks.duplicate_count()
    yield CheckOutcome("no_duplicates", twice == 0, f"{twice} chunks repeat another of their source", {"twice": twice})
    health = context.store.lexical.verify()
    yield CheckOutcome("lexical_in_step", health.ok, health.text)


def _embeddings(context: IngestContext, report: StageReport) -> Iterator[CheckOutcome]:
    settings = context.settings
    pending = context.store.chunks.pending_count(
        settings.embedding_model, settings.embedding_dimension, partition=report.partition
    )
    text = f"{pending} chunks without a vector of {settings.embedding_model}"
    yield CheckOutcome("vector_coverage", pending == 0, text, {"pending": pending})


_OF_STAGE: Final[dict[str, Callable[[IngestContext, StageReport], Iterator[CheckOutcome]]]] = {
    "candidates": _candidates,
    "proposals": _proposals,
    "camara": _camara,
    "articles": _articles,
    "chunks": _chunks,
    "embeddings": _embeddings,
}

"""The `articles` asset: news about candidates of one UF from an inbox folder, cleaned, checked, labelled unofficial."""

from collections.abc import Iterator
from typing import Final

import dagster as dg

from iris_assets.defs.describing import stored_in
from iris_assets.defs.partitions import UF_PARTITIONS
from iris_assets.defs.recording import Recorded, StageConfig, run_stage, stage_checks
from iris_assets.defs.resources import SourcesResource
from iris_assets.ingest.chunks import ingest_chunks
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport, stage_run
from iris_assets.settings import read_environment

STAGE: Final = "articles"
FIGURES: Final = (
    "completed",
    "rejected",
    "review",
    "published",
    "duplicates",
    "older",
    "partial",
    "withdrawn",
    "repeated",
)


@dg.asset(
    partitions_def=UF_PARTITIONS,
    deps=["candidates"],
    group_name="sources",
    kinds={"python"},
    owners=["team:iris-assets"],
    tags={"stage": STAGE},
    pool="llm",
    code_version="2",
    check_specs=stage_checks(STAGE),
    metadata=stored_in("NewsArticle"),
    description="Approved news articles about candidates of one UF (unofficial, never mixed with official sources by default).",
)
def articles(context: dg.AssetExecutionContext, config: StageConfig, sources: SourcesResource) -> Iterator[Recorded]:
    yield from run_stage(context, process_articles, sources.context(), config)


def process_articles(ingest: IngestContext, uf: str, *, full_refresh: bool = False) -> StageReport:
    """The inbox of one UF: approved articles become sources and, at once, chunks; unit = one article.

    `full_refresh` changes nothing: what is finished stays finished until input, prompts or models differ.
    """
    from iris_assets.articles.commands import STATE_FILE
    from iris_assets.articles.configuration import load_config
    from iris_assets.extras import require_news

    inbox, out = ingest.settings.iris_assets_data / "inbox", ingest.settings.iris_assets_data / "articles"
    changed = False
    with stage_run(ingest.store, STAGE, "NEWS_ARTICLES", uf, {"uf": uf}) as run:
        require_news()
        from iris_assets.articles.inbox import process_inbox

        result = process_inbox(
            inbox, uf, store=ingest.store, out=out, state_path=out / STATE_FILE, config=load_config(),
            environment=read_environment(),
        )  # fmt: skip
        with ingest.store.transaction() as tx:
            run.count(tx, read=result["files"], **{name: result[name] for name in ("created", "updated", "failed")},
                      skipped=result["files"] - result["created"] - result["updated"] - result["failed"])  # fmt: skip
        for error in result["errors"]:
            run.report.unit_failed(error["code"], f"{error['candidate']}/{error['file']}")
        run.report.tables["errors_by_file"] = result["errors"]
        run.report.work["model_calls"] = result["model_calls"]
        run.report.figures.update({name: result[name] for name in FIGURES})
        changed = bool(result["changed"])
    if changed:
        ingest_chunks(ingest, uf)
    return run.report

"""The `proposals` asset: government plans that candidates filed, text page by page."""

from collections.abc import Iterator

import dagster as dg

from iris_assets.defs.describing import COURT, DAILY, stored_in
from iris_assets.defs.official_sources import PLAN_ARCHIVES
from iris_assets.defs.partitions import ELECTION_PARTITIONS
from iris_assets.defs.recording import Recorded, StageConfig, run_stage, stage_checks
from iris_assets.defs.resources import SourcesResource
from iris_assets.ingest.proposals import CODE_VERSION, ingest_proposals


@dg.asset(
    partitions_def=ELECTION_PARTITIONS,
    deps=["candidates", PLAN_ARCHIVES],
    group_name="sources",
    kinds={"python", "pdf"},
    owners=["team:iris-assets"],
    tags={"stage": "proposals"},
    pool="tse",
    code_version=CODE_VERSION,
    check_specs=stage_checks("proposals"),
    metadata=stored_in("ProposalDocument", COURT),
    freshness_policy=DAILY,
    description="Government-plan PDFs of one UF with their text page by page, linked to who filed them.",
)
def proposals(context: dg.AssetExecutionContext, config: StageConfig, sources: SourcesResource) -> Iterator[Recorded]:
    yield from run_stage(context, ingest_proposals, sources.context(), config)

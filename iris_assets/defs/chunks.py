"""The `chunks` asset: the stored records as text chunks ready to search."""

from collections.abc import Iterator

import dagster as dg

from iris_assets.defs.automation import AFTER_PARENTS
from iris_assets.defs.describing import DAILY, stored_in
from iris_assets.defs.partitions import ELECTION_PARTITIONS
from iris_assets.defs.recording import Recorded, StageConfig, run_stage, stage_checks
from iris_assets.defs.resources import SourcesResource
from iris_assets.ingest.chunks import CODE_VERSION, ingest_chunks


@dg.asset(
    partitions_def=ELECTION_PARTITIONS,
    deps=["proposals", "camara"],
    group_name="index",
    kinds={"python", "sqlite"},
    owners=["team:iris-assets"],
    tags={"stage": "chunks"},
    pool="store",
    code_version=CODE_VERSION,
    check_specs=stage_checks("chunks"),
    metadata=stored_in("PoliticalChunk"),
    freshness_policy=DAILY,
    automation_condition=AFTER_PARENTS,
    description="Chunks of bills, plans and history with exact pages, in the lexical index.",
)
def chunks(context: dg.AssetExecutionContext, config: StageConfig, sources: SourcesResource) -> Iterator[Recorded]:
    yield from run_stage(context, ingest_chunks, sources.context(), config)

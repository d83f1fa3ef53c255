"""The `embeddings` asset: one vector for every chunk, with its embedding spec."""

from collections.abc import Iterator

import dagster as dg

from iris_assets.defs.automation import AFTER_PARENTS
from iris_assets.defs.describing import DAILY, stored_in
from iris_assets.defs.partitions import ELECTION_PARTITIONS
from iris_assets.defs.recording import Recorded, StageConfig, run_stage, stage_checks
from iris_assets.defs.resources import EmbedderResource
from iris_assets.ingest.embeddings import CODE_VERSION, ingest_embeddings


@dg.asset(
    partitions_def=ELECTION_PARTITIONS,
    deps=["chunks"],
    group_name="index",
    kinds={"python", "openai"},
    owners=["team:iris-assets"],
    tags={"stage": "embeddings"},
    pool="llm",
    code_version=CODE_VERSION,
    check_specs=stage_checks("embeddings"),
    metadata=stored_in("PoliticalChunk"),
    freshness_policy=DAILY,
    automation_condition=AFTER_PARENTS,
    description="Vectors of the chunks that have none of the configured model.",
)
def embeddings(
    context: dg.AssetExecutionContext, config: StageConfig, embedder: EmbedderResource
) -> Iterator[Recorded]:
    yield from run_stage(context, ingest_embeddings, embedder.context(), config)

"""The `candidates` asset: the court's registry of who runs, one UF and election a partition."""

from collections.abc import Iterator

import dagster as dg

from iris_assets.defs.describing import COURT, DAILY, stored_in
from iris_assets.defs.official_sources import CANDIDATE_FILES
from iris_assets.defs.partitions import ELECTION_PARTITIONS
from iris_assets.defs.recording import Recorded, StageConfig, run_stage, stage_checks
from iris_assets.defs.resources import SourcesResource
from iris_assets.ingest.candidates import CODE_VERSION, ingest_candidates


@dg.asset(
    partitions_def=ELECTION_PARTITIONS,
    deps=[CANDIDATE_FILES],
    group_name="sources",
    kinds={"python", "csv"},
    owners=["team:iris-assets"],
    tags={"stage": "candidates"},
    pool="tse",
    code_version=CODE_VERSION,
    check_specs=stage_checks("candidates"),
    metadata=stored_in("Candidate", COURT),
    freshness_policy=DAILY,
    description="Candidates of the election in one UF, from the TSE registry archive (streamed CSV).",
)
def candidates(context: dg.AssetExecutionContext, config: StageConfig, sources: SourcesResource) -> Iterator[Recorded]:
    yield from run_stage(context, ingest_candidates, sources.context(), config)

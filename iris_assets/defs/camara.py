"""The `camara` asset: which candidates are deputies, their history and their bills."""

from collections.abc import Iterator

import dagster as dg

from iris_assets.defs.describing import CHAMBER, DAILY, stored_in
from iris_assets.defs.official_sources import CAMARA_DATA
from iris_assets.defs.partitions import ELECTION_PARTITIONS
from iris_assets.defs.recording import Recorded, StageConfig, run_stage, stage_checks
from iris_assets.defs.resources import SourcesResource
from iris_assets.ingest.camara import CODE_VERSION, ingest_camara


@dg.asset(
    partitions_def=ELECTION_PARTITIONS,
    deps=["candidates", CAMARA_DATA],
    group_name="sources",
    kinds={"python", "json"},
    owners=["team:iris-assets"],
    tags={"stage": "camara"},
    pool="camara",
    code_version=CODE_VERSION,
    check_specs=stage_checks("camara"),
    metadata=stored_in("Proposition", CHAMBER),
    freshness_policy=DAILY,
    description="Identity of candidates among the deputies of the Câmara; history, bills, authors and topics of the matched.",
)
def camara(context: dg.AssetExecutionContext, config: StageConfig, sources: SourcesResource) -> Iterator[Recorded]:
    yield from run_stage(context, ingest_camara, sources.context(), config)

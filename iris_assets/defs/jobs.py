"""Jobs over the assets: `refresh` materialises the five stages of one UF, `evaluation_job` evaluates one."""

import dagster as dg

from iris_assets.defs.recording import UF_PARTITIONS

STAGES = ("candidates", "proposals", "camara", "chunks", "embeddings")

refresh = dg.define_asset_job(
    "refresh",
    selection=dg.AssetSelection.assets(*STAGES),
    partitions_def=UF_PARTITIONS,
    description="The five stages of one UF, from the official sources to the vectors.",
)

evaluation_job = dg.define_asset_job(
    "evaluation_job",
    selection=dg.AssetSelection.assets("retrieval_evaluation"),
    partitions_def=UF_PARTITIONS,
    description="The question set over one UF: retrieval figures, cited answers, regression check.",
)

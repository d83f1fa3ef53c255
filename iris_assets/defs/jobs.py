"""Jobs over the assets: `refresh` materialises the five stages of one UF, `articles_job` reads its inbox, `evaluation_job` evaluates it."""

import dagster as dg

from iris_assets.ingest.stages import STAGES

FRESH = "fresh"  # the check over all scheduled UFs: once an hour, not once a UF
FRESH_CHECKS = dg.AssetSelection.checks(*(dg.AssetCheckKey(dg.AssetKey(stage), FRESH) for stage in STAGES))

refresh = dg.define_asset_job(
    "refresh",
    selection=dg.AssetSelection.assets(*STAGES) - FRESH_CHECKS,
    description="The five stages of one UF, from the official sources to the vectors.",
)

articles_job = dg.define_asset_job(
    "articles_job",
    selection=dg.AssetSelection.assets("articles"),
    description="The inbox of one UF: approved news become unofficial sources.",
)

evaluation_job = dg.define_asset_job(
    "evaluation_job",
    selection=dg.AssetSelection.assets("retrieval_evaluation"),
    description="The question set over one UF: retrieval figures, cited answers, regression check.",
)

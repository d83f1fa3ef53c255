"""The `articles` asset: news about candidates of one UF from an inbox folder, cleaned, checked, labelled unofficial."""

from typing import Any

import dagster as dg

from iris_assets.defs.recording import UF_PARTITIONS, finite
from iris_assets.defs.resources import StoreResource


@dg.asset(
    partitions_def=UF_PARTITIONS,
    deps=["candidates"],
    group_name="sources",
    kinds={"python"},
    owners=["team:iris-assets"],
    tags={"stage": "articles"},
    pool="llm",
    code_version="1",
    description="Approved news articles about candidates of one UF (unofficial, never mixed with official sources by default).",
)
def articles(context: dg.AssetExecutionContext, store: StoreResource) -> dg.MaterializeResult:  # type: ignore[type-arg]
    import os

    from iris_assets.articles.commands import STATE_FILE
    from iris_assets.articles.configuration import load_config
    from iris_assets.articles.inbox import process_inbox

    data = store.settings.load().iris_assets_data
    results = {
        uf: process_inbox(
            data / "inbox", uf, store=store.open(), out=data / "articles", state_path=data / "articles" / STATE_FILE,
            config=load_config(None), environment=dict(os.environ),
        )
        for uf in context.partition_keys
    }  # fmt: skip
    first = next(iter(results.values()))
    if len(results) > 1:
        for uf, result in results.items():
            context.add_asset_metadata(_metadata(result), partition_key=uf)
        return dg.MaterializeResult()
    return dg.MaterializeResult(metadata=_metadata(first))


def _metadata(result: dict[str, Any]) -> dict[str, Any]:
    numbers = {name: value for name, value in result.items() if isinstance(value, int)}
    return {**numbers, "errors": dg.MetadataValue.json(finite(result["errors"])[:20])}

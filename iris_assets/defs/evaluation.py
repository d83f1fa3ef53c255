"""The `retrieval_evaluation` asset: the question set over one UF, its figures, plot and regression check."""

import base64
from typing import Any

import dagster as dg

from iris_assets.defs.recording import UF_PARTITIONS, finite
from iris_assets.defs.resources import RetrievalResource
from iris_assets.evaluation import QUESTION_FOLDER, default_question_file


@dg.asset(
    partitions_def=UF_PARTITIONS,
    deps=["embeddings"],
    group_name="evaluation",
    kinds={"python"},
    owners=["team:iris-assets"],
    tags={"stage": "retrieval_evaluation"},
    pool="llm",
    code_version="1",
    check_specs=[
        dg.AssetCheckSpec(
            "no_regression",
            asset="retrieval_evaluation",
            description="Fails when a figure is below its pinned floor or fell since the last evaluation of the same corpus.",
        )
    ],
    description="Recall, nDCG, MRR, strategy and no-evidence accuracy of the question set over one UF, with cited answers.",
)
def retrieval_evaluation(context: dg.AssetExecutionContext, retrieval: RetrievalResource) -> dg.MaterializeResult:  # type: ignore[type-arg]
    from iris_assets.evaluation.partition import evaluate_uf

    service = retrieval.answers()
    folder = service.retrieval.settings.iris_assets_data / "evaluation"
    regressions: list[str] = []
    metadata: dict[str, Any] = {}
    for uf in context.partition_keys:
        done = evaluate_uf(
            service, service.retrieval.store, default_question_file(), uf, QUESTION_FOLDER / "floors.json", folder / uf
        )
        regressions += [f"{uf}: {text}" for text in done.regressions]
        metadata = _metadata(uf, done.figures, done.history, done.run_key, str(folder / uf))
        if len(context.partition_keys) > 1:
            context.add_asset_metadata(metadata, partition_key=uf)
    check = dg.AssetCheckResult(
        check_name="no_regression",
        passed=not regressions,
        severity=dg.AssetCheckSeverity.ERROR,
        description="; ".join(regressions)[:2000] or "no figure fell",
    )
    return dg.MaterializeResult(metadata=metadata if len(context.partition_keys) == 1 else None, check_results=[check])


def _metadata(
    uf: str, figures: dict[str, Any], history: list[dict[str, Any]], run_key: str, export: str
) -> dict[str, Any]:
    from iris_assets.evaluation.plot import plot_history

    plot = base64.b64encode(plot_history(history, f"retrieval_evaluation {uf}")).decode("ascii")
    numbers = {name: value for name, value in figures.items() if isinstance(value, int | float)}
    return {
        **{name: dg.MetadataValue.float(float(value)) for name, value in finite(numbers).items()},
        "evaluation_run": run_key,
        "by_mode": dg.MetadataValue.md(_mode_table(figures.get("modes", {}))),
        "wrong": dg.MetadataValue.json(finite(figures.get("wrong", {}))),
        "trec_export": dg.MetadataValue.path(export),
        "plot": dg.MetadataValue.md(f"![figures over time](data:image/png;base64,{plot})"),
    }


def _mode_table(modes: dict[str, dict[str, float]]) -> str:
    names = sorted({name for figures in modes.values() for name in figures})
    head = f"| mode | {' | '.join(names)} |\n|---|{'---|' * len(names)}"
    rows = [
        f"| {mode} | {' | '.join(f'{figures[name]:.3f}' if name in figures else '–' for name in names)} |"
        for mode, figures in modes.items()
    ]
    return "\n".join([head, *rows])

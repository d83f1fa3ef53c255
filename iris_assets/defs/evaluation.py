"""The `retrieval_evaluation` asset: the question set over one UF, its figures, plot and regression check."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg

from iris_assets.defs.alerts import AlertError, deliver
from iris_assets.defs.describing import stored_in
from iris_assets.defs.partitions import UF_PARTITIONS
from iris_assets.defs.recording import finite
from iris_assets.defs.resources import RetrievalResource
from iris_assets.evaluation import baseline_file

if TYPE_CHECKING:
    from iris_assets.answers.service import AnswerService
    from iris_assets.evaluation.partition import PartitionEvaluation

PLOT = "figures.png"


@dg.asset(
    partitions_def=UF_PARTITIONS,
    deps=["embeddings"],
    group_name="evaluation",
    kinds={"python"},
    owners=["team:iris-assets"],
    tags={"stage": "retrieval_evaluation"},
    pool="llm",
    code_version="2",
    check_specs=[
        dg.AssetCheckSpec(
            "no_regression",
            asset="retrieval_evaluation",
            description="Fails when a figure is below its pinned baseline or fell since the last good evaluation.",
        )
    ],
    metadata=stored_in("EvaluationRun"),
    description="Recall, nDCG, MRR, strategy and no-evidence accuracy of the question set over one UF, with cited answers.",
)
def retrieval_evaluation(context: dg.AssetExecutionContext, retrieval: RetrievalResource) -> dg.MaterializeResult:  # type: ignore[type-arg]
    service = retrieval.answers()
    with service.retrieval.store.work():
        return _evaluated(context, service)


def _evaluated(context: dg.AssetExecutionContext, service: "AnswerService") -> dg.MaterializeResult:  # type: ignore[type-arg]
    from iris_assets.evaluation.choice import question_file
    from iris_assets.evaluation.partition import evaluate_partition
    from iris_assets.evaluation.questions import load_questions

    settings, store = service.retrieval.settings, service.retrieval.store
    file = question_file(settings, store)
    questions = load_questions(file)
    done = []
    metadata: dict[str, dict[str, Any]] = {}
    for uf in context.partition_keys:
        folder = settings.iris_assets_data / "evaluation" / uf
        done.append(evaluate_partition(service, store, questions, uf, baseline=baseline_file(file), export=folder))
        metadata[uf] = _metadata(done[-1], folder)
    _alert(context, done)
    if len(done) == 1:
        return dg.MaterializeResult(metadata=metadata[done[0].partition], check_results=[_check(done)])
    for uf, values in metadata.items():
        context.add_asset_metadata(values, partition_key=uf)
    return dg.MaterializeResult(check_results=[_check(done)])


def _alert(context: dg.AssetExecutionContext, done: Sequence["PartitionEvaluation"]) -> None:
    """A fall of the figures is told like a failed run; an alert that nobody takes is told in the log."""
    for one in done:
        if one.verdict.regressions:
            alert = {"job": "no_regression", "partition": one.partition, "run_id": context.run.run_id,
                     "error": f"EVALUATION_REGRESSED: {one.verdict.description}"[:2000]}  # fmt: skip
            try:
                deliver(alert)
            except AlertError as error:
                context.log.error(f"{error.code}: {error.message}")


def _check(done: Sequence["PartitionEvaluation"]) -> dg.AssetCheckResult:
    """Red on a regression, yellow where another corpus may explain a fall; the numbers stand in the description."""
    bad = [one for one in done if one.verdict.regressions or one.verdict.warnings]
    text = "; ".join(f"{one.partition}: {one.verdict.description}" for one in bad or done)
    failed = any(one.verdict.regressions for one in done)
    return dg.AssetCheckResult(
        check_name="no_regression",
        passed=not bad,
        severity=dg.AssetCheckSeverity.ERROR if failed else dg.AssetCheckSeverity.WARN,
        description=text[:2000],
        metadata={
            f"changes/{one.partition}": dg.MetadataValue.md(_changes(one)) for one in done if one.verdict.changes
        },
    )


def _changes(one: "PartitionEvaluation") -> str:
    from iris_assets.evaluation.tables import change_table

    return change_table(one.verdict.changes)


def _metadata(one: "PartitionEvaluation", folder: Path) -> dict[str, Any]:
    from iris_assets.evaluation.plot import plot_history
    from iris_assets.evaluation.tables import figure_table

    plot = plot_history(one.history, f"retrieval_evaluation {one.partition}")
    (folder / PLOT).write_bytes(plot)
    image = base64.b64encode(plot).decode("ascii")
    figures = one.figures
    numbers = {name: value for name, value in figures.items() if isinstance(value, int | float)}
    found = {
        **{name: dg.MetadataValue.float(float(value)) for name, value in finite(numbers).items()},
        "mode": dg.MetadataValue.text(figures["mode"]),
        "evaluation_run": dg.MetadataValue.text(one.run_key),
        "verdict": dg.MetadataValue.text(one.verdict.description[:2000]),
        "by_mode": dg.MetadataValue.md(figure_table("mode", figures["modes"])),
        "wrong": dg.MetadataValue.json(finite(figures["wrong"])),
        "trec_export": dg.MetadataValue.path(str(folder)),
        "plot_file": dg.MetadataValue.path(str(folder / PLOT)),
        "plot": dg.MetadataValue.md(f"![figures over time](data:image/png;base64,{image})"),
    }
    if figures["groups"]:
        found["by_group"] = dg.MetadataValue.md(figure_table("group", figures["groups"]))
    if one.verdict.changes:
        found["changes"] = dg.MetadataValue.md(_changes(one))
    return found

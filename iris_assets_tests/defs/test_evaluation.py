"""The `retrieval_evaluation` asset on a real instance: metadata, a planted regression, ranges, a failed run again."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from iris_assets.defs.evaluation import retrieval_evaluation
from iris_assets.defs.jobs import evaluation_job
from iris_assets.defs.resources import RetrievalResource, SettingsResource
from iris_assets.defs.sensors import evaluation_sensor
from iris_assets.platform import forget_process_platforms
from iris_assets_tests.evaluation.conftest import QUESTIONS, World, world

__all__ = ["world"]
KEY = dg.AssetKey("retrieval_evaluation")


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral
    forget_process_platforms()


def _resources(world: World, *, analyzer: bool = True) -> dict[str, Any]:
    overrides = {
        "IRIS_ASSETS_DATA": str(world.settings.iris_assets_data), "EVALUATION_QUESTIONS": str(world.questions),
        "AS_OF": "2026-08-15",
    }  # fmt: skip
    return {"retrieval": RetrievalResource(settings=SettingsResource(overrides=overrides), analyzer=analyzer)}


def _evaluate(
    world: World, instance: dg.DagsterInstance, *, analyzer: bool = True, raise_on_error: bool = True
) -> dg.ExecuteInProcessResult:
    """The job as the sensor starts it, for SP."""
    definitions = dg.Definitions(
        assets=[retrieval_evaluation, dg.AssetSpec("embeddings")],
        jobs=[evaluation_job],
        resources=_resources(world, analyzer=analyzer),
        executor=dg.in_process_executor,
    )
    job = definitions.resolve_job_def("evaluation_job")
    return job.execute_in_process(partition_key="SP", instance=instance, raise_on_error=raise_on_error)


def _check(done: dg.ExecuteInProcessResult) -> dg.AssetCheckEvaluation:
    (check,) = done.get_asset_check_evaluations()
    return check


def test_the_figures_tables_plot_and_files_are_in_the_metadata(world: World, instance: dg.DagsterInstance) -> None:
    _evaluate(world, instance)
    done = _evaluate(world, instance)
    (event,) = done.asset_materializations_for_node("retrieval_evaluation")
    found = {name: entry.value for name, entry in event.metadata.items()}
    assert event.partition == "SP"
    assert (found["nDCG@10"], found["questions"], found["citation_validity"]) == (1.0, 7.0, 1.0)
    assert "| plan | 2 | 1.000 |" in found["by_group"] and "| lexical | 1.000 |" in found["by_mode"]
    assert "| nDCG@10 | 1.000 | 1.000 | +0.000 |" in found["changes"]
    folder = Path(found["trec_export"])
    assert {path.name for path in folder.iterdir()} == {"qrels.txt", "lexical.run", "figures.png"}
    image = re.fullmatch(r"!\[figures over time\]\(data:image/png;base64,(\S+)\)", found["plot"])
    assert image is not None and base64.b64decode(image[1]) == (folder / "figures.png").read_bytes()
    stored = world.store.evaluations.latest("invented", "SP")
    assert stored is not None and found["evaluation_run"] == stored["run_key"]
    assert _check(done).passed


def test_a_planted_regression_turns_the_check_red_with_the_numbers_and_back(
    world: World, instance: dg.DagsterInstance
) -> None:
    assert _check(_evaluate(world, instance)).passed
    red = _check(_evaluate(world, instance, analyzer=False))
    assert not red.passed and red.severity == dg.AssetCheckSeverity.ERROR
    assert "SP: nDCG@10 fell from 1.000 to 0.500 (-0.500, 95 % between" in (red.description or "")
    assert "| nDCG@10 | 1.000 | 0.500 | -0.500 |" in red.metadata["changes/SP"].value
    restored = _check(_evaluate(world, instance))
    assert restored.passed and "compared with evaluation" in (restored.description or "")


def test_a_failed_evaluation_can_be_run_again(
    world: World, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALUATION_QUESTIONS", str(world.questions))
    instance.report_runless_asset_event(dg.AssetMaterialization("embeddings", partition="SP"))
    first = evaluation_sensor(dg.build_sensor_context(instance=instance))
    assert isinstance(first, dg.SensorResult) and len(first.run_requests or []) == 1
    world.questions.write_text("name: broken\n", encoding="utf-8")
    failed = _evaluate(world, instance, raise_on_error=False)
    assert not failed.success and "QUESTION_SET_INVALID" in str(failed.failure_data_for_node("retrieval_evaluation"))
    assert world.store.evaluations.history("invented", "SP") == []
    world.questions.write_text(QUESTIONS, encoding="utf-8")
    assert _check(_evaluate(world, instance)).passed
    assert len(world.store.evaluations.history("invented", "SP")) == 1
    assert instance.get_materialized_partitions(KEY) == {"SP"}
    second = evaluation_sensor(dg.build_sensor_context(instance=instance, cursor=first.cursor))
    assert isinstance(second, dg.SensorResult) and second.run_requests == []


def test_a_range_of_ufs_is_one_run_with_metadata_for_each(world: World, instance: dg.DagsterInstance) -> None:
    done = dg.materialize(
        [retrieval_evaluation, dg.AssetSpec("embeddings")],
        instance=instance,
        resources=_resources(world),
        tags={"dagster/asset_partition_range_start": "AC", "dagster/asset_partition_range_end": "AM"},
    )
    assert done.success
    questions = {
        event.partition: event.metadata["questions"].value
        for event in done.asset_materializations_for_node("retrieval_evaluation")
    }
    assert questions == {"AC": 3.0, "AL": 2.0, "AM": 2.0}

"""The evaluation sensor on a real ephemeral instance: one run per cause, none while a UF is being ingested."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from iris_assets.defs import sensors
from iris_assets.defs.sensors import EMBEDDINGS, evaluation_sensor


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "questions.yaml"
    file.write_text("one\n", encoding="utf-8")
    monkeypatch.setattr(sensors, "default_question_file", lambda: file)
    return file


def _materialise(instance: dg.DagsterInstance, *ufs: str) -> None:
    for uf in ufs:
        instance.report_runless_asset_event(dg.AssetMaterialization(EMBEDDINGS, partition=uf))


def _tick(instance: dg.DagsterInstance, cursor: str | None) -> tuple[list[str | None], list[str | None], str | None]:
    result = evaluation_sensor(dg.build_sensor_context(instance=instance, cursor=cursor))
    assert isinstance(result, dg.SensorResult)
    requests = result.run_requests or []
    return [r.partition_key for r in requests], [r.run_key for r in requests], result.cursor


def test_three_ufs_in_one_tick_give_three_runs_and_the_second_tick_none(
    instance: dg.DagsterInstance, questions: Path
) -> None:
    _materialise(instance, "SP", "AC", "BR")
    ufs, keys, cursor = _tick(instance, None)
    assert ufs == ["AC", "BR", "SP"]
    assert len(set(keys)) == 3
    assert _tick(instance, cursor)[0] == []


def test_a_uf_materialised_again_has_a_new_cause(instance: dg.DagsterInstance, questions: Path) -> None:
    _materialise(instance, "SP")
    _, first, cursor = _tick(instance, None)
    _materialise(instance, "SP", "SP")
    ufs, second, _ = _tick(instance, cursor)
    assert ufs == ["SP"]
    assert first != second


def test_a_changed_question_file_asks_once_for_every_materialised_uf(
    instance: dg.DagsterInstance, questions: Path
) -> None:
    _materialise(instance, "SP", "AC")
    cursor = _tick(instance, None)[2]
    questions.write_text("two\n", encoding="utf-8")
    ufs, keys, cursor = _tick(instance, cursor)
    assert ufs == ["AC", "SP"]
    assert all("questions-" in (key or "") for key in keys)
    assert _tick(instance, cursor)[0] == []


def test_a_uf_that_is_being_ingested_waits_until_its_run_has_ended(
    instance: dg.DagsterInstance, questions: Path
) -> None:
    _materialise(instance, "SP", "AC")
    run = create_run_for_test(
        instance, job_name="refresh", status=dg.DagsterRunStatus.STARTED, tags={"dagster/partition": "SP"}
    )
    ufs, _, cursor = _tick(instance, None)
    assert ufs == ["AC"]
    instance.delete_run(run.run_id)
    assert _tick(instance, cursor)[0] == ["SP"]

"""The evaluation sensor on a real ephemeral instance: one run per cause, none while a UF is being ingested."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from iris_assets.defs.launch import PROCESS_TAG
from iris_assets.defs.sensors import CORPUS, EMBEDDINGS, EVENTS_PER_TICK, evaluation_sensor
from iris_assets.store.process import this_process


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A question file of one's own; the sensor only hashes it. No store and no network is configured."""
    file = tmp_path / "questions.yaml"
    file.write_text("one\n", encoding="utf-8")
    monkeypatch.setenv("EVALUATION_QUESTIONS", str(file))
    monkeypatch.setenv("DATABASE_URL", "iris://nobody:nothing@127.0.0.1:9/NONE")
    return file


def _materialise(instance: dg.DagsterInstance, *ufs: str) -> None:
    for uf in ufs:
        instance.report_runless_asset_event(dg.AssetMaterialization(EMBEDDINGS, partition=uf))


def _tick(instance: dg.DagsterInstance, cursor: str | None) -> tuple[list[str | None], list[str | None], str | None]:
    result = evaluation_sensor(dg.build_sensor_context(instance=instance, cursor=cursor))
    assert isinstance(result, dg.SensorResult)
    requests = result.run_requests or []
    return [r.partition_key for r in requests], [r.run_key for r in requests], result.cursor


def _reason(instance: dg.DagsterInstance, cursor: str | None) -> str:
    result = evaluation_sensor(dg.build_sensor_context(instance=instance, cursor=cursor))
    assert isinstance(result, dg.SensorResult) and isinstance(result.skip_reason, dg.SkipReason)
    return result.skip_reason.skip_message or ""


def test_three_ufs_in_one_tick_give_three_runs_and_the_second_tick_none(
    instance: dg.DagsterInstance, questions: Path
) -> None:
    cursor = _tick(instance, None)[2]
    _materialise(instance, "SP", "AC", "BR")
    ufs, keys, cursor = _tick(instance, cursor)
    assert ufs == ["AC", "BR", "SP"]
    newest = instance.get_latest_storage_id_by_partition(EMBEDDINGS, dg.DagsterEventType.ASSET_MATERIALIZATION)
    assert keys == [f"evaluation:{uf}:{newest[uf]}" for uf in ("AC", "BR", "SP")]
    assert _tick(instance, cursor)[0] == []
    assert _reason(instance, cursor) == "no new vectors and no new questions"


def test_two_elections_of_a_uf_are_one_evaluation_which_waits_for_both(
    instance: dg.DagsterInstance, questions: Path
) -> None:
    _materialise(instance, "AC|2018", "AC|2022", "SP")  # a home from before elections has `SP`
    tags = {"dagster/partition": "AC|2022"}
    run = create_run_for_test(instance, job_name="refresh", status=dg.DagsterRunStatus.STARTED, tags=tags)
    ufs, _, cursor = _tick(instance, None)
    assert ufs == ["SP"]
    instance.report_run_canceled(run)
    assert _tick(instance, cursor)[0] == ["AC"]


def test_the_first_tick_takes_each_materialised_uf_once(instance: dg.DagsterInstance, questions: Path) -> None:
    _materialise(instance, "SP", "SP", "AC", "SP")
    ufs, _, cursor = _tick(instance, None)
    assert ufs == ["AC", "SP"]
    assert _tick(instance, cursor)[0] == []


def test_a_long_history_is_read_to_its_end_before_anything_is_asked(
    instance: dg.DagsterInstance, questions: Path
) -> None:
    cursor = _tick(instance, None)[2]
    _materialise(instance, *["SP"] * EVENTS_PER_TICK, "AC", "SP")
    ufs, _, after_one = _tick(instance, cursor)
    assert ufs == [] and "goes on at the next tick" in _reason(instance, cursor)
    ufs, keys, _ = _tick(instance, after_one)
    newest = instance.get_latest_storage_id_by_partition(EMBEDDINGS, dg.DagsterEventType.ASSET_MATERIALIZATION)
    assert keys == [f"evaluation:AC:{newest['AC']}", f"evaluation:SP:{newest['SP']}"]


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
    questions.write_text("one\n", encoding="utf-8")
    back, other_keys, _ = _tick(instance, cursor)
    assert back == ["AC", "SP"] and not set(keys) & set(other_keys)


def test_new_vectors_and_new_questions_in_one_tick_are_one_run(instance: dg.DagsterInstance, questions: Path) -> None:
    _materialise(instance, "SP", "AC")
    cursor = _tick(instance, None)[2]
    questions.write_text("two\n", encoding="utf-8")
    _materialise(instance, "SP")
    assert _tick(instance, cursor)[0] == ["AC", "SP"]


def test_a_uf_that_is_being_ingested_waits_until_its_run_has_ended(
    instance: dg.DagsterInstance, questions: Path
) -> None:
    _materialise(instance, "SP", "AC")
    run = create_run_for_test(
        instance, job_name="refresh", status=dg.DagsterRunStatus.STARTED, tags={"dagster/partition": "SP"}
    )
    ufs, _, cursor = _tick(instance, None)
    assert ufs == ["AC"]
    assert _reason(instance, cursor) == "waiting for the ingestion of SP"
    questions.write_text("two\n", encoding="utf-8")
    ufs, _, cursor = _tick(instance, cursor)
    assert ufs == ["AC"]
    instance.report_run_canceled(run)
    assert _tick(instance, cursor)[0] == ["SP"]


@pytest.mark.parametrize("election", ["", "|2022"])
def test_a_run_over_a_range_of_ufs_keeps_all_of_them_waiting(
    election: str, instance: dg.DagsterInstance, questions: Path
) -> None:
    _materialise(instance, "AC", "AM", "SP")
    start, end = (f"dagster/asset_partition_range_{side}" for side in ("start", "end"))
    tags = {start: f"AC{election}", end: f"BA{election}"}
    create_run_for_test(instance, job_name="refresh", status=dg.DagsterRunStatus.STARTED, tags=tags)
    assert _tick(instance, None)[0] == ["SP"]


def test_the_run_of_a_killed_command_line_keeps_nobody_waiting(instance: dg.DagsterInstance, questions: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from iris_assets.store.process import this_process; print(this_process().key)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    _materialise(instance, "SP", "AC")
    for uf, process in (("SP", done.stdout.strip()), ("AC", this_process().key)):
        create_run_for_test(
            instance, job_name="refresh", status=dg.DagsterRunStatus.STARTED,
            tags={"dagster/partition": uf, PROCESS_TAG: process},
        )  # fmt: skip
    assert _tick(instance, None)[0] == ["SP"]


def test_the_cursor_stays_small(instance: dg.DagsterInstance, questions: Path) -> None:
    _materialise(instance, "SP", "AC", "SP")
    cursor = _tick(instance, None)[2]
    assert set(json.loads(cursor or "")) == {"after", "seen", "waiting", "questions"}
    assert len(cursor or "") < 200


def test_no_schedule_and_no_loading_of_the_definitions_opens_the_store(
    questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store of these tests is a closed port: a single connection would raise STORE_UNREACHABLE."""
    from iris_assets import platform
    from iris_assets.definitions import build
    from iris_assets.defs.schedules import daily_refresh

    monkeypatch.setenv("INGEST_STATES", "SP,AC")
    dg.Definitions.validate_loadable(build())
    moment = datetime(2026, 8, 15, 7, 0, tzinfo=UTC)
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        requests = daily_refresh(dg.build_schedule_context(instance=instance, scheduled_execution_time=moment))
    assert isinstance(requests, list) and [request.partition_key for request in requests] == ["SP|2026", "AC|2026"]
    assert platform._of_process == {}


def test_a_run_that_left_the_corpus_as_it_was_is_no_cause(instance: dg.DagsterInstance, questions: Path) -> None:
    cursor = _tick(instance, None)[2]

    def materialise(digest: str) -> None:
        told = dg.AssetMaterialization(EMBEDDINGS, partition="AC", metadata={CORPUS: digest})
        instance.report_runless_asset_event(told)

    found = []
    for digest in ("d1", "d1", "d2", "d2", "d1"):
        materialise(digest)
        ufs, _, cursor = _tick(instance, cursor)
        found.append(ufs)
    assert found == [["AC"], [], ["AC"], [], ["AC"]]


def test_a_changed_code_of_answering_asks_again(
    instance: dg.DagsterInstance, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _materialise(instance, "SP")
    cursor = _tick(instance, None)[2]
    monkeypatch.setattr("iris_assets.defs.sensors._code_hash", lambda: "another version")
    ufs, _, cursor = _tick(instance, cursor)
    assert ufs == ["SP"] and _tick(instance, cursor)[0] == []

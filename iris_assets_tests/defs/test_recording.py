"""What a materialisation shows: the audit row as metadata, one entry per partition, checks that name what they found."""

import json
import math
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from iris_assets.definitions import build
from iris_assets.defs.recording import MAX_ERRORS_SHOWN, finite, report_metadata, summary
from iris_assets.ingest.checks import check_stage
from iris_assets.ingest.reporting import StageReport
from iris_assets.platform import forget_process_platforms, process_platform
from iris_assets.settings import Settings, load_settings
from iris_assets_tests.flows.spoiling import drop_column


@pytest.fixture
def variables(sample_replay: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    yield {"IRIS_ASSETS_DATA": str(tmp_path / "data"), "IRIS_ASSETS_REPLAY": str(sample_replay), "OCR": "off"}
    forget_process_platforms()


def _settings(variables: dict[str, str]) -> Settings:
    return load_settings(**{name.lower(): value for name, value in variables.items()})


def _report(stage: str, **figures: Any) -> StageReport:
    moment = datetime(2026, 8, 1, tzinfo=UTC)
    return StageReport(stage, "RAG_CHUNKS", "SP", 1, "key", moment, {}, finished_at=moment, figures=figures)


def test_a_range_run_has_metadata_and_row_counts_for_each_partition(variables: dict[str, str]) -> None:
    """Partitions of one run share one output: only the per-partition form keeps their figures apart."""
    job = build(variables).resolve_job_def("refresh")
    with dg.DagsterInstance.ephemeral() as instance:
        tags = {"dagster/asset_partition_range_start": "RR|2026", "dagster/asset_partition_range_end": "SP|2026"}
        result = job.execute_in_process(instance=instance, tags=tags, asset_selection=[dg.AssetKey("candidates")])
        events = {event.partition: event for event in result.asset_materializations_for_node("candidates")}
    counts = {uf: event.metadata["dagster/partition_row_count"].value for uf, event in events.items()}
    # The sample has 24 federal deputies and 3 governors in SP, and nobody in the UFs between.
    assert counts == {"RR|2026": 0, "RS|2026": 0, "SC|2026": 0, "SE|2026": 0, "SP|2026": 27}
    assert {event.metadata["ingestion_run"].value for event in events.values()}.__len__() == 5


def test_the_row_counts_of_all_stages_are_those_of_the_store(variables: dict[str, str]) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        job = build(variables).resolve_job_def("refresh")
        result = job.execute_in_process(partition_key="SP|2026", instance=instance)
        counts = {
            stage: result.asset_materializations_for_node(stage)[0].metadata["dagster/partition_row_count"].value
            for stage in ("candidates", "proposals", "camara", "chunks", "embeddings")
        }
        source = result.asset_materializations_for_node("candidates")[0].metadata["official_source"].value
    assert source == "https://dadosabertos.tse.jus.br/dataset/candidatos-2026"
    with closing(sqlite3.connect(Path(variables["IRIS_ASSETS_DATA"]) / "iris_assets.sqlite3")) as database:

        def count(query: str) -> int:
            return int(database.execute(query).fetchone()[0])

        assert counts == {
            "candidates": count("SELECT count(*) FROM Candidate"),
            "proposals": count("SELECT count(*) FROM ProposalDocument"),
            "camara": count("SELECT count(DISTINCT SourceId) FROM SourceCandidate WHERE SourceType = 'PROPOSITION'"),
            "chunks": count("SELECT count(*) FROM PoliticalChunk"),
            "embeddings": 0,
        }


def _check(variables: dict[str, str], name: str) -> tuple[bool, str]:
    context = process_platform(_settings(variables)).ingest
    (found,) = [outcome for outcome in check_stage(context, _report("chunks", chunks=1)) if outcome.name == name]
    return found.passed, found.description


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        ("no_orphans", "DELETE FROM SourceCandidate WHERE SourceType = 'POLITICAL_HISTORY'", "chunks without a candidate"),
        (
            "no_duplicates",
            "UPDATE PoliticalChunk SET ContentHash = (SELECT ContentHash FROM PoliticalChunk WHERE SourceId = 'x'"
            " AND ChunkIndex = 0), SourceId = 'x' WHERE SourceId = 'y'",
            "1 chunks repeat another of their source",
        ),
    ],
)  # fmt: skip
def test_damage_in_the_store_turns_its_check_yellow(
    name: str, damage: str, words: str, variables: dict[str, str]
) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        build(variables).resolve_job_def("refresh").execute_in_process(partition_key="SP|2026", instance=instance)
    assert _check(variables, name)[0]
    with closing(sqlite3.connect(Path(variables["IRIS_ASSETS_DATA"]) / "iris_assets.sqlite3")) as database:
        first, second = [
            row[0]
            for row in database.execute(
                "SELECT DISTINCT SourceId FROM PoliticalChunk WHERE SourceType = 'PROPOSITION' LIMIT 2"
            )
        ]
        database.execute("UPDATE PoliticalChunk SET ChunkIndex = 77 WHERE SourceId = ?", (second,))
        database.execute(damage.replace("'x'", f"'{first}'").replace("'y'", f"'{second}'"))
        database.commit()
    passed, text = _check(variables, name)
    assert not passed and words in text


@pytest.mark.parametrize(("left", "gone", "passed"), [(4, 5, False), (5, 5, True), (0, 4, True), (0, 300, False)])
def test_plans_that_vanish_in_numbers_are_suspicious(
    left: int, gone: int, passed: bool, variables: dict[str, str]
) -> None:
    context = process_platform(_settings(variables)).ingest
    (row_count,) = [
        outcome
        for outcome in check_stage(context, _report("proposals", rows_stored=left, retired=gone))
        if outcome.name == "row_count"
    ]
    assert row_count.passed is passed
    assert passed or row_count.description == f"{gone} plans vanished, {left} are left"


def test_numbers_that_json_cannot_hold_are_left_out() -> None:
    assert finite({"a": [math.inf, 1.5, math.nan], "b": (-math.inf,)}) == {"a": [None, 1.5, None], "b": [None]}
    metadata = report_metadata(_report("chunks", ratio=math.inf, shares={"x": math.nan}))
    json.dumps({name: value.value for name, value in metadata.items()}, allow_nan=False)


def test_at_most_twenty_errors_are_shown_and_outside_text_is_inert() -> None:
    report = _report("chunks")
    report.counters = Counter(failed=30)
    report.errors = [f"CODE: <script>alert({number})</script> **x**" for number in range(30)]
    text = report_metadata(report)["errors"].value
    lines = str(text).splitlines()
    assert len(lines) == MAX_ERRORS_SHOWN + 1 and "10 more in IngestionRun key" in lines[-1]
    assert r"\<script\>" in lines[0] and r"\*\*x\*\*" in lines[0]


def _run(variables: dict[str, str], instance: dg.DagsterInstance, uf: str, **more: str) -> dg.ExecuteInProcessResult:
    forget_process_platforms()
    job = build({**variables, **more}).resolve_job_def("refresh")
    return job.execute_in_process(partition_key=f"{uf}|2026", instance=instance, raise_on_error=False)


def _evaluations(result: dg.ExecuteInProcessResult) -> dict[str, Any]:
    found = [e.asset_check_evaluation_data for e in result.all_events if e.event_type_value == "ASSET_CHECK_EVALUATION"]
    return {one.check_name: one for one in found if one.asset_key == dg.AssetKey("candidates")}


def test_a_check_stays_red_for_the_uf_that_fails_until_that_uf_is_mended(variables: dict[str, str]) -> None:
    """SP succeeds while AC, whose archive is broken, does not: `complete` must go on naming AC."""
    replay = Path(variables["IRIS_ASSETS_DATA"]).parent / "broken"
    shutil.copytree(variables["IRIS_ASSETS_REPLAY"], replay)
    drop_column(replay, "AC")
    with dg.DagsterInstance.ephemeral() as instance:
        failed = _run(variables, instance, "AC", IRIS_ASSETS_REPLAY=str(replay))
        assert not failed.success
        red = _evaluations(failed)["complete"]
        assert (
            not red.passed
            and red.severity == dg.AssetCheckSeverity.ERROR
            and red.description.startswith("AC 2026 since ")
        )

        other = _run(variables, instance, "SP", IRIS_ASSETS_REPLAY=str(replay))
        assert other.success  # the UF that is sound goes on to its last stage
        still = _evaluations(other)["complete"]
        assert not still.passed and [row["partition"] for row in _rows(still)] == ["AC", "SP"]

        mended = _run(variables, instance, "AC")
        assert [row["partition"] for row in _rows(_evaluations(mended)["complete"])] == ["AC", "SP"]


def _rows(evaluation: Any) -> list[dict[str, Any]]:
    return [record.data for record in evaluation.metadata["partitions"].records]


def test_a_uf_without_candidates_is_red_and_goes_no_further(variables: dict[str, str]) -> None:
    """The sample says that it holds AC, BR and SP alone; a copy that does not say so owes every UF its candidates."""
    with dg.DagsterInstance.ephemeral() as instance:
        assert _evaluations(_run(variables, instance, "RR"))["row_count"].passed
        replay = Path(variables["IRIS_ASSETS_DATA"]).parent / "whole"
        shutil.copytree(variables["IRIS_ASSETS_REPLAY"], replay)
        (replay / "SCOPE.json").unlink()
        result = _run(variables, instance, "RR", IRIS_ASSETS_REPLAY=str(replay))
    red = _evaluations(result)["row_count"]
    assert not result.success
    assert (red.passed, red.severity, red.blocking) == (False, dg.AssetCheckSeverity.ERROR, True)
    assert [row["partition"] for row in _rows(red)] == ["RR"]
    ran = {event.step_key for event in result.all_events if event.event_type_value == "STEP_START"}
    assert ran == {"candidates"}


def test_the_summary_says_in_words_what_a_run_did() -> None:
    report = _report("chunks")
    report.counters.update(read=12, created=3, updated=1, skipped=8)
    report.status = "PARTIAL"
    text = summary(report)
    assert "12 records read: 3 new, 1 changed, 8 as before" in text and "PARTIAL" in text and "errors" in text
    report.status, report.error_message = "FAILED", "STORE_FULL: <b>disk</b>"
    assert "Nothing stored before was lost" in summary(report) and "<b>" not in summary(report).replace("\\<b\\>", "")

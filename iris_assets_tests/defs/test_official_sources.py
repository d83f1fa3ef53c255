"""Observation of the sources, the day without a change, and the check that names stale UFs."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from iris_assets.definitions import build
from iris_assets.defs.freshness import result
from iris_assets.defs.schedules import daily_refresh
from iris_assets.defs.unchanged import is_unchanged, observed_today
from iris_assets.ingest.freshness import Refreshed, refreshed
from iris_assets.platform import forget_process_platforms, process_platform
from iris_assets.settings import load_settings

ZONE = ZoneInfo("America/Sao_Paulo")
NOW = datetime(2026, 8, 20, 12, tzinfo=UTC)


@pytest.fixture
def variables(sample_replay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    replay = shutil.copytree(sample_replay, tmp_path / "replay")
    found = {
        "IRIS_ASSETS_DATA": str(tmp_path / "data"), "IRIS_ASSETS_REPLAY": str(replay), "OCR": "off",
        "CAMARA_SOURCE": "bulk", "INGEST_STATES": "SP,AC",
    }  # fmt: skip
    for name, value in found.items():
        monkeypatch.setenv(name, value)
    yield found
    forget_process_platforms()


def _do(instance: dg.DagsterInstance, job: str, variables: dict[str, str], uf: str | None = None) -> None:
    forget_process_platforms()  # as another process would: nothing is remembered of the sources
    assert (
        build(variables)
        .resolve_job_def(job)
        .execute_in_process(partition_key=uf and f"{uf}|2026", instance=instance)
        .success
    )


def _unchanged(instance: dg.DagsterInstance) -> dict[str, bool]:
    observed = observed_today(instance, datetime.now(ZONE).date(), ZONE)
    return {uf: is_unchanged(instance, uf, observed, 2026) for uf in ("SP", "AC")}


def test_a_day_without_change_costs_one_observation(variables: dict[str, str], tmp_path: Path) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        assert _unchanged(instance) == {"SP": False, "AC": False}
        for uf in ("SP", "AC"):
            _do(instance, "refresh", variables, uf)
        assert _unchanged(instance) == {"SP": False, "AC": False}  # nobody has looked at the sources yet
        _do(instance, "observe_sources", variables)
        assert _unchanged(instance) == {"SP": True, "AC": True}
        moment = datetime.now(ZONE).replace(hour=4)
        asked = daily_refresh(dg.build_schedule_context(instance=instance, scheduled_execution_time=moment))
        assert isinstance(asked, dg.SkipReason) and "did not change" in str(asked.skip_message)


def test_one_changed_archive_of_plans_refreshes_its_uf_alone(variables: dict[str, str]) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        for uf in ("SP", "AC"):
            _do(instance, "refresh", variables, uf)
        [archive] = Path(variables["IRIS_ASSETS_REPLAY"]).rglob("*_AC.zip")
        with ZipFile(archive, "a") as changed:
            changed.comment = b"published again"
        _do(instance, "observe_sources", variables)
        assert _unchanged(instance) == {"SP": True, "AC": False}


def test_an_observation_tells_rows_size_and_address(variables: dict[str, str]) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        _do(instance, "observe_sources", variables)
        [record] = instance.fetch_observations(
            dg.AssetRecordsFilter(asset_key=dg.AssetKey("tse_candidate_files")), limit=1
        ).records
        event = record.asset_observation
        assert event is not None
        told = {name: value.value for name, value in event.metadata.items()}
        assert (
            told["rows_by_unit"]["SP"] == 38
            and told["bytes"] > 0
            and told["address"].startswith("https://cdn.tse.jus.br")
        )
        assert event.tags["dagster/data_version"] == told["sha256"]


def test_the_api_never_says_that_nothing_changed(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    variables["CAMARA_SOURCE"] = "api"
    monkeypatch.setenv("CAMARA_SOURCE", "api")
    with dg.DagsterInstance.ephemeral() as instance:
        _do(instance, "refresh", variables, "SP")
        _do(instance, "observe_sources", variables)
        assert not _unchanged(instance)["SP"]


def test_the_audit_tells_when_each_uf_was_refreshed_the_oldest_first(variables: dict[str, str]) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        for uf in ("AC", "SP"):
            _do(instance, "refresh", variables, uf)
    store = process_platform(load_settings(**{name.lower(): value for name, value in variables.items()})).store
    found = refreshed(store, "candidates", ["SP", "AC", "RJ"], 2026)
    assert [one.uf for one in found] == ["RJ", "AC", "SP"] and found[0].at is None


def _hours(uf: str, hours: float | None) -> Refreshed:
    return Refreshed(uf, None if hours is None else NOW - timedelta(hours=hours))


@pytest.mark.parametrize(
    ("ufs", "unchanged", "passed", "severity", "named"),
    [
        ([_hours("SP", 3)], set(), True, None, "oldest: SP"),
        ([_hours("AC", 30), _hours("SP", 3)], set(), False, "WARN", "AC: 30.0 hours ago"),
        ([_hours("AC", 60), _hours("SP", 3)], set(), False, "ERROR", "AC: 60.0 hours ago"),
        ([_hours("AC", 60), _hours("SP", 3)], {"AC"}, True, None, "oldest: AC"),
        ([_hours("RJ", None), _hours("SP", 3)], set(), False, "ERROR", "RJ: never refreshed"),
    ],
)
def test_stale_ufs_are_named(
    ufs: list[Refreshed], unchanged: set[str], passed: bool, severity: str | None, named: str
) -> None:
    found = result("candidates", ufs, unchanged, NOW)
    assert found.passed is passed and named in (found.description or "")
    assert severity is None or found.severity is dg.AssetCheckSeverity[severity]
    assert "SP" not in (found.description or "") or passed


def test_the_check_runs_for_all_stages_from_its_job(variables: dict[str, str]) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        _do(instance, "refresh", variables, "SP")
        done = build(variables).resolve_job_def("freshness_job").execute_in_process(instance=instance)
        found = {check.asset_key.to_user_string(): check for check in done.get_asset_check_evaluations()}
    assert found.keys() == {"candidates", "proposals", "camara", "chunks", "embeddings"}
    assert all(not check.passed and "AC: never refreshed" in (check.description or "") for check in found.values())

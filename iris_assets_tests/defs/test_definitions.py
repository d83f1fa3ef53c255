"""The code location as Dagster sees it: graph, partitions, pools, what a user reads about each asset."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
import yaml

import iris_assets
from iris_assets.definitions import defs
from iris_assets.defs.describing import DAILY
from iris_assets.defs.lineage import LINEAGE
from iris_assets.defs.pools import set_pool_limits
from iris_assets.defs.resources import SourcesResource, StoreResource, build_resources
from iris_assets.settings import load_settings
from iris_assets.ufs import PARTITIONS

STAGES = ("candidates", "proposals", "camara", "chunks", "embeddings")


@pytest.fixture(scope="module")
def definitions() -> dg.Definitions:
    return defs()


@pytest.fixture(scope="module")
def specs(definitions: dg.Definitions) -> dict[str, dg.AssetSpec]:
    """The assets that we make; the official sources are told apart by their group."""
    every = definitions.resolve_all_asset_specs()
    return {spec.key.to_user_string(): spec for spec in every if spec.group_name != "official"}


def test_the_location_loads(definitions: dg.Definitions) -> None:
    dg.Definitions.validate_loadable(definitions)


def test_the_graph_is_that_of_the_specification(specs: dict[str, dg.AssetSpec]) -> None:
    graph = {name: {dep.asset_key.to_user_string() for dep in spec.deps} for name, spec in specs.items()}
    assert {name: graph[name] for name in (*STAGES, "retrieval_evaluation")} == {
        "candidates": {"tse_candidate_files"},
        "proposals": {"candidates", "tse_plan_archives"},
        "camara": {"candidates", "camara_open_data"},
        "chunks": {"proposals", "camara"},
        "embeddings": {"chunks"},
        "retrieval_evaluation": {"embeddings"},
    }


def test_the_stages_are_partitioned_by_uf_and_election_the_others_by_the_28_ufs(specs: dict[str, dg.AssetSpec]) -> None:
    for name, spec in specs.items():
        assert spec.partitions_def is not None
        keys = spec.partitions_def.get_partition_keys()
        years = ("2014", "2016", "2018", "2020", "2022", "2024", "2026")
        assert list(keys) == (
            [f"{uf}|{year}" for uf in PARTITIONS for year in years] if name in STAGES else list(PARTITIONS)
        )


def test_every_asset_says_what_it_is_who_owns_it_and_where_it_belongs(specs: dict[str, dg.AssetSpec]) -> None:
    for name, spec in specs.items():
        assert spec.description and len(spec.description) > 20, name
        assert list(spec.owners) == ["team:iris-assets"], name
        assert spec.group_name in {"sources", "index", "evaluation"}, name
        assert spec.kinds, name
        assert spec.code_version, name


def test_the_pools_keep_us_polite(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    pools = {name: set(graph.get(dg.AssetKey(name)).pools or ()) for name in STAGES}
    assert pools == {
        "candidates": {"tse"},
        "proposals": {"tse"},
        "camara": {"camara"},
        "chunks": {"store"},
        "embeddings": {"llm"},
    }


def test_jobs_schedules_and_sensors_are_there_under_their_names(definitions: dg.Definitions) -> None:
    repository = definitions.get_repository_def()
    assert {"refresh", "evaluation_job", "maintenance"} <= set(repository.job_names)
    assert {"daily_refresh", "weekly_maintenance"} <= {schedule.name for schedule in repository.schedule_defs}
    assert {"evaluation_sensor", "failure_alert", "lost_runs", "after_parents"} <= {
        sensor.name for sensor in repository.sensor_defs
    }


def test_ui_launches_and_backfills_run_in_one_process(definitions: dg.Definitions) -> None:
    assert definitions.executor is dg.in_process_executor


def test_every_asset_tells_its_columns_and_the_stages_how_fresh_they_should_be(specs: dict[str, dg.AssetSpec]) -> None:
    for name, spec in specs.items():
        schema = spec.metadata["dagster/column_schema"]
        assert schema.columns, name
    columns = {column.name: column.type for column in specs["candidates"].metadata["dagster/column_schema"].columns}
    assert (columns["TseId"], columns["ElectionYear"], columns["SourceCollectedAt"]) == ("text", "integer", "moment")
    assert all(
        column.description for spec in specs.values() for column in spec.metadata["dagster/column_schema"].columns
    )
    for name in STAGES:
        assert specs[name].freshness_policy == DAILY, name


def test_the_sources_link_to_the_official_hosts(specs: dict[str, dg.AssetSpec]) -> None:
    links = {
        name: spec.metadata["official_source"].value
        for name, spec in specs.items()
        if "official_source" in spec.metadata
    }
    assert {name: url.split("/")[2] for name, url in links.items()} == {
        "candidates": "dadosabertos.tse.jus.br",
        "proposals": "dadosabertos.tse.jus.br",
        "camara": "dadosabertos.camara.leg.br",
    }


def test_the_official_sources_are_observed_and_named_by_the_lineage_of_columns(definitions: dg.Definitions) -> None:
    every = {spec.key.to_user_string(): spec for spec in definitions.resolve_all_asset_specs()}
    official = {name for name, spec in every.items() if spec.group_name == "official"}
    assert official == {"tse_candidate_files", "tse_plan_archives", "camara_open_data"}
    graph = definitions.resolve_asset_graph()
    assert all(graph.get(dg.AssetKey(name)).is_observable for name in official)
    columns = {
        (name, column.name)
        for name, spec in every.items()
        if "dagster/column_schema" in spec.metadata
        for column in spec.metadata["dagster/column_schema"].columns
    }
    told = {(stage, column) for stage, found in LINEAGE.items() for column in found}
    sources = {source for found in LINEAGE.values() for several in found.values() for source in several}
    assert told | sources <= columns


def test_the_checks_of_the_specification_are_there(definitions: dg.Definitions) -> None:
    keys = {(key.asset_key.to_user_string(), key.name) for key in definitions.resolve_asset_graph().asset_check_keys}
    assert keys >= {
        ("embeddings", "vector_coverage"),
        ("chunks", "no_orphans"),
        ("chunks", "no_duplicates"),
        ("candidates", "row_count"),
        ("proposals", "row_count"),
        ("chunks", "row_count"),
        ("camara", "review_open"),
        ("chunks", "lexical_in_step"),
        ("retrieval_evaluation", "no_regression"),
        *((stage, name) for stage in STAGES for name in ("complete", "fresh")),
    }


def test_the_instance_settings_of_one_machine_and_of_the_containers_are_the_same_but_for_the_storage() -> None:
    root = Path(__file__).resolve().parents[2]
    alone, containers = (
        yaml.safe_load((root / name).read_text(encoding="utf-8")) for name in ("dagster.yaml", "docker/dagster.yaml")
    )
    del containers["storage"]
    assert alone == containers
    # Each of these answers a complaint that others had: killed runs that keep slots, locked SQLite, retries that multiply.
    assert alone["run_monitoring"]["free_slots_after_run_end_seconds"] == 30
    assert alone["concurrency"]["runs"]["max_concurrent_runs"] == 2
    assert alone["run_retries"] == {"enabled": True, "max_retries": 1, "retry_on_asset_or_op_failure": False}
    assert "root" not in alone["python_logs"]["managed_python_loggers"]
    limits = {limit.pop("key"): limit for limit in alone["concurrency"]["runs"]["tag_concurrency_limits"]}
    one = {"value": {"applyLimitPerUniqueValue": True}, "limit": 1}
    assert limits == {"dagster/partition/uf": one, "dagster/partition": one}


def test_the_pool_limits_are_written_once_however_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    settings = load_settings({}, iris_assets_data=tmp_path)
    for _ in range(2):
        assert set_pool_limits(settings) == {"tse": 1, "camara": 1, "store": 2, "llm": 1}
    with dg.DagsterInstance.from_config(str(tmp_path / "dagster_home")) as instance:
        limits = {pool.name: (pool.limit, pool.from_default) for pool in instance.event_log_storage.get_pool_limits()}
    assert limits == {"tse": (1, False), "camara": (1, False), "store": (2, False), "llm": (1, False)}


def test_an_installed_package_without_a_project_folder_around_it_has_the_definitions(tmp_path: Path) -> None:
    """A wheel or the image: the files of the package alone."""
    package = Path(iris_assets.__file__).parent
    shutil.copytree(package, tmp_path / "site" / "iris_assets", ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import iris_assets.definitions as d; specs = d.build().resolve_all_asset_specs()\n"
        "print(d.__file__, *sorted(spec.key.to_user_string() for spec in specs))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""  # nothing about interfaces of Dagster in anybody's log
    file, *assets = done.stdout.split()
    assert file.startswith(str(tmp_path))
    assert assets == [
        "articles", "camara", "camara_open_data", "candidates", "chunks", "embeddings", "proposals",
        "retrieval_evaluation", "tse_candidate_files", "tse_plan_archives",
    ]  # fmt: skip


def test_variables_given_in_the_launchpad_reach_every_resource(tmp_path: Path) -> None:
    @dg.op
    def opened(store: StoreResource, sources: SourcesResource) -> list[str]:
        return [store.settings.load().llm_model, sources.settings.load().llm_model]

    @dg.job(resource_defs=build_resources({"LLM_MODEL": "given"}))
    def look() -> None:
        opened()

    chosen = {"resources": {"platform_settings": {"config": {"overrides": {"LLM_MODEL": "chosen"}}}}}
    assert look.execute_in_process().output_for_node("opened") == ["given", "given"]
    assert look.execute_in_process(run_config=chosen).output_for_node("opened") == ["chosen", "chosen"]

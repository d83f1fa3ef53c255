"""The code location as Dagster sees it: graph, partitions, pools, what a user reads about each asset."""

import dagster as dg
import pytest

from iris_assets.definitions import defs
from iris_assets.ufs import PARTITIONS

STAGES = ("candidates", "proposals", "camara", "chunks", "embeddings")


@pytest.fixture(scope="module")
def definitions() -> dg.Definitions:
    return defs()


@pytest.fixture(scope="module")
def specs(definitions: dg.Definitions) -> dict[str, dg.AssetSpec]:
    return {spec.key.to_user_string(): spec for spec in definitions.resolve_all_asset_specs()}


def test_the_location_loads(definitions: dg.Definitions) -> None:
    dg.Definitions.validate_loadable(definitions)


def test_the_graph_is_that_of_the_specification(specs: dict[str, dg.AssetSpec]) -> None:
    graph = {name: {dep.asset_key.to_user_string() for dep in spec.deps} for name, spec in specs.items()}
    assert {name: graph[name] for name in (*STAGES, "retrieval_evaluation")} == {
        "candidates": set(),
        "proposals": {"candidates"},
        "camara": {"candidates"},
        "chunks": {"proposals", "camara"},
        "embeddings": {"chunks"},
        "retrieval_evaluation": {"embeddings"},
    }


def test_every_asset_is_partitioned_by_the_28_ufs(specs: dict[str, dg.AssetSpec]) -> None:
    for spec in specs.values():
        assert spec.partitions_def is not None
        assert tuple(spec.partitions_def.get_partition_keys()) == PARTITIONS


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
    assert {"evaluation_sensor", "failure_alert"} <= {sensor.name for sensor in repository.sensor_defs}


def test_ui_launches_and_backfills_run_in_one_process(definitions: dg.Definitions) -> None:
    assert definitions.executor is dg.in_process_executor

"""The Dagster code location: everything in `defs/`, bound to the resources, run in one process per UF."""

from pathlib import Path

import dagster as dg

import iris_assets
from iris_assets.defs.resources import build_resources


def build(overrides: dict[str, str] | None = None) -> dg.Definitions:
    """Assets, checks, jobs, schedules and sensors of the platform. Opens no network, no store, no file.

    `overrides` are variables (name → value) that win over the environment.
    """
    return dg.Definitions.merge(
        dg.load_from_defs_folder(path_within_project=Path(iris_assets.__file__).parent),
        dg.Definitions(resources=build_resources(overrides), executor=dg.in_process_executor),
    )


@dg.definitions
def defs() -> dg.Definitions:
    """What `workspace.yaml` and the Dagster tools load."""
    return build()

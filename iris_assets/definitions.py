"""The Dagster code location: everything in `defs/`, bound to the resources, run in one process per UF."""

import warnings

import dagster as dg

from iris_assets.defs.resources import build_resources


def build(overrides: dict[str, str] | None = None) -> dg.Definitions:
    """Assets, checks, jobs, schedules and sensors of the platform. Opens no network, no store, no file.

    `overrides` are variables (name → value) that win over the environment.
    """
    # By the package's name: an installed one (a wheel, the image) has no project folder around it.
    with warnings.catch_warnings():
        for kind in (dg.BetaWarning, dg.PreviewWarning):  # Dagster's version is pinned
            warnings.simplefilter("ignore", kind)
        found = dg.load_definitions_from_package_name("iris_assets.defs")
    return dg.Definitions.merge(
        found, dg.Definitions(resources=build_resources(overrides), executor=dg.in_process_executor)
    )


@dg.definitions
def defs() -> dg.Definitions:
    """What `workspace.yaml` and the Dagster tools load."""
    return build()

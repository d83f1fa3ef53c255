"""The pools that keep us polite to hosts and store: their limits live in the instance database, set by a command."""

import os
from contextlib import AbstractContextManager
from typing import Final

import dagster as dg

from iris_assets.defs.launch import dagster_home, open_instance, telling_storage
from iris_assets.settings import Settings

POOL_LIMITS: Final = {"tse": 1, "camara": 1, "store": 2, "llm": 1}


def set_pool_limits(settings: Settings) -> dict[str, int]:
    """Write the limit of every pool into the instance (DAGSTER_HOME, else the data folder's); idempotent.

    Raises StoreError DAGSTER_STORAGE_FAILED where its database cannot be written.
    """
    with telling_storage(), _instance(settings) as instance:
        for pool, limit in POOL_LIMITS.items():
            instance.event_log_storage.set_concurrency_slots(pool, limit)
    return dict(POOL_LIMITS)


def _instance(settings: Settings) -> AbstractContextManager[dg.DagsterInstance]:
    if os.environ.get("DAGSTER_HOME"):  # whose folder takes no lock in a container
        return dg.DagsterInstance.get()
    return open_instance(dagster_home(settings))

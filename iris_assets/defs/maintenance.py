"""The weekly maintenance job: bounds the instance storage, closes dead runs, checks, optimises and backs up the store."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg

from iris_assets.defs.launch import release_dead_runs
from iris_assets.defs.pruning import compact, delete_old_runs, delete_stray_files, instance_bytes
from iris_assets.defs.resources import SettingsResource
from iris_assets.ingest.platform import process_context
from iris_assets.store import Health, Store


class MaintenanceConfig(dg.Config):
    """How long finished runs stay (the newest of each asset partition always does) and how many backups are kept."""

    keep_days: int = 30
    keep_backups: int = 4


@dg.op(
    description="Delete finished runs older than keep_days, except the newest of each partition; close dead ones; compact."
)
def prune_runs(context: dg.OpExecutionContext, config: MaintenanceConfig) -> int:
    before = datetime.now(UTC) - timedelta(days=config.keep_days)
    deleted = delete_old_runs(context.instance, before=before)
    context.add_output_metadata(
        {
            "deleted_runs": deleted,
            "closed_dagster_runs": release_dead_runs(context.instance),
            "stray_files": delete_stray_files(context.instance, before=before),
            "compacted": compact(context.instance),
            "instance_mb": round(instance_bytes(context.instance) / 1e6, 1),
        }
    )
    return deleted


@dg.op(
    ins={"pruned": dg.In(int)},
    description="Close dead IngestionRuns, verify the lexical index, optimise, check integrity and back up the store.",
)
def tend_store(
    context: dg.OpExecutionContext, config: MaintenanceConfig, platform_settings: SettingsResource, pruned: int
) -> None:
    ingest = process_context(platform_settings.load())
    folder = ingest.settings.iris_assets_data / "backups"
    with ingest.store.work():
        closed, health = _tend(ingest.store, context.log.warning)
        backup = ingest.store.backup(folder)
    removed = _drop_old_backups(folder, config.keep_backups)
    context.add_output_metadata(
        {
            "closed_runs": closed,
            "lexical_index": health.text,
            "backup": str(backup or "not for this engine"),
            "removed_backups": removed,
        }
    )


def _tend(store: Store, warn: Callable[[str], None]) -> tuple[int, Health]:
    """How many dead runs were closed, and how the full-text index was found."""
    store.check_integrity()
    closed = store.runs.close_dead()
    health = store.lexical.verify()
    if not health.ok:
        warn(f"{health.text}: rebuilding")
        store.lexical.rebuild()
    store.optimise()
    return closed, health


@dg.job(description="Weekly: prune old runs, close dead ones, verify and optimise the store, back it up.")
def maintenance() -> None:
    tend_store(prune_runs())


def _drop_old_backups(folder: Path, keep: int) -> int:
    backups = sorted(folder.glob("*.sqlite3")) if folder.is_dir() else []
    old = backups[: max(len(backups) - keep, 0)]
    for path in old:
        path.unlink()
    return len(old)

"""The weekly maintenance job: bounds the instance storage, closes dead runs, checks, optimises and backs up the store."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import dagster as dg

from iris_assets.defs.launch import release_dead_runs
from iris_assets.defs.pruning import compact, delete_old_runs, delete_stray_files, instance_bytes
from iris_assets.defs.resources import SettingsResource
from iris_assets.platform import process_platform
from iris_assets.store import Health, Store

BACKUP_STAMP: Final = re.compile(r"-(\d{8}T\d{12})(?:\.|$)")  # in the name that Store.backup gives
BESIDE: Final = ("-journal", "-wal", "-shm")
PARTIAL_SECONDS: Final = 3600  # a backup at work writes all the time: a partial copy as old as this was killed


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
    description="Close dead IngestionRuns, forget old answers, verify the lexical index, optimise, check, back up the store.",
)
def tend_store(
    context: dg.OpExecutionContext, config: MaintenanceConfig, platform_settings: SettingsResource, pruned: int
) -> None:
    platform = process_platform(platform_settings.load())
    folder = platform.settings.iris_assets_data / "backups"
    with platform.store.work():
        closed, health = tend(platform.store, context.log.warning)
        forgotten = forget_answers(platform.store, platform.settings.answer_retention_days)
        backup = platform.store.backup(folder)
    removed = drop_old_backups(folder, config.keep_backups)
    context.add_output_metadata(
        {
            "closed_runs": closed,
            "forgotten_answers": forgotten,
            "lexical_index": health.text,
            "backup": str(backup or "not for this engine"),
            "removed_backups": removed,
        }
    )


def tend(store: Store, warn: Callable[[str], None]) -> tuple[int, Health]:
    """How many dead runs were closed, and how the full-text index was found."""
    store.check_integrity()
    closed = store.runs.close_dead()
    health = store.lexical.verify(deep=True)
    if not health.ok:
        warn(f"{health.text}: rebuilding")
        store.lexical.rebuild()
    store.optimise()
    return closed, health


def forget_answers(store: Store, days: int) -> int:
    """Delete the answers that nobody was given or opened for so many days; how many."""
    before = datetime.now(UTC) - timedelta(days=days)
    total = 0
    while gone := store.answers.forget(before):
        total += gone
    return total


@dg.job(description="Weekly: prune old runs, close dead ones, verify and optimise the store, back it up.")
def maintenance() -> None:
    tend_store(prune_runs())


def drop_old_backups(folder: Path, keep: int) -> int:
    """Keep the newest copies, whatever the store's file is called; of a backup that was killed nothing stays."""
    names = [path for path in folder.iterdir() if BACKUP_STAMP.search(path.name)] if folder.is_dir() else []
    copies = [path for path in names if not path.name.endswith(BESIDE)]
    whole = sorted((path for path in copies if path.suffix != ".partial"), key=_made_at)
    old = whole[: max(len(whole) - keep, 0)]
    killed_before = datetime.now(UTC).timestamp() - PARTIAL_SECONDS
    killed = [path for path in copies if path not in whole and path.stat().st_mtime < killed_before]
    for path in (*old, *killed):
        for ending in ("", *BESIDE):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    return len(old)


def _made_at(path: Path) -> str:
    found = BACKUP_STAMP.search(path.name)
    return found[1] if found else ""

"""The weekly maintenance job: bounds the instance storage, closes dead runs, checks, optimises and backs up the store."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import dagster as dg
from dagster._core.storage.dagster_run import FINISHED_STATUSES

from iris_assets.defs.resources import SettingsResource
from iris_assets.ingest.platform import process_context

PAGE: Final = 200


class MaintenanceConfig(dg.Config):
    """How long finished runs stay (the newest of each asset partition always does) and how many backups are kept."""

    keep_days: int = 30
    keep_backups: int = 4


@dg.op(
    description="Delete finished runs older than keep_days, except the newest materialisation of each asset partition."
)
def prune_runs(context: dg.OpExecutionContext, config: MaintenanceConfig) -> int:
    deleted = delete_old_runs(context.instance, before=datetime.now(UTC) - timedelta(days=config.keep_days))
    context.log.info(f"{deleted} old runs deleted")
    context.add_output_metadata({"deleted_runs": deleted})
    return deleted


@dg.op(
    ins={"pruned": dg.In(int)},
    description="Close dead IngestionRuns, verify the lexical index, optimise, check integrity and back up the store.",
)
def tend_store(
    context: dg.OpExecutionContext, config: MaintenanceConfig, platform_settings: SettingsResource, pruned: int
) -> None:
    ingest = process_context(platform_settings.load())
    store = ingest.store
    closed = store.runs.close_dead()
    health = store.lexical.verify()
    if not health.ok:
        context.log.warning(f"{health.text}: rebuilding")
        store.lexical.rebuild()
    store.optimise()
    store.check_integrity()
    folder = ingest.settings.iris_assets_data / "backups"
    backup = store.backup(folder)
    removed = _drop_old_backups(folder, config.keep_backups)
    context.add_output_metadata(
        {
            "closed_runs": closed,
            "lexical_index": health.text,
            "backup": str(backup or "not for this engine"),
            "removed_backups": removed,
        }
    )


@dg.job(description="Weekly: prune old runs, close dead ones, verify and optimise the store, back it up.")
def maintenance() -> None:
    tend_store(prune_runs())


def delete_old_runs(instance: dg.DagsterInstance, *, before: datetime) -> int:
    """Delete finished runs that ended before `before`; the newest run of each (asset, partition) stays, so that
    partition status survives. Returns the number of deleted runs."""
    keep = _newest_runs(instance)
    doomed = [run_id for run_id in _finished_run_ids(instance, before) if run_id not in keep]
    for run_id in doomed:
        instance.delete_run(run_id)
    return len(doomed)


def _newest_runs(instance: dg.DagsterInstance) -> set[str]:
    """The runs that hold the newest materialisation of some (asset, partition)."""
    keep: set[str] = set()
    for key in instance.get_asset_keys():
        newest = instance.get_latest_storage_id_by_partition(key, dg.DagsterEventType.ASSET_MATERIALIZATION)
        ids = list(newest.values())
        for start in range(0, len(ids), PAGE):
            chosen = dg.AssetRecordsFilter(asset_key=key, storage_ids=ids[start : start + PAGE])
            keep |= {record.run_id for record in instance.fetch_materializations(chosen, limit=PAGE).records}
    return keep


def _finished_run_ids(instance: dg.DagsterInstance, before: datetime) -> list[str]:
    filters = dg.RunsFilter(statuses=list(FINISHED_STATUSES), updated_before=before)
    return list(instance.get_run_ids(filters))


def _drop_old_backups(folder: Path, keep: int) -> int:
    backups = sorted(folder.glob("*.sqlite3")) if folder.is_dir() else []
    old = backups[: max(len(backups) - keep, 0)]
    for path in old:
        path.unlink()
    return len(old)

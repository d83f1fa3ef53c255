"""Whether a UF needs no refresh: its sources, as observed today, are those of its last runs."""

from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import dagster as dg

from iris_assets.defs.official_sources import CAMARA_DATA, CANDIDATE_FILES, PLAN_ARCHIVES, VERSIONS
from iris_assets.defs.partitions import key_of
from iris_assets.ingest.observing import ABSENT
from iris_assets.ingest.stages import STAGES

# Gaps that lie in what the source holds: another run over the same bytes finds the same.
OF_CONTENT: Final = ("PDF_", "PLAN_FORMAT_", "CSV_ROW_")
FROM_SOURCES: Final = ("candidates", "proposals", "camara")


def observed_today(instance: dg.DagsterInstance, day: date, zone: ZoneInfo) -> dict[str, dg.AssetObservation]:
    """The newest observation of each official source, if all were observed on this day; else none."""
    found = {name: _newest(instance, name) for name in (CANDIDATE_FILES, PLAN_ARCHIVES, CAMARA_DATA)}
    todays = {
        name: record.event_log_entry.asset_observation
        for name, record in found.items()
        if record is not None and datetime.fromtimestamp(record.timestamp, zone).date() == day
    }
    whole = {name: event for name, event in todays.items() if event is not None}
    return whole if len(whole) == len(found) else {}


def is_unchanged(
    instance: dg.DagsterInstance, uf: str, observed: dict[str, dg.AssetObservation], election_year: int
) -> bool:
    """Whether the last runs of the UF's election read exactly what was observed and left no gap that may be over."""
    if not observed:
        return False
    versions = _value(observed[PLAN_ARCHIVES], VERSIONS) or {}
    now = {
        "candidates": _version(observed[CANDIDATE_FILES]),
        "proposals": versions.get(uf, ""),
        "camara": _version(observed[CAMARA_DATA]),
    }
    last = {stage: _materialised(instance, stage, key_of(uf, election_year)) for stage in STAGES}
    if any(record is None for record in last.values()):
        return False
    ended = last[STAGES[-1]].storage_id > max(last[stage].storage_id for stage in FROM_SOURCES)  # type: ignore[union-attr]
    return ended and all(_is_of(last[stage], stage, now[stage]) for stage in FROM_SOURCES)


def _materialised(instance: dg.DagsterInstance, stage: str, partition: str) -> dg.EventLogRecord | None:
    found = dg.AssetRecordsFilter(asset_key=dg.AssetKey(stage), asset_partitions=[partition])
    records = instance.fetch_materializations(found, limit=1).records
    return records[0] if records else None


def _is_of(record: dg.EventLogRecord | None, stage: str, version: str) -> bool:
    event = record.asset_materialization if record is not None else None
    if event is None:
        return False
    read, code = _value(event, "source_hash") or "", _value(event, "error_code") or ""
    sound = _value(event, "status") == "SUCCESS" or code.startswith(OF_CONTENT)
    same = read == version or (
        not read and (version == ABSENT or (stage == "camara" and not version.startswith("api:")))
    )
    return sound and same


def _newest(instance: dg.DagsterInstance, name: str) -> dg.EventLogRecord | None:
    records = instance.fetch_observations(dg.AssetRecordsFilter(asset_key=dg.AssetKey(name)), limit=1).records
    return records[0] if records else None


def _version(event: dg.AssetObservation) -> str:
    return (event.tags or {}).get("dagster/data_version", "")


def _value(event: Any, name: str) -> Any:
    told = event.metadata.get(name)
    return None if told is None else told.value

"""Whether the official sources changed, without reading them into the store: a version and what is known of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from iris_assets.ingest.context import IngestContext
from iris_assets.sources.archive import Archive
from iris_assets.sources.camara_bulk import CamaraBulk
from iris_assets.sources.camara_history import lookback
from iris_assets.sources.row_counts import member_rows

ABSENT = "absent"  # the version of what the source does not list


@dataclass(frozen=True, slots=True)
class Observation:
    """`version` is equal while the source is; `facts` are for readers."""

    version: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def observe_candidates(context: IngestContext) -> Observation:
    """The court's archive of candidates: asked for conditionally, downloaded only when it changed."""
    archive = context.tse().candidates_archive()
    rows = member_rows(archive, context.downloads / "counts")
    return Observation(archive.sha256, {**_facts(archive), "rows": sum(rows.values()), "rows_by_unit": rows})


def observe_plans(context: IngestContext, uf: str) -> Observation:
    """The archive of government plans of a UF; SourceContractError RESOURCE_NOT_PUBLISHED where it is listed and absent."""
    archive = context.tse().proposal_archive(uf)
    return Observation(ABSENT) if archive is None else Observation(archive.sha256, _facts(archive))


def observe_camara(context: IngestContext, today: date) -> Observation:
    """The Câmara's yearly files by their hashes. The API does not tell whether anything changed: each day is a new version."""
    settings = context.settings
    if settings.camara_source != "bulk":
        return Observation(f"api:{today.isoformat()}", {"address": settings.camara_base_url})
    bulk = CamaraBulk(context.http, settings, context.downloads)
    files = bulk.files(*lookback(settings.reference_date, settings.camara_lookback_years))
    facts = {"years": sorted(files.years), "not_modified": files.not_modified, "newest_change": str(files.newest or "")}
    return Observation(files.hash, facts)


def _facts(archive: Archive) -> dict[str, Any]:
    return {
        "address": archive.url, "bytes": archive.path.stat().st_size, "sha256": archive.sha256,
        "collected_at": archive.collected_at.isoformat(), "not_modified": archive.not_modified,
        "notes": "; ".join(archive.notes),
    }  # fmt: skip

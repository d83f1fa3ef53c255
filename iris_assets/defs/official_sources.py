"""The official sources as observable assets: what they hold and whether they changed, before anything is refreshed."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import dagster as dg

from iris_assets.defs.describing import CHAMBER, COURT
from iris_assets.defs.recording import finite, table_of
from iris_assets.defs.resources import SourcesResource
from iris_assets.errors import SourceContractError
from iris_assets.ingest.observing import Observation, observe_camara, observe_candidates, observe_plans
from iris_assets.sources.candidate_columns import ALIASES

CANDIDATE_FILES: Final = "tse_candidate_files"
PLAN_ARCHIVES: Final = "tse_plan_archives"
CAMARA_DATA: Final = "camara_open_data"
BILL_FIELDS: Final = (
    "id", "siglaTipo", "numero", "ano", "ementa", "ementaDetalhada", "dataApresentacao", "statusProposicao",
)  # fmt: skip
VERSIONS: Final = "versions"  # metadata: UF → version of its archive
TOLD: Final = ("bytes", "collected_at", "not_modified", "address", "notes")
UNREAD: Final = "unread"  # the version of an archive that is listed and cannot be had


def _published_at(address: str, fields: Iterable[str] = ()) -> dict[str, Any]:
    """Definition metadata: where the source is published, and the columns or fields of it that are read."""
    columns = [dg.TableColumn(name=name) for name in fields]
    told: dict[str, Any] = {"official_source": dg.MetadataValue.url(address)}
    return {**told, "dagster/column_schema": dg.TableSchema(columns=columns)} if columns else told


@dg.observable_source_asset(
    name=CANDIDATE_FILES,
    group_name="official",
    description="The court's archive of candidates: size, hash, rows by UF, when it was last collected.",
    metadata=_published_at(COURT, ALIASES),
)
def tse_candidate_files(sources: SourcesResource) -> dg.ObserveResult:
    return _told(observe_candidates(sources.context()))


@dg.observable_source_asset(
    name=PLAN_ARCHIVES,
    group_name="official",
    description="The court's archives of government plans, one for each UF of INGEST_STATES.",
    metadata=_published_at(COURT),
)
def tse_plan_archives(sources: SourcesResource) -> dg.ObserveResult:
    context = sources.context()
    found = {uf: _plans(context, uf) for uf in context.settings.ingest_states}
    versions = {uf: one.version for uf, one in found.items()}
    table = [
        {"uf": uf, "version": one.version, **{name: one.facts.get(name, "") for name in TOLD}}
        for uf, one in found.items()
    ]
    whole = Observation(hashlib.sha256(json.dumps(versions, sort_keys=True).encode()).hexdigest())
    return _told(whole, {VERSIONS: dg.MetadataValue.json(versions), "archives": table_of(table)})


@dg.observable_source_asset(
    name=CAMARA_DATA,
    group_name="official",
    description="The Câmara's open data: the yearly files by their hash; the API does not tell whether anything changed.",
    metadata=_published_at(CHAMBER, BILL_FIELDS),
)
def camara_open_data(sources: SourcesResource) -> dg.ObserveResult:
    context = sources.context()
    return _told(observe_camara(context, context.settings.reference_date))


observe_sources = dg.define_asset_job(
    "observe_sources",
    selection=dg.AssetSelection.assets(CANDIDATE_FILES, PLAN_ARCHIVES, CAMARA_DATA),
    description="Ask each official source whether it changed; downloads what did.",
)


def _plans(context: Any, uf: str) -> Observation:
    try:
        return observe_plans(context, uf)
    except SourceContractError as error:  # one archive costs itself only: its stage tells more
        return Observation(UNREAD, {"notes": str(error)})


def _told(observed: Observation, more: Mapping[str, Any] | None = None) -> dg.ObserveResult:
    return dg.ObserveResult(
        data_version=dg.DataVersion(observed.version), metadata={**finite(dict(observed.facts)), **(more or {})}
    )

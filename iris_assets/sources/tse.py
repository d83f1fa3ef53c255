"""The electoral court's open data: choosing resources in its catalogue and fetching their archives."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import SourceContractError, SourceUnavailableError
from iris_assets.settings import Settings
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import check_archive
from iris_assets.sources.http import HttpClient

CANDIDATES: Final = "candidatos"
PROPOSALS: Final = "- proposta de governo"
Resource = dict[str, Any]


class TseSource:
    """Finds and downloads the archives of one dataset; the catalogue is asked anew for each archive."""

    def __init__(self, client: HttpClient, settings: Settings, downloads: Path) -> None:
        self._client = client
        self._settings = settings
        self._downloads = downloads

    def candidates_archive(self) -> Archive:
        """The candidates archive: exactly one active CSV resource named "candidatos".

        Raises SourceContractError RESOURCE_MISSING, RESOURCE_AMBIGUOUS, RESOURCE_NOT_PUBLISHED, CATALOGUE_INVALID
        or an ARCHIVE_… code; SourceUnavailableError SOURCE_FORBIDDEN when the catalogue refuses us.
        """
        resources = self.resources()
        found = [r for r in resources if _name(r).casefold() == CANDIDATES and _is_active(r, "CSV")]
        if not found:
            raise self._selection_error("RESOURCE_MISSING", "no active CSV resource named “Candidatos”", resources)
        return self._fetch(self._only(found), "candidates")

    def proposal_archive(self, uf: str) -> Archive | None:
        """The government plans of one UF (or BR); None when the catalogue lists none.

        Listed but 404 at the host: SourceContractError RESOURCE_NOT_PUBLISHED.
        """
        found = [r for r in self.resources() if _is_proposal(r, uf) and _is_active(r, "PDF")]
        return self._fetch(self._only(found), uf) if found else None

    def resources(self) -> list[Resource]:
        """The dataset's resources as the catalogue lists them (any state)."""
        dataset = self._settings.dataset_id
        try:
            answer = self._client.get_json(f"{self._settings.tse_ckan_base_url}/package_show", {"id": dataset}).data
        except SourceUnavailableError as error:
            if error.code != "SOURCE_FORBIDDEN":
                raise
            raise SourceUnavailableError(
                "SOURCE_FORBIDDEN",
                "catalogue not available: it answers 403",
                hint="try again later",
                details=error.details,
            ) from error
        except SourceContractError as error:
            if error.code != "SOURCE_NOT_FOUND":
                raise
            raise SourceContractError(
                "DATASET_NOT_FOUND", f"the catalogue has no dataset {dataset}", hint="check TSE_DATASET_ID and the year"
            ) from error
        return _resources_of(answer, dataset)

    def _only(self, found: list[Resource]) -> Resource:
        if len(found) > 1:
            raise self._selection_error(
                "RESOURCE_AMBIGUOUS", f"{len(found)} active resources match, one was expected", found
            )
        return found[0]

    def _selection_error(self, code: str, problem: str, resources: list[Resource]) -> SourceContractError:
        listed = "; ".join(_describe(resource) for resource in resources[:20]) or "nothing"
        more = f"; and {len(resources) - 20} more" if len(resources) > 20 else ""
        return SourceContractError(
            code,
            f"dataset {self._settings.dataset_id}: {problem}; found: {listed}{more}",
            hint="the catalogue changed; look at it",
        )

    def _fetch(self, resource: Resource, label: str) -> Archive:
        url = str(resource.get("url") or "")
        try:
            download = self._client.download(url, self._downloads, check=_accept)
        except SourceContractError as error:
            if error.code != "SOURCE_NOT_FOUND":
                raise
            raise SourceContractError(
                "RESOURCE_NOT_PUBLISHED",
                f"{_name(resource)}: the catalogue lists it, the host does not have it (404)",
                hint="it is taken up when the court publishes it",
            ) from error
        return Archive(
            path=download.path,
            sha256=download.sha256,
            url=url,
            resource_id=str(resource.get("id") or ""),
            label=label,
            not_modified=download.not_modified,
            collected_at=download.collected_at,
            notes=download.notes,
        )


_accept: Callable[[Path], None] = check_archive


def _resources_of(answer: dict[str, Any], dataset: str) -> list[Resource]:
    result = answer.get("result")
    if answer.get("success") is not True or not isinstance(result, dict) or result.get("name") != dataset:
        raise SourceContractError(
            "CATALOGUE_INVALID",
            f"the catalogue's answer is not the dataset {dataset}",
            hint="the catalogue changed; look at it",
        )
    resources = result.get("resources")
    if not isinstance(resources, list):
        raise SourceContractError(
            "CATALOGUE_INVALID", f"dataset {dataset} has no list of resources", hint="the catalogue changed"
        )
    return [resource for resource in resources if isinstance(resource, dict)]


def _name(resource: Resource) -> str:
    return str(resource.get("name") or "").strip()


def _is_active(resource: Resource, form: str) -> bool:
    return str(resource.get("format") or "").strip().upper() == form and resource.get("state") == "active"


def _is_proposal(resource: Resource, uf: str) -> bool:
    name = _name(resource)
    unit, separator, _ = name.partition(" - ")
    return bool(separator) and unit.strip().upper() == uf and name.casefold().endswith(PROPOSALS)


def _describe(resource: Resource) -> str:
    return ascii(f"{_name(resource)} [{resource.get('format')}, {resource.get('state')}]")[1:-1][:120]

"""What every stage needs: store, settings, the way to the official hosts, caches shared by all partitions."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from iris_assets.ingest.reporting import Progress, StageReport
from iris_assets.llm.embeddings import EmbeddingClient
from iris_assets.settings import Settings
from iris_assets.sources.http import HttpClient
from iris_assets.sources.tse import TseSource
from iris_assets.store import Store


def _silent(what: str, done: int, total: int | None) -> None:
    return None


@dataclass(slots=True)
class IngestContext:
    """Built once per process and handed to each stage function.

    `embedder` is None when no key and no endpoint is configured. `caches` holds what one run learns once for all
    partitions (the deputies, the opened archives); it is never written to disk.
    """

    store: Store
    settings: Settings
    http: HttpClient
    embedder: EmbeddingClient | None = None
    progress: Progress = _silent
    caches: dict[str, Any] = field(default_factory=dict)
    reports: list[StageReport] = field(default_factory=list)  # of this process, in order

    @property
    def downloads(self) -> Path:
        return self.settings.iris_assets_data / "downloads"

    def of_election(self, year: int | None) -> "IngestContext":
        """This context for another election than that of the settings, with what is learned for it alone.

        None is the election of the settings. TSE_DATASET_ID names the data set of that one only.
        """
        if year is None or year == self.settings.ingest_election_year:
            return self
        settings = self.settings.model_copy(update={"ingest_election_year": year, "tse_dataset_id": ""})
        context: IngestContext = self.cached(f"election:{year}", lambda: replace(self, settings=settings, caches={}))
        return context

    def tse(self) -> TseSource:
        """The court's open data, its catalogue asked once per process."""
        source: TseSource = self.cached("tse", lambda: TseSource(self.http, self.settings, self.downloads))
        return source

    def cached(self, key: str, make: Callable[[], Any]) -> Any:
        """The value remembered under `key`, made at the first call."""
        if key not in self.caches:
            self.caches[key] = make()
        return self.caches[key]

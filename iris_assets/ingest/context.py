"""What every stage needs: store, settings, the way to the official hosts, caches shared by all partitions."""

from collections.abc import Callable
from dataclasses import dataclass, field
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

    def tse(self) -> TseSource:
        """The court's open data, its catalogue asked once per process."""
        source: TseSource = self.cached("tse", lambda: TseSource(self.http, self.settings, self.downloads))
        return source

    def cached(self, key: str, make: Callable[[], Any]) -> Any:
        """The value remembered under `key`, made at the first call."""
        if key not in self.caches:
            self.caches[key] = make()
        return self.caches[key]

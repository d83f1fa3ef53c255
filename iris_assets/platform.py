"""The composition root: from settings to the store, the official hosts, the models' endpoints, search and answers.

Dagster, the command line, the page and the evaluation get their parts here; no other module decides how they are built.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from iris_assets import logs
from iris_assets.settings import Settings

if TYPE_CHECKING:  # each part is imported when first asked for: a command pays for what it uses
    from iris_assets.answers.service import AnswerService
    from iris_assets.documents.plan_files import PagePictures
    from iris_assets.ingest.context import IngestContext
    from iris_assets.llm.chat import ChatClient
    from iris_assets.llm.embeddings import EmbeddingClient
    from iris_assets.retrieval.service import RetrievalService
    from iris_assets.sources.http import HttpClient
    from iris_assets.store import Store

Part = TypeVar("Part")


class Platform:
    """The parts of one configuration, each made when first asked for and shared by all threads.

    `given` parts (store, http, embedder, chat, analyze, …, by name) stand in place of those that the settings describe.
    """

    def __init__(self, settings: Settings, **given: Any) -> None:
        self.settings = settings
        self._parts: dict[str, Any] = dict(given)
        self._lock = threading.RLock()

    @property
    def store(self) -> "Store":
        from iris_assets.store import open_store

        return self._part("store", lambda: open_store(self.settings.store_url))

    @property
    def http(self) -> "HttpClient":
        """The client of the official hosts; with IRIS_ASSETS_REPLAY its transport is the simulator of that folder."""
        return self._part("http", lambda: _http(self.settings))

    @property
    def embedder(self) -> "EmbeddingClient | None":
        """The embedding endpoint, or None when neither a key nor an own endpoint is configured."""
        from iris_assets.llm.embeddings import embedding_client

        return self._part("embedder", lambda: embedding_client(self.settings))

    @property
    def chat(self) -> "ChatClient | None":
        """The model that writes answers, or None without key and endpoint."""
        from iris_assets.llm.chat import ChatClient

        return self._part("chat", lambda: ChatClient.from_settings(self.settings))

    @property
    def ingest(self) -> "IngestContext":
        """What a stage function takes; its call limits and caches span all partitions."""
        from iris_assets.ingest.context import IngestContext

        return self._part("ingest", lambda: IngestContext(self.store, self.settings, self.http, self.embedder))

    @property
    def retrieval(self) -> "RetrievalService":
        from iris_assets.indexing.analyzer import analyze_query
        from iris_assets.retrieval.service import RetrievalService

        analyze = self._part("analyze", lambda: analyze_query)
        reader = self.chat if self.settings.llm_read else None
        return self._part(
            "retrieval",
            lambda: RetrievalService(self.store, self.settings, self.embedder, second_reader=reader, analyze=analyze),
        )

    @property
    def answers(self) -> "AnswerService":
        from iris_assets.answers.service import AnswerService

        return self._part("answers", lambda: AnswerService(self.store, self.settings, self.retrieval, self.chat))

    @property
    def pictures(self) -> "PagePictures":
        """What renders the pages of plans."""
        from iris_assets.documents import ExtractionLimits
        from iris_assets.documents.plan_files import PagePictures
        from iris_assets.documents.recognised import RECOGNISED

        data, limits = self.settings.iris_assets_data, ExtractionLimits(seconds=20)
        return self._part("pictures", lambda: PagePictures(data / "pictures", limits, data / RECOGNISED))

    def plan_file(self, document_hash: str, url: str, member: str | None) -> bytes | None:
        """The PDF of a plan: the file that was kept, else `member` of the archive of `url`; None without either."""
        from iris_assets.documents import PlanFiles
        from iris_assets.sources.proposals import kept_plan

        files = PlanFiles(self.settings.iris_assets_data / "plans")
        data = files.read(document_hash)
        if data is None and member is not None:
            data = kept_plan(self.settings.iris_assets_data / "downloads", url, member, document_hash)
        return data

    def close(self) -> None:
        """Close the store and the connections to the hosts, where they were opened or given, and end the worker."""
        with self._lock:
            for name in ("pictures", "http", "store"):
                if name in self._parts:
                    self._parts.pop(name).close()
            self._parts.clear()

    def _part(self, name: str, make: Callable[[], Part]) -> Part:
        with self._lock:
            if name not in self._parts:
                self._parts[name] = make()
            part: Part = self._parts[name]
            return part


@contextmanager
def open_platform(settings: Settings) -> Iterator[Platform]:
    """The platform of these settings with its store open, closed at the end. Raises StoreError."""
    platform = Platform(settings)
    try:
        platform.store  # noqa: B018 - a store that does not open is told before anything else happens
        yield platform
    finally:
        platform.close()


_lock = threading.Lock()
_of_process: dict[str, Platform] = {}


def process_platform(settings: Settings) -> Platform:
    """The platform of these settings, one per process, so that call limits and caches span all partitions and runs.

    Dagster takes the lines of the log into its own, as text; with LOG_FORMAT=json its processes write them as JSON too.
    """
    if settings.log_format == "json":
        logs.set_up({"LOG_FORMAT": settings.log_format, "LOG_LEVEL": settings.log_level})
    key = _key(settings)
    with _lock:
        return _of_process.setdefault(key, Platform(settings))


def forget_process_platforms() -> None:
    """Close and drop every platform of this process (a new run must see the sources anew)."""
    with _lock:
        for platform in _of_process.values():
            platform.close()
        _of_process.clear()


def _http(settings: Settings) -> "HttpClient":
    from iris_assets.sources.http import HttpClient

    if settings.iris_assets_replay is None:
        return HttpClient(settings)
    from iris_assets.sample.simulator import replay_transport

    return HttpClient(settings, transport=replay_transport(settings.iris_assets_replay))


def _key(settings: Settings) -> str:
    # Secrets take part through their hash only: the key never leaves the process, but it might be printed.
    secrets = (settings.database_url, settings.iris_password, settings.llm_api_key, settings.embedding_api_key)
    return settings.model_dump_json() + str(hash(tuple(s.get_secret_value() if s else "" for s in secrets)))

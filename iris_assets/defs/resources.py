"""Resources: thin typed shells over the plain classes of the other rooms. Nothing is opened before a run needs it."""

from typing import TYPE_CHECKING, Any

import dagster as dg
from pydantic import Field

from iris_assets.ingest.context import IngestContext
from iris_assets.platform import Platform, process_platform
from iris_assets.settings import Settings, load_settings

if TYPE_CHECKING:
    from iris_assets.answers.service import AnswerService
    from iris_assets.retrieval.service import RetrievalService
    from iris_assets.store import Store


class SettingsResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The platform's settings: the environment of the run's process, then `overrides` (variable name → value)."""

    overrides: dict[str, str] = Field(default={}, description="Variables that win over the environment; never secrets.")

    def load(self) -> Settings:
        return load_settings(**{name.lower(): value for name, value in self.overrides.items()})


class StoreResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The store of the settings (a SQLite file or a server)."""

    settings: SettingsResource

    def open(self) -> "Store":
        return process_platform(self.settings.load()).store


class SourcesResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The official hosts, or the replay folder that stands in for them, with one call limit per process."""

    settings: SettingsResource

    def context(self) -> IngestContext:
        """What a stage function takes: store, hosts, embedder, shared caches."""
        return process_platform(self.settings.load()).ingest


class EmbedderResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The OpenAI-compatible embedding endpoint; without key and endpoint vectors stay pending."""

    settings: SettingsResource

    def context(self) -> IngestContext:
        return process_platform(self.settings.load()).ingest


class RetrievalResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Search and cited answers: the same service as behind the command line and the page."""

    settings: SettingsResource
    analyzer: bool = Field(
        default=True, description="False reads questions as bare words: an ablation that the evaluation must notice."
    )

    def platform(self) -> Platform:
        platform = process_platform(self.settings.load())
        if self.analyzer:
            return platform
        from iris_assets.indexing.analyzer import plain_words

        shared = {"store": platform.store, "embedder": platform.embedder, "chat": platform.chat}
        return Platform(platform.settings, **shared, analyze=plain_words)

    def retrieval(self) -> "RetrievalService":
        return self.platform().retrieval

    def answers(self) -> "AnswerService":
        return self.platform().answers

    def search(self, query: str, **arguments: Any) -> Any:
        """Ranked chunks for `query`; see RetrievalService.search."""
        return self.retrieval().search(query, **arguments)

    def ask(self, question: str, **arguments: Any) -> Any:
        """An answer with verified citations; see AnswerService.ask."""
        return self.answers().ask(question, **arguments)


def build_resources(overrides: dict[str, str] | None = None) -> dict[str, Any]:
    """The resources of the code location; `overrides` are variables that win over the environment.

    The launchpad may give others for one run (`resources.platform_settings.config.overrides`): all resources follow.
    """
    settings = SettingsResource.configure_at_launch(overrides=overrides or {})
    return {
        "platform_settings": settings,
        "store": StoreResource(settings=settings),
        "sources": SourcesResource(settings=settings),
        "embedder": EmbedderResource(settings=settings),
        "retrieval": RetrievalResource(settings=settings),
    }

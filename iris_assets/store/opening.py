"""From a URL to an open store: the one place that chooses an engine."""

from urllib.parse import urlsplit

from iris_assets.errors import ConfigurationError
from iris_assets.store.core import Store
from iris_assets.store.engine import StoreEngine

DEFAULT_SCHEMA = "IRISPolitical_Model"


def open_store(url: str, *, schema: str = DEFAULT_SCHEMA) -> Store:
    """Open the store behind `url` (`sqlite:///path`, `iris://user:password@host:port/NAMESPACE`).

    A SQLite file is created with its folder and migrated; an IRIS database must have been migrated
    (`iris-assets db upgrade`). Raises ConfigurationError DATABASE_URL_UNSUPPORTED or a StoreError.
    """
    engine = engine_for(url, schema=schema)
    engine.open()
    return Store(engine)


def engine_for(url: str, *, schema: str = DEFAULT_SCHEMA, dimension: int | None = None) -> StoreEngine:
    """The engine of a URL, not opened yet; `dimension` is what a migration gives IRIS's embedding column."""
    scheme = urlsplit(url).scheme.partition("+")[0]
    if scheme == "sqlite":
        from iris_assets.store.sqlite import SqliteEngine

        return SqliteEngine(url)
    if scheme == "iris":
        from iris_assets.store.iris import IrisEngine
        from iris_assets.store.iris_types import DEFAULT_DIMENSION

        return IrisEngine(url, schema=schema, dimension=dimension or DEFAULT_DIMENSION)
    raise ConfigurationError(
        "DATABASE_URL_UNSUPPORTED",
        f"no store for URLs that begin with {scheme or 'nothing'}:",
        hint="DATABASE_URL takes sqlite:///path or iris://user:password@host:port/NAMESPACE",
    )

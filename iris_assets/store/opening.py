"""From a URL to an open store."""

from iris_assets.store.core import Store
from iris_assets.store.engines import engine_for


def open_store(url: str) -> Store:
    """Open the store behind `url`.

    A file is created with its folder and migrated; a server's database must have been migrated
    (`iris-assets db upgrade`). Raises ConfigurationError DATABASE_URL_UNSUPPORTED or a StoreError.
    """
    engine = engine_for(url)
    engine.open()
    return Store(engine)

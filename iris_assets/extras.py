"""The extras of the package: what a base installation does not have, and what to say of it."""

from importlib.util import find_spec
from typing import Final

from iris_assets.errors import ConfigurationError

NEWS: Final = ("lxml", "markdown_it", "newspaper", "readability", "trafilatura")  # modules that read pages


def absent(modules: tuple[str, ...]) -> list[str]:
    """Those of the modules that are not installed."""
    return [name for name in modules if find_spec(name) is None]


def require_news() -> None:
    """Raises ConfigurationError NEWS_NOT_INSTALLED, which says what to install."""
    missing = absent(NEWS)
    if missing:
        raise ConfigurationError(
            "NEWS_NOT_INSTALLED",
            f"the libraries for news are not installed ({', '.join(missing)})",
            hint="pip install 'iris-assets[news]', or make install",
        )

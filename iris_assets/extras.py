"""The extras of the package: what a base installation does not have, and what to say of it."""

from importlib.util import find_spec
from typing import Final

from iris_assets.errors import ConfigurationError

NEWS: Final = ("lxml", "markdown_it", "newspaper", "readability", "trafilatura")  # modules that read pages
MCP: Final = ("mcp",)  # the Model Context Protocol
PARQUET: Final = ("pyarrow",)


def absent(modules: tuple[str, ...]) -> list[str]:
    """Those of the modules that are not installed."""
    return [name for name in modules if find_spec(name) is None]


def require_news() -> None:
    """Raises ConfigurationError NEWS_NOT_INSTALLED, which says what to install."""
    _require(NEWS, "NEWS_NOT_INSTALLED", "the libraries for news are", "news")


def require_mcp() -> None:
    """Raises ConfigurationError MCP_NOT_INSTALLED, which says what to install."""
    _require(MCP, "MCP_NOT_INSTALLED", "the library of the Model Context Protocol is", "mcp")


def require_parquet() -> None:
    """Raises ConfigurationError PARQUET_NOT_INSTALLED, which says what to install."""
    _require(PARQUET, "PARQUET_NOT_INSTALLED", "the library of Parquet is", "parquet")


def _require(modules: tuple[str, ...], code: str, what: str, extra: str) -> None:
    if missing := absent(modules):
        raise ConfigurationError(
            code,
            f"{what} not installed ({', '.join(missing)})",
            hint=f"pip install 'iris-assets[{extra}]', or make install",
        )

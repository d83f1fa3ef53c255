"""The engines by the scheme of their URLs. An engine is one folder and one entry here; nothing else names any of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from iris_assets.errors import ConfigurationError
from iris_assets.store.engine import StoreEngine

DEFAULT_DIMENSION: Final = 1536

# Scheme → the module whose ENTRY tells the rest; it is imported when a URL asks for it.
ENGINES: Final = {
    "sqlite": "iris_assets.store.sqlite.entry",
    "iris": "iris_assets.store.iris.entry",
    "postgresql": "iris_assets.store.postgres.entry",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of an engine before it is made.

    `make(url, dimension)` gives the engine, not opened yet; the dimension is that of the vectors, for an engine whose
    column keeps one alone. `problem(url)` is what is wrong with a URL, None when nothing is. `file(url)` is the
    file that opening would create; None for a server.
    """

    form: str
    make: Callable[[str, int], StoreEngine]
    problem: Callable[[URL], str | None]
    file: Callable[[URL], Path | None]


@cache
def entry_of(scheme: str) -> Entry:
    """The entry of an engine that ENGINES names."""
    module: Any = import_module(ENGINES[scheme])
    entry: Entry = module.ENTRY
    return entry


def engine_for(url: str, *, dimension: int = DEFAULT_DIMENSION) -> StoreEngine:
    """The engine of a URL, not opened yet; `dimension` is what a migration gives a column that keeps one alone.

    Raises ConfigurationError DATABASE_URL_INVALID or DATABASE_URL_UNSUPPORTED; neither repeats the URL.
    """
    return entry_of(parsed_url(url).get_backend_name()).make(url, dimension)


def require_store(url: str) -> None:
    """Raise ConfigurationError STORE_ABSENT for a file that is not there: to open it would create it.

    Whether a server is there shows when it is reached.
    """
    parsed = parsed_url(url)
    file = entry_of(parsed.get_backend_name()).file(parsed)
    if file is not None and not file.is_file():
        raise ConfigurationError(
            "STORE_ABSENT",
            f"there is no store in {file.parent}: {file.name} is missing",
            hint="check the folder or URL, or collect first with `iris-assets run`",
        )


def parsed_url(url: str) -> URL:
    """The parts of a store's URL, each of a kind that its engine can use.

    Raises ConfigurationError DATABASE_URL_INVALID or DATABASE_URL_UNSUPPORTED; a URL may hold a password and is never
    repeated.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        _refuse("it cannot be taken apart: is the port a number, are `@`, `/`, `:` and `%` of the password escaped?")
    if parsed.get_backend_name() not in ENGINES:
        raise ConfigurationError(
            "DATABASE_URL_UNSUPPORTED",
            f"no store for URLs that begin with {parsed.drivername}:",
            hint=f"DATABASE_URL takes {_forms()}",
        )
    problem = entry_of(parsed.get_backend_name()).problem(parsed)
    if problem:
        _refuse(problem)
    return parsed


def server_problem(url: URL, place: str) -> str | None:
    """What is wrong with the host, port or database of a server's URL; `place` is what the engine calls a database."""
    if not url.host or any(character.isspace() or character == "@" for character in url.host):
        return "it names no host (an `@` of the password is written %40)"
    if url.port is not None and not 1 <= url.port <= 65535:
        return f"{url.port} is no port"
    return f"it names no {place}" if not url.database or "/" in url.database else None


def _refuse(problem: str) -> NoReturn:
    raise ConfigurationError("DATABASE_URL_INVALID", f"the store's URL: {problem}", hint=f"write {_forms()}") from None


def _forms() -> str:
    return " or ".join(entry_of(scheme).form for scheme in ENGINES)

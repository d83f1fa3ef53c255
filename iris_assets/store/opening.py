"""From a URL to an open store: the one place that chooses an engine."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from iris_assets.errors import ConfigurationError
from iris_assets.store.core import Store
from iris_assets.store.engine import StoreEngine

DEFAULT_SCHEMA: Final = "IRISPolitical_Model"
FORMS: Final = "sqlite:///path or iris://user:password@host:port/NAMESPACE"


def open_store(url: str, *, schema: str = DEFAULT_SCHEMA) -> Store:
    """Open the store behind `url` (`sqlite:///path`, `iris://user:password@host:port/NAMESPACE`).

    A SQLite file is created with its folder and migrated; an IRIS database must have been migrated
    (`iris-assets db upgrade`). Raises ConfigurationError DATABASE_URL_UNSUPPORTED or a StoreError.
    """
    engine = engine_for(url, schema=schema)
    engine.open()
    return Store(engine)


def engine_for(url: str, *, schema: str = DEFAULT_SCHEMA, dimension: int | None = None) -> StoreEngine:
    """The engine of a URL, not opened yet; `dimension` is what a migration gives IRIS's embedding column.

    Raises ConfigurationError DATABASE_URL_INVALID or DATABASE_URL_UNSUPPORTED; neither repeats the URL.
    """
    if parsed_url(url).get_backend_name() == "sqlite":
        from iris_assets.store.sqlite.engine import SqliteEngine

        return SqliteEngine(url)
    from iris_assets.store.iris.engine import IrisEngine
    from iris_assets.store.iris.types import DEFAULT_DIMENSION

    return IrisEngine(url, schema=schema, dimension=dimension or DEFAULT_DIMENSION)


def require_store(url: str) -> None:
    """Raise ConfigurationError STORE_ABSENT for a SQLite file that is not there: to open it would create it.

    Whether a server is there shows when it is reached.
    """
    parsed = parsed_url(url)
    file = Path(str(parsed.database))
    if parsed.get_backend_name() == "sqlite" and not file.is_file():
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
    if parsed.get_backend_name() not in _PROBLEMS:
        raise ConfigurationError(
            "DATABASE_URL_UNSUPPORTED",
            f"no store for URLs that begin with {parsed.drivername}:",
            hint=f"DATABASE_URL takes {FORMS}",
        )
    problem = _PROBLEMS[parsed.get_backend_name()](parsed)
    if problem:
        _refuse(problem)
    return parsed


def _sqlite_problem(url: URL) -> str | None:
    if url.host or not url.database or url.database == ":memory:" or "\0" in url.database:
        return "the store needs a file: sqlite:///path/to/file.sqlite3 (three strokes, a fourth for an absolute path)"
    if url.query:
        return "a file takes no options: a `?` that belongs to the path is written %3F"
    return None


def _iris_problem(url: URL) -> str | None:
    if not url.host or re.search(r"[\s@]", url.host):
        return "it names no host (an `@` of the password is written %40)"
    if url.port is not None and not 1 <= url.port <= 65535:
        return f"{url.port} is no port"
    if not url.database or "/" in url.database:
        return "it names no namespace"
    return "IRIS takes no options there" if url.query else None


_PROBLEMS: Final[dict[str, Callable[[URL], str | None]]] = {"sqlite": _sqlite_problem, "iris": _iris_problem}


def _refuse(problem: str) -> NoReturn:
    raise ConfigurationError("DATABASE_URL_INVALID", f"the store's URL: {problem}", hint=f"write {FORMS}") from None

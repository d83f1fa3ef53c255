"""What the registry of engines knows of SQLite."""

from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL

from iris_assets.store.engines import Entry
from iris_assets.store.sqlite.engine import SqliteEngine


def _make(url: str, dimension: int) -> SqliteEngine:
    return SqliteEngine(url)


def _problem(url: URL) -> str | None:
    if url.host or not url.database or url.database == ":memory:" or "\0" in url.database:
        return "the store needs a file: sqlite:///path/to/file.sqlite3 (three strokes, a fourth for an absolute path)"
    if url.query:
        return "a file takes no options: a `?` that belongs to the path is written %3F"
    return None


def _file(url: URL) -> Path:
    return Path(str(url.database))


ENTRY: Final = Entry("sqlite:///path", _make, _problem, _file)

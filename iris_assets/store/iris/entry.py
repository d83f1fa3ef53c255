"""What the registry of engines knows of IRIS."""

from typing import Final

from sqlalchemy.engine import URL

from iris_assets.store.engines import Entry, server_problem
from iris_assets.store.iris.engine import IrisEngine


def _make(url: str, *, schema: str, dimension: int) -> IrisEngine:
    return IrisEngine(url, schema=schema, dimension=dimension)


def _problem(url: URL) -> str | None:
    return server_problem(url, "namespace") or ("IRIS takes no options there" if url.query else None)


def _file(url: URL) -> None:
    return None


ENTRY: Final = Entry("iris://user:password@host:port/NAMESPACE", _make, _problem, _file)

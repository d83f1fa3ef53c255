"""What the registry of engines knows of IRIS."""

from typing import Final

from sqlalchemy.engine import URL, make_url

from iris_assets.store.engines import Entry, server_problem
from iris_assets.store.iris.engine import DEFAULT_SCHEMA, IrisEngine

SCHEMA: Final = "schema"


def _make(url: str, dimension: int) -> IrisEngine:
    parsed = make_url(url)
    schema = str(parsed.query.get(SCHEMA, DEFAULT_SCHEMA))
    plain = parsed.set(query={}).render_as_string(hide_password=False)
    return IrisEngine(plain, schema=schema, dimension=dimension)


def _problem(url: URL) -> str | None:
    return server_problem(url, "namespace") or (
        f"IRIS takes no option there but {SCHEMA}" if url.query.keys() - {SCHEMA} else None
    )


def _file(url: URL) -> None:
    return None


ENTRY: Final = Entry("iris://user:password@host:port/NAMESPACE[?schema=NAME]", _make, _problem, _file)

"""What the registry of engines knows of PostgreSQL."""

from typing import Final

from sqlalchemy.engine import URL, make_url

from iris_assets.store.engines import Entry, server_problem
from iris_assets.store.postgres.engine import PostgresEngine

DRIVER: Final = "postgresql+psycopg"
# Of libpq's options those that say where the server is and how its link is secured; the rest is ours to decide.
OPTIONS: Final = frozenset({"host", "sslmode", "sslrootcert", "sslcert", "sslkey"})


def _make(url: str, dimension: int) -> PostgresEngine:
    return PostgresEngine(make_url(url).set(drivername=DRIVER))


def _problem(url: URL) -> str | None:
    if url.drivername not in {"postgresql", DRIVER}:
        return f"{url.drivername} is served by psycopg alone: {DRIVER}:"
    unknown = ", ".join(sorted(url.query.keys() - OPTIONS))
    if unknown:
        return f"PostgreSQL takes no option {unknown} there: {', '.join(sorted(OPTIONS))}"
    socket = str(url.query.get("host", ""))
    return server_problem(url if url.host or not socket.startswith("/") else url.set(host="localhost"), "database")


def _file(url: URL) -> None:
    return None


ENTRY: Final = Entry("postgresql+psycopg://user:password@host:port/database", _make, _problem, _file)

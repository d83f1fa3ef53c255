"""A DB-API under the real dialect of IRIS that writes down what is sent: statements, parameters, commits, links.

It is no emulator and proves nothing about the server. So that a flow can go on, a SQLite file behind it answers the
statements after a few mechanical replacements; what SQLite has no word for (full text, vectors) is answered by
scripted rows. A statement that breaks a rule of sql_lint, binds an empty text or a value of another type than the
driver knows fails whatever test sent it.
"""

import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import UniqueConstraint, create_engine

from iris_assets.store.migrations import HEAD
from iris_assets.store.tables.schema import metadata
from iris_assets_tests.store.sql_lint import findings

SCHEMA = "IRISPolitical_Model"
# What the dialect asks and sets at a connection of its own accord.
AT_CONNECT = (("Util_GetOption", [(1,)]), ("SET TRANSACTION ISOLATION LEVEL", []))


class Error(Exception):
    """Base of the recorder's errors, by the names of PEP 249."""


class InterfaceError(Error):
    pass


class DatabaseError(Error):
    pass


class OperationalError(DatabaseError):
    pass


class IntegrityError(DatabaseError):
    pass


class DataError(DatabaseError):
    pass


class InternalError(DatabaseError):
    pass


class ProgrammingError(DatabaseError):
    pass


class NotSupportedError(DatabaseError):
    pass


@dataclass(frozen=True)
class Event:
    """Something that was sent: execute, executemany (one parameter list per row), commit, rollback, connect, close."""

    kind: str
    statement: str = ""
    parameters: tuple[Any, ...] = ()


@dataclass
class Recorder:
    """The module that SQLAlchemy takes for the driver (`iris.dbapi`)."""

    file: Path
    events: list[Event] = field(default_factory=list)
    failures: list[tuple[str, Exception]] = field(default_factory=list)  # (words of a statement or "connect", error)
    scripted: list[tuple[str, list[tuple[Any, ...]]]] = field(default_factory=list)  # words of a statement, its rows
    apilevel: str = "2.0"
    threadsafety: int = 1
    paramstyle: str = "qmark"
    Error: type = Error
    InterfaceError: type = InterfaceError
    DatabaseError: type = DatabaseError
    OperationalError: type = OperationalError
    IntegrityError: type = IntegrityError
    DataError: type = DataError
    InternalError: type = InternalError
    ProgrammingError: type = ProgrammingError
    NotSupportedError: type = NotSupportedError

    def __post_init__(self) -> None:
        engine = create_engine(f"sqlite:///{self.file}")
        metadata.create_all(engine)
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32))")
            connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{HEAD}')")
        engine.dispose()

    def connect(self, **arguments: Any) -> "Connection":
        self.events.append(Event("connect", parameters=tuple(sorted(set(arguments) - {"password"}))))
        self.fail_if_scripted("connect")
        return Connection(self)

    def fail_if_scripted(self, statement: str) -> None:
        for number, (words, error) in enumerate(self.failures):
            if words in statement:
                del self.failures[number]
                raise error

    def rows_for(self, statement: str) -> list[tuple[Any, ...]] | None:
        """The scripted answer to a statement, None when the file answers."""
        known = (*self.scripted, *AT_CONNECT)
        return next((list(rows) for words, rows in known if words in statement), None)

    def statements(self) -> list[Event]:
        return [event for event in self.events if event.statement]


class Connection:
    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.sqlite = sqlite3.connect(recorder.file, check_same_thread=False)
        self.sqlite.execute("PRAGMA foreign_keys = ON")

    def cursor(self) -> "Cursor":
        return Cursor(self)

    def commit(self) -> None:
        self.recorder.events.append(Event("commit"))
        self.recorder.fail_if_scripted("COMMIT refused")
        self.sqlite.commit()
        self.recorder.fail_if_scripted("COMMIT after the server stored it")

    def rollback(self) -> None:
        self.recorder.events.append(Event("rollback"))
        self.sqlite.rollback()

    def close(self) -> None:
        self.recorder.events.append(Event("close"))
        self.sqlite.close()

    def setAutoCommit(self, _value: bool) -> None:
        pass


class Cursor:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.cursor = connection.sqlite.cursor()
        self.rows: list[tuple[Any, ...]] | None = None
        self.statement = ""
        self.arraysize = 1
        self.lastrowid = None

    @property
    def description(self) -> Any:
        if self.rows is None:
            return self.cursor.description
        width = len(self.rows[0]) if self.rows else int(self.statement.startswith("SELECT"))
        return [(f"c{n}",) + (None,) * 6 for n in range(width)] or None

    @property
    def rowcount(self) -> int:
        if self.statement.startswith("UPDATE") and "alembic_version" in self.statement:
            return 1  # the server keeps one row there, which a scripted answer does not
        return self.cursor.rowcount

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Any:
        self._send("execute", statement, tuple(parameters))
        self.statement = statement
        self.rows = self.connection.recorder.rows_for(statement)
        if self.rows is None:
            self._run(self.cursor.execute, statement, list(parameters))
        return 0

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        self._send("executemany", statement, tuple(tuple(row) for row in rows))
        self._run(self.cursor.executemany, statement, [list(row) for row in rows])

    def _send(self, kind: str, statement: str, parameters: tuple[Any, ...]) -> None:
        self.connection.recorder.events.append(Event(kind, " ".join(statement.split()), parameters))
        rows = parameters if kind == "executemany" else (parameters,)
        broken = [*findings(statement, max(map(len, rows), default=0), len(rows)), *_wrong_values(rows)]
        assert not broken, f"{broken}: {statement[:500]}"
        self.connection.recorder.fail_if_scripted(statement)

    def _run(self, run: Callable[[str, list[Any]], Any], statement: str, values: list[Any]) -> None:
        try:
            run(*for_sqlite(statement, values))
        except sqlite3.IntegrityError as error:
            raise IntegrityError(f"[SQLCODE: <-119>:<{error}>]") from error
        except sqlite3.Error as error:
            raise ProgrammingError(f"[SQLCODE: <-1>:<{error}>] {statement}") from error

    def fetchone(self) -> Any:
        return (self.rows.pop(0) if self.rows else None) if self.rows is not None else self.cursor.fetchone()

    def fetchall(self) -> Any:
        return list(self.rows) if self.rows is not None else self.cursor.fetchall()

    def fetchmany(self, size: int = 1) -> Any:
        return self.cursor.fetchmany(size)

    def close(self) -> None:
        self.cursor.close()

    def __enter__(self) -> "Cursor":
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def setinputsizes(self, *_arguments: Any) -> None:
        pass


def _wrong_values(rows: Sequence[Sequence[Any]]) -> list[str]:
    """An empty text would be no NULL on the server; the driver's binding of other types was never tried."""
    kinds = {type(value).__name__ for row in rows for value in row} - {"str", "int", "float", "bool", "NoneType"}
    return ["an empty text"] * any(value == "" for row in rows for value in row) + sorted(kinds)


def for_sqlite(statement: str, values: list[Any]) -> tuple[str, list[Any]]:
    """The few mechanical replacements that let SQLite answer: schema, TOP, INSERT OR UPDATE, TO_VECTOR."""
    sql = statement.replace(f"{SCHEMA}.", "").replace("TO_VECTOR(?, DOUBLE)", "?").replace("VECTOR(DOUBLE, ", "BLOB(")
    if "SELECT TOP ?" in sql:
        sql = sql.replace("SELECT TOP ?", "SELECT", 1) + " LIMIT ?"
        values = [*values[1:], values[0]]
    update = re.match(r'INSERT OR UPDATE INTO "(\w+)" \((.*?)\)', sql)
    if update:
        names = re.findall(r'"(\w+)"', update.group(2))
        key = _natural_key(update.group(1))
        changes = ", ".join(f'"{name}" = excluded."{name}"' for name in names if name not in key)
        target = ", ".join(f'"{name}"' for name in key)
        sql = sql.replace("INSERT OR UPDATE", "INSERT", 1) + f" ON CONFLICT ({target}) DO UPDATE SET {changes}"
    return sql, values


def _natural_key(table_name: str) -> list[str]:
    table = next(table for table in metadata.tables.values() if table.name == table_name)
    unique = next(item for item in table.constraints if isinstance(item, UniqueConstraint))
    return [column.name for column in unique.columns]

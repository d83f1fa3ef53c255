"""The server's plan of the very statements that the store sends."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, event


def sent_by(call: Callable[[], object]) -> list[tuple[str, Sequence[Any]]]:
    """Statements with their parameters, as they leave SQLAlchemy while `call` runs."""
    sent: list[tuple[str, Sequence[Any]]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        sent.append((statement, tuple(parameters)))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        call()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return sent


def explain(statement: str, parameters: Sequence[Any]) -> str:
    """EXPLAIN of a sent statement; it takes no parameters, and the server makes parameters of literals again."""
    values = iter(parameters)
    return "EXPLAIN " + re.sub(r"\?", lambda _: _literal(next(values)), statement)


def plan_of(connection: Connection, statement: str, parameters: Sequence[Any]) -> str:
    """What the server would do."""
    return str(connection.exec_driver_sql(explain(statement, parameters)).scalar_one())


def _literal(value: Any) -> str:
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"

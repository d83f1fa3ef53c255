"""A recorder that answers INFORMATION_SCHEMA from the DDL that it took, also where the answer to that DDL was lost."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from iris_assets_tests.store.recorder import Connection, Cursor, Event, OperationalError, Recorder

LOST = OperationalError("<COMMUNICATION LINK ERROR> gone")
MADE = (
    ("TABLES", r'^CREATE TABLE (?:\w+\.)?"?(\w+)', True),
    ("COLUMNS", r'^CREATE TABLE \S+"PoliticalChunk"[\s\S]*"(Embedding)"', True),
    ("COLUMNS", r'ADD COLUMN "(\w+)"', True),
    ("COLUMNS", r'DROP COLUMN "(\w+)"', False),
    ("INDEXES", r'^CREATE INDEX "?(\w+)', True),
    ("INDEXES", r"^DROP INDEX (\w+)", False),
)


@dataclass
class Catalogue(Recorder):
    """`names` are what the server has; a statement with the words of `lost` is done, and its answer never arrives."""

    names: set[tuple[str, str]] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)

    def connect(self, **arguments: Any) -> "CatalogueConnection":
        super().connect(**arguments).sqlite.close()
        return CatalogueConnection(self)

    def take(self, statement: str) -> None:
        """Note what a statement makes or drops."""
        for view, pattern, made in MADE:
            for name in re.findall(pattern, statement.strip()):
                (self.names.add if made else self.names.discard)((view, name))

    def lose(self, statement: str) -> None:
        """The link breaks after the statement was done."""
        for words in self.lost:
            if words in statement:
                self.lost.remove(words)
                raise LOST


class CatalogueConnection(Connection):
    def cursor(self) -> "CatalogueCursor":
        return CatalogueCursor(self)


class CatalogueCursor(Cursor):
    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Any:
        server = self.connection.recorder
        assert isinstance(server, Catalogue)
        view = re.search(r'FROM "?INFORMATION_SCHEMA"?\."?(\w+)', statement, re.IGNORECASE)
        if view is None:
            super().execute(statement, parameters)
            server.take(statement)
        else:
            # Not by the rules of our own statements: the dialect's questions are written as it writes them.
            server.events.append(Event("execute", " ".join(statement.split()), tuple(parameters)))
            self.statement = statement
            self.rows = [(int((view.group(1).upper(), parameters[-1]) in server.names),)]
        server.lose(statement)
        return 0

"""What an administrator can do to a schema of IRIS: migrate it, tend its vector column."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection

from iris_assets.store import migrations
from iris_assets.store.core import Store
from iris_assets.store.iris import changes, ddl
from iris_assets.store.iris.steps import IrisSteps
from iris_assets.store.iris.vectors import DIMENSION_NOTE


class Server(Protocol):
    """What is needed of the engine."""

    def writing(self) -> AbstractContextManager[Connection]: ...


class IrisAdministration:
    """One schema of a server; `dimension` is what a migration gives the embedding column."""

    def __init__(self, server: Server, schema: str, dimension: int) -> None:
        self._server, self._schema = server, schema
        self.steps = IrisSteps(dimension)

    def upgrade(self) -> None:
        """Run the migrations; the first notes the dimension of its embedding column."""
        with self._server.writing() as connection:
            migrations.upgrade(connection, self.steps, schema=self._schema)

    def ddl_after_load(self) -> Sequence[str]:
        """The vector index, which is built when the rows are there."""
        return (ddl.create_vector_index(self._schema),)

    def findings(self, store: Store) -> Iterator[str]:
        """A line when vectors of any length could get into the column."""
        if store.state.get(*DIMENSION_NOTE) is None:
            yield "the dimension of the embedding column is noted nowhere: iris-assets db set-dimension notes it"

    def set_dimension(self, store: Store, dimension: int) -> int:
        """Give the embedding column another dimension; returns how many chunks have to be embedded anew."""
        store.engine.open()  # a schema at head
        return changes.set_dimension(store, self._schema, dimension)

    def build_vector_index(self, store: Store) -> bool:
        """Build the HNSW index after a load; False when it was there already."""
        store.engine.open()
        return changes.build_vector_index(store, self._schema)

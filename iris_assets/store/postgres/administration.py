"""What an administrator can do to a database of PostgreSQL: migrate it, build its vector indexes."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from sqlalchemy import Connection

from iris_assets.store import migrations
from iris_assets.store.core import Store
from iris_assets.store.postgres.steps import PostgresSteps
from iris_assets.store.postgres.vectors import INDEXED_DIMENSIONS, PREFIX, has_index, index_name

# Memory for building an index: in less the graph of 100,000 vectors does not fit and is built many times slower.
BUILD_MEMORY: Final = "1GB"
INDEXED_FROM: Final = 10_000  # vectors of a stamp from which an index pays; `db index` builds it for fewer too
_STAMPS: Final = (
    'SELECT "EmbeddingModel", "EmbeddingDimension" FROM "PoliticalChunk" WHERE "Embedding" IS NOT NULL '
    "GROUP BY 1, 2 HAVING count(*) >= %s ORDER BY 1, 2"
)


class Server(Protocol):
    """What is needed of the engine."""

    def writing(self) -> AbstractContextManager[Connection]: ...

    def reading(self) -> AbstractContextManager[Connection]: ...

    def outside(self) -> AbstractContextManager[Connection]: ...

    def close(self) -> None: ...


class PostgresAdministration:
    """The database of one store."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.steps = PostgresSteps()

    def upgrade(self) -> None:
        """Run the migrations, in one transaction."""
        with self._server.writing() as connection:
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            migrations.upgrade(connection, self.steps)
        self._server.close()  # a connection learns of pgvector when it is made

    def ddl_after_load(self) -> Sequence[str]:
        """The vector index, which is built when the rows are there, for each stamp."""
        return (_create("MODEL", 1536),)

    def findings(self, store: Store) -> Iterator[str]:
        """A line for each vector index whose building broke off."""
        with self._server.reading() as connection:
            for name in _broken(connection):
                yield f"index {name} was not finished: iris-assets db index builds it anew"

    def set_dimension(self, store: Store, dimension: int) -> None:
        """Nothing to change: the column takes vectors of any dimension."""

    def build_vector_index(self, store: Store) -> bool:
        """Build the HNSW index of each stamp while others work; False when all were there already."""
        store.engine.open()
        return self._build(1)

    def tend(self) -> None:
        """Statistics for the planner; indexes for the stamps of many vectors."""
        self._build(INDEXED_FROM)

    def _build(self, least: int) -> bool:
        with self._server.reading() as connection:
            stamps = connection.exec_driver_sql(_STAMPS, (least,))
            wanted = [(row[0], row[1]) for row in stamps if row[1] <= INDEXED_DIMENSIONS]
            absent = [stamp for stamp in wanted if not has_index(connection, index_name(*stamp))]
            broken = list(_broken(connection))
        with self._server.outside() as connection:
            connection.exec_driver_sql(f"SET maintenance_work_mem = '{BUILD_MEMORY}'")
            for name in broken:
                connection.exec_driver_sql(f'DROP INDEX CONCURRENTLY "{name}"')
            for stamp in absent:
                connection.exec_driver_sql(_create(*stamp))
            connection.exec_driver_sql('ANALYZE "PoliticalChunk", "ChunkSearch", "SourceCandidate", "Candidate"')
        return bool(absent)


def _create(model: str, dimension: int) -> str:
    quoted = model.replace("'", "''").replace("%", "%%")
    return (
        f'CREATE INDEX CONCURRENTLY "{index_name(model, dimension)}" ON "PoliticalChunk" '
        f'USING hnsw (("Embedding"::halfvec({int(dimension)})) halfvec_cosine_ops) WITH (m = 16, ef_construction = 128) '
        f'WHERE "EmbeddingModel" = \'{quoted}\' AND "EmbeddingDimension" = {int(dimension)}'
    )


def _broken(connection: Connection) -> Iterator[str]:
    sql = (
        "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace AND relname LIKE %s"
    )
    yield from connection.exec_driver_sql(sql, (f"{PREFIX}%",)).scalars()

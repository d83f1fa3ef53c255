"""What an engine must know how to do: connections, transactions, the upsert seam, the search indexes, error names."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Connection, Dialect, Table
from sqlalchemy.exc import DBAPIError

from iris_assets.errors import StoreError
from iris_assets.store.migrations.steps import Steps
from iris_assets.store.search import Health, LexicalHit, LexicalQuery, PreparedText, SearchFilter, VectorHit
from iris_assets.store.tables.types import utc_now

if TYPE_CHECKING:
    from iris_assets.store.core import Store

Row = dict[str, Any]
RowMapping = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an engine takes at once: changed rows of one table in a transaction, values of an IN list, rows to insert."""

    transaction_rows: int
    listed: int
    piece: int = 500


@dataclass(frozen=True, slots=True)
class Tx:
    """One transaction. Opaque outside this room: it is only handed back to repository methods."""

    connection: Connection
    engine: "StoreEngine"
    now: datetime = field(default_factory=utc_now)


class Access(Protocol):
    """How repositories and searches reach the database; `snapshot` inside a `transaction` sees its writes."""

    def transaction(self, wait: float | None = None) -> AbstractContextManager[Tx]: ...

    def snapshot(self) -> AbstractContextManager[Tx]: ...


class Lexical(Protocol):
    """The full-text index of an engine."""

    def search(self, query: LexicalQuery) -> list[LexicalHit]: ...

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]: ...

    def size(self) -> int: ...

    def verify(self, *, deep: bool = False) -> Health: ...

    def rebuild(self) -> int: ...


class Vectors(Protocol):
    """Exact or approximate nearest neighbours over the stored vectors of one stamp."""

    def search(
        self, vector: Any, model: str, dimension: int, restriction: SearchFilter, limit: int
    ) -> list[VectorHit]: ...

    def has(self, model: str, dimension: int) -> bool: ...


class Administration(Protocol):
    """Schema and vector column of an engine, for those who run its database."""

    @property
    def steps(self) -> Steps:
        """What its migrations do beyond plain tables."""
        ...

    def upgrade(self) -> None:
        """Bring the schema to head."""
        ...

    def ddl_after_load(self) -> Sequence[str]:
        """Statements for after the load, beside what the migrations make."""
        ...

    def findings(self, store: "Store") -> Iterable[str]:
        """What is wrong with a schema at head that no list of its columns shows."""
        ...

    def set_dimension(self, store: "Store", dimension: int) -> int | None:
        """Give the vector column another dimension; how many chunks are pending then. None where every one fits."""
        ...

    def build_vector_index(self, store: "Store") -> bool | None:
        """Build the approximate vector index; whether it was built now. None where the search is exact."""
        ...


class StoreEngine(Protocol):
    """One database engine: a folder of its own implements it, and nothing else knows which one is in use."""

    name: str
    url_safe: str

    @property
    def limits(self) -> Limits:
        """How much it takes at once."""
        ...

    @property
    def sql_schema(self) -> str | None:
        """The SQL schema of the tables; None where there is none."""
        ...

    @property
    def administration(self) -> "Administration":
        """What an administrator can do to a database of this engine."""
        ...

    @property
    def dialect(self) -> Dialect:
        """SQLAlchemy's dialect, for statements that are printed instead of run."""
        ...

    def open(self) -> None:
        """Reach the database and bring its schema to head where that is ours to do."""
        ...

    def writing(self, wait: float | None = None) -> AbstractContextManager[Connection]:
        """A connection in one write transaction: committed at the end of the block, rolled back on any error.

        `wait` is how many seconds another writer is waited for, where the engine has one writer at a time.
        """
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection in one read transaction, which never sees what another one has not committed."""
        ...

    def translate(self, error: DBAPIError) -> StoreError:
        """What a driver's error means to a caller."""
        ...

    def insert(self, connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Row]) -> None:
        """Write rows that were absent a moment ago; a row that another process wrote meanwhile is overwritten."""
        ...

    def check_dimension(self, connection: Connection, dimension: int) -> None:
        """Raise StoreError VECTOR_DIMENSION when vectors of this length cannot be kept."""
        ...

    def index_chunk(
        self, connection: Connection, chunk_id: int, prepared: PreparedText, filter_tokens: Sequence[str]
    ) -> None:
        """Make a chunk findable by its words, in the chunk's own transaction."""
        ...

    def unindex_chunks(self, connection: Connection, chunk_ids: Sequence[int]) -> None: ...

    def refilter_chunk(self, connection: Connection, chunk_id: int, filter_tokens: Sequence[str]) -> None:
        """Replace what filters a chunk answers to, without touching its words."""
        ...

    def lexical(self, access: Access) -> Lexical: ...

    def vectors(self, access: Access) -> Vectors: ...

    def check_integrity(self) -> None:
        """Raise StoreError STORE_DAMAGED when the database says that it is not sound."""
        ...

    def optimise(self) -> None:
        """Let the engine refresh its statistics and fold its write-ahead log."""
        ...

    def has_vector_index(self) -> bool:
        """Whether an approximate vector index is there (and must go before its column changes)."""
        ...

    def backup(self, folder: Path) -> Path | None:
        """Put a consistent copy of the live database into `folder`; None where that is the server's own task."""
        ...

    def schema_version(self) -> str | None: ...

    def rest(self) -> None:
        """Nobody works with the store for now: give back what others may wait for."""
        ...

    def close(self) -> None: ...

"""Changes to a schema of IRIS that is in use. Each looks first at what is there: after a break the next call completes."""

from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, func, select, text, update

from iris_assets.store.core import Store
from iris_assets.store.iris import ddl
from iris_assets.store.iris.vectors import DIMENSION_NOTE
from iris_assets.store.tables.schema import political_chunk

_NAMES: Final = {"TABLES": "TABLE_NAME", "COLUMNS": "COLUMN_NAME", "INDEXES": "INDEX_NAME"}


def is_there(connection: Connection, view: str, schema: str, table: str, name: str) -> bool:
    """Whether the server knows a table (view TABLES; `name` is the table's), a column (COLUMNS) or an index (INDEXES)."""
    statement = text(
        f"SELECT COUNT(*) FROM INFORMATION_SCHEMA.{view} "
        f"WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = :table AND {_NAMES[view]} = :name"
    )
    return bool(connection.execute(statement, {"schema": schema, "table": table, "name": name}).scalar_one())


def set_dimension(store: Store, schema: str, dimension: int) -> int:
    """Give the embedding column another dimension; every vector goes. Returns how many chunks are pending now.

    The note comes first: from then on our writers refuse vectors of the old dimension. The stamps go before the
    column, so that no stamp is left without its vector, and once more after it, for what was written meanwhile.
    """
    _note_dimension(store, dimension)
    if store.engine.has_vector_index():
        _run(store, ddl.drop_vector_index(schema))
    _forget_stamps(store)
    with store.snapshot() as tx:
        old = is_there(tx.connection, "COLUMNS", schema, "PoliticalChunk", "Embedding")
    if old:
        _run(store, ddl.drop_embedding(schema))
    _run(store, ddl.add_embedding(schema, dimension))
    _forget_stamps(store, political_chunk.c.embedding.is_(None))
    with store.snapshot() as tx:
        return int(tx.connection.execute(select(func.count()).select_from(political_chunk)).scalar_one())


def _forget_stamps(store: Store, *conditions: ColumnElement[bool]) -> None:
    """The chunks become pending, a transaction at a time in the order of their ids; what was done before a break is passed over."""
    c = political_chunk.c
    stamped = and_(c.embedding_model.is_not(None), *conditions)
    last = 0
    while True:
        with store.transaction() as tx:
            part = select(c.id).where(stamped, c.id > last).order_by(c.id).limit(store.limits.transaction_rows)
            ids = tx.connection.execute(part).scalars().all()
            if not ids:
                return
            last = ids[-1]
            reset = update(political_chunk).where(c.id >= ids[0], c.id <= last, stamped)
            tx.connection.execute(reset.values(embedding_model=None, embedding_dimension=None))


def build_vector_index(store: Store, schema: str) -> bool:
    """Build the HNSW index unless it is there, on the connection of its own, and refresh the planner's statistics.

    Returns whether it was built now.
    """
    absent = not store.engine.has_vector_index()
    if absent:
        _run(store, ddl.create_vector_index(schema))
    _run(store, ddl.tune_table(schema))
    return absent


def _run(store: Store, statement: str) -> None:
    with store.schema_session() as connection:
        connection.exec_driver_sql(statement)


def _note_dimension(store: Store, dimension: int) -> None:
    stage, unit = DIMENSION_NOTE
    with store.transaction() as tx:
        store.state.put(tx, stage, unit, str(dimension))

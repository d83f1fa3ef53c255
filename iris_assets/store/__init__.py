"""The data layer: schema, migrations, repositories, and the engines behind one contract."""

from iris_assets.store.core import Store
from iris_assets.store.engine import Limits, Tx
from iris_assets.store.engines import require_store
from iris_assets.store.opening import open_store
from iris_assets.store.search import Health
from iris_assets.store.tables.candidates import CandidatePage
from iris_assets.store.tables.chunks import ReplaceResult
from iris_assets.store.tables.rows import Outcome, batches, in_units
from iris_assets.store.tables.runs import RunRow
from iris_assets.store.tables.state import State

__all__ = [
    "CandidatePage",
    "Health",
    "Limits",
    "Outcome",
    "ReplaceResult",
    "RunRow",
    "State",
    "Store",
    "Tx",
    "batches",
    "in_units",
    "open_store",
    "require_store",
]

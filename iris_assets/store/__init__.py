"""The data layer: schema, migrations, repositories, and the two engines behind one contract."""

from iris_assets.store.candidates import CandidatePage
from iris_assets.store.chunks import ReplaceResult
from iris_assets.store.core import Store
from iris_assets.store.engine import Tx
from iris_assets.store.opening import open_store
from iris_assets.store.rows import Outcome
from iris_assets.store.runs import RunRow
from iris_assets.store.search import Health
from iris_assets.store.state import State

__all__ = [
    "CandidatePage",
    "Health",
    "Outcome",
    "ReplaceResult",
    "RunRow",
    "State",
    "Store",
    "Tx",
    "open_store",
]

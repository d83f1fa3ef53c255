"""What an administrator can do to a SQLite store: little, since opening the file does what it needs."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from iris_assets.store.migrations.steps import Steps
from iris_assets.store.sqlite.steps import SqliteSteps

if TYPE_CHECKING:
    from iris_assets.store.core import Store


class SqliteAdministration:
    """A file holds vectors of several dimensions, searched exactly: there is nothing to build or to change."""

    def __init__(self, opened: Callable[[], None]) -> None:
        self._open = opened

    @property
    def steps(self) -> Steps:
        """The steps of its migrations."""
        return SqliteSteps()

    def upgrade(self) -> None:
        """Open the file, which migrates it."""
        self._open()

    def ddl_after_load(self) -> Sequence[str]:
        """Nothing."""
        return ()

    def findings(self, store: "Store") -> Sequence[str]:
        """Nothing beyond the columns."""
        return ()

    def set_dimension(self, store: "Store", dimension: int) -> None:
        """Nothing to change."""

    def build_vector_index(self, store: "Store") -> None:
        """Nothing to build."""

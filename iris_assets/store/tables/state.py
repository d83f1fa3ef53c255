"""What each stage consumed of each unit: equal keys mean that the work need not be done again."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete

from iris_assets.store.engine import Tx
from iris_assets.store.tables.rows import Outcome, Repository, fetch, fetch_in, fetch_one, select_rows, upsert
from iris_assets.store.tables.schema import source_state

COLUMNS: Final = ("unit_key", "consumed_key", "detail_json")


@dataclass(frozen=True, slots=True)
class State:
    """The key that a stage consumed for a unit, and what the stage wanted to remember beside."""

    consumed_key: str
    detail: Any


class States(Repository):
    """SourceState."""

    def get(self, stage: str, unit_key: str) -> State | None:
        """What `stage` consumed of `unit_key` last."""
        statement = select_rows(source_state, only=COLUMNS)
        statement = statement.where(source_state.c.stage == stage, source_state.c.unit_key == unit_key)
        with self._access.snapshot() as tx:
            row = fetch_one(tx, statement)
        return None if row is None else State(row["consumed_key"], row["detail_json"])

    def all(self, stage: str, prefix: str = "") -> dict[str, State]:
        """Every unit of `stage` whose key begins with `prefix`."""
        with self._access.snapshot() as tx:
            rows = fetch(tx, select_rows(source_state, only=COLUMNS).where(source_state.c.stage == stage))
        return {
            row["unit_key"]: State(row["consumed_key"], row["detail_json"])
            for row in rows
            if row["unit_key"].startswith(prefix)
        }

    def some(self, stage: str, unit_keys: Iterable[str]) -> dict[str, State]:
        """These units of `stage`, as far as they are known."""
        statement = select_rows(source_state, only=COLUMNS).where(source_state.c.stage == stage)
        with self._access.snapshot() as tx:
            rows = fetch_in(tx, statement, source_state.c.unit_key, unit_keys)
        return {row["unit_key"]: State(row["consumed_key"], row["detail_json"]) for row in rows}

    def put(self, tx: Tx, stage: str, unit_key: str, consumed_key: str, detail: Any = None) -> Outcome:
        """Remember, in the transaction of the work itself."""
        row = {"stage": stage, "unit_key": unit_key, "consumed_key": consumed_key, "detail_json": detail}
        return upsert(tx, source_state, ("stage", "unit_key"), [row])[0]

    def delete(self, tx: Tx, stage: str, unit_key: str) -> None:
        """Forget one unit: its work is done anew next time."""
        statement = delete(source_state).where(source_state.c.stage == stage, source_state.c.unit_key == unit_key)
        tx.connection.execute(statement)

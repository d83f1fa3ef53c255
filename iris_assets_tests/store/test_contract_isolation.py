"""The store's contract between two connections: what one has not committed the other does not see."""

import threading
from types import TracebackType
from typing import Any

from iris_assets.errors import StoreError
from iris_assets.store import Store
from iris_assets_tests.store.conftest import add_candidate, candidate_row


class _Held:
    """A store whose unit another thread holds while the test looks at it from outside."""

    def __init__(self, store: Store, rows: list[dict[str, Any]]) -> None:
        self._store, self._rows = store, rows
        self._inside, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def _hold(self) -> None:
        with self._store.transaction() as tx:
            self._store.candidates.upsert(tx, self._rows)
            self._inside.set()
            self._done.wait(30)

    def __enter__(self) -> None:
        self._thread.start()
        assert self._inside.wait(30)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._done.set()
        self._thread.join()


def test_another_connection_does_not_see_an_open_unit(searching_store: Store, second_store: Store) -> None:
    """A server lets the reader wait for the writer, and tells it busy in the end: either, but never the new value."""
    add_candidate(searching_store, "1", party="PXA")
    with _Held(searching_store, [candidate_row("1", party="PXB"), candidate_row("2")]):
        for tse_id, expected in (("1", "PXA"), ("2", None)):
            try:
                row = second_store.candidates.by_tse_id(tse_id)
            except StoreError as error:
                assert error.code == "STORE_BUSY"
            else:
                assert (row or {}).get("party") == expected
    assert [row["party"] for row in second_store.candidates.list()] == ["PXB", "PXA"]

"""The political history of the matched deputies: statuses in the Câmara and mandates elsewhere."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from iris_assets.errors import IrisAssetsError
from iris_assets.ingest.camara_deputies import STAGE, DeputyBook
from iris_assets.ingest.camara_signers import Signers
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.camara import CamaraSource, HistoryRow, camara_history, external_mandates
from iris_assets.store import Outcome, Tx
from iris_assets.words.source_kinds import POLITICAL_HISTORY

# A leave or a return does not show in the listing: a history is asked again after this time even so.
FRESH_FOR: Final = timedelta(days=7)


class HistoryCollector:
    """Collects the history of deputies, one transaction per deputy."""

    def __init__(
        self, context: IngestContext, run: StageRun, source: CamaraSource, book: DeputyBook, window: tuple[date, date]
    ) -> None:
        self._context = context
        self._run = run
        self._source = source
        self._book = book
        self._first, self._last = window

    def collect(self, deputy_ids: Sequence[int], signers: Signers, *, full_refresh: bool) -> None:
        """Fetch what is new or old, store it, and link what is stored to every candidate that the deputy is."""
        states = self._context.store.state.some(STAGE, (f"history:{number}" for number in deputy_ids))
        stale = [n for n in deputy_ids if full_refresh or not self._is_fresh(n, states.get(f"history:{n}"))]
        for number, result in self._context.http.stream(stale, self._fetch):
            if isinstance(result, IrisAssetsError):
                self._failed(number, result)
            else:
                self._store(number, result, signers)
        self._link_stored(sorted(set(deputy_ids) - set(stale)), signers)

    def _is_fresh(self, number: int, state: Any) -> bool:
        if state is None or state.consumed_key != self._key(number):
            return False
        as_of, first = date.fromisoformat(state.detail["as_of"]), date.fromisoformat(state.detail["first"])
        return as_of <= self._last < as_of + FRESH_FOR and first <= self._first

    def _key(self, number: int) -> str:
        return input_fingerprint(listing=self._book.listing_hash(number), version="1")

    async def _fetch(self, number: int) -> list[HistoryRow]:
        statuses = self._book.take_statuses(number)
        if statuses is None:
            items = await self._source.aitems(f"deputados/{number}/historico")
            statuses = camara_history(number, items, self._first, self._last)
        mandates = await self._source.aitems(f"deputados/{number}/mandatosExternos")
        return statuses + external_mandates(number, mandates, self._first, self._last)

    def _failed(self, number: int, error: IrisAssetsError) -> None:
        with self._context.store.transaction() as tx:
            self._run.count(tx, failed=1)
        self._run.report.unit_failed(error.code, f"history of deputy {number}: {error.message}")

    def _store(self, number: int, rows: list[HistoryRow], signers: Signers) -> None:
        store, now = self._context.store, datetime.now(UTC)
        self._run.report.work["histories_stored"] += 1
        with store.transaction() as tx:
            outcomes = store.camara.upsert_history(tx, [{**row, "source_collected_at": now} for row in rows])
            changed = Counter(outcomes)
            retired = self._retire(tx, number, {row["external_id"] for row in rows})
            linked = self._link(tx, [row["external_id"] for row in rows], signers.candidates_of([number]))
            self._run.count(
                tx,
                read=len(rows),
                created=changed[Outcome.INSERTED],
                updated=changed[Outcome.UPDATED] + retired,
                skipped=changed[Outcome.UNCHANGED],
            )
            detail = {"as_of": self._last.isoformat(), "first": self._first.isoformat()}
            store.state.put(tx, STAGE, f"history:{number}", self._key(number), detail)
        self._run.report.figures["history_links"] = self._run.report.figures.get("history_links", 0) + linked

    def _retire(self, tx: Tx, number: int, present: set[str]) -> int:
        """Records inside the window that the source no longer has."""
        store, retired = self._context.store, 0
        for row in store.camara.history_of_deputy(number):
            if row["external_id"] in present or not self._in_window(row):
                continue
            for link in store.links.of_source(POLITICAL_HISTORY, row["external_id"]):
                retired += store.links.remove(tx, POLITICAL_HISTORY, row["external_id"], link["candidate_id"])
        return retired

    def _in_window(self, row: Any) -> bool:
        if row["date_precision"] == "YEAR":
            begin, end = row["start_date"], row["end_date"]
            return (begin is None or begin <= self._last) and (end is None or end >= self._first)
        return row["start_date"] is not None and self._first <= row["start_date"] <= self._last

    def _link(self, tx: Tx, external_ids: Iterable[str], candidate_ids: Sequence[int]) -> int:
        new = 0
        for external_id in external_ids:
            for candidate_id in candidate_ids:
                outcome = self._context.store.links.set(tx, POLITICAL_HISTORY, external_id, candidate_id, "HOLDER")
                new += outcome is Outcome.INSERTED
        return new

    def _link_stored(self, deputy_ids: Iterable[int], signers: Signers) -> None:
        """A candidate may have become this deputy after its history was stored."""
        store = self._context.store
        stored = store.camara.history_ids(deputy_ids)
        with store.snapshot() as tx:
            linked = store.links.of_sources(tx, POLITICAL_HISTORY, (one for ids in stored.values() for one in ids))
        for number, ids in sorted(stored.items()):
            candidates = set(signers.candidates_of([number]))
            if any(candidates - linked.get(external_id, frozenset()) for external_id in ids):
                with store.transaction() as tx:
                    self._link(tx, ids, sorted(candidates))
                    self._run.count(tx, read=len(ids), updated=len(ids))

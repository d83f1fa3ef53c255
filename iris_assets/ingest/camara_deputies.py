"""The deputies of the look-back window, learned once per run for all partitions and kept in CamaraDeputy."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from iris_assets.errors import IrisAssetsError
from iris_assets.identity import DeputyIdentity
from iris_assets.identity.matching import DeputyIndex
from iris_assets.identity.suggestions import NearIndex
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.fingerprints import input_fingerprint
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.camara import CamaraSource, HistoryRow, ListedDeputy, camara_history, listed_row, party
from iris_assets.sources.camara_records import Item, deputy_row
from iris_assets.store import batches

STAGE: Final = "camara"
ROWS_PER_UNIT: Final = 100
COLUMNS: Final = (  # what identity, the listing and the tables need of a stored deputy
    "camara_id", "civil_name", "status_name", "electoral_name", "party", "state", "parties_json", "listing_hash",
)  # fmt: skip


class DeputyBook:
    """Who the Câmara lists, with names, UF and parties; details are fetched only where the listing changed.

    Histories are asked only for deputies that share a name with a candidate: the party points need them, and those
    never decide a status.
    """

    def __init__(self, context: IngestContext, source: CamaraSource, first: date, last: date) -> None:
        self._context = context
        self._source = source
        self._first, self._last = first, last
        self._listed: dict[int, ListedDeputy] = {}
        self._rows: dict[int, Mapping[str, Any]] = {}
        self._statuses: dict[int, list[HistoryRow]] = {}
        self._asked: set[int] = set()
        self._full_refresh = False
        self._index: DeputyIndex | None = None
        self._near: NearIndex | None = None
        self.missing: dict[int, str] = {}  # deputy → code of the failure

    def collect(self, run: StageRun, *, full_refresh: bool) -> None:
        """List the deputies and bring the details of new and changed ones into the store."""
        self._full_refresh = full_refresh
        listed, listing = self._source.deputies(self._first, self._last)
        run.report.notes.extend(listing.notes)
        if listing.missing:
            said = f"{listing.missing} of {listing.declared} entries of the listing of deputies never came"
            run.report.gap("LISTING_INCOMPLETE", said)
        run.report.work["deputies_listed"] += len(listed)
        self._listed = {item.camara_id: item for item in listed}
        stored = {row["camara_id"]: row for row in self._context.store.camara.deputies(COLUMNS)}
        self._rows = {item.camara_id: stored.get(item.camara_id) or listed_row(item) for item in listed}
        stale = [
            item for item in listed if full_refresh or self._rows[item.camara_id]["listing_hash"] != item.listing_hash
        ]
        self._fetch_details(run, stale)
        self._changed()

    @property
    def index(self) -> DeputyIndex:
        """The deputies by name; another object whenever something that identity compares has changed."""
        if self._index is None:
            self._index = DeputyIndex(_identity(row) for row in self._rows.values())
        return self._index

    @property
    def near(self) -> NearIndex:
        """The deputies by the words of their names, for suggestions."""
        if self._near is None:
            self._near = NearIndex(self.index.by_id.values())
        return self._near

    def _changed(self) -> None:
        self._index, self._near = None, None

    def listing_hash(self, deputy_id: int) -> str:
        """Changes when anything that the listing says of the deputy changes; "" for one that is not listed."""
        listed = self._listed.get(deputy_id)
        return listed.listing_hash if listed else ""

    def name(self, deputy_id: int) -> str:
        """The parliamentary name, else the civil one: for tables that people read."""
        row = self._rows.get(deputy_id, {})
        return str(row.get("status_name") or row.get("civil_name") or deputy_id)

    def _fetch_details(self, run: StageRun, stale: list[ListedDeputy]) -> None:
        fresh: list[Mapping[str, Any]] = []
        for arrived, (item, result) in enumerate(self._context.http.stream(stale, self._detail), start=1):
            self._context.progress("camara: deputies", arrived, len(stale))
            if isinstance(result, IrisAssetsError):
                self._failed(run, item.camara_id, result)
                continue
            run.report.work["deputies_fetched"] += 1
            self._rows[item.camara_id] = result
            fresh.append(result)
            if len(fresh) >= ROWS_PER_UNIT:
                self._save(fresh)
                fresh = []
        self._save([*fresh, *(self._rows[number] for number in sorted(self.missing))])

    async def _detail(self, listed: ListedDeputy) -> Mapping[str, Any]:
        item = await self._source.arecord(f"deputados/{listed.camara_id}")
        return {**deputy_row(item, (), listed), "source_collected_at": datetime.now(UTC)}

    def _save(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for part in batches(list(rows), self._context.store.limits.transaction_rows):
            with self._context.store.transaction() as tx:
                self._context.store.camara.upsert_deputies(tx, part)

    def _failed(self, run: StageRun, number: int, error: IrisAssetsError) -> None:
        """One deputy costs itself: what the listing or an earlier run knows stays, and it is asked again next time."""
        self.missing[number] = error.code
        with self._context.store.transaction() as tx:
            run.count(tx, failed=1)
        run.report.unit_failed(error.code, f"deputy {number}: {error.message}")

    # -- parties and histories of those who share a name with a candidate ------------------------------------------

    def learn_parties(self, run: StageRun, deputy_ids: Iterable[int]) -> None:
        """Ask the status history of these deputies where it is not known for today's listing."""
        unseen = sorted(set(deputy_ids) - self._asked)
        known = self._context.store.state.some(STAGE, (f"parties:{number}" for number in unseen))
        wanted = [number for number in unseen if not self._parties_known(number, known)]
        self._asked.update(unseen)
        for number, result in self._context.http.stream(wanted, self._history_items):
            if isinstance(result, IrisAssetsError):
                self._failed(run, number, result)
                continue
            run.report.work["histories_fetched"] += 1
            self._statuses[number] = camara_history(number, result, self._first, self._last)
            self._add_parties(number, result)
        if wanted:
            self._changed()

    def _parties_known(self, number: int, known: Mapping[str, Any]) -> bool:
        state = known.get(f"parties:{number}")
        return not self._full_refresh and state is not None and state.consumed_key == self._parties_key(number)

    def _parties_key(self, number: int) -> str:
        return input_fingerprint(listing=self.listing_hash(number))

    async def _history_items(self, number: int) -> list[Item]:
        return await self._source.aitems(f"deputados/{number}/historico")

    def _add_parties(self, number: int, items: Iterable[Item]) -> None:
        row = self._rows[number]
        named = {*(row["parties_json"] or ()), *(party(item.get("siglaPartido")) for item in items)}
        self._rows[number] = {**row, "parties_json": sorted(name for name in named if name)}
        store = self._context.store
        with store.transaction() as tx:
            store.camara.upsert_deputies(tx, [self._rows[number]])
            store.state.put(tx, STAGE, f"parties:{number}", self._parties_key(number))

    def take_statuses(self, deputy_id: int) -> list[HistoryRow] | None:
        """The history rows that `learn_parties` happened to fetch, handed out once; None when it did not."""
        return self._statuses.pop(deputy_id, None)


def _identity(row: Mapping[str, Any]) -> DeputyIdentity:
    return DeputyIdentity(
        int(row["camara_id"]),
        row["civil_name"],
        row["status_name"],
        row["electoral_name"],
        row["state"],
        tuple(row["parties_json"] or ()),
    )

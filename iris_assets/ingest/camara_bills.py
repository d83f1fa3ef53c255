"""Bills by the API: list, fetch what is new or moved, check the authors, store; what is unchanged is not fetched."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from iris_assets.errors import IrisAssetsError
from iris_assets.ingest.camara_deputies import STAGE
from iris_assets.ingest.camara_plan import Found, Plan, Planner, Range
from iris_assets.ingest.camara_storing import BillWriter
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageRun
from iris_assets.sources.camara import Bill, CamaraSource
from iris_assets.sources.camara_records import bill_row, make_bill
from iris_assets.store import State, batches

UNIT: Final = "bills:"


@dataclass(frozen=True, slots=True)
class Call:
    """One bill to ask for: whole, or (`known_at` given) only as far as needed to see that it did not move."""

    camara_id: int
    check: bool
    known_at: str | None
    since: date | None  # an unknown bill found by procedure counts only when presented since then


@dataclass(slots=True)
class Listings:
    """All plans, what they found, and which deputies could not be listed."""

    plans: dict[int, Plan]
    found: dict[int, Found] = field(default_factory=dict)
    failed: set[int] = field(default_factory=set)


class ApiBills:
    """Collects the bills of deputies through the API, one transaction per bill."""

    def __init__(
        self,
        context: IngestContext,
        run: StageRun,
        source: CamaraSource,
        planner: Planner,
        window: Range,
        done: set[int],
    ) -> None:
        self._context = context
        self._run = run
        self._source = source
        self._planner = planner
        self._window = window
        self._limit = context.settings.camara_max_propositions_per_candidate
        self._done = done  # fetched in this process run, by whichever partition came first

    def look_up(self, deputies: Sequence[int], *, full_refresh: bool) -> tuple[Listings, dict[str, State]]:
        """The listings of all deputies; one that fails costs its deputy only."""
        states = self._context.store.state.some(STAGE, (f"{UNIT}{number}" for number in deputies))
        states = {unit: state for unit, state in states.items() if state.consumed_key == self._planner.key}
        plans = {
            n: self._planner.plan(n, states.get(f"{UNIT}{n}"), full_refresh=full_refresh)
            for n in dict.fromkeys(deputies)
        }
        listings = Listings(plans)
        for arrived, (plan, result) in enumerate(self._context.http.stream(plans.values(), self._listed), start=1):
            self._context.progress("camara: bill listings", arrived, len(plans))
            if isinstance(result, IrisAssetsError):
                self._listing_failed(plan, result)
                listings.failed.add(plan.deputy)
            else:
                listings.found[plan.deputy] = result
                self._note(result.notes)
                self._note_absent(plan.deputy, result.absent)
        return listings, states

    async def _listed(self, plan: Plan) -> Found:
        found = Found()
        notes: list[str] = []
        ids: dict[int, None] = {}
        for first, last in plan.presented:
            if self._limit and len(ids) >= self._limit:
                found.cut = True
                break
            listed = await self._source.abills_of(plan.deputy, first, last, limit=self._limit)
            ids.update(dict.fromkeys(listed.bill_ids))
            found.cut |= listed.more
            found.absent += listed.missing
            notes += listed.notes
        found.presented = list(ids)[: self._limit or None]
        # A window that was filled exactly may hide older bills: the limit has cut as far as anybody can tell.
        found.cut |= bool(self._limit) and len(ids) >= self._limit
        if plan.moved is not None:
            listed = await self._source.abills_of(plan.deputy, *plan.moved, by="procedure")
            found.moved = list(listed.bill_ids)
            found.absent += listed.missing
            notes += listed.notes
        found.notes = tuple(notes)
        return found

    def _listing_failed(self, plan: Plan, error: IrisAssetsError) -> None:
        with self._context.store.transaction() as tx:
            self._run.count(tx, failed=1)
        self._run.report.unit_failed(error.code, f"bills of deputy {plan.deputy}: {error.message}")

    def _note_absent(self, deputy: int, absent: int) -> None:
        if absent:
            said = (
                f"bills of deputy {deputy}: {absent} that the listing declares never came; it is read again next time"
            )
            self._run.report.gap("LISTING_INCOMPLETE", said)

    def _note(self, notes: Iterable[str]) -> None:
        self._run.report.notes.extend(note for note in dict.fromkeys(notes) if note not in self._run.report.notes)

    # -- single bills ------------------------------------------------------------------------------------------

    def fetch(self, listings: Listings, writer: BillWriter, *, full_refresh: bool) -> None:
        """Fetch and store, in order of arrival; the result does not depend on that order."""
        calls, unchanged = self._calls(listings, full_refresh)
        for arrived, (call, result) in enumerate(self._context.http.stream(calls, self._asked), start=1):
            self._context.progress("camara: bills", arrived, len(calls))
            if isinstance(result, IrisAssetsError):
                writer.fail(call.camara_id, result)
                continue
            self._done.add(call.camara_id)
            self._run.report.work["bills_checked" if result is None else "bills_fetched"] += 1
            if result is None or not self._wanted(call, result):
                unchanged.add(call.camara_id)
            else:
                writer.write([result])
        writer.skip(unchanged)

    def _calls(self, listings: Listings, full_refresh: bool) -> tuple[list[Call], set[int]]:
        """What must be asked, by id; and which listed bills need no call."""
        store = self._context.store.camara
        known = store.bill_states(
            {n for found in listings.found.values() for n in (*found.presented, *found.moved)}
            | {n for plan in listings.plans.values() for n in plan.again}
        )
        listing = [n for n, found in listings.found.items() if found.presented or listings.plans[n].again]
        signed = {n: set(ids) for n, ids in store.bills_by_author(listing).items()}
        calls: dict[int, Call] = {}
        listed: set[int] = set()
        for deputy, found in sorted(listings.found.items()):
            plan = listings.plans[deputy]
            stored = signed.get(deputy, set())
            listed.update(found.presented, found.moved, plan.again)
            for number in (*plan.again, *found.presented):
                # A bill without a status date was not stored to its end.
                if self._must_fetch(number, known.get(number) is not None, number in stored, full_refresh):
                    calls[number] = Call(number, False, None, None)
            for number in found.moved:
                if number not in calls and number not in self._done:
                    calls[number] = Call(number, number in known, known.get(number), plan.known_from)
        return [calls[number] for number in sorted(calls)], listed - calls.keys()

    def _must_fetch(self, number: int, known: bool, signed: bool, full_refresh: bool) -> bool:
        if not known or not signed:
            # Not signed: the stored list of authors was cut before this deputy became a matched one.
            return True
        return full_refresh and number not in self._done

    async def _asked(self, call: Call) -> Bill | None:
        if not call.check:
            return await self._source.abill(call.camara_id)
        row = bill_row(await self._source.arecord(f"proposicoes/{call.camara_id}"))
        if row["status_at"] is not None and row["status_at"] == call.known_at:
            return None
        authors = await self._source.aitems(f"proposicoes/{call.camara_id}/autores")
        topics = await self._source.aitems(f"proposicoes/{call.camara_id}/temas")
        return make_bill(row, authors, topics)

    def _wanted(self, call: Call, bill: Bill) -> bool:
        """Collection goes by presentation: an old bill that moved is not collected because it moved."""
        if call.check or call.since is None:
            return True
        presented = bill.bill["presentation_date"]
        if presented is None or not self._window[0] <= presented <= self._window[1]:
            return False
        return not self._limit or presented >= call.since

    def remember(self, listings: Listings, states: Mapping[str, State], failed: set[int]) -> None:
        """What was consumed of each deputy; bills that failed are asked again next time."""
        store, key = self._context.store, self._planner.key
        for part in batches(sorted(listings.found.items()), store.limits.transaction_rows):
            with store.transaction() as tx:
                for deputy, found in part:
                    if found.absent:
                        continue
                    plan = listings.plans[deputy]
                    missing = failed & {*found.presented, *found.moved, *plan.again}
                    unit = f"{UNIT}{deputy}"
                    now = State(key, self._planner.remember(states.get(unit), found, sorted(missing)))
                    if now != states.get(unit):
                        store.state.put(tx, STAGE, unit, now.consumed_key, now.detail)

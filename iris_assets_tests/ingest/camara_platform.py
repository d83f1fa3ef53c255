"""A store beside a simulated Chamber, run by run, as the tests of the stage `camara` use it."""

import asyncio
import random
from datetime import date
from pathlib import Path
from typing import Any

from iris_assets.ingest.camara import ingest_camara
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.sample.faults import Faults
from iris_assets.sample.simulator import ReplayTransport, Simulator
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient
from iris_assets.store import Store, open_store
from iris_assets_tests.ingest.camara_world import World

AS_OF = date(2025, 3, 1)
NO_LIMITS = {"camara_max_matched_candidates": 0, "camara_max_propositions_per_candidate": 0}


async def _no_wait(_: float) -> None:
    return None


class Platform:
    """A store in a folder and a simulated Chamber; each `run` is a process of its own as far as caches go."""

    def __init__(self, folder: Path, world: World) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.world = world
        self.store: Store = open_store(f"sqlite:///{folder / 'store.sqlite3'}")
        self.requests: list[str] = []
        self._files_until: date | None = None

    def keep_files(self, *, until: date) -> None:
        """From now on the yearly files hold only bills presented until this day; the API keeps knowing all."""
        self._files_until = until

    def run(
        self,
        *ufs: str,
        faults: Faults | None = None,
        full_refresh: bool = False,
        shuffle: int | None = None,
        **settings: Any,
    ) -> dict[str, StageReport]:
        replay = self.world.write(self.folder / "replay")
        values = {"as_of": AS_OF, "camara_source": "api", "iris_assets_data": self.folder, **settings}
        configured = load_settings({}, **values)
        simulator = Simulator(replay, faults)
        if self._files_until is not None:
            for part in ("bills", "authors", "topics", "bills_by_deputy"):
                getattr(simulator.replay, part)  # read into memory before the cut
            self.world.until(self._files_until).write(replay)
        transport = ReplayTransport(simulator) if shuffle is None else Shuffled(simulator, shuffle)
        with HttpClient(configured, transport, sleep=lambda _: None, async_sleep=_no_wait) as http:
            context = IngestContext(store=self.store, settings=configured, http=http)
            reports = {uf: ingest_camara(context, uf, full_refresh=full_refresh) for uf in ufs}
        self.requests = simulator.requests
        return reports

    def rows(self) -> dict[str, Any]:
        """Everything stored of bills, history and links, without row ids and technical times."""
        store = self.store
        people = {row["id"]: row for row in store.candidates.list(include_removed=True)}
        bills = store.camara.bills(sorted(store.camara.bill_states()))
        links = {
            row["tse_id"]: sorted((link["source_type"], link["source_id"]) for link in store.links.of_candidate(number))
            for number, row in people.items()
        }
        deputies = [_plain(row) for row in store.camara.deputies()]
        match = {row["tse_id"]: (row["match_status"], row["camara_deputy_id"]) for row in people.values()}
        return {"bills": [_plain(bill) for bill in bills], "links": links, "deputies": deputies, "match": match}


class Shuffled(ReplayTransport):
    """Answers come in another order than they were asked."""

    def __init__(self, simulator: Simulator, seed: int) -> None:
        super().__init__(simulator)
        self._dice = random.Random(seed)

    async def handle_async_request(self, request: Any) -> Any:
        await asyncio.sleep(self._dice.random() / 500)
        return await super().handle_async_request(request)


def _plain(row: Any) -> Any:
    technical = {"id", "created_at", "updated_at", "source_collected_at", "proposition_id"}
    if isinstance(row, dict):
        return {key: _plain(value) for key, value in row.items() if key not in technical}
    return [_plain(item) for item in row] if isinstance(row, list) else row


def counters(report: StageReport) -> tuple[int, ...]:
    return tuple(report.counters[name] for name in ("read", "created", "updated", "skipped", "failed"))


def linked(store: Store, bill: int) -> list[str]:
    people = store.candidates.by_ids([link["candidate_id"] for link in store.links.of_source("PROPOSITION", str(bill))])
    return sorted(row["tse_id"] for row in people.values())


def tse(number: int, year: int = 2026) -> str:
    return f"{year}{number:08d}"

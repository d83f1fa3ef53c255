"""The API path keeps the allowed calls in flight; the full sizes are in benchmarks/bench_camara.py."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from iris_assets.ingest.camara import ingest_camara
from iris_assets.ingest.context import IngestContext
from iris_assets.sample.simulator import ReplayTransport, Simulator
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient
from iris_assets.store import open_store
from iris_assets_tests.ingest.camara_platform import AS_OF, NO_LIMITS
from iris_assets_tests.ingest.camara_world import add_candidates, made


class Slow(ReplayTransport):
    """Every call takes `latency` seconds; `busy` is the sum of the seconds that calls were under way."""

    def __init__(self, simulator: Simulator, latency: float) -> None:
        super().__init__(simulator)
        self.latency = latency
        self.in_flight = self.most = self.calls = 0
        self.busy = 0.0

    async def handle_async_request(self, request: Any) -> Any:
        started = time.perf_counter()
        self.calls += 1
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            await asyncio.sleep(self.latency)
            return await super().handle_async_request(request)
        finally:
            self.in_flight -= 1
            self.busy += time.perf_counter() - started


# Sixteen calls of 100 ms leave 6 ms of processor time a call, which a shared machine may not give: there they take longer.
@pytest.mark.slow
@pytest.mark.parametrize(("workers", "latency"), [(6, 0.1), (16, 0.4)])
def test_calls_in_flight_reach_the_allowed_number_and_never_pass_it(
    tmp_path: Path, workers: int, latency: float
) -> None:
    world = made(12, 120, signers=3)
    for deputy in world.deputies.values():
        deputy["ultimoStatus"]["siglaUf"] = "SP"
    replay = world.write(tmp_path / "replay")
    settings = load_settings(
        {}, as_of=AS_OF, camara_source="api", iris_assets_data=tmp_path, camara_http_workers=workers, **NO_LIMITS
    )
    store = open_store(settings.store_url)
    add_candidates(store, range(1, 13), state="SP")
    transport = Slow(Simulator(replay), latency)
    with HttpClient(settings, transport) as http:
        started = time.perf_counter()
        report = ingest_camara(IngestContext(store=store, settings=settings, http=http), "SP")
        seconds = time.perf_counter() - started
    assert report.work["http_calls"] == transport.calls > 500
    assert transport.most == workers
    # Not calls times latency: on a busy machine a call is answered later, and its place is taken for as long. The
    # goal of 0.9 is that of the benchmark; here it is shown that no call waits for another without need.
    taken = transport.busy / (workers * seconds)
    assert taken > 0.4, f"{taken:.2f} of the places taken"

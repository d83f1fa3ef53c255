"""The stage `camara` on a made-up Chamber with 100 ms a call: by API, by files, and the reference's design beside them.

`nice python -m benchmarks.bench_camara --bills 600 --deputies 30`; `--scale` measures memory and time by files alone.
"""

import argparse
import json
import resource
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

from iris_assets.ingest.camara import ingest_camara
from iris_assets.ingest.context import IngestContext
from iris_assets.sample.faults import Faults
from iris_assets.sample.simulator import replay_transport
from iris_assets.settings import Settings, load_settings
from iris_assets.sources.camara import lookback, windows
from iris_assets.sources.http import HttpClient
from iris_assets.store import Store, open_store
from iris_assets_tests.ingest.camara_world import UFS, add_candidates, made

AS_OF = date(2025, 3, 1)


def settings_for(folder: Path, mode: str, workers: int) -> Settings:
    return load_settings(
        {},
        iris_assets_data=folder,
        as_of=AS_OF,
        camara_source=mode,
        camara_http_workers=workers,
        camara_max_matched_candidates=0,
        camara_max_propositions_per_candidate=0,
    )


def results(store: Store) -> int:
    """Records that a reader gets: bills, authors, topics, history."""
    tables = store.statistics()["tables"]
    return sum(tables[name] for name in ("proposition", "proposition_author", "proposition_topic", "political_history"))


def ours(
    folder: Path, replay: Path, deputies: int, mode: str, workers: int, latency: float
) -> Iterator[dict[str, Any]]:
    """A first run and an unchanged second one."""
    settings = settings_for(folder, mode, workers)
    store = open_store(settings.store_url)
    add_candidates(store, range(1, deputies + 1))
    for run in ("first", "second"):
        with HttpClient(settings, replay_transport(replay, Faults(latency_s=latency))) as http:
            context = IngestContext(store=store, settings=settings, http=http)
            started = time.perf_counter()
            reports = [ingest_camara(context, uf) for uf in UFS]
            seconds = time.perf_counter() - started
        assert {report.status for report in reports} == {"SUCCESS"}, [report.errors for report in reports]
        calls = sum(report.work["http_calls"] for report in reports)
        yield line(f"ours, {mode}, {workers} workers, {run} run", calls, results(store), seconds, workers, latency)


class Reference:
    """The reference's design: six threads, three calls in sequence per bill, deputies' data again for each UF, a bill
    fetched once per candidate, one commit per record, the first candidate owns the bill."""

    def __init__(self, folder: Path, http: HttpClient, settings: Settings) -> None:
        self._http = http
        self._base = settings.camara_base_url
        self._window = lookback(AS_OF, settings.camara_lookback_years)
        self._lock = threading.Lock()
        self._db = sqlite3.connect(folder / "reference.sqlite3", check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("CREATE TABLE record (kind TEXT, id TEXT, body TEXT, PRIMARY KEY (kind, id))")

    def run(self) -> int:
        for uf in UFS:
            listed = [d for d in self._pages("deputados", {"itens": 100}) if d["siglaUf"] == uf]
            with ThreadPoolExecutor(6) as pool:
                list(pool.map(self._deputy, listed))
        return int(self._db.execute("SELECT count(*) FROM record").fetchone()[0])

    def _deputy(self, listed: dict[str, Any]) -> None:
        number = listed["id"]
        for path in ("", "/historico", "/mandatosExternos"):
            data = self._get(f"deputados/{number}{path}")
            if path == "/historico":
                for item in data:
                    self._save("history", f"{number}:{item['dataHora']}", item)
        ids: dict[int, None] = {}
        for first, last in windows(*self._window):
            query = {"idDeputadoAutor": number, "dataApresentacaoInicio": str(first), "dataApresentacaoFim": str(last),
                     "itens": 100, "ordem": "DESC", "ordenarPor": "id"}  # fmt: skip
            ids.update(dict.fromkeys(item["id"] for item in self._pages("proposicoes", query)))
        for bill in ids:
            self._bill(bill)

    def _bill(self, number: int) -> None:
        self._save("bill", str(number), self._get(f"proposicoes/{number}"))
        for place, author in enumerate(self._get(f"proposicoes/{number}/autores")):
            self._save("author", f"{number}:{place}", author)
        for place, topic in enumerate(self._get(f"proposicoes/{number}/temas")):
            self._save("topic", f"{number}:{place}", topic)

    def _save(self, kind: str, identity: str, body: Any) -> None:
        with self._lock:
            self._db.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?)", (kind, identity, json.dumps(body)))

    def _get(self, path: str) -> Any:
        return self._http.get_json(f"{self._base}/{path}").data["dados"]

    def _pages(self, path: str, query: dict[str, Any]) -> Iterator[dict[str, Any]]:
        answer = self._http.get_json(f"{self._base}/{path}", query)
        while True:
            yield from answer.data["dados"]
            following = [link["href"] for link in answer.data["links"] if link["rel"] == "next"]
            if not following:
                return
            answer = self._http.get_json(following[0])


def reference(folder: Path, replay: Path, latency: float) -> dict[str, Any]:
    settings = settings_for(folder, "api", 6)
    with HttpClient(settings, replay_transport(replay, Faults(latency_s=latency))) as http:
        started = time.perf_counter()
        count = Reference(folder, http, settings).run()
        return line("the reference's design, 6 workers", http.calls, count, time.perf_counter() - started, 6, latency)


def line(name: str, calls: int, records: int, seconds: float, workers: int, latency: float) -> dict[str, Any]:
    return {
        "run": name,
        "calls": calls,
        "results": records,
        "seconds": round(seconds, 2),
        "results_s": round(records / seconds, 1),
        "of_ideal": round(calls * latency / workers / seconds, 2),
    }


def scale(folder: Path, deputies: int, bills: int) -> dict[str, Any]:
    """Files only, no latency: time and the process's highest memory (the Chamber is written by another process)."""
    settings = settings_for(folder, "bulk", 16)
    store = open_store(settings.store_url)
    add_candidates(store, range(1, deputies + 1))
    with HttpClient(settings, FilesTransport(folder / "replay", deputies)) as http:
        context = IngestContext(store=store, settings=settings, http=http)
        started = time.perf_counter()
        reports = [ingest_camara(context, uf) for uf in UFS]
        seconds = time.perf_counter() - started
    assert {report.status for report in reports} == {"SUCCESS"}, [report.errors for report in reports]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"deputies": deputies, "bills": bills, "seconds": round(seconds, 1), "bills_s": round(bills / seconds),
            "stored": store.statistics()["tables"]["proposition"], "peak_mb": round(peak)}  # fmt: skip


def FilesTransport(replay: Path, deputies: int) -> Any:
    """Serves files from disk and deputies from a formula, so that the Chamber itself takes no memory."""
    import httpx2

    from iris_assets_tests.ingest.camara_world import World

    class Transport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
        def handle_request(self, request: Any) -> Any:
            path = replay / "camara" / request.url.path.rsplit("/", 1)[-1]
            if not path.is_file():
                return httpx2.Response(404, request=request)
            return httpx2.Response(200, stream=_Blocks(path), request=request)

        async def handle_async_request(self, request: Any) -> Any:
            parts = request.url.path.removeprefix("/api/v2/deputados").strip("/").split("/")
            if parts == [""]:
                return self._listing(request)
            one = World()
            one.add_deputy(int(parts[0]))
            data: Any = one.deputies[int(parts[0])]
            if parts[1:]:
                data = one.histories[int(parts[0])] if parts[1] == "historico" else []
            return httpx2.Response(200, json={"dados": data, "links": []}, request=request)

        def _listing(self, request: Any) -> Any:
            page = int(request.url.params.get("pagina", 1))
            numbers = range((page - 1) * 100 + 1, min(page * 100, deputies) + 1)
            world = World()
            for number in numbers:
                world.add_deputy(number)
            links = [{"rel": "next", "href": str(request.url.copy_set_param("pagina", page + 1))}]
            data = [item["ultimoStatus"] for item in world.deputies.values()]
            return httpx2.Response(
                200, json={"dados": data, "links": links if numbers.stop <= deputies else []}, request=request
            )

    class _Blocks(httpx2.SyncByteStream):
        def __init__(self, path: Path) -> None:
            self._path = path

        def __iter__(self) -> Iterator[bytes]:
            with self._path.open("rb") as file:
                while block := file.read(1 << 16):
                    yield block

    return Transport()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bills", type=int, default=600)
    parser.add_argument("--deputies", type=int, default=30)
    parser.add_argument("--latency", type=float, default=0.1)
    parser.add_argument("--workers", type=int, nargs="*", default=[6, 16])
    parser.add_argument("--no-reference", action="store_true")
    parser.add_argument("--scale", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if chosen.scale:
            with_child(lambda: made(chosen.deputies, chosen.bills).write(folder / "replay"))
            print(json.dumps(scale(folder, chosen.deputies, chosen.bills)), flush=True)
            return
        replay = made(chosen.deputies, chosen.bills).write(folder / "replay")
        for mode, workers in [("bulk", 6), *(("api", count) for count in chosen.workers)]:
            place = folder / f"{mode}{workers}"
            place.mkdir()
            for found in ours(place, replay, chosen.deputies, mode, workers, chosen.latency):
                print(json.dumps(found), flush=True)
        if not chosen.no_reference:
            print(json.dumps(reference(folder, replay, chosen.latency)), flush=True)


def with_child(work: Any) -> None:
    """Run `work` in a child process, so that its memory is not ours."""
    import multiprocessing

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    assert process.exitcode == 0


if __name__ == "__main__":
    main()

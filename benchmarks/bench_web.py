"""Fifty concurrent clients over the HTTP API: requests per second, p50 and p95 of each route, errors.

python benchmarks/bench_web.py --data DIR [--clients 50] [--seconds 60]

Twice: with the rate limit raised for the whole time, then with the default limit for a tenth of it.
"""

import argparse
import socket
import statistics
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

import httpx2
import uvicorn

from iris_assets.settings import load_settings
from iris_assets.web.app import create_app

REQUESTS = (
    ("POST", "/api/ask", {"question": "O que os planos dizem sobre educação?"}),
    ("POST", "/api/search", {"query": "saúde"}),
    ("GET", "/api/candidates", None),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print("rate limit raised")
    measure(options.data, 10_000_000, options.clients, options.seconds)
    print("default rate limit")
    measure(options.data, None, options.clients, options.seconds / 10)


def measure(data: Path, rate: int | None, clients: int, seconds: float) -> None:
    url, server = start(data, rate)
    times: dict[str, list[float]] = defaultdict(list)
    codes: Counter[str] = Counter()
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=visit, args=(url, end, times, codes)) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.should_exit = True
    report(times, codes, seconds)


def start(data: Path, rate: int | None) -> tuple[str, uvicorn.Server]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = create_app(load_settings(iris_assets_data=data), rate_per_minute=rate)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{port}", server


def visit(url: str, end: float, times: dict[str, list[float]], codes: Counter[str]) -> None:
    with httpx2.Client(base_url=url, timeout=60) as http:
        while time.monotonic() < end:
            for method, path, body in REQUESTS:
                started = time.perf_counter()
                reply = http.request(method, path, json=body)
                times[path].append(time.perf_counter() - started)
                wait = reply.headers.get("Retry-After", "none")
                codes[f"429, Retry-After {wait}" if reply.status_code == 429 else str(reply.status_code)] += 1


def report(times: dict[str, list[float]], codes: Counter[str], seconds: float) -> None:
    print(f"{sum(codes.values()) / seconds:.0f} requests/s, statuses {dict(codes)}")
    for path, values in sorted(times.items()):
        cuts = statistics.quantiles(values, n=100)
        print(f"{path}: n {len(values)}, p50 {cuts[49] * 1000:.0f} ms, p95 {cuts[94] * 1000:.0f} ms")


if __name__ == "__main__":
    main()

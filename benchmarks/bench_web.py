"""Fifty concurrent clients over the HTTP API: requests per second, p50 and p95 of each route, errors.

python benchmarks/bench_web.py --data DIR [--clients 50] [--seconds 60]

`iris-assets serve` in its own process, twice: with the rate limit raised for the whole time, then with the default
limit for a tenth of it.
"""

import argparse
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

ASK = ("POST", "/api/ask", {"question": "O que os planos dizem sobre educação?"})
SEARCH = ("POST", "/api/search", {"query": "saúde"})
LIST = ("GET", "/api/candidates", None)
RAISED = {"RATE_LIMIT_PER_MINUTE": "10000000"}
Request = tuple[str, str, object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print("rate limit raised")
    measure(options.data, RAISED, (ASK, SEARCH, LIST), options.clients, options.seconds)
    print("default rate limit")
    measure(options.data, {}, (LIST,), options.clients, options.seconds / 10)


def measure(data: Path, limit: dict[str, str], requests: tuple[Request, ...], clients: int, seconds: float) -> None:
    times: dict[str, list[float]] = defaultdict(list)
    codes: Counter[str] = Counter()
    pool = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    with served(data, limit) as url, httpx2.Client(base_url=url, timeout=120, limits=pool, trust_env=False) as http:
        end = time.monotonic() + seconds
        visitors = [threading.Thread(target=visit, args=(http, requests, end, times, codes)) for _ in range(clients)]
        for visitor in visitors:
            visitor.start()
        for visitor in visitors:
            visitor.join()
    report(times, codes, seconds)


@contextmanager
def served(data: Path, limit: dict[str, str]) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "iris_assets.cli", "serve", "--data", str(data), "--port", str(port)]
    server = subprocess.Popen(command, env={**os.environ, **limit}, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    while server.poll() is None:
        try:
            httpx2.get(f"{url}/api/health", trust_env=False, timeout=60)
            break
        except httpx2.TransportError:
            time.sleep(0.2)
    try:
        yield url
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def visit(
    http: httpx2.Client, requests: tuple[Request, ...], end: float, times: dict[str, list[float]], codes: Counter[str]
) -> None:
    while time.monotonic() < end:
        for method, path, body in requests:
            started = time.perf_counter()
            reply = http.request(method, path, json=body)
            times[path].append(time.perf_counter() - started)
            wait = "with" if int(reply.headers.get("Retry-After", "0")) >= 1 else "without"
            codes[f"429 {wait} Retry-After" if reply.status_code == 429 else str(reply.status_code)] += 1


def report(times: dict[str, list[float]], codes: Counter[str], seconds: float) -> None:
    print(f"{sum(codes.values()) / seconds:.0f} requests/s, statuses {dict(codes)}")
    for path, values in sorted(times.items()):
        cuts = statistics.quantiles(values, n=100)
        print(f"{path}: n {len(values)}, p50 {cuts[49] * 1000:.0f} ms, p95 {cuts[94] * 1000:.0f} ms")


if __name__ == "__main__":
    main()

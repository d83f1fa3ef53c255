"""Many readers at once over HTTP: answers a second, p50 and p95, the health route meanwhile, the server's CPU and memory.

    uv run python benchmarks/bench_load.py --data DIR [--kind one|mixed|repeated] [--workers 2] [--clients 50] [--seconds 60]

`one`: distinct questions on one candidate; `mixed`: distinct questions of the golden set; `repeated`: questions whose
answers are stored. Distinct questions never meet a stored answer. Run it while an ingest runs to soak it.
"""

import argparse
import http.client
import itertools
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from iris_assets.platform import open_platform
from iris_assets.settings import load_settings

GOLDEN = Path(__file__).parent.parent / "iris_assets" / "evaluation" / "questions" / "golden.yaml"
TOPICS = (
    "creches",
    "saúde",
    "educação",
    "segurança",
    "transporte",
    "moradia",
    "emprego",
    "cultura",
    "água",
    "agricultura",
)
Times = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--kind", choices=("one", "mixed", "repeated"), default="one")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    bodies = asked(options.data, options.kind)
    times: Times = {"ask": [], "health": []}
    codes: Counter[int] = Counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with served(options.data, options.workers) as (port, memory):
        end = time.monotonic() + options.seconds
        visitors = [
            threading.Thread(target=visit, args=(port, bodies, end, times["ask"], codes))
            for _ in range(options.clients)
        ]
        visitors.append(threading.Thread(target=look, args=(port, end, times["health"], codes)))
        for visitor in visitors:
            visitor.start()
        first = memory()
        for visitor in visitors:
            visitor.join()
        last = memory()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    count = len(times["ask"])
    print(
        f"{options.kind}, {options.workers} workers, {options.clients} clients: {count / options.seconds:.0f} answers/s"
    )
    for name, taken in times.items():
        print(
            f"  {name}: {len(taken)}, p50 {at(taken, 50):.3f} s, p95 {at(taken, 95):.3f} s, p99 {at(taken, 99):.3f} s"
        )
    print(
        f"  {1000 * spent / max(count, 1):.1f} CPU ms of the server an answer; {first:.0f} → {last:.0f} MB; status {dict(codes)}"
    )


def at(taken: list[float], percent: int) -> float:
    return statistics.quantiles(taken, n=100)[percent - 1] if len(taken) > 1 else sum(taken)


def asked(data: Path, kind: str) -> Iterator[str]:
    """Bodies of questions; a number in the words makes each one distinct."""
    with open_platform(load_settings(iris_assets_data=data)) as platform:
        row = platform.store.candidates.list(offices=("GOVERNADOR", "PRESIDENTE"))[0]
    if kind == "mixed":
        texts = [line.partition("question:")[2].strip(" \"'\n") for line in GOLDEN.open() if "question:" in line]
        return (json.dumps({"question": f"{texts[n % len(texts)]} ({n})"}) for n in itertools.count())
    topics: Callable[[int], str] = lambda n: f"{TOPICS[n % 10]} e {TOPICS[n // 10 % 10]}"  # noqa: E731
    ends = (lambda n: "?") if kind == "repeated" else (lambda n: f" em {n} cidades?")
    own = {"candidate": row["tse_id"]}
    return (
        json.dumps({"question": f"O que propõe sobre {topics(n)}{ends(n)}", **own})
        for n in itertools.count(int(1000 * time.time()))
    )


def visit(port: int, bodies: Iterator[str], end: float, taken: list[float], codes: Counter[int]) -> None:
    """One reader: the next question as soon as the last one is answered."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    while time.monotonic() < end:
        with _next:
            body = next(bodies)
        started = time.perf_counter()
        connection.request("POST", "/api/ask", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        reply.read()
        codes[reply.status] += 1
        if reply.status == 200:
            taken.append(time.perf_counter() - started)
        else:
            time.sleep(float(reply.headers.get("Retry-After", 1)))


_next = threading.Lock()


def look(port: int, end: float, taken: list[float], codes: Counter[int]) -> None:
    """The health route, ten times a second."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    while time.monotonic() < end:
        started = time.perf_counter()
        connection.request("GET", "/api/health")
        codes[connection.getresponse().read() and 200] += 1
        taken.append(time.perf_counter() - started)
        time.sleep(0.1)


@contextmanager
def served(data: Path, workers: int) -> Iterator[tuple[int, Callable[[], float]]]:
    """A running server: its port, and what reads the memory of all its processes (MB)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "iris_assets.cli", "serve", "--data", str(data), "--port", str(port)]
    environment = {**os.environ, "RATE_LIMIT_PER_MINUTE": "10000000", "LOG_LEVEL": "ERROR"}
    running = subprocess.Popen([*command, "--workers", str(workers)], env=environment)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/api/health")
            connection.getresponse().read()
            break
        except OSError:
            time.sleep(0.1)
    try:
        yield port, lambda: memory_of(running.pid)
    finally:
        started = time.monotonic()
        running.send_signal(signal.SIGTERM)
        running.wait(60)
        print(f"SIGTERM to end: {time.monotonic() - started:.1f} s")


def memory_of(pid: int) -> float:
    """Resident MB of a process and its children."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0) / 1024
    return own + sum(memory_of(int(child)) for child in children)


if __name__ == "__main__":
    main()

"""100 articles, four processes on one state file, a model of 2 s per call, kill -9 every minute; prints JSON.

`python benchmarks/bench_article_kills.py [ARTICLES] [SECONDS_PER_CALL] [SECONDS_BETWEEN_KILLS]`
"""

import json
import sqlite3
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from iris_assets_tests.articles import samples
from iris_assets_tests.articles.workers import Workers
from iris_assets_tests.llm.fake_openai import CHAT, fake_openai

PROCESSES = 4


def drive(workers: Workers, count: int, pause: float) -> int:
    """Run until all four have walked over all articles; kill one in turn every `pause` seconds. The number of kills."""
    starts = [i * count // PROCESSES for i in range(PROCESSES)]
    running = {start: workers.start(start) for start in starts}
    kills, last = 0, time.monotonic()
    while running:
        time.sleep(0.2)
        for start, child in list(running.items()):
            ended = workers.ended(child)
            if ended is not None:
                assert ended == 0, f"a process ended with {ended}"
                del running[start]
        if running and time.monotonic() - last >= pause:
            start = list(running)[kills % len(running)]
            workers.kill(running[start])
            running[start] = workers.start(start)
            kills, last = kills + 1, time.monotonic()
    return kills


def whole_pairs(out: Path) -> int:
    manifests = [json.loads(path.read_text("utf-8")) for path in out.glob("*.result.json")]
    pages = {item["fingerprint"]: out / f"{item['fingerprint']}.md" for item in manifests}
    return sum(
        sha256(pages[item["fingerprint"]].read_bytes()).hexdigest() == item["markdown_sha256"] for item in manifests
    )


def finished_twice(state: Path) -> int:
    statement = "SELECT count(*) - count(DISTINCT fingerprint) FROM transition WHERE state = 'completed_text'"
    return int(sqlite3.connect(state).execute(statement).fetchone()[0])


def measure(count: int, seconds: float, pause: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name, fake_openai() as model:
        folder, out = Path(name), Path(name) / "out"
        # The fake answers under its lock; the wait must not be held there.
        model.refuses = lambda route, body: time.sleep(seconds) if route == CHAT else None
        model.reply = samples.reply()
        workers, started = Workers(folder, model.url, count), time.monotonic()
        kills = drive(workers, count, pause)
        took, calls = time.monotonic() - started, model.calls[CHAT]
        drive(workers, count, 1e9)
        workers.close()
        return {
            "articles": count, "seconds": round(took, 1), "articles_per_hour": round(count * 3600 / took),
            "kills": kills, "manifests": len(list(out.glob("*.result.json"))), "whole_pairs": whole_pairs(out),
            "finished_twice": finished_twice(folder / "state.sqlite3"), "left_over": len(list(out.glob(".*"))),
            "model_calls": calls, "calls_of_a_second_pass": model.calls[CHAT] - calls,
        }  # fmt: skip


if __name__ == "__main__":
    given = [float(value) for value in sys.argv[1:]] + [100.0, 2.0, 60.0][len(sys.argv) - 1 :]
    print(json.dumps(measure(int(given[0]), given[1], given[2]), indent=1))

"""100 articles, four processes on one state file, a model of 2 s per call, kill -9 every minute; prints JSON.

`python benchmarks/bench_article_kills.py [ARTICLES] [SECONDS_PER_CALL] [SECONDS_BETWEEN_KILLS]`
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from subprocess import Popen
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from iris_assets_tests.articles import samples
from iris_assets_tests.articles.test_store_and_telemetry import _worker
from iris_assets_tests.llm.fake_openai import CHAT, fake_openai

PROCESSES = 4


def _drive(folder: Path, url: str, count: int, pause: float) -> int:
    """Run until all four have walked over all articles; kill one in turn every `pause` seconds. The number of kills."""
    starts = [i * count // PROCESSES for i in range(PROCESSES)]
    running: list[Popen[bytes]] = [_worker(folder, url, start, count) for start in starts]
    kills, last = 0, time.monotonic()
    while any(process.poll() is None for process in running):
        time.sleep(0.2)
        if time.monotonic() - last < pause:
            continue
        index, last = kills % PROCESSES, time.monotonic()
        if running[index].poll() is None:
            running[index].kill()
            running[index].wait()
            running[index] = _worker(folder, url, starts[index], count)
            kills += 1
    return kills


def measure(count: int, seconds: float, pause: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name, fake_openai() as model:
        folder, out = Path(name), Path(name) / "out"
        # The fake answers under its lock; the wait must not be held there.
        model.refuses = lambda route, body: time.sleep(seconds) if route == CHAT else None
        model.reply = samples.reply()
        started = time.monotonic()
        kills = _drive(folder, model.url, count, pause)
        took, calls = time.monotonic() - started, model.calls[CHAT]
        _drive(folder, model.url, count, 1e9)
        return {
            "articles": count, "seconds": round(took, 1), "kills": kills, "manifests": len(list(out.glob("*.json"))),
            "pages": len(list(out.glob("*.md"))), "left_over": len(list(out.glob(".*"))), "model_calls": calls,
            "calls_of_a_second_pass": model.calls[CHAT] - calls,
        }  # fmt: skip


if __name__ == "__main__":
    given = [float(value) for value in sys.argv[1:]] + [100.0, 2.0, 60.0][len(sys.argv) - 1 :]
    print(json.dumps(measure(int(given[0]), given[1], given[2]), indent=1))

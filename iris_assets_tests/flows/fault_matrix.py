"""One field of the fault matrix: a disturbed run, then an undisturbed one over the same data; what is left."""

import json
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from iris_assets_tests.flows.commands import environment
from iris_assets_tests.flows.disturbed import Disturbance
from iris_assets_tests.flows.rows import database, logical_rows

FAULTS: Final = ("kill", "full", "locked", "twice", "429", "truncated", "html", "down")
FRESH: Final = 100_000  # bytes: a smaller file is still being created
Rows = dict[str, Any]


def undisturbed(data: Path, replay: Path, ufs: list[str], **settings: Any) -> Rows:
    """The rows of a run that nothing disturbed."""
    _finish(Disturbance(str(data), str(replay), ufs, settings=settings))
    return what_is_left(data)


def after(fault: str, seed: int, data: Path, replay: Path, ufs: list[str], **settings: Any) -> tuple[Rows, list[str]]:
    """(rows after a disturbed and an undisturbed run, what the disturbed one ended with)."""
    disturbed = Disturbance(str(data), str(replay), ufs, seed, fault, settings)
    ended = _WAYS.get(fault, _once)(disturbed)
    _finish(Disturbance(str(data), str(replay), ufs, settings=settings))
    return what_is_left(data), ended


def what_is_left(data: Path) -> Rows:
    """Logical rows, the newest evaluation of each UF, and counts that must be zero."""
    with closing(sqlite3.connect(f"file:{database(data)}?mode=ro", uri=True)) as connection:

        def one(query: str) -> Any:
            return connection.execute(query).fetchall()

        return {
            **logical_rows(data),
            "vectors": one('SELECT count(*) FROM "PoliticalChunk" WHERE "Embedding" IS NULL'),
            "evaluations": one(
                'SELECT e."RunPartition", count(a."Id") FROM "EvaluationRun" e JOIN "EvaluationAnswer" a'
                ' ON a."EvaluationId" = e."Id" WHERE e."Id" IN (SELECT max("Id") FROM "EvaluationRun"'
                ' GROUP BY "RunPartition") GROUP BY 1 ORDER BY 1'
            ),
            "running": one('SELECT count(*) FROM "IngestionRun" WHERE "Status" = \'RUNNING\''),
            "sound": one("PRAGMA integrity_check"),
        }


def _start(disturbed: Disturbance) -> "subprocess.Popen[str]":
    Path(disturbed.data).parent.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "iris_assets_tests.flows.disturbed", json.dumps(asdict(disturbed))],
        cwd=Path(disturbed.data).parent, env={**environment(), "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _ending(process: "subprocess.Popen[str]") -> str:
    out, err = process.communicate(timeout=240)
    reports = [json.loads(line) for line in out.splitlines() if line.startswith('["')]  # between lines of the log
    bad = [f"{uf} {stage} {code}" for uf, stage, status, code in reports if status == "FAILED"]
    last = reports[-1][:2] if reports else []
    words = err.strip().splitlines()[-1:] if process.returncode else []
    return " | ".join([f"exit {process.returncode} after {' '.join(last)}", *bad[:2], *words])[:300]


def _finish(wanted: Disturbance) -> None:
    process = _start(wanted)
    ended = _ending(process)
    assert process.returncode == 0, ended


def _once(disturbed: Disturbance) -> list[str]:
    return [_ending(_start(disturbed))]


def _twice(disturbed: Disturbance) -> list[str]:
    """Two runs of the same UFs at once, the second a random moment behind the first."""
    first = _start(disturbed)
    time.sleep(disturbed.random().uniform(0, 1))
    second = _start(disturbed)
    return [_ending(first), _ending(second)]


def _locked(disturbed: Disturbance) -> list[str]:
    """Another process takes the write lock again and again while the run works."""
    process = _start(disturbed)
    stop = threading.Event()
    locker = threading.Thread(target=_lock_at_random, args=(disturbed, stop))
    locker.start()
    try:
        return [_ending(process)]
    finally:
        stop.set()
        locker.join()


def _lock_at_random(disturbed: Disturbance, stop: threading.Event) -> None:
    rng, file = disturbed.random(), database(Path(disturbed.data))
    while not stop.wait(rng.uniform(0.05, 0.3)):
        if file.exists() and file.stat().st_size > FRESH:
            _hold_lock(file, rng, stop)


def _hold_lock(file: Path, rng: random.Random, stop: threading.Event) -> None:
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return  # the run holds it just now
        stop.wait(rng.uniform(0.1, 1.0))
        connection.execute("ROLLBACK")


_WAYS: Final[dict[str, Callable[[Disturbance], list[str]]]] = {"twice": _twice, "locked": _locked}

"""The five stages and the evaluation in a process of their own, disturbed at a random point; run as a module.

`python -m iris_assets_tests.flows.disturbed '{"data": …, "replay": …, "ufs": […], "seed": 1, "fault": "kill"}'`
prints one JSON line per stage: [UF, stage, status, error code].
"""

import json
import os
import random
import resource
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import IrisAssetsError
from iris_assets.evaluation import baseline_file
from iris_assets.evaluation.choice import question_file
from iris_assets.evaluation.partition import evaluate_partition
from iris_assets.evaluation.questions import load_questions
from iris_assets.ingest.camara import ingest_camara
from iris_assets.ingest.candidates import ingest_candidates
from iris_assets.ingest.chunks import ingest_chunks
from iris_assets.ingest.embeddings import ingest_embeddings
from iris_assets.ingest.proposals import ingest_proposals
from iris_assets.ingest.reporting import StageReport
from iris_assets.platform import Platform
from iris_assets.sample.faults import DROP, HTML, TRUNCATE, Faults
from iris_assets.sample.simulator import replay_transport
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient

Stage = Callable[..., StageReport]
BEFORE: Final[dict[str, Stage]] = {
    "candidates": ingest_candidates,
    "proposals": ingest_proposals,
    "camara": ingest_camara,
}
STAGES: Final[dict[str, Stage]] = {**BEFORE, "chunks": ingest_chunks, "embeddings": ingest_embeddings}
EVALUATION: Final = "retrieval_evaluation"
LONGEST_WAIT: Final = 0.4  # seconds from a stage's beginning to the kill: about as long as a stage of the sample takes

RATES: Final[dict[str, dict[int | str, float]]] = {
    "429": {429: 0.35},
    "truncated": {TRUNCATE: 0.35},
    "html": {HTML: 0.35},
    "down": {DROP: 1.0},
}


@dataclass(frozen=True)
class Disturbance:
    """What to do to whom, drawn from the seed; `fault` is kill, full, none or one of RATES."""

    data: str
    replay: str
    ufs: list[str]
    seed: int = 0
    fault: str = "none"
    settings: dict[str, Any] = field(default_factory=dict)

    def random(self) -> random.Random:
        return random.Random(f"{self.fault}-{self.seed}")


def main(wanted: Disturbance) -> None:
    rng = wanted.random()
    faults = Faults(rates=RATES.get(wanted.fault, {}), seed=wanted.seed, retry_after="0")
    settings = load_settings({}, iris_assets_data=Path(wanted.data), ocr="off", http_max_retries=2, **wanted.settings)
    http = HttpClient(settings, transport=replay_transport(Path(wanted.replay), faults))
    platform = Platform(settings, http=http)
    victim = rng.choice(wanted.ufs), rng.choice([*STAGES, EVALUATION])
    if wanted.fault == "full":
        _fill_the_disk(rng, settings.iris_assets_data)
    for uf in wanted.ufs:
        for name, stage in STAGES.items():
            if wanted.fault == "kill" and (uf, name) == victim:
                _kill_within(rng)
            report = stage(platform.ingest, uf)
            _say(uf, name, report.status, report.error_code)
            if report.status == "FAILED" and name in {"candidates", "chunks"}:
                break
    for uf in wanted.ufs:
        if wanted.fault == "kill" and (uf, EVALUATION) == victim:
            _kill_within(rng)
        _evaluate(platform, uf)
        _say(uf, EVALUATION, "SUCCESS", None)


def _evaluate(platform: Platform, uf: str) -> None:
    file = question_file(platform.settings, platform.store)
    export = platform.settings.iris_assets_data / "evaluation" / uf
    questions, baseline = load_questions(file), baseline_file(file)
    evaluate_partition(platform.answers, platform.store, questions, uf, baseline=baseline, export=export)


def _kill_within(rng: random.Random) -> None:
    threading.Timer(rng.uniform(0, LONGEST_WAIT), os.kill, (os.getpid(), signal.SIGKILL)).start()


def _fill_the_disk(rng: random.Random, data: Path) -> None:
    """No file may grow beyond a random size between the fresh database and the finished one."""
    fresh = (data / "iris_assets.sqlite3").stat().st_size
    limit = rng.randint(fresh // 2, fresh + 600_000)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def _say(*words: str | None) -> None:
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    try:
        main(Disturbance(**json.loads(sys.argv[1])))
    except IrisAssetsError as error:
        sys.exit(str(error))

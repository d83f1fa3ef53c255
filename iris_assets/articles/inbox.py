"""A folder of article objects of one UF processed several at once: the body of the asset `articles`."""

import logging
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TextIO

from iris_assets.articles.configuration import RuntimeConfig, certified
from iris_assets.articles.profile import build_profile
from iris_assets.articles.publishing import publish
from iris_assets.articles.runtime import Outcome, run_article
from iris_assets.articles.state import StateStore
from iris_assets.articles.telemetry import resend
from iris_assets.articles.validation import read_json
from iris_assets.errors import IrisAssetsError
from iris_assets.logs import event
from iris_assets.settings import read_environment
from iris_assets.store import Store

log = logging.getLogger(__name__)

WORKERS: Final = 4


def process_inbox(
    folder: Path,
    uf: str,
    *,
    store: Store,
    out: Path,
    state_path: Path,
    config: RuntimeConfig,
    environment: Mapping[str, str] | None = None,
    workers: int = WORKERS,
    stream: TextIO | None = None,
) -> dict[str, Any]:
    """Run `<folder>/<UF>/<TSE id>/*.json` and publish what is approved, in the order of the names.

    {"files", "completed", "rejected", "failed", "published" (= "created" + "updated"), "duplicates", "repeated",
    "model_calls", "errors"};
    `errors` names file and code; one bad file costs itself only. An absent folder is an empty one.
    """
    files = _files(folder / uf)
    config = certified(config, environment)

    def work(path: Path) -> Outcome | IrisAssetsError:
        try:
            profile = build_profile(store, path.parent.name)
            return run_article(
                read_json(path), profile.model_dump(mode="json"),
                out=out, state_path=state_path, config=config, environment=environment, stream=stream, send=False,
            )  # fmt: skip
        except IrisAssetsError as error:
            return error

    counts: Counter[str] = Counter()
    errors: list[dict[str, str]] = []
    with ThreadPoolExecutor(workers, thread_name_prefix="articles") as pool:
        for path, outcome in zip(files, pool.map(work, files), strict=True):
            problem = _counted(counts, store, outcome)
            if problem:
                event(log, "file skipped", logging.WARNING, file=ascii(path.name)[1:-1], code=problem)
                errors.append({"file": path.name, "code": problem})
    # Once for all of them: a silent telemetry host costs its two seconds once, not for each article.
    if files:
        sink = read_environment() if environment is None else environment
        with closing(StateStore(state_path)) as state:
            resend(state, sink, seconds=config.operation.flush_seconds)
    names = ("completed", "rejected", "failed", "created", "updated", "published", "duplicates", "repeated",
             "model_calls")  # fmt: skip
    return {"files": len(files), **{name: counts[name] for name in names}, "errors": errors}


def _files(folder: Path) -> list[Path]:
    people = [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []
    return sorted(file for person in people for file in person.iterdir() if file.suffix == ".json")


def _counted(counts: Counter[str], store: Store, outcome: Outcome | IrisAssetsError) -> str | None:
    """Count and publish one outcome; the code of what went wrong."""
    if isinstance(outcome, IrisAssetsError):
        counts["failed"] += 1
        return outcome.code
    status = outcome.manifest.status
    counts[{"completed_text": "completed", "ecp_rejected": "rejected"}.get(status, "failed")] += 1
    counts["repeated"] += outcome.repeated
    counts["model_calls"] += 0 if outcome.repeated else len(outcome.manifest.attempts)
    try:
        published = publish(store, outcome)
    except IrisAssetsError as error:
        counts["failed"] += 1
        return error.code
    counts["created"] += published.status == "inserted"
    counts["updated"] += published.status == "updated"
    counts["published"] += published.status in ("inserted", "updated")
    counts["duplicates"] += published.status == "duplicate"
    return outcome.manifest.error_code

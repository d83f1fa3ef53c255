"""A folder of article objects of one UF processed several at once: the body of the asset `articles`."""

import logging
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from iris_assets.articles.configuration import RuntimeConfig, certified
from iris_assets.articles.profile import build_profile
from iris_assets.articles.publishing import publish
from iris_assets.articles.runtime import Outcome, require_keys, run_article
from iris_assets.articles.state import StateStore
from iris_assets.articles.telemetry import resend
from iris_assets.articles.validation import read_json
from iris_assets.articles.withdrawing import withdraw_absent
from iris_assets.errors import IrisAssetsError
from iris_assets.logs import event
from iris_assets.settings import read_environment
from iris_assets.store import Store
from iris_assets.words.source_kinds import NEWS_ARTICLE

log = logging.getLogger(__name__)

WORKERS: Final = 4
COUNTS: Final = ("completed", "rejected", "review", "failed", "created", "updated", "published", "duplicates", "older",
                 "partial", "withdrawn", "repeated", "model_calls")  # fmt: skip
PUBLISHED: Final = {"inserted": "created", "duplicate": "duplicates", "retired": "withdrawn"}


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

    {"files", "completed", "rejected", "review", "failed", "published" (= "created" + "updated"), "duplicates", "older",
    "partial", "withdrawn", "repeated", "model_calls", "changed", "errors"}; `changed` says whether chunks are to be cut anew, `errors`
    names file and code; one bad file costs itself only. An absent folder is an empty one.
    Raises ConfigurationError ROLE_KEY_MISSING before anything is stored.
    """
    files = _files(folder / uf)
    config = certified(config, environment)
    if files:
        require_keys(config, environment)

    def work(path: Path) -> Outcome | IrisAssetsError:
        try:
            profile = build_profile(store, path.parent.name)
            return run_article(
                read_json(path), profile.model_dump(mode="json"),
                out=out, state_path=state_path, config=config, environment=environment, stream=stream, send=False,
            )  # fmt: skip
        except IrisAssetsError as error:
            return error
        except Exception as error:
            log.exception("unexpected error with %s", ascii(path.name))
            return IrisAssetsError("ARTICLE_UNEXPECTED", f"unexpected {type(error).__name__}", hint="report the file")

    result = _Result()
    with ThreadPoolExecutor(workers, thread_name_prefix="articles") as pool:
        for path, outcome in zip(files, pool.map(work, files), strict=True):
            _take(result, store, path, outcome)
    if (folder / uf).is_dir():
        gone = withdraw_absent(store, _published_about(store, uf) - result.unclear, result.urls)
        result.counts["withdrawn"] += gone
        result.changed |= gone > 0
    # Once for all of them: a silent telemetry host costs its two seconds once, not for each article.
    if files:
        sink = read_environment() if environment is None else environment
        with closing(StateStore(state_path)) as state:
            resend(state, sink, seconds=config.operation.flush_seconds)
    counts = {name: result.counts[name] for name in COUNTS}
    return {"files": len(files), **counts, "changed": result.changed, "errors": result.errors}


@dataclass(slots=True)
class _Result:
    """What became of the files so far; `unclear`: candidates with a file whose URL nobody could read."""

    counts: Counter[str] = field(default_factory=Counter)
    errors: list[dict[str, str]] = field(default_factory=list)
    urls: set[str] = field(default_factory=set)
    unclear: set[str] = field(default_factory=set)
    changed: bool = False


def _files(folder: Path) -> list[Path]:
    people = [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []
    return sorted(file for person in people for file in person.iterdir() if file.suffix == ".json")


def _published_about(store: Store, uf: str) -> set[str]:
    """TSE ids of the UF's candidates who have an article."""
    links = store.links.of_partition(uf, NEWS_ARTICLE)
    people = store.candidates.by_ids({row_id for ids in links.values() for row_id in ids})
    return {row["tse_id"] for row in people.values()}


def _take(result: _Result, store: Store, path: Path, outcome: Outcome | IrisAssetsError) -> None:
    """Count and publish one outcome, and tell what went wrong."""
    tse_id = path.parent.name
    if isinstance(outcome, IrisAssetsError):
        result.unclear.add(tse_id)
        result.counts["failed"] += 1
        problem: str | None = outcome.code
    else:
        result.urls.add(outcome.manifest.url[:1000])
        problem = _counted(result, store, outcome)
    if problem:
        event(log, "file skipped", logging.WARNING, file=ascii(path.name)[1:-1], code=problem)
        result.errors.append({"file": path.name, "code": problem, "candidate": tse_id})


def _counted(result: _Result, store: Store, outcome: Outcome) -> str | None:
    counts, manifest = result.counts, outcome.manifest
    counts[{"completed_text": "completed", "ecp_rejected": "rejected"}.get(manifest.status, "failed")] += 1
    counts["review"] += manifest.guard is not None and manifest.guard.verdict == "REVIEW"
    counts["repeated"] += outcome.repeated
    counts["model_calls"] += 0 if outcome.repeated else len(manifest.attempts)
    try:
        status = publish(store, outcome).status
    except IrisAssetsError as error:
        counts["failed"] += 1
        return error.code
    counts[PUBLISHED.get(status, status)] += 1
    counts["published"] += status in ("inserted", "updated")
    result.changed |= status in ("inserted", "updated", "retired")
    return manifest.error_code

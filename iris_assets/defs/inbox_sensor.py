"""The inbox of news: one run per UF whose files came, changed or went."""

import hashlib
import json
from pathlib import Path

import dagster as dg

from iris_assets.defs.automation import sensor_status
from iris_assets.defs.jobs import articles_job
from iris_assets.settings import load_settings
from iris_assets.ufs import PARTITIONS


@dg.sensor(
    job=articles_job,
    minimum_interval_seconds=60,
    default_status=sensor_status(),
    description="One run of `articles` per UF whose inbox changed: a file more, another content, a file less.",
)
def inbox_sensor(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    inbox = load_settings().iris_assets_data / "inbox"
    seen: dict[str, str] = json.loads(context.cursor) if context.cursor else {}
    found = {uf: folder_mark(inbox / uf) for uf in PARTITIONS if (inbox / uf).is_dir()}
    changed = sorted(uf for uf, mark in found.items() if seen.get(uf) != mark)
    requests = [dg.RunRequest(run_key=f"articles:{uf}:{found[uf]}", partition_key=uf) for uf in changed]
    return dg.SensorResult(
        run_requests=requests,
        cursor=json.dumps(seen | found, sort_keys=True),
        skip_reason=None if requests else dg.SkipReason("nothing new in the inbox"),
    )


def folder_mark(folder: Path) -> str:
    """Another mark when a file of a candidate came, went or changed; contents are not read."""
    people = sorted(path for path in folder.iterdir() if path.is_dir())
    files = [file for person in people for file in sorted(person.iterdir()) if file.suffix == ".json"]
    digest = hashlib.sha256()
    for file in files:
        facts = file.stat()
        digest.update(
            f"{file.parent.name}/{file.name} {facts.st_size} {facts.st_mtime_ns}\n".encode("utf-8", "surrogateescape")
        )
    return digest.hexdigest()[:16]

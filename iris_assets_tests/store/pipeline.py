"""The five stages over the sample on any store, and the writes that a recorder saw as text to compare."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final

from iris_assets.ingest.camara import ingest_camara
from iris_assets.ingest.candidates import ingest_candidates
from iris_assets.ingest.chunks import ingest_chunks
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.embeddings import ingest_embeddings
from iris_assets.ingest.proposals import ingest_proposals
from iris_assets.ingest.reporting import StageReport
from iris_assets.platform import Platform
from iris_assets.settings import Settings
from iris_assets.store import Store
from iris_assets_tests.store.expectations import shape
from iris_assets_tests.store.flow import logical_rows
from iris_assets_tests.store.recorder import Event

STAGES = (ingest_candidates, ingest_proposals, ingest_camara, ingest_chunks, ingest_embeddings)
LONGEST: Final = 60  # characters of a value that are shown; of a longer one the hash stands for the rest

_WRITE = re.compile(r"^(?:INSERT|UPDATE|DELETE)\b")
_AUDIT = re.compile(r'"(?:SourceState|IngestionRun)"')
_TIME = re.compile(r"^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?$")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def sample_settings(folder: Path, replay: Path, **more: Any) -> Settings:
    """Settings of one store's run over the sample."""
    return Settings(
        iris_assets_data=folder, iris_assets_replay=replay, ingest_election_year=2026, as_of=date(2026, 8, 15),
        ocr="off", pdf_workers=1, camara_http_workers=1, **more,
    )  # fmt: skip


@contextmanager
def ingest_context(store: Store, settings: Settings) -> Iterator[IngestContext]:
    """What a stage takes, over any store."""
    settings.iris_assets_data.mkdir(parents=True, exist_ok=True)
    platform = Platform(settings, store=store)
    try:
        yield platform.ingest
    finally:
        platform.http.close()


def run_pipeline(context: IngestContext, ufs: Sequence[str], **arguments: Any) -> list[StageReport]:
    """Every stage of every UF, as a run does it."""
    return [stage(context, uf, **arguments) for uf in ufs for stage in STAGES]


def succeeded(reports: list[StageReport]) -> list[StageReport]:
    """The reports, none of which failed."""
    assert {report.status for report in reports} <= {"SUCCESS", "PARTIAL"}, [r.error_message for r in reports]
    return reports


def rows_without_times(store: Store) -> dict[str, list[str]]:
    """logical_rows as text, without when a record was fetched; the book-keeping of two runs is their own."""
    times = {"source_collected_at", "last_seen_at"}
    return {
        name: sorted(str({key: value for key, value in row.items() if key not in times}) for row in rows)
        for name, rows in logical_rows(store).items()
        if name not in {"SourceState", "IngestionRun"}
    }


def written(events: Sequence[Event]) -> str:
    """Each write statement with its parameter rows, sorted; what differs from run to run is masked."""
    rows: dict[str, list[str]] = defaultdict(list)
    for event in events:
        if _WRITE.match(event.statement):
            many = event.parameters if event.kind == "executemany" else (event.parameters,)
            mask = _audited if _AUDIT.search(event.statement) else _masked
            rows[shape(event.statement)] += [json.dumps([mask(v) for v in row], ensure_ascii=False) for row in many]
    blocks = ["\n".join([f"{statement};", *sorted(found)]) for statement, found in sorted(rows.items())]
    return "\n\n".join(blocks) + "\n"


def _audited(value: Any) -> Any:
    # Keys, hashes and figures of a run's own book-keeping depend on when the sample was written.
    return _masked(value) if not isinstance(value, str) or len(value) < 40 else "<long>"


def _masked(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if _TIME.match(value):
        return "<time>"
    value = _UUID.sub("<uuid>", value)
    if value.count("|") == 3 and re.search(r"\|\d+\|\d+$", value):
        return "<process>"
    if len(value) <= LONGEST:
        return value
    return f"{value[:LONGEST]}… {hashlib.sha256(value.encode()).hexdigest()[:12]}"

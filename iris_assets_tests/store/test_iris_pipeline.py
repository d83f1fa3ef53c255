"""The platform with the recorder in a server's place: what it sends, in which units, and the same rows as SQLite.

`UPDATE_GOLDEN=1 pytest iris_assets_tests/store/test_iris_pipeline.py` writes the expectations anew; read the difference.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, get_args

import dagster as dg
import pytest

from iris_assets.defs.camara import camara
from iris_assets.defs.candidates import candidates
from iris_assets.defs.chunks import chunks
from iris_assets.defs.embeddings import embeddings
from iris_assets.defs.proposals import proposals
from iris_assets.defs.resources import EmbedderResource, SettingsResource, SourcesResource
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.reporting import StageReport
from iris_assets.platform import Platform
from iris_assets.retrieval.types import Strategy
from iris_assets.store import open_store
from iris_assets.web.app import create_app
from iris_assets_tests.flows.conftest import sample_replay
from iris_assets_tests.llm.fake_openai import fake_openai
from iris_assets_tests.store import usage
from iris_assets_tests.store.conftest import recorded_store
from iris_assets_tests.store.expectations import compare, listed, shape, shapes_of
from iris_assets_tests.store.pipeline import (
    ingest_context,
    rows_without_times,
    run_pipeline,
    sample_settings,
    succeeded,
    written,
)
from iris_assets_tests.store.recorder import Event, Recorder

__all__ = ["sample_replay"]
UFS = ("AC", "BR")


@dataclass
class World:
    """The same run on both engines; what it sent and left, before anything else is done to the recorded store."""

    recorder: Recorder
    ingest: IngestContext
    reports: list[StageReport]
    events: list[Event]
    there: dict[str, list[str]]
    here: dict[str, list[str]]


@pytest.fixture(scope="module")
def world(sample_replay: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("pipeline")
    recorder = Recorder(folder / "behind.sqlite3")
    recorded, embedded = recorded_store(recorder), open_store(f"sqlite:///{folder / 'store.sqlite3'}")
    with fake_openai() as model:
        more = {"llm_api_key": "sk-loopback", "llm_base_url": model.url, "embedding_dimension": 8}
        settings = {name: sample_settings(folder / name, sample_replay, **more) for name in ("recorded", "embedded")}
        with ingest_context(embedded, settings["embedded"]) as ingest:
            succeeded(run_pipeline(ingest, UFS))
        with ingest_context(recorded, settings["recorded"]) as ingest:
            reports = succeeded(run_pipeline(ingest, UFS))
            events = list(recorder.events)
            yield World(recorder, ingest, reports, events, rows_without_times(recorded), rows_without_times(embedded))
    recorded.close()
    embedded.close()


def test_every_write_and_its_parameters_are_the_reviewed_ones(world: World) -> None:
    compare("pipeline_writes.txt", written(world.events))


def test_both_engines_end_with_the_same_logical_rows(world: World) -> None:
    for name in (
        "Candidate",
        "ProposalDocument",
        "Proposition",
        "PropositionAuthor",
        "PoliticalChunk",
        "MatchEvidence",
    ):
        assert world.there[name], name
    assert world.there.keys() == world.here.keys()
    for name, rows in world.there.items():
        assert rows == world.here[name], name


def test_every_write_is_committed(world: World) -> None:
    """The recorder refuses what breaks a rule, every test refuses more than 500 rows of a table a unit."""
    pending = 0
    for event in world.events:
        if event.kind in {"commit", "rollback"}:
            pending = 0
        elif re.match(r"(INSERT|UPDATE|DELETE)\b", event.statement):
            pending += 1
    assert pending == 0


class _Platform(SourcesResource, EmbedderResource):
    """The resources of a run over a context that exists already (Dagster copies a resource, not its class)."""

    ingest: ClassVar[IngestContext]

    def context(self) -> IngestContext:
        return self.ingest


def test_each_step_takes_one_connection_and_gives_it_back(world: World) -> None:
    platform, _Platform.ingest = _Platform(settings=SettingsResource()), world.ingest
    world.ingest.store.close()
    world.recorder.events.clear()
    assets = [candidates, proposals, camara, chunks, embeddings]
    resources = {"sources": platform, "embedder": platform}
    assert dg.materialize(assets, partition_key="AC|2026", resources=resources).success
    links = [event.kind for event in world.recorder.events if event.kind in {"connect", "close"}]
    assert links == ["connect", "close"] * len(assets)


@pytest.mark.slow
def test_every_statement_of_the_platform_is_a_reviewed_one(world: World, tmp_path: Path) -> None:
    """Collecting (first, again, anew), every question and route, review, evaluation, maintenance, over the recorder.

    `usage.sql` holds what the flow through every method of the store does not send by itself.
    """
    ingest, recorder = world.ingest, world.recorder
    recorder.events.clear()
    for again in (False, True):
        succeeded(run_pipeline(ingest, UFS[:1], full_refresh=again))
    usage.answer_searches(recorder, ingest.store)
    platform = Platform(ingest.settings, store=ingest.store, embedder=ingest.embedder)
    app = create_app(ingest.settings, platform=platform, rate_per_minute=1_000_000)
    assert usage.ask_everything(app, ingest.store) == set(get_args(Strategy))
    usage.visit_everything(app, ingest.store)
    usage.tend_everything(ingest, platform, world.reports, tmp_path)
    sent = {shape(event.statement) for event in (*world.events, *recorder.events) if event.statement}
    compare("usage.sql", listed(sent - shapes_of("statements.sql")))

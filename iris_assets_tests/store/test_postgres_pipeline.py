"""The platform over a live PostgreSQL: the same rows, answers and figures as over SQLite."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import dagster as dg
import pytest

from iris_assets.defs.candidates import candidates
from iris_assets.defs.resources import EmbedderResource, SettingsResource, SourcesResource
from iris_assets.evaluation.partition import evaluate_partition
from iris_assets.evaluation.questions import load_questions
from iris_assets.ingest.context import IngestContext
from iris_assets.platform import Platform
from iris_assets.settings import Settings
from iris_assets.store import Store, Tx, admin, open_store
from iris_assets.web.app import create_app
from iris_assets_tests.flows.conftest import sample_replay
from iris_assets_tests.llm.fake_openai import fake_openai
from iris_assets_tests.postgres import PostgresServer
from iris_assets_tests.store import flow, usage
from iris_assets_tests.store.pipeline import (
    ingest_context,
    rows_without_times,
    run_pipeline,
    sample_settings,
    succeeded,
)

__all__ = ["sample_replay"]
UFS = ("AC", "BR")


@dataclass
class World:
    """One run of the five stages on both engines, each with its settings."""

    stores: dict[str, Store]
    settings: dict[str, Settings]

    def figures(self, name: str, folder: Path) -> list[Any]:
        """What the evaluation measures on one of them."""
        platform = Platform(self.settings[name], store=self.stores[name])
        questions = load_questions(usage.SAMPLE)
        found = [
            evaluate_partition(
                platform.answers,
                self.stores[name],
                questions,
                uf,
                baseline=folder / "floors.json",
                export=folder / name,
            ).figures
            for uf in UFS
        ]
        platform.http.close()
        return found


@pytest.fixture(scope="module")
def world(
    sample_replay: Path, postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("pipeline")
    urls = {"postgres": postgres_server.fresh("pipeline"), "sqlite": f"sqlite:///{folder / 'store.sqlite3'}"}
    admin.upgrade(urls["postgres"])
    stores = {name: open_store(url) for name, url in urls.items()}
    with fake_openai() as model:
        more = {"llm_api_key": "sk-loopback", "llm_base_url": model.url, "embedding_dimension": 8}
        settings = {name: sample_settings(folder / name, sample_replay, **more) for name in stores}
        for name, store in stores.items():
            with ingest_context(store, settings[name]) as ingest:
                succeeded(run_pipeline(ingest, UFS))
        yield World(stores, settings)
    for store in stores.values():
        store.close()


def test_both_engines_end_with_the_same_logical_rows(world: World) -> None:
    there, here = (rows_without_times(store) for store in world.stores.values())
    assert there["Candidate"] and there["PoliticalChunk"] and there["PropositionAuthor"] and there["MatchEvidence"]
    for name, rows in there.items():
        assert rows == here[name], name


def test_collecting_again_changes_nothing(world: World) -> None:
    before = rows_without_times(world.stores["postgres"])
    with ingest_context(world.stores["postgres"], world.settings["postgres"]) as ingest:
        for report in succeeded(run_pipeline(ingest, UFS[:1], full_refresh=True)):
            assert report.counters["created"] == report.counters["updated"] == 0, report.stage
    assert rows_without_times(world.stores["postgres"]) == before


def test_the_evaluation_measures_the_same(world: World, tmp_path: Path) -> None:
    there, here = (world.figures(name, tmp_path) for name in world.stores)
    assert there == here


def test_every_question_and_route_is_answered_alike(world: World) -> None:
    strategies = {}
    for name, store in world.stores.items():
        platform = Platform(world.settings[name], store=store)
        app = create_app(world.settings[name], platform=platform, rate_per_minute=1_000_000)
        strategies[name] = usage.ask_everything(app, store)
        usage.visit_everything(app, store)
        platform.http.close()
    assert strategies["postgres"] == strategies["sqlite"]


class _Platform(SourcesResource, EmbedderResource):
    """The resources of a run over a context that exists already (Dagster copies a resource, not its class)."""

    ingest: ClassVar[IngestContext]

    def context(self) -> IngestContext:
        return self.ingest


def test_a_stage_whose_unit_the_server_undid_is_run_once_more(
    world: World, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(postgres_url)
    upsert = store.candidates.upsert
    cut: list[str] = []

    def broken(tx: Tx, rows: Any) -> Any:
        if not cut:
            cut.append("once")
            tx.connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
        return upsert(tx, rows)

    monkeypatch.setattr(store.candidates, "upsert", broken)
    settings = world.settings["postgres"].model_copy(update={"iris_assets_data": tmp_path})
    with ingest_context(store, settings) as ingest:
        platform, _Platform.ingest = _Platform(settings=SettingsResource()), ingest
        resources = {"sources": platform, "embedder": platform}
        assert dg.materialize([candidates], partition_key="AC|2026", resources=resources).success
    assert [(run.status, run.error_code) for run in store.runs.latest()][1] == ("FAILED", "STORE_LINK_LOST")
    done, wanted = (
        one.candidates.list(states=("AC",), columns=("tse_id",)) for one in (store, world.stores["postgres"])
    )
    assert done and done == wanted
    store.close()


def test_every_method_of_the_store_leaves_and_reads_the_same(postgres_url: str, tmp_path: Path) -> None:
    stores = [open_store(postgres_url), open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")]
    for store in stores:
        flow.write_everything(store)
        flow.read_everything(store)
        flow.search_everything(store)
    there, here = map(flow.logical_rows, stores)
    assert there == here
    for store in stores:
        store.close()

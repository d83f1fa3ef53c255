"""The inbox of a UF and the Dagster asset over it: unofficial sources and passages, each text once."""

import io
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from iris_assets.articles.inbox import process_inbox
from iris_assets.defs.articles import articles
from iris_assets.defs.resources import SettingsResource, SourcesResource
from iris_assets.platform import forget_process_platforms
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import Store, open_store
from iris_assets_tests.articles import samples
from iris_assets_tests.articles.test_commands import CANDIDATE
from iris_assets_tests.llm.fake_openai import CHAT, FakeOpenAI


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'iris_assets.sqlite3'}")
    with opened.transaction() as tx:
        opened.candidates.upsert(tx, [CANDIDATE])
    yield opened
    opened.close()


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """The same agency text in two papers, an article about a homonym, and a file that is no JSON."""
    folder = tmp_path / "inbox" / "SP" / "250001"
    folder.mkdir(parents=True)
    longer = samples.article((*samples.PARAGRAPHS, "Leia mais no jornal."), number=2)
    homonym = samples.article(("A vereadora Ana Lima, de São Paulo, votou.", *samples.PARAGRAPHS[1:]), number=4)
    for extraction in homonym["extractions"].values():
        extraction["title"] = "Projeto"
    for number, value in ((1, samples.article(number=1)), (2, longer), (4, homonym)):
        (folder / f"{number}.json").write_text(json.dumps(value), "utf-8")
    (folder / "3.json").write_text("{", "utf-8")
    return tmp_path / "inbox"


def process(store: Store, model: FakeOpenAI, inbox: Path, **environment: str) -> dict[str, Any]:
    model.reply = samples.reply()
    return process_inbox(
        inbox, "SP", store=store, config=samples.config(model.url), environment={**samples.KEYS, **environment},
        stream=io.StringIO(), **samples.paths(inbox.parent),
    )  # fmt: skip


def test_an_inbox_becomes_unofficial_sources_once(store: Store, model: FakeOpenAI, inbox: Path) -> None:
    model.refuses = lambda route, body: time.sleep(0.1)
    first = process(store, model, inbox)
    assert {name: value for name, value in first.items() if name not in ("model_calls", "errors")} == {
        "files": 4, "completed": 2, "rejected": 1, "review": 1, "failed": 1, "created": 1, "updated": 0, "published": 1,
        "duplicates": 1, "older": 0, "partial": 0, "withdrawn": 0, "repeated": 0, "changed": True,
    }  # fmt: skip
    assert first["errors"] == [{"file": "3.json", "code": "INPUT_NOT_JSON", "candidate": "250001"}]
    assert first["model_calls"] == model.calls[CHAT] == 8  # three for an approved one, two for the refused one
    assert model.most_at_once > 1  # several at once
    (row,) = store.articles.of_candidate("250001")
    assert samples.PARAGRAPHS[1] in row["body_text"] and json.loads(row["manifest_json"])["official"] is False
    again = process(store, model, inbox)
    assert (again["repeated"], again["published"], again["model_calls"], model.calls[CHAT]) == (3, 0, 0, 8)


def test_a_silent_telemetry_host_costs_an_inbox_its_seconds_once(store: Store, model: FakeOpenAI, inbox: Path) -> None:
    process(store, model, inbox)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        started = time.monotonic()
        result = process(store, model, inbox, LANGFUSE_HOST=f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert result["repeated"] == 3 and 2.0 <= time.monotonic() - started < 3.9  # less than twice two


def test_an_absent_folder_is_an_empty_one(store: Store, model: FakeOpenAI, tmp_path: Path) -> None:
    assert process(store, model, tmp_path / "inbox")["files"] == 0


def test_the_asset_audits_publishes_and_cuts_passages(
    store: Store, model: FakeOpenAI, inbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.reply = samples.reply()
    for role in ("PRIMARY", "FALLBACK"):
        monkeypatch.setenv(f"RUNTIME_{role}_BASE_URL", model.url)
    for name, key in samples.KEYS.items():
        monkeypatch.setenv(name, key)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    overrides = {"IRIS_ASSETS_DATA": str(tmp_path), "INGEST_ELECTION_YEAR": "2026"}
    sources = SourcesResource(settings=SettingsResource(overrides=overrides))
    with dg.DagsterInstance.ephemeral() as instance:
        done = dg.materialize([articles], partition_key="SP", resources={"sources": sources}, instance=instance)
        (event,) = done.asset_materializations_for_node("articles")
        (check,) = done.get_asset_check_evaluations()
    metadata = {name: value.value for name, value in event.metadata.items()}
    # As in the other stages: the audit row first, then its figures.
    (row,) = store.runs.latest(source="NEWS_ARTICLES")
    assert metadata["ingestion_run"] == row.run_key and metadata["status"] == row.status == "PARTIAL"
    assert [metadata[f"records_{name}"] for name in ("read", "created", "updated", "skipped", "failed")] == [
        4,
        1,
        0,
        2,
        1,
    ]
    assert (metadata["figures/rejected"], metadata["figures/duplicates"], metadata["work/model_calls"]) == (1, 1, 8)
    assert "INPUT\\_NOT\\_JSON" in metadata["errors"] and (check.check_name, check.passed) == ("complete", False)
    (chunk, *_) = store.chunks.of_source("NEWS_ARTICLE", store.articles.of_candidate("250001")[0]["fingerprint"])
    assert chunk["metadata_json"]["official"] is False and chunk["header"].startswith("Notícia, fonte não oficial")
    service = RetrievalService(store, load_settings(iris_assets_data=tmp_path), None)
    silent = service.retrieve("transporte escolar nos municípios", candidate="250001")
    assert all(evidence.source_type != "NEWS_ARTICLE" for evidence in silent.evidences)
    asked = service.retrieve("O que dizem as notícias sobre transporte escolar?", candidate="250001")
    assert [evidence.source_type for evidence in asked.evidences] == ["NEWS_ARTICLE"]
    assert "Notícias não são fontes oficiais." in asked.notices
    forget_process_platforms()

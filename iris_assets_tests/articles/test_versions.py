"""A URL is a source with versions: correction, withdrawal, another URL with the same text, a poison file; by Dagster."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from typer.testing import CliRunner

from iris_assets.articles.publishing import correction_of
from iris_assets.cli import app
from iris_assets.defs.articles import articles
from iris_assets.defs.resources import SettingsResource, SourcesResource
from iris_assets.platform import forget_process_platforms
from iris_assets.store import Store, open_store
from iris_assets_tests.articles import samples
from iris_assets_tests.articles.test_commands import CANDIDATE
from iris_assets_tests.llm.fake_openai import FakeOpenAI

URL = "https://jornal.example/n/1"
CORRECTED = (*samples.PARAGRAPHS[:1], "Correção: a proposta atende 900 municípios, e não 1.200, e custa R$ 35 milhões por ano.",
             samples.PARAGRAPHS[2])  # fmt: skip
LATER = "2026-08-02T10:00:00Z"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "inbox" / "SP" / "250001"
    found.mkdir(parents=True)
    return found


@pytest.fixture
def store(tmp_path: Path, folder: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'iris_assets.sqlite3'}")
    with opened.transaction() as tx:
        opened.candidates.upsert(tx, [CANDIDATE])
    yield opened
    opened.close()


@pytest.fixture
def run(
    model: FakeOpenAI, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], Any]]:
    """Materialise `articles` of SP; the metadata."""
    model.reply = samples.reply()
    for role in ("PRIMARY", "FALLBACK"):
        monkeypatch.setenv(f"RUNTIME_{role}_BASE_URL", model.url)
    for name, key in samples.KEYS.items():
        monkeypatch.setenv(name, key)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    sources = SourcesResource(
        settings=SettingsResource(overrides={"IRIS_ASSETS_DATA": str(tmp_path), "INGEST_ELECTION_YEAR": "2026"})
    )

    def materialise() -> dict[str, Any]:
        with dg.DagsterInstance.ephemeral() as instance:
            done = dg.materialize([articles], partition_key="SP", resources={"sources": sources}, instance=instance)
            (event,) = done.asset_materializations_for_node("articles")
        return {name: value.value for name, value in event.metadata.items()}

    yield materialise
    forget_process_platforms()


def put(folder: Path, name: str, value: Any, **changes: Any) -> None:
    (folder / name).write_text(json.dumps({**value, **changes}), "utf-8")


def searched(store: Store) -> list[str]:
    """The texts that a search can find."""
    found = store.links.of_partition("SP", "NEWS_ARTICLE")
    return [chunk["content"] for kind, key in found for chunk in store.chunks.of_source(kind, key)]


def test_a_correction_replaces_the_chunks_and_the_old_version_stays_readable(
    store: Store, run: Callable[[], Any], folder: Path
) -> None:
    put(folder, "1.json", samples.article())
    run()
    (old,) = store.articles.of_candidate("250001")
    put(folder, "2.json", samples.article(CORRECTED), fetched_at=LATER)
    assert run()["records_updated"] == 1
    (new,) = store.articles.of_candidate("250001")
    assert [("900 municípios" in text, "1.200 municípios" in text) for text in searched(store)] == [(True, False)]
    assert new["fetched_at"] == LATER and "900 municípios" in (new["correction"] or "")
    kept = store.articles.get(old["fingerprint"])  # what an answer of then cites
    assert kept is not None and samples.PARAGRAPHS[1] in (kept["body_text"] or "")
    assert (kept["status"], kept["replaced_by"]) == ("SUPERSEDED", new["fingerprint"])
    # Both files stay in the inbox: the older one must not come back.
    assert run()["figures/older"] == 1 and store.articles.of_candidate("250001") == [new]


def test_a_version_that_is_no_longer_about_the_candidate_takes_the_old_one_along(
    store: Store, run: Callable[[], Any], folder: Path
) -> None:
    put(folder, "1.json", samples.article())
    run()
    other = samples.article(("A vereadora Ana Lima (PTY-MG) votou ontem.", *samples.PARAGRAPHS[1:]))
    put(folder, "1.json", other, fetched_at=LATER)
    assert run()["figures/withdrawn"] == 1
    assert store.articles.of_candidate("250001") == [] and searched(store) == []


def test_a_file_that_leaves_the_inbox_retires_its_article(store: Store, run: Callable[[], Any], folder: Path) -> None:
    put(folder, "1.json", samples.article())
    put(folder, "2.json", samples.article(CORRECTED, number=2))
    run()
    (folder / "2.json").write_text("{", "utf-8")  # unreadable is not removed: nobody knows whose file it is
    run()
    assert len(searched(store)) == 2
    (folder / "2.json").unlink()
    assert run()["figures/withdrawn"] == 1
    assert len(searched(store)) == 1
    (row,) = store.articles.versions("https://jornal.example/n/2")
    assert (row["status"], row["status_reason"]) == ("WITHDRAWN", "FILE_REMOVED")


def test_the_same_text_counts_once_at_another_url_and_again_after_the_first_went(
    store: Store, run: Callable[[], Any], folder: Path
) -> None:
    put(folder, "1.json", samples.article())
    put(folder, "2.json", samples.article(number=2))
    assert (run()["figures/published"], len(searched(store))) == (1, 1)
    (folder / "1.json").unlink()
    run()
    run()
    assert [row["url"] for row in store.articles.of_candidate("250001")] == ["https://jornal.example/n/2"]


def test_a_withdrawal_is_remembered_until_it_is_undone(
    store: Store, run: Callable[[], Any], folder: Path, tmp_path: Path
) -> None:
    put(folder, "1.json", samples.article())
    run()
    done = CliRunner().invoke(app, ["news", "withdraw", URL, "--reason", "ordem judicial", "--data", str(tmp_path)])
    (version,) = json.loads(done.stdout)["versions"]
    assert (version["status"], version["status_reason"]) == ("WITHDRAWN", "BY_COMMAND: ordem judicial")
    assert searched(store) == [] and samples.PARAGRAPHS[1] in version["body_text"]
    put(folder, "2.json", samples.article(CORRECTED), fetched_at=LATER)
    assert run()["figures/published"] == 0 and searched(store) == []
    CliRunner().invoke(app, ["news", "withdraw", URL, "--undo", "--data", str(tmp_path)])
    assert run()["figures/published"] >= 1 and len(searched(store)) == 1
    assert (
        CliRunner().invoke(app, ["news", "versions", "https://nada.example/", "--data", str(tmp_path)]).exit_code != 0
    )


def test_a_poison_file_costs_itself_only(store: Store, run: Callable[[], Any], folder: Path) -> None:
    put(folder, "1.json", samples.article())
    (folder / "0.json").write_text('{"article_id": ' + "[" * 50000, "utf-8")
    (folder / "00.json").write_bytes(b"\xff\xfe\x00")
    put(folder, "000.json", {**samples.article(), "extractions": None})
    found = run()
    assert (found["records_failed"], found["records_created"], len(searched(store))) == (3, 1, 1)


def test_a_notice_of_correction_is_found_by_its_first_words() -> None:
    assert correction_of("Ela votou.\n\nErrata: eram dois votos.") == "Errata: eram dois votos."
    assert correction_of("A lei prevê correção monetária dos valores.") is None

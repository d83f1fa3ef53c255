"""Seven page structures and a few that are no article: the right kind, and a part never published as the whole."""

import io
import warnings
from pathlib import Path

import pytest

from iris_assets.articles.contracts import Article
from iris_assets.articles.extraction import make_article
from iris_assets.articles.publishing import publish
from iris_assets.articles.runtime import run_article
from iris_assets.errors import UsageError
from iris_assets.store import open_store
from iris_assets_tests.articles import samples
from iris_assets_tests.articles.structures import STRUCTURES
from iris_assets_tests.articles.test_commands import CANDIDATE
from iris_assets_tests.articles.test_completeness import SIDES
from iris_assets_tests.llm.fake_openai import FakeOpenAI


def read(name: str) -> tuple[Article, str, str | None]:
    html, kind, reason = STRUCTURES[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make_article(html, "https://jornal.example/n/1"), kind, reason


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_kind_of_a_page_and_why_its_text_is_not_whole(name: str) -> None:
    article, kind, reason = read(name)
    assert (article.page_kind, article.partial_reason) == (kind, reason)


@pytest.mark.parametrize("name", ["G1-like", "Folha-like", "WordPress", "AMP"])
def test_every_structure_of_an_article_gives_its_whole_text(name: str) -> None:
    article, _, _ = read(name)
    text = article.extractions[article.selected_extractor].text or ""
    assert all(line in text for line in SIDES) and "newsletter" not in text


@pytest.mark.parametrize("name", ["paywall", "live blog", "gallery"])
def test_a_part_is_marked_and_never_published(model: FakeOpenAI, tmp_path: Path, name: str) -> None:
    article, _, reason = read(name)
    model.reply = samples.reply()
    outcome = run_article(
        article.model_dump(mode="json"), samples.PROFILE, config=samples.config(model.url), environment=samples.KEYS,
        stream=io.StringIO(), **samples.paths(tmp_path),
    )  # fmt: skip
    manifest = outcome.manifest
    assert (manifest.status, manifest.body_status, manifest.partial_reason) == (
        "completed_text",
        "PARTIAL_BODY",
        reason,
    )
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite3'}")
    with store.transaction() as tx:
        store.candidates.upsert(tx, [CANDIDATE])
    assert publish(store, outcome).status == "partial" and store.articles.fingerprints() == set()
    store.close()


@pytest.mark.parametrize("name", ["product", "forum", "listing"])
def test_a_page_of_another_kind_is_refused_before_any_call(model: FakeOpenAI, tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as raised:
        run_article(
            read(name)[0].model_dump(mode="json"), samples.PROFILE, config=samples.config(model.url),
            environment=samples.KEYS, stream=io.StringIO(), **samples.paths(tmp_path),
        )  # fmt: skip
    assert raised.value.code == "PAGE_NOT_ARTICLE" and not model.bodies

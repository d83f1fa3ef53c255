"""The loopback model server, and the real pages read once per session."""

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openai  # noqa: F401 - its slow import must not eat the time budget of a call
import pytest

from iris_assets.articles.contracts import Article
from iris_assets.articles.evaluation import read_pages
from iris_assets.articles.extraction import make_article
from iris_assets_tests.llm.fake_openai import FakeOpenAI, fake_openai

EVERY = 5  # each fifth page of the benchmark; benchmarks/bench_articles.py takes all of them


@dataclass(frozen=True)
class Known:
    """A real page that was read, with what is known of it."""

    name: str
    article: Article
    gold: Any


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as fake:
        yield fake


@pytest.fixture(scope="session")
def benchmark(shared_data: Path) -> list[Known]:
    """Pages of the public benchmark; `gold` is the body."""
    pages = read_pages(shared_data / "article_benchmark")[::EVERY]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [Known(key, make_article(html, url), gold) for key, html, url, gold in pages]


@pytest.fixture(scope="session")
def brazilian(shared_data: Path) -> list[Known]:
    """The Portuguese pages; `gold` is the whole record."""
    folders = [folder for folder in sorted((shared_data / "articles").iterdir()) if folder.is_dir()]
    golds = [json.loads((folder / "gold.json").read_text("utf-8")) for folder in folders]
    pages = [(folder / "page.html").read_text("utf-8") for folder in folders]
    return [
        Known(folder.name, make_article(page, gold["url"]), gold)
        for folder, page, gold in zip(folders, pages, golds, strict=True)
    ]

"""The loopback model server and one measurement of the benchmark pages per session."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai  # noqa: F401 - its slow import must not eat the time budget of a call
import pytest

from iris_assets.articles.evaluation import evaluate_folder
from iris_assets_tests.llm.fake_openai import FakeOpenAI, fake_openai


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as fake:
        yield fake


@pytest.fixture(scope="session")
def measured(shared_data: Path) -> dict[str, Any]:
    return evaluate_folder(shared_data / "article_benchmark")

"""The faults of the matrix once each, at a random point of the stages or the evaluation; 20 seeds: benchmarks/bench_faults.py."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from iris_assets_tests.flows.fault_matrix import Rows, after, undisturbed
from iris_assets_tests.llm.fake_openai import fake_openai

pytestmark = pytest.mark.slow
UFS = ["SP"]
SHORT = ("kill", "full", "locked", "twice", "429", "truncated")


@pytest.fixture(scope="module")
def settings() -> Iterator[dict[str, Any]]:
    with fake_openai() as model:
        endpoint = {"embedding_base_url": model.url, "embedding_api_key": "any", "embedding_model": "m"}
        yield {**endpoint, "embedding_dimension": 64}


@pytest.fixture(scope="module")
def whole(sample_replay: Path, settings: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Rows:
    rows = undisturbed(tmp_path_factory.mktemp("whole") / "data", sample_replay, UFS, **settings)
    assert rows["PoliticalChunk"] and rows["evaluations"] and rows["vectors"] == [(0,)]
    return rows


@pytest.mark.parametrize("fault", SHORT)
def test_after_a_fault_the_next_run_leaves_the_rows_of_an_undisturbed_one(
    fault: str, whole: Rows, sample_replay: Path, settings: dict[str, Any], tmp_path: Path
) -> None:
    rows, ended = after(fault, 2026, tmp_path / "data", sample_replay, UFS, **settings)
    assert rows == whole, ended
    # The fault must have struck: an undisturbed run would prove nothing.
    if fault in {"kill", "full"}:
        assert not ended[0].startswith("exit 0"), ended

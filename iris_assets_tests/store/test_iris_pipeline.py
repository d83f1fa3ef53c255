"""The pipeline with the recorder in a server's place: what it writes, in which units, and the same rows as SQLite.

`UPDATE_GOLDEN=1 pytest iris_assets_tests/store/test_iris_pipeline.py` writes the expectation anew; read the difference.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from iris_assets.store import Store, open_store
from iris_assets_tests.flows.conftest import sample_replay
from iris_assets_tests.llm.fake_openai import fake_openai
from iris_assets_tests.store.conftest import recorded_store
from iris_assets_tests.store.flow import logical_rows
from iris_assets_tests.store.pipeline import run_pipeline, sample_settings, written
from iris_assets_tests.store.recorder import Recorder
from iris_assets_tests.store.sql_lint import findings

__all__ = ["sample_replay"]
GOLDEN = Path(__file__).parent / "golden" / "pipeline_writes.txt"
UFS = ("AC", "BR")


@dataclass
class World:
    """The same run on both engines."""

    recorder: Recorder
    recorded: Store
    embedded: Store


@pytest.fixture(scope="module")
def world(sample_replay: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("pipeline")
    recorder = Recorder(folder / "behind.sqlite3")
    recorded, embedded = recorded_store(recorder), open_store(f"sqlite:///{folder / 'store.sqlite3'}")
    with fake_openai() as model:
        model_settings = {"llm_api_key": "sk-loopback", "llm_base_url": model.url, "embedding_dimension": 8}
        for name, store in (("recorded", recorded), ("embedded", embedded)):
            settings = sample_settings(folder / name, sample_replay, **model_settings)
            reports = run_pipeline(store, settings, UFS)
            assert {report.status for report in reports} <= {"SUCCESS", "PARTIAL"}, [r.error_message for r in reports]
    yield World(recorder, recorded, embedded)
    recorded.close()
    embedded.close()


def test_every_write_and_its_parameters_are_the_reviewed_ones(world: World) -> None:
    text = written(world.recorder.events)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == text, (
        f"{GOLDEN.name} differs: UPDATE_GOLDEN=1, then read the difference"
    )


def _without_times(store: Store) -> dict[str, list[str]]:
    """logical_rows as text, without when a record was fetched; the book-keeping of the two runs is their own."""
    times = {"source_collected_at", "last_seen_at"}
    return {
        name: sorted(str({key: value for key, value in row.items() if key not in times}) for row in rows)
        for name, rows in logical_rows(store).items()
        if name not in {"SourceState", "IngestionRun"}
    }


def test_both_engines_end_with_the_same_logical_rows(world: World) -> None:
    there, here = (_without_times(store) for store in (world.recorded, world.embedded))
    for name in (
        "Candidate",
        "ProposalDocument",
        "Proposition",
        "PropositionAuthor",
        "PoliticalChunk",
        "MatchEvidence",
    ):
        assert there[name], name
    assert there.keys() == here.keys()
    for name, rows in there.items():
        assert rows == here[name], name


def test_no_statement_breaks_a_rule_and_no_empty_text_is_bound(world: World) -> None:
    for event in world.recorder.statements():
        many = event.parameters if event.kind == "executemany" else (event.parameters,)
        assert findings(event.statement, max(map(len, many), default=0)) == [], event.statement
        assert len(many) <= 500
        assert all(value != "" for row in many for value in row), event.statement
        assert {type(value) for row in many for value in row} <= {str, int, float, bool, type(None)}


def test_units_are_short_and_every_write_is_committed(world: World) -> None:
    """The recorder's store refuses more than 500 rows of a table a unit; here: none is left open, and one link serves."""
    pending = 0
    for event in world.recorder.events:
        if event.kind in {"commit", "rollback"}:
            pending = 0
        elif re.match(r"(INSERT|UPDATE|DELETE)\b", event.statement):
            pending += 1
    assert pending == 0
    assert [event.kind for event in world.recorder.events].count("connect") == 1

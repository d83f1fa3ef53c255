"""Public collections: the layout, and pinned figures on the judged Portuguese one beside its peer's."""

import gzip
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.errors import UsageError
from iris_assets.evaluation.collections import evaluate_collection, fill, ranked, read_collection
from iris_assets.evaluation.metrics import mean_metrics
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import load_settings
from iris_assets.store import open_store
from iris_assets_tests.flows.commands import iris_assets
from iris_assets_tests.llm.fake_openai import fake_openai

# bm25s with the Portuguese Snowball stemmer and stop words (docs/benchmarks.md): 0.550 as it comes, 0.595 with our k1
# and b; the thresholds are ours as measured, less what the rounding of scores may move.
PEER, PEER_WITHOUT_ACCENTS = 0.595, 0.499
FLOORS = {"nDCG@10": 0.600, "R@10": 0.420, "RR@10": 0.865}


def bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


@pytest.fixture(scope="module")
def figures(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, float]]]:
    """Figures of the judged collection with the questions as they are and without their accents."""
    collection = read_collection(shared_data / "retrieval")
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('collection') / 'c.sqlite3'}")
    settings = load_settings({})
    assert fill(store, collection, settings) == 3022
    service = RetrievalService(store, settings)
    asked = {
        "as written": collection.questions,
        "without accents": {key: bare(text) for key, text in collection.questions.items()},
    }
    yield {
        name: mean_metrics(
            collection.judgments, {key: ranked(service, text, "lexical") for key, text in questions.items()}
        )
        for name, questions in asked.items()
    }
    store.close()


@pytest.mark.real_data
@pytest.mark.slow
def test_the_lexical_search_is_above_its_peer_on_human_reviewed_judgments(
    figures: dict[str, dict[str, float]],
) -> None:
    found = figures["as written"]
    assert found["nDCG@10"] > PEER
    assert {name: round(found[name], 3) >= floor for name, floor in FLOORS.items()} == dict.fromkeys(FLOORS, True)


@pytest.mark.real_data
@pytest.mark.slow
def test_accents_missing_in_the_question_change_nothing(figures: dict[str, dict[str, float]]) -> None:
    assert figures["without accents"] == figures["as written"]
    assert figures["without accents"]["nDCG@10"] > PEER_WITHOUT_ACCENTS


def write(folder: Path, *, packed: bool = False, qrels: str = "1 0 a 2\n1 0 b 0\n2 0 b 1\n") -> Path:
    lines = "".join(
        json.dumps({"id": id_, "text": text}) + "\n"
        for id_, text in (("a", "Creches em tempo integral."), ("b", "Saneamento básico."), ("c", "Ônibus elétricos."))
    )
    if packed:
        (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    else:
        (folder / "corpus.jsonl").write_text(lines, encoding="utf-8")
    (folder / "queries.tsv").write_text("1\tcreche integral\n2\tsaneamento\n", encoding="utf-8")
    (folder / "qrels.txt").write_text(qrels, encoding="utf-8")
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_a_collection_runs_through_the_pipeline_and_is_exported(tmp_path: Path, packed: bool) -> None:
    found = evaluate_collection(
        write(tmp_path, packed=packed), "lexical", settings=load_settings({}), export=tmp_path / "out"
    )
    assert {name: found[name] for name in ("mode", "queries", "nDCG@10", "R@10", "RR@10")} == {
        "mode": "lexical", "queries": 2, "nDCG@10": 1.0, "R@10": 1.0, "RR@10": 1.0,
    }  # fmt: skip
    assert found["ms_per_query"] > 0
    assert (tmp_path / "out" / "qrels.txt").read_text(encoding="utf-8").splitlines()[0].split() == ["1", "0", "a", "2"]
    run = (tmp_path / "out" / "lexical.run").read_text(encoding="utf-8").split()
    assert run[:4] == ["1", "Q0", "a", "1"]


@pytest.mark.parametrize(
    ("missing", "changed"), [("corpus.jsonl", None), ("queries.tsv", None), ("qrels.txt", None), (None, "1 0\n")]
)
def test_a_wrong_layout_is_named(tmp_path: Path, missing: str | None, changed: str | None) -> None:
    folder = write(tmp_path, qrels=changed or "1 0 a 1\n")
    if missing:
        (folder / missing).unlink()
    with pytest.raises(UsageError) as raised:
        evaluate_collection(folder, "lexical", settings=load_settings({}))
    assert raised.value.code == "COLLECTION_INVALID"


@pytest.mark.parametrize("mode", ["vector", "hybrid"])
def test_the_other_modes_embed_documents_and_questions_at_the_endpoint(tmp_path: Path, mode: str) -> None:
    with fake_openai(256) as server:
        settings = load_settings(
            {}, embedding_base_url=server.url, embedding_model="words-passage", embedding_query_model="words-passage",
            embedding_dimension=256,
        )  # fmt: skip
        found = evaluate_collection(write(tmp_path), mode, settings=settings)
    assert (found["mode"], found["RR@10"]) == (mode, 1.0)
    assert len(server.inputs) == 5  # three documents, two questions


def test_the_command_prints_the_figures_and_nothing_else(tmp_path: Path) -> None:
    done = iris_assets("evaluate", "--collection", write(tmp_path), "--mode", "lexical", "--json", cwd=tmp_path)
    assert done.code == 0, done.err
    assert set(done.json) >= {"mode", "queries", "nDCG@10", "R@10", "RR@10", "ms_per_query"}
    assert iris_assets("evaluate", "--collection", tmp_path, "--mode", "best", cwd=tmp_path).code != 0


def test_search_by_meaning_needs_an_endpoint(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        evaluate_collection(write(tmp_path), "hybrid", settings=load_settings({}))
    assert raised.value.code == "EMBEDDINGS_NOT_CONFIGURED"

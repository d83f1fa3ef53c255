"""The invented election of the answers' tests with eight questions about it."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from iris_assets.answers.service import AnswerService
from iris_assets.evaluation.partition import PartitionEvaluation, evaluate_partition
from iris_assets.evaluation.questions import load_questions
from iris_assets.indexing.analyzer import analyze_query
from iris_assets.retrieval.service import RetrievalService
from iris_assets.settings import Settings, load_settings
from iris_assets.store import Store, open_store
from iris_assets_tests.answers.world import PLAN_ANA, PLAN_BRUNO, build_world
from iris_assets_tests.flows.commands import iris_assets

# What the golden set's `corpus` line says.
CORPUS = {"CAMARA_SOURCE": "bulk", "CAMARA_MAX_PROPOSITIONS_PER_CANDIDATE": "200"}
UFS = "BR,DF,PI"


def plan_id(pages: list[tuple[int, str]]) -> str:
    """The identity of a plan of the invented election."""
    return hashlib.sha256("\n\n".join(f"[Página {n}]\n{page}" for n, page in pages).encode()).hexdigest()


QUESTIONS = f"""
name: invented
questions:
- {{id: creche-ana, question: "O que Ana Souza propõe sobre creches?", strategy: hybrid, tags: [plan], partition: SP,
   relevant: [{{source_type: GOVERNMENT_PROPOSAL, source_id: "{plan_id(PLAN_ANA)}", page: 2}}]}}
- {{id: creche-bruno, question: "Bruno Lima fala da educação infantil?", strategy: hybrid, tags: [plan], partition: SP,
   relevant: [{{source_type: GOVERNMENT_PROPOSAL, source_id: "{plan_id(PLAN_BRUNO)}", page: 2}}]}}
- {{id: barragens, question: "Que projetos tratam da fiscalização de barragens?", strategy: hybrid, tags: [bill], partition: SP,
   relevant: [{{source_type: PROPOSITION, source_id: "900001"}}]}}
- {{id: referencia, question: "PL 1234/2023", strategy: reference_lookup, tags: [bill, reference], partition: SP,
   relevant: [{{source_type: PROPOSITION, source_id: "900001"}}]}}
- {{id: conta, question: "Quantos candidatos a governador há?", strategy: structured_count, count: 3, partition: SP}}
- {{id: nada, question: "receita de bolo de cenoura", strategy: hybrid, no_evidence: true, tags: [no-answer]}}
- {{id: voto, question: "Em quem devo votar?", strategy: refusal, tags: [refusal]}}
- {{id: acre, question: "Quantos candidatos há no Acre?", strategy: structured_count, count: 0, partition: AC}}
"""


@dataclass
class World:
    """A store, its settings and a question file that a test may rewrite."""

    settings: Settings
    store: Store
    questions: Path
    baseline: Path

    def service(self, analyze: Callable[[str], Any] = analyze_query, chat: Any = None) -> AnswerService:
        retrieval = RetrievalService(self.store, self.settings, analyze=analyze)
        return AnswerService(self.store, self.settings, retrieval, chat)

    def evaluate(self, uf: str | None = "SP", **arguments: Any) -> PartitionEvaluation:
        service = self.service(arguments.pop("analyze", analyze_query))
        questions = load_questions(self.questions)
        return evaluate_partition(service, self.store, questions, uf, baseline=self.baseline, **arguments)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    settings, store = build_world(tmp_path / "data")
    questions = tmp_path / "questions.yaml"
    questions.write_text(QUESTIONS, encoding="utf-8")
    yield World(settings, store, questions, tmp_path / "floors.json")
    store.close()


def collected(folder: Path, replay: Path, ufs: str, year: int, as_of: str) -> Path:
    """The data folder of a run over the offline copies."""
    done = iris_assets(
        "run", "--uf", ufs, "--year", str(year), "--replay", replay, "--as-of", as_of,
        "--data", folder / "data", cwd=folder, timeout=600, **CORPUS,
    )  # fmt: skip
    assert done.code == 0, done.err
    return folder / "data"


@contextmanager
def searched(data: Path) -> Iterator[RetrievalService]:
    """The retrieval over a data folder, closed at the end."""
    settings = load_settings({}, iris_assets_data=data)
    store = open_store(settings.store_url)
    yield RetrievalService(store, settings)
    store.close()


def by_sql(data: Path, statement: str) -> int:
    """The number that plain SQL gives."""
    with closing(sqlite3.connect(f"file:{data / 'iris_assets.sqlite3'}?mode=ro", uri=True)) as connection:
        return int(connection.execute(statement).fetchone()[0])


@pytest.fixture(scope="session")
def data(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three partitions of 2022."""
    return collected(tmp_path_factory.mktemp("golden"), shared_data / "replay", UFS, 2022, "2023-12-31")


@pytest.fixture(scope="module")
def service(data: Path) -> Iterator[RetrievalService]:
    with searched(data) as found:
        yield found

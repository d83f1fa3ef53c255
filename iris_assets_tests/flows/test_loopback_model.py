"""The command line with an OpenAI-compatible server on the loopback: every chunk a vector, a generated, verified answer."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from iris_assets_tests.flows.commands import Done, iris_assets
from iris_assets_tests.flows.rows import database
from iris_assets_tests.llm.fake_openai import CHAT, EMBEDDINGS, RESPONSES, FakeOpenAI, fake_openai

QUESTION = "Quais são as propostas para reduzir a fila de cirurgias eletivas?"


@dataclass
class World:
    """A run of the sample with a key, and the server that it spoke to."""

    fake: FakeOpenAI
    data: Path
    run: Done

    def command(self, *arguments: str) -> Done:
        return iris_assets(*arguments, "--data", self.data, cwd=self.data.parent, **_environment(self.fake))


def _environment(fake: FakeOpenAI) -> dict[str, str]:
    return {"LLM_API_KEY": "sk-loopback", "LLM_BASE_URL": fake.url, "EMBEDDING_DIMENSION": "64"}


@pytest.fixture(scope="module")
def world(sample_replay: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    data = tmp_path_factory.mktemp("loopback") / "data"
    arguments = ("run", "--uf", "SP,BR", "--year", "2026", "--replay", sample_replay, "--data", data, "--json")
    with fake_openai() as fake:
        yield World(fake, data, iris_assets(*arguments, cwd=data.parent, **_environment(fake)))


def _candidate_of_a_plan(world: World) -> str:
    with closing(sqlite3.connect(f"file:{database(world.data)}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT c.TseId FROM Candidate c JOIN SourceCandidate s ON s.CandidateId = c.Id"
            " WHERE s.SourceType = 'GOVERNMENT_PROPOSAL' AND c.State = 'BR'"
        ).fetchall()
    return str(rows[0][0])


def test_every_chunk_has_a_vector_and_each_text_was_sent_once(world: World) -> None:
    assert world.run.code == 0, world.run.err
    stages = [stages["embeddings"] for stages in world.run.json.values()]
    assert [stage["status"] for stage in stages] == ["SUCCESS", "SUCCESS"]
    status = world.command("status", "--json").json
    assert status["pending_vectors"] == 0
    assert status["tables"]["political_chunk"] == sum(stage["work"]["chunks_embedded"] for stage in stages)
    sent = world.fake.inputs[: status["tables"]["political_chunk"]]
    assert len(sent) == len(set(sent)) == status["tables"]["political_chunk"]


def test_a_generated_answer_loses_the_citation_outside_its_evidence(world: World) -> None:
    world.fake.reply = lambda system, user: (
        "O plano propõe reduzir a fila de cirurgias eletivas com mutirões regionais [E1]."
        " Também promete um hospital em Marte [E9]."
    )
    before = world.fake.calls[RESPONSES] + world.fake.calls[CHAT]
    answer = world.command("ask", QUESTION, "--candidate", _candidate_of_a_plan(world), "--json").json
    assert world.fake.calls[RESPONSES] + world.fake.calls[CHAT] == before + 1
    assert answer["generated"] is True
    assert answer["answer"] == "O plano propõe reduzir a fila de cirurgias eletivas com mutirões regionais [E1]."
    assert [source["evidence_id"] for source in answer["sources"] if source["cited"]] == ["E1"]
    assert any("foi retirad" in notice for notice in answer["notices"])


def test_the_same_run_again_asks_for_no_vector(world: World, sample_replay: Path) -> None:
    before = world.fake.calls[EMBEDDINGS]
    again = world.command("run", "--uf", "SP,BR", "--year", "2026", "--replay", str(sample_replay), "--json").json
    assert [stages["embeddings"]["work"]["embedding_calls"] for stages in again.values()] == [0, 0]
    assert world.fake.calls[EMBEDDINGS] == before


def test_the_key_is_written_nowhere(world: World) -> None:
    holders = [path for path in world.data.rglob("*") if path.is_file() and b"sk-loopback" in path.read_bytes()]
    assert holders == []
    assert "sk-loopback" not in world.run.out + world.run.err

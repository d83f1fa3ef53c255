"""`iris-assets ask`: the same answer as JSON, Markdown and text; only web addresses become links."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets_tests.answers.world import build_world

PLANS = "O que os planos dizem sobre creches?"
BILL = "O que diz o PL 1234/2023 sobre barragens?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ask") / "data"
    build_world(folder)[1].close()
    return folder


def asked(folder: Path, question: str, *options: str) -> str:
    result = CliRunner().invoke(app, ["ask", question, "--data", str(folder), *options])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_json_markdown_and_text_say_the_same(folder: Path) -> None:
    answer = json.loads(asked(folder, PLANS, "--json"))
    assert answer["answer"].splitlines()[0] in asked(folder, PLANS, "--markdown")
    assert "20 creches" in " ".join(asked(folder, PLANS).split())
    assert all(f"[{source['evidence_id']}]" in answer["answer"] for source in answer["sources"] if source["cited"])


def test_markdown_links_web_addresses_only(folder: Path) -> None:
    assert "<https://cdn.tse.jus.br/proposta_governo.zip>" in asked(folder, PLANS, "--markdown")
    bill = asked(folder, BILL, "--markdown")
    assert "javascript:alert(1)" in bill and "<javascript:" not in bill


def test_an_unknown_candidate_is_a_failure_in_one_line(folder: Path) -> None:
    result = CliRunner().invoke(app, ["ask", PLANS, "--candidate", "9", "--data", str(folder)])
    assert result.exit_code in (1, 2) and result.stdout == "" and result.stderr.count("\n") == 1

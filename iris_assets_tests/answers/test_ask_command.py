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


def test_filters_of_the_command_line(folder: Path) -> None:
    bruno = json.loads(asked(folder, PLANS, "--json", "--party", "pxb", "--uf", "são paulo", "--office", "governador"))
    assert {one["ballot_name"] for source in bruno["sources"] for one in source["candidates"]} <= {"BRUNO LIMA"}
    none = CliRunner().invoke(app, ["ask", PLANS, "--year", "1998", "--data", str(folder)])
    assert none.exit_code == 2 and none.stderr.startswith("YEAR_UNKNOWN: ") and "2026" in none.stderr
    found = CliRunner().invoke(app, ["search", "creches", "--party", "PXA", "--json", "--data", str(folder)])
    people = [[one["ballot_name"] for one in hit["candidates"]] for hit in json.loads(found.stdout)["results"]]
    assert people and all("ANA SOUZA" in names for names in people)
    wrong = CliRunner().invoke(app, ["search", "creches", "--uf", "XX", "--data", str(folder)])
    assert wrong.exit_code == 2 and "UF_UNKNOWN" in wrong.stderr


def refused(folder: Path, *arguments: str) -> str:
    """The code of the one line on which a command was refused as wrong usage."""
    done = CliRunner().invoke(app, [*arguments, "--data", str(folder)])
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr.partition(":")[0]


def test_a_search_for_nothing_or_by_vectors_that_are_absent_is_refused(folder: Path) -> None:
    assert [refused(folder, "search", query) for query in ("", " \t\u200b")] == ["QUERY_EMPTY", "QUERY_EMPTY"]
    assert refused(folder, "search", "creches", "--mode", "vector") == "VECTORS_ABSENT"


def test_a_search_without_hits_says_that_nothing_was_found(folder: Path) -> None:
    done = CliRunner().invoke(app, ["search", "xilofone", "--data", str(folder)])
    assert done.exit_code == 0 and "Nada foi encontrado" in done.stdout
    assert "Nada foi encontrado" not in CliRunner().invoke(app, ["search", "creches", "--data", str(folder)]).stdout


def test_a_count_names_the_list_that_was_counted(folder: Path) -> None:
    done = CliRunner().invoke(app, ["ask", "Quantos candidatos a governador há em SP?", "--data", str(folder)])
    assert "o que foi contado: /api/candidates?office=GOVERNADOR&state=SP&year=2026&listed=true" in done.stdout


def test_a_bill_that_was_found_is_told_in_words(folder: Path) -> None:
    done = CliRunner().invoke(app, ["search", "barragens", "--source-type", "PROPOSITION", "--data", str(folder)])
    assert "PL 1234/2023" in done.stdout and "Autores: ANA SOUZA; BRUNO LIMA." in done.stdout
    assert "Título:" not in done.stdout


def test_an_answer_has_one_form(folder: Path) -> None:
    assert refused(folder, "ask", PLANS, "--json", "--markdown") == "OPTIONS_EXCLUSIVE"


def test_context_prints_the_cited_pages_whole(folder: Path) -> None:
    whole = "Educação infantil: construiremos 20 creches públicas até 2028. <script>alert(1)</script> As creches abrirão às 7h."
    assert whole in " ".join(asked(folder, PLANS, "--context").split())
    answer = json.loads(asked(folder, PLANS, "--context", "--json"))
    pages = {(page["number"], page["text"]) for page in answer["context"]}
    assert (2, whole) in pages and len(answer["context"]) == 2
    assert "context" not in json.loads(asked(folder, PLANS, "--json"))


def test_markdown_links_web_addresses_only(folder: Path) -> None:
    assert "<https://cdn.tse.jus.br/proposta_governo.zip>" in asked(folder, PLANS, "--markdown")
    bill = asked(folder, BILL, "--markdown")
    assert "javascript:alert(1)" in bill and "<javascript:" not in bill


def test_an_unknown_candidate_is_a_failure_in_one_line(folder: Path) -> None:
    result = CliRunner().invoke(app, ["ask", PLANS, "--candidate", "9", "--data", str(folder)])
    assert result.exit_code in (1, 2) and result.stdout == "" and result.stderr.count("\n") == 1

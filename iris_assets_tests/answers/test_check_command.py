"""`iris-assets check-answer` and `db check` as a user calls them, hostile files included."""

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from iris_assets.answers.check import LONGEST_ANSWER, MOST_EVIDENCES, check_answer
from iris_assets.cli import app
from iris_assets.errors import UsageError
from iris_assets_tests.answers.world import build_world

GOOD = {
    "evidences": [{"id": "E1", "text": "Serão 20 creches.", "source_type": "TWEET"}],
    "answer": "Há 20 creches [E1].",
}


def checked(tmp_path: Path, content: bytes, *options: str) -> Any:
    file = tmp_path / "answer.json"
    file.write_bytes(content)
    return CliRunner().invoke(app, ["check-answer", str(file), *options])


def test_the_json_is_the_contract(tmp_path: Path) -> None:
    payload = {**GOOD, "answer": "Há 20 creches [E1]. Há 30 pontes [E1]. Viva [E4]!"}
    result = checked(tmp_path, json.dumps(payload).encode(), "--json")
    assert result.exit_code == 0 and result.stderr == ""
    value = json.loads(result.stdout)
    assert {"answer", "removed", "flagged", "cited", "notices"} <= set(value)
    assert value["answer"] == "Há 20 creches [E1]." and value["cited"] == ["E1"] and value["flagged"] == []
    assert [(item["text"], item["reason"]) for item in value["removed"]] == [
        ("[E4]", "UNKNOWN_CITATION"),
        ("Há 30 pontes [E1].", "NUMBER_NOT_IN_EVIDENCE"),
        ("Viva!", "UNKNOWN_CITATION"),
    ]


def test_a_byte_order_mark_and_standard_input_are_read() -> None:
    text = "\ufeff" + json.dumps(GOOD)
    result = CliRunner().invoke(app, ["check-answer", "-", "--json"], input=text.encode())
    assert json.loads(result.stdout)["answer"] == "Há 20 creches [E1]."


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "JSON_INVALID"),
        (b"[1]", "JSON_INVALID"),
        (b"null", "JSON_INVALID"),
        ('{"answer": "ação", "evidences": []}'.encode("latin-1"), "JSON_INVALID"),
        (json.dumps(GOOD).encode("utf-16"), "JSON_INVALID"),
        (b'{"answer": "a", "evidences": ' + b"[" * 100_000, "JSON_INVALID"),
        (b'{"answer": "Ana [E1]."}', "PAYLOAD_INVALID"),
        (b'{"evidences": []}', "PAYLOAD_INVALID"),
        (b'{"answer": null, "evidences": []}', "PAYLOAD_INVALID"),
        (b'{"answer": "x", "evidences": [{"text": "a"}]}', "PAYLOAD_INVALID"),
        (b'{"answer": "x", "evidences": [{"id": "E1"}]}', "PAYLOAD_INVALID"),
        (json.dumps({**GOOD, "answer": "x" * (LONGEST_ANSWER + 1)}).encode(), "PAYLOAD_TOO_LARGE"),
    ],
)  # fmt: skip
def test_another_file_is_refused_in_one_line(tmp_path: Path, content: bytes, code: str) -> None:
    result = checked(tmp_path, content, "--json")
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith(f"{code}: ") and result.stderr.count("\n") == 1


def test_an_empty_file_is_said(tmp_path: Path) -> None:
    assert "is empty" in checked(tmp_path, b" \n").stderr


def test_the_help_says_the_exit_codes() -> None:
    shown = CliRunner().invoke(app, ["check-answer", "--help"]).stdout
    assert "Sai com 0" in " ".join(shown.split())


def test_a_file_that_is_not_there_is_said() -> None:
    result = CliRunner().invoke(app, ["check-answer", "/nowhere/answer.json"])
    assert result.exit_code == 2 and result.stderr.startswith("FILE_UNREADABLE: ")


def test_fields_of_other_types_neither_fail_nor_count_as_evidence() -> None:
    odd = {
        "id": 1, "text": "Serão 20 creches.", "source_type": ["x"], "title": {"a": 1}, "url": 7, "structured": [1],
        "candidates": [None, 3, {"name": None}, {"tse_id": 5, "name": ["x"]}], "metadata": {"a": {"b": [{"c": 99}]}},
    }  # fmt: skip
    assert check_answer({"evidences": [odd], "answer": "Há 20 creches [E1]."})["cited"] == ["E1"]
    assert check_answer({"evidences": [odd], "answer": "Há 99 creches [E1]."})["cited"] == []


def test_surrogates_and_controls_are_no_reason_to_fail(tmp_path: Path) -> None:
    content = b'{"answer": "a \\ud83d creche [E1].", "evidences": [{"id": "E1", "text": "creche \\ud83d\\u0000"}]}'
    assert json.loads(checked(tmp_path, content, "--json").stdout)["answer"] == "a creche [E1]."


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("(" * 20_000 + "[E1" * 5_000, "x"),
        ("“" * 10_000 + "mil e " * 5_000, "mil e " * 5_000 + "1.000" * 2_000),
        ("[E1" + ", 1" * 10_000 + "].", "x"),
        ("Aa " * 10_000 + "[E1].", "x " * 10_000),
        ("não " * 5_000 + "|" * 5_000 + "#" * 5_000 + "-" * 5_000 + "[E1].", "não " * 5_000),
    ],
    ids=["brackets", "quotation marks and spelled numbers", "a list of citations", "capitals", "marks of Markdown"],
)
def test_no_text_takes_the_gate_long(answer: str, text: str) -> None:
    started = time.process_time()
    check_answer({"evidences": [{"id": "E1", "text": text}], "answer": answer})
    assert time.process_time() - started < 5


def test_too_many_evidences_are_refused() -> None:
    many = [{"id": f"E{n}", "text": "x"} for n in range(1, MOST_EVIDENCES + 2)]
    with pytest.raises(UsageError, match="PAYLOAD_TOO_LARGE"):
        check_answer({"evidences": many, "answer": "x [E1]."})


def test_db_check_fails_when_something_is_not_right(tmp_path: Path) -> None:
    build_world(tmp_path)[1].close()
    sound = CliRunner().invoke(app, ["db", "check", "--data", str(tmp_path)])
    assert sound.exit_code == 0 and json.loads(sound.stdout)["ok"] is True
    with sqlite3.connect(tmp_path / "iris_assets.sqlite3") as connection:
        table = next(
            name for (name,) in connection.execute("select name from sqlite_master where name like '%Article%'")
        )
        connection.execute(f'drop table "{table}"')
    broken = CliRunner().invoke(app, ["db", "check", "--data", str(tmp_path)])
    assert broken.exit_code == 1 and json.loads(broken.stdout)["findings"]


def test_a_text_is_checked_against_files_and_shows_claims_with_support(tmp_path: Path) -> None:
    (tmp_path / "plano.txt").write_text("Serão 20 creches. O governo poderá criar um fundo.", encoding="utf-8")
    (tmp_path / "answer.md").write_text(
        "- Serão 20 creches [1]\n- O governo vai criar um fundo [1]\n", encoding="utf-8"
    )
    files = ["check-answer", str(tmp_path / "answer.md"), "--evidence", str(tmp_path / "plano.txt")]
    shown = CliRunner().invoke(app, files).stdout
    assert "[confirmada] Serão 20 creches [E1]\n  E1: Serão 20 creches." in shown
    assert "[com dúvida] O governo vai criar um fundo [E1]\n  E1: O governo poderá criar um fundo." in shown
    claims = json.loads(CliRunner().invoke(app, [*files, "--json"]).stdout)["claims"]
    assert [(claim["verdict"], [one["reason"] for one in claim["reasons"]]) for claim in claims] == [
        ("borne_out", []),
        ("doubted", ["MODALITY"]),
    ]


def test_json_lines_give_one_result_a_line(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(json.dumps({**GOOD, "answer": text}) for text in ("Há 20 creches [E1].", "Há 9 [E1].")))
    lines = CliRunner().invoke(app, ["check-answer", str(file), "--json"]).stdout.splitlines()
    assert [json.loads(line)["cited"] for line in lines] == [["E1"], []]


def test_answers_of_other_systems_are_read(tmp_path: Path) -> None:
    trec = {
        "answer": [{"text": "Há 20 creches.", "citations": [0]}],
        "references": ["Serão 20 creches.", "Outro texto."],
    }
    sources = {
        "response": "Há 20 creches [1].",
        "sources": [{"page_content": "Serão 20 creches.", "source": "plano.pdf"}],
    }
    for payload in (trec, sources):
        assert check_answer(payload)["cited"] == ["E1"], payload


def test_a_page_is_compared_with_that_of_the_support() -> None:
    pages = {"page_start": 4, "page_end": 5, "page_starts": [[0, 4], [19, 5]]}
    evidence = {"id": "E1", "text": "Serão 20 creches.\n\nHaverá 7 pontes novas.", **pages}
    said = {
        page: check_answer({"evidences": [evidence], "answer": f"Na p. {page}, há 7 pontes [E1]."}) for page in (4, 5)
    }
    assert said[4]["cited"] == [] and said[5]["cited"] == ["E1"]

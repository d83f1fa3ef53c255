"""What a command is given by mistake: one typed line, the exit code of wrong usage or of a failure, nothing created."""

import errno
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets.commands.options import path_error
from iris_assets.store import open_store
from iris_assets_tests.answers.fake_llm import fake_model
from iris_assets_tests.flows.commands import iris_assets


def called(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


def assert_one_line(done: Result, code: str, exit_code: int) -> None:
    assert (done.exit_code, done.stderr.count("\n")) == (exit_code, 1), done.stderr
    assert done.stderr.startswith(f"{code}: ")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "file"
    file.write_text("kept", encoding="utf-8")
    return file


def test_a_file_where_a_folder_is_wanted(file: Path) -> None:
    assert_one_line(called("sample", file), "FOLDER_EXPECTED", 2)
    assert_one_line(called("sample", file / "below"), "FOLDER_EXPECTED", 2)
    assert_one_line(called("run", "--uf", "SP", "--data", file), "FOLDER_EXPECTED", 2)
    assert_one_line(called("pools", "--data", file), "FOLDER_EXPECTED", 2)
    assert_one_line(called("review", "remove", "1", "--data", file), "OVERRIDE_NOT_FOUND", 1)
    assert file.read_text(encoding="utf-8") == "kept"


def test_a_folder_where_a_file_is_wanted(tmp_path: Path) -> None:
    assert_one_line(called("evaluate", "--reading", tmp_path), "FILE_EXPECTED", 2)
    assert called("check-answer", tmp_path).stderr.startswith("FILE_UNREADABLE: ")
    assert called("inspect", tmp_path).stderr.startswith("FILE_UNREADABLE: ")


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "DISK_FULL"), (errno.EACCES, "PATH_UNUSABLE"), (errno.EROFS, "PATH_UNUSABLE"), (errno.EIO, "PATH_UNUSABLE")],
)  # fmt: skip
def test_a_folder_that_cannot_be_written(number: int, code: str) -> None:
    error = path_error(OSError(number, "said by the system", "/somewhere"))
    assert (error.code, "/somewhere" in error.message) == (code, True)


@pytest.mark.parametrize("command", ["pools", "watch"])
def test_a_dagster_home_that_takes_nothing_is_one_typed_line(tmp_path: Path, command: str) -> None:
    (tmp_path / "dagster_home").mkdir()
    (tmp_path / "dagster_home" / "schedules").write_text("where Dagster keeps its database", encoding="utf-8")
    assert_one_line(called(command, "--data", tmp_path), "FOLDER_EXPECTED", 2)
    (tmp_path / "dagster_home" / "schedules").unlink()
    (tmp_path / "dagster_home" / "schedules" / "schedules.db").mkdir(parents=True)
    assert_one_line(called(command, "--data", tmp_path), "DAGSTER_STORAGE_FAILED", 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--uf", "SP", "--year", "2026"], ["ask", "saúde"], ["search", "saúde"], ["status"], ["serve"],
        ["db", "check"], ["db", "upgrade"], ["db", "backup"], ["changes"], ["evaluate"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_store_that_cannot_be_opened_is_one_typed_line(
    tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder in the place of the store's file: what a read-only disk does, also for root."""
    (tmp_path / "iris_assets.sqlite3").mkdir()
    monkeypatch.setenv("IRIS_ASSETS_DATA", str(tmp_path))
    done = called(*arguments)
    assert done.exit_code in {1, 2} and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.split(":")[0] in {"STORE_UNREACHABLE", "STORE_ABSENT", "FILE_EXPECTED"}, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "saúde"], ["search", "saúde"], ["status"], ["review"], ["review", "accept", "1", "2", "--reason", "x"],
        ["changes"], ["profile", "1"], ["evaluate"], ["calibrate"],
        ["lint-questions", "--store"], ["news", "versions", "https://a.example/"],
        ["news", "withdraw", "https://a.example/", "--reason", "x"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_command_creates_a_mistyped_data_folder(tmp_path: Path, arguments: list[str]) -> None:
    absent = tmp_path / "typo"
    assert_one_line(called(*arguments, "--data", absent), "STORE_ABSENT", 1)
    assert not absent.exists()


def test_no_decision_to_undo_creates_nothing_either(tmp_path: Path) -> None:
    assert_one_line(called("review", "remove", "1", "--data", tmp_path / "typo"), "OVERRIDE_NOT_FOUND", 1)
    assert not (tmp_path / "typo").exists()


def test_the_doctor_says_that_the_store_is_absent_and_leaves_it_so(tmp_path: Path) -> None:
    for folder in (tmp_path / "typo", tmp_path):
        done = called("doctor", "--data", folder)
        assert done.exit_code == 1 and "[error] store: STORE_ABSENT: " in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_asks_the_models_that_are_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(f"sqlite:///{tmp_path / 'iris_assets.sqlite3'}").close()
    monkeypatch.setenv("LLM_API_KEY", "k")
    monkeypatch.setenv("LLM_API", "chat")
    monkeypatch.setenv("HTTP_MAX_RETRIES", "1")
    refusal = {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
    with fake_model(lambda _request, call: (200, ("sim", "stop")) if call == 1 else (401, refusal)) as fake:
        monkeypatch.setenv("LLM_BASE_URL", fake.url)
        monkeypatch.setenv("EMBEDDING_BASE_URL", fake.url)
        done = called("doctor", "--data", tmp_path)
    assert done.exit_code == 1
    assert "[ok] answers: model gpt-5-mini; it answers" in done.stdout
    assert "[error] embeddings: LLM_UNAUTHORIZED: " in done.stdout


def test_an_empty_store_says_what_to_run_first(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path / 'iris_assets.sqlite3'}").close()
    for command in ("ask", "search"):
        done = called(command, "saúde", "--data", tmp_path)
        assert_one_line(done, "STORE_EMPTY", 1)
        assert "iris-assets run --uf" in done.stderr
    assert called("status", "--data", tmp_path).exit_code == 0
    assert "[note] store: " in called("doctor", "--data", tmp_path).stdout


def test_a_wrong_option_of_run_is_told_by_its_flag(tmp_path: Path) -> None:
    for options, code in ((["--uf", ""], "UF_UNKNOWN"), (["--year", "1999"], "SETTING_INVALID")):
        done = called("run", *options, "--data", tmp_path / "data")
        assert_one_line(done, code, 2)
        assert f": {options[0]}" in done.stderr and "INGEST_" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_uf_that_an_offline_copy_does_not_hold_is_said(sample_replay: Path, tmp_path: Path) -> None:
    options = ["--uf", "RJ", "--year", "2026", "--replay", sample_replay, "--data", tmp_path / "data"]
    done = iris_assets("run", *options, cwd=tmp_path)
    assert done.code == 0 and "no candidates of RJ in this copy" in done.err

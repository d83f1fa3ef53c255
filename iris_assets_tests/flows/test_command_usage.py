"""What a command is given by mistake: one typed line, the exit code of wrong usage or of a failure, nothing created."""

import errno
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets.commands.options import path_error


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

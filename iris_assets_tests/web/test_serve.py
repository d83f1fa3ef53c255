"""`iris-assets serve` with wrong arguments: one line that says what to do, an exit code, nothing created."""

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets_tests.web.conftest import free_port


def serve(folder: Path, *more: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["serve", "--data", str(folder), *more])
    return result.exit_code, result.stderr


def test_a_port_that_is_taken_is_said(world_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, text = serve(world_folder, "--port", str(port))
    assert code == 2
    assert text.startswith(f"ADDRESS_UNUSABLE: cannot listen on 127.0.0.1:{port}: Address already in use (choose")
    assert text.count("\n") == 1


@pytest.mark.parametrize("host", ["203.0.113.9", ""])
def test_an_address_of_another_machine_or_none_is_refused(world_folder: Path, host: str) -> None:
    code, text = serve(world_folder, "--host", host, "--port", str(free_port()))
    assert code == 2 and text.startswith("ADDRESS_UNUSABLE: ")


@pytest.mark.parametrize("port", ["0", "99999", "web"])
def test_a_number_that_is_no_port_is_wrong_usage(world_folder: Path, port: str) -> None:
    assert serve(world_folder, "--port", port)[0] == 2


def test_a_mistyped_folder_is_not_created(tmp_path: Path) -> None:
    code, text = serve(tmp_path / "dta")
    assert code == 2 and text.startswith("STORE_ABSENT: there is no store in ") and "iris-assets run" in text
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "iris_assets.sqlite3").write_text("no database at all" * 100)
    code, text = serve(tmp_path, "--port", str(free_port()))
    assert code == 1 and text.startswith("STORE_DAMAGED: ") and text.count("\n") == 1

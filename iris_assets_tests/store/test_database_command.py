"""`iris-assets db`: where its URLs come from, and that a password needs to stand in no command line."""

from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets.store import open_store
from iris_assets_tests.flows.commands import iris_assets
from iris_assets_tests.store.conftest import add_candidate


@pytest.fixture
def source(tmp_path: Path) -> str:
    store = open_store(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    add_candidate(store, "1")
    store.close()
    return store.url_safe


def test_a_url_may_be_named_by_a_variable_or_be_that_of_the_settings(tmp_path: Path, source: str) -> None:
    done = iris_assets("db", "copy", "--from", "env:SOURCE_URL", "--data", "data", cwd=tmp_path, SOURCE_URL=source)
    assert (done.code, done.err, done.json["Candidate"]) == (0, "", 1)
    (tmp_path / ".env").write_text(f"COPY_URL=sqlite:///{tmp_path / 'c.sqlite3'}\n")
    back = iris_assets("db", "copy", "--to", "env:COPY_URL", "--data", "data", cwd=tmp_path)
    assert (back.code, back.err, back.json["Candidate"]) == (0, "", 1)
    checked = iris_assets("db", "check", "--url", "env:COPY_URL", cwd=tmp_path)
    assert checked.code == 0 and checked.json["url"] == f"sqlite:///{tmp_path / 'c.sqlite3'}"


def test_a_variable_that_is_not_set_is_named(tmp_path: Path) -> None:
    done = iris_assets("db", "copy", "--from", "env:NO_SUCH_URL", "--to", "sqlite:///b.sqlite3", cwd=tmp_path)
    assert done.code == 2 and done.err.startswith("URL_VARIABLE_UNSET: no variable NO_SUCH_URL")
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_copy_between_is_said(tmp_path: Path, source: str) -> None:
    done = iris_assets("db", "copy", cwd=tmp_path, DATABASE_URL=source)
    assert done.code == 2 and done.err.startswith("COPY_ONTO_ITSELF")


def test_a_password_on_the_command_line_is_warned_of(tmp_path: Path) -> None:
    done = iris_assets("db", "sql", "--url", "iris://u:secret@h:1972/N", cwd=tmp_path)
    assert done.code == 0 and "CREATE TABLE" in done.out
    assert "lista de processos" in done.err and "secret" not in done.out + done.err
    quiet = iris_assets("db", "sql", "--url", "env:THERE", cwd=tmp_path, THERE="iris://u:secret@h:1972/N")
    assert (quiet.code, quiet.err, quiet.out) == (0, "", done.out)
    assert iris_assets("db", "sql", "--url", "iris://h:1972/N", cwd=tmp_path).err == ""


def test_backup_writes_a_whole_copy_that_opens(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path / 'data' / 'iris_assets.sqlite3'}")) as store:
        add_candidate(store, "1")
    done = CliRunner().invoke(app, ["db", "backup", str(tmp_path / "copies"), "--data", str(tmp_path / "data")])
    assert done.exit_code == 0, done.stderr
    copy = Path(done.stdout.strip())
    assert copy.parent == tmp_path / "copies"
    with closing(open_store(f"sqlite:///{copy}")) as restored:
        assert restored.candidates.count(None) == 1


def test_backup_of_a_store_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["db", "backup", "--data", str(tmp_path / "nothing")])
    assert done.exit_code == 1 and done.stderr.startswith("STORE_ABSENT: ") and done.stderr.count("\n") == 1

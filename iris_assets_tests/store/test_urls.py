"""The store's URL: every folder name reaches its own file, a malformed URL is refused without repeating its password."""

from pathlib import Path

import pytest

from iris_assets.errors import ConfigurationError
from iris_assets.settings import load_settings, sqlite_url
from iris_assets.store import open_store, require_store
from iris_assets.store.engines import engine_for, parsed_url
from iris_assets_tests.flows.commands import iris_assets

NAMES = ("a%20b", "a b", "que?x", "a%3Fb", "50%", "a#b", "ação", "a&b=c", "a+b", "a:b@c")


@pytest.mark.parametrize("name", NAMES)
def test_a_data_folder_of_any_name_holds_its_own_file(tmp_path: Path, name: str) -> None:
    url = load_settings({}, iris_assets_data=tmp_path / name).store_url
    store = open_store(url)
    try:
        assert store.url_safe == url == sqlite_url(tmp_path / name / "iris_assets.sqlite3")
        assert (tmp_path / name / "iris_assets.sqlite3").is_file()
        assert [path.name for path in tmp_path.iterdir()] == [name]
    finally:
        store.close()
    require_store(url)
    with pytest.raises(ConfigurationError) as absent:
        require_store(load_settings({}, iris_assets_data=tmp_path / "other").store_url)
    assert absent.value.code == "STORE_ABSENT"


@pytest.mark.parametrize("name", ["a%20b", "que?x"])
def test_a_command_works_in_the_folder_that_it_is_given(tmp_path: Path, name: str) -> None:
    done = iris_assets("db", "upgrade", "--data", tmp_path / "a" / name, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert [path.name for path in (tmp_path / "a").iterdir()] == [name]


@pytest.mark.parametrize("name", ["a%20b", "que?x"])
def test_a_run_in_a_folder_that_dagster_would_read_as_another_is_refused(tmp_path: Path, name: str) -> None:
    """Dagster makes URLs of its own files without escaping them: it would write beside the folder."""
    done = iris_assets("run", "--uf", "AC", "--data", tmp_path / "d" / name, cwd=tmp_path)
    assert done.code == 2 and done.err.startswith("DATA_FOLDER_NAME: ") and done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        "iris://u:secret@h:notaport/N",
        "iris://u:secret@[::1/N",
        "iris://u:secret@h:99999/N",
        "iris://u:secret@h:0/N",
        "iris://u:secret@a b:1972/N",
        "iris://u:a@secret@h:1972/N",
        "iris://u:secret@h:1972",
        "iris://u:secret@h:1972/",
        "iris://u:secret@h:1972/A/B",
        "iris://u:secret@h:1972/N?autocommit=1",
        "iris:///N",
        "iris://",
        "secret",
        "sqlite://",
        "sqlite:///",
        "sqlite://secret/file",
        "sqlite:///:memory:",
        "sqlite:////tmp/secret?x=1",
        "sqlite:////tmp/secret\0",
    ],
)
def test_a_malformed_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        open_store(url)
    assert refused.value.code == "DATABASE_URL_INVALID"
    assert "secret" not in str(refused.value) and refused.value.__cause__ is None


def test_the_command_line_says_so_in_one_line(tmp_path: Path) -> None:
    for extra, arguments in (
        ({"DATABASE_URL": "iris://u:secret@h:notaport/N"}, ()),
        ({}, ("--url", "iris://u:secret@[::1/N")),
    ):
        done = iris_assets("db", "check", *arguments, cwd=tmp_path, **extra)
        lines = [line for line in done.err.splitlines() if "DATABASE_URL_INVALID" in line]
        assert done.code == 2 and len(lines) == 1 and "Traceback" not in done.err and "secret" not in done.err


def test_another_kind_of_database_is_unsupported() -> None:
    with pytest.raises(ConfigurationError) as refused:
        open_store("mysql://u:secret@h/d")
    assert refused.value.code == "DATABASE_URL_UNSUPPORTED" and "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("host", "password", "namespace"),
    [("db", "a@b:/c#d%41?e", "IRISAPP"), ("::1", "é ", "%SYS"), ("10.0.0.7", "", "A")],
)
def test_the_variables_of_iris_come_back_from_the_url_that_they_make(host: str, password: str, namespace: str) -> None:
    given = {"IRIS_HOST": host, "IRIS_USERNAME": "u@x", "IRIS_PASSWORD": password, "IRIS_NAMESPACE": namespace}
    url = parsed_url(load_settings(given).store_url)
    expected = ("u@x", password.strip() and password, host, 1972, namespace)
    assert (url.username, url.password or "", url.host, url.port, url.database) == expected


def test_a_host_that_is_none_is_refused_by_the_name_of_its_variable() -> None:
    with pytest.raises(ConfigurationError, match="IRIS_HOST"):
        load_settings({"IRIS_HOST": "db:1972/USER?"})


def test_the_sql_schema_travels_in_the_url() -> None:
    given = {"IRIS_HOST": "db", "IRIS_USERNAME": "u", "IRIS_PASSWORD": "p", "IRIS_SQL_SCHEMA": "Outro_Esquema"}
    url = load_settings(given).store_url
    assert url == "iris://u:p@db:1972/IRISAPP?schema=Outro_Esquema"
    engine = engine_for(url)
    assert (engine.sql_schema, engine.url_safe) == (
        "Outro_Esquema",
        "iris://u:***@db:1972/IRISAPP?schema=Outro_Esquema",
    )
    named = load_settings({"DATABASE_URL": "iris://u:p@db/N", "IRIS_SQL_SCHEMA": "Outro_Esquema"})
    assert engine_for(named.store_url).sql_schema == "Outro_Esquema"
    assert engine_for("iris://u:p@db/N?schema=Um").sql_schema == "Um"
    assert engine_for("iris://u:p@db/N").sql_schema == "IRISPolitical_Model"

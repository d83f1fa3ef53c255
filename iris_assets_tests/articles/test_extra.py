"""Without the extra `news`: what needs it says what to install, everything else works."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets.extras import NEWS
from iris_assets.settings import PROJECT_ROOT
from iris_assets.store import open_store

# A base installation, imitated: an import of any module of the extra fails in the whole process.
WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({NEWS!r}))\n"


@pytest.fixture
def _absent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NEWS:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("_absent")
@pytest.mark.parametrize(
    "command",
    [
        ["extract", "https://example.org/a"],
        ["extract", "page.html", "--url", "https://example.org/a"],
        ["article", "article.json", "--profile", "profile.json"],
        ["evaluate", "--articles", "."],
    ],
)
def test_commands_about_pages_say_what_to_install(command: list[str], tmp_path: Path) -> None:
    if command[0] == "article":
        command = [*command, "--data", str(tmp_path)]
    done = CliRunner().invoke(app, command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("NEWS_NOT_INSTALLED: ") and "pip install 'iris-assets[news]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_everything_else_works_without_the_extra(tmp_path: Path) -> None:
    program = WITHOUT + (
        "from iris_assets.cli import main\n"
        "import iris_assets.definitions, iris_assets.web.app\n"
        "sys.argv = ['iris-assets', *sys.argv[1:]]; main()"
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, *arguments, "--data", str(tmp_path / "data")]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)

    open_store(f"sqlite:///{tmp_path / 'data' / 'iris_assets.sqlite3'}").close()
    status = run("status", "--json")
    assert status.returncode == 0 and json.loads(status.stdout)["tables"]["candidate"] == 0
    profile = run("profile", "250000000001")
    assert (profile.returncode, "CANDIDATE_NOT_FOUND" in profile.stderr) == (1, True)
    found = {one["subject"]: one for one in json.loads(run("doctor", "--json").stdout)}
    assert found["news"]["level"] == "note" and "iris-assets[news]" in found["news"]["text"]


def test_the_asset_fails_with_the_code(tmp_path: Path, _absent: None) -> None:
    from iris_assets.defs.articles import process_articles
    from iris_assets.platform import open_platform
    from iris_assets.settings import load_settings

    with open_platform(load_settings({}, iris_assets_data=tmp_path)) as platform:
        report = process_articles(platform.ingest, "SP")
    assert (report.status, report.error_code) == ("FAILED", "NEWS_NOT_INSTALLED")


def test_only_the_extra_asks_for_what_reads_pages() -> None:
    project = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = {"lxml", "markdown-it-py", "newspaper4k", "readability-lxml", "trafilatura"}
    assert {name.split(">=")[0] for name in project["optional-dependencies"]["news"]} == packages
    assert not packages & {name.split(">=")[0] for name in project["dependencies"]}

"""Wrong input on the command line: one clear line with a code, exit 1 or 2, nothing half-written."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from iris_assets_tests.flows.commands import Done, iris_assets
from iris_assets_tests.flows.rows import logical_rows

ARCHIVE = "tse/files/consulta_cand_2026.zip"
CATALOGUE = "tse/package_show/candidatos-2026.json"


@pytest.fixture
def replay(sample_replay: Path, tmp_path: Path) -> Path:
    """A copy of the sample's replay folder that a test may damage."""
    return Path(shutil.copytree(sample_replay, tmp_path / "replay"))


def _run(replay: Path, folder: Path) -> Done:
    return iris_assets("run", "--uf", "SP", "--year", "2026", "--replay", replay, "--data", folder / "data", cwd=folder)


def _nothing_stored(folder: Path) -> bool:
    return all(not rows for rows in logical_rows(folder / "data").values())


def test_an_unknown_uf_is_wrong_usage(tmp_path: Path, sample_replay: Path) -> None:
    done = iris_assets("run", "--uf", "SP,XX", "--replay", sample_replay, "--data", tmp_path / "data", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("UF_UNKNOWN: unknown UF: XX")
    assert not (tmp_path / "data").exists()


def test_a_missing_replay_folder_is_wrong_usage(tmp_path: Path) -> None:
    done = iris_assets("run", "--uf", "SP", "--replay", tmp_path / "absent", "--data", tmp_path / "data", cwd=tmp_path)
    assert done.code == 2
    assert done.err.startswith("REPLAY_FOLDER_MISSING")
    assert not (tmp_path / "data").exists()


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    done = iris_assets("status", "--data", tmp_path / "data", cwd=tmp_path, CAMARA_PAGE_SIZE="500")
    assert done.code == 2
    assert "CAMARA_PAGE_SIZE" in done.err


def test_html_in_place_of_the_archive_fails_by_name(replay: Path, tmp_path: Path) -> None:
    (replay / ARCHIVE).write_text("<html><body>Request Rejected</body></html>", encoding="utf-8")
    done = _run(replay, tmp_path)
    assert done.code == 1
    assert "ARCHIVE_IS_HTML" in done.err
    assert _nothing_stored(tmp_path)


def test_two_matching_resources_are_a_contract_error_that_lists_what_was_found(replay: Path, tmp_path: Path) -> None:
    catalogue = json.loads((replay / CATALOGUE).read_text(encoding="utf-8"))
    resources = catalogue["result"]["resources"]
    resources.append(
        next(r for r in resources if r["name"] == "Candidatos" and r["state"] == "active") | {"id": "twin"}
    )
    (replay / CATALOGUE).write_text(json.dumps(catalogue), encoding="utf-8")
    done = _run(replay, tmp_path)
    assert done.code == 1
    assert "CATALOGUE" in done.err or "RESOURCE" in done.err
    assert "Candidatos" in done.err
    assert _nothing_stored(tmp_path)


def test_a_missing_column_is_named_and_nothing_is_written(replay: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.zip"
    with zipfile.ZipFile(replay / ARCHIVE) as before, zipfile.ZipFile(damaged, "w", zipfile.ZIP_DEFLATED) as after:
        for info in before.infolist():
            content = before.read(info)
            after.writestr(
                info, content.replace(b"SQ_CANDIDATO", b"SQ_OUTRA", 1) if info.filename.endswith(".csv") else content
            )
    shutil.move(damaged, replay / ARCHIVE)
    done = _run(replay, tmp_path)
    assert done.code == 1
    assert "SQ_CANDIDATO" in done.err
    assert _nothing_stored(tmp_path)


def test_an_empty_question_is_wrong_usage(sample_run: tuple[Path, Done]) -> None:
    data, _ = sample_run
    done = iris_assets("ask", "   ", "--data", data, cwd=data.parent)
    assert done.code == 2
    assert done.err.startswith("QUESTION_EMPTY")

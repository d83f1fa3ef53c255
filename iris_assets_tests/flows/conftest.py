"""The bundled sample, generated once, and one undisturbed run of it."""

from pathlib import Path

import pytest

from iris_assets_tests.flows.commands import Done, iris_assets

SAMPLE_UFS = "SP,AC,BR"


@pytest.fixture(scope="session")
def sample_replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "replay"
    done = iris_assets("sample", folder, cwd=folder.parent)
    assert done.code == 0, done.err
    return folder


@pytest.fixture(scope="session")
def sample_run(sample_replay: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    """(data folder, what the run printed); read only."""
    folder = tmp_path_factory.mktemp("sample_run")
    done = iris_assets(
        "run",
        "--uf",
        SAMPLE_UFS,
        "--year",
        "2026",
        "--replay",
        sample_replay,
        "--data",
        folder / "data",
        "--json",
        cwd=folder,
    )
    return folder / "data", done

"""The bundled sample as the sources of the code location."""

from pathlib import Path

import pytest

from iris_assets.sample.generator import generate


@pytest.fixture(scope="session")
def sample_replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "replay"
    generate(folder)
    return folder

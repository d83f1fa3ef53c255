"""The composition root: one of each part per configuration, given parts in place of the settings' own, all closed."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from iris_assets.errors import StoreError
from iris_assets.platform import Platform, forget_process_platforms, open_platform, process_platform
from iris_assets.settings import Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({}, iris_assets_data=tmp_path / "data")


def test_all_threads_get_the_same_parts(settings: Settings) -> None:
    platform, start = Platform(settings), threading.Barrier(8)
    found: list[int] = []

    def ask() -> None:
        start.wait()
        found.append(id(platform.answers))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1
    assert platform.answers.retrieval is platform.retrieval
    assert platform.retrieval.store is platform.store is platform.ingest.store
    platform.close()


def test_given_parts_stand_in_place_of_those_of_the_settings(settings: Settings, tmp_path: Path) -> None:
    with open_platform(load_settings({}, iris_assets_data=tmp_path / "other")) as other:
        platform = Platform(settings, store=other.store, chat=None)
        assert platform.retrieval.store is other.store
        assert not platform.answers.generates
    assert not settings.iris_assets_data.exists()


def test_a_store_that_does_not_open_is_told_at_once(settings: Settings) -> None:
    settings.iris_assets_data.parent.joinpath("data").write_text("a file where the folder should be")
    with pytest.raises(StoreError), open_platform(settings):
        raise AssertionError("opened")


def test_one_platform_per_process_and_configuration(settings: Settings) -> None:
    try:
        assert process_platform(settings) is process_platform(settings.model_copy())
        with_key = load_settings({"LLM_API_KEY": "k"}, iris_assets_data=settings.iris_assets_data)
        assert process_platform(with_key) is not process_platform(settings)
        before = process_platform(settings)
        forget_process_platforms()
        assert process_platform(settings) is not before
    finally:
        forget_process_platforms()


def test_a_part_that_nobody_asks_for_is_not_imported(settings: Settings) -> None:
    program = (
        "import sys; from iris_assets.platform import Platform; from iris_assets.settings import load_settings\n"
        "platform = Platform(load_settings({}))\n"
        "print(*(name for name in ('sqlalchemy', 'openai', 'dagster', 'numpy') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []

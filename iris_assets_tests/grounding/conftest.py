"""Stores with the real records that claims are about, built from the offline copies once a session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.settings import load_settings
from iris_assets.store import Store, open_store
from iris_assets_tests.flows.commands import iris_assets
from iris_assets_tests.grounding.claim_world import ClaimWorld

_RUNS = ((2022, "BR,PI,DF,AC,RR", "2023-12-31"), (2026, "SP", "2026-08-15"))


@pytest.fixture(scope="session")
def claim_world(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClaimWorld]:
    """The elections that the claims are about."""
    stores: dict[int, Store] = {}
    for year, ufs, as_of in _RUNS:
        folder = tmp_path_factory.mktemp(f"claims{year}")
        done = iris_assets(
            "run", "--uf", ufs, "--year", str(year), "--replay", shared_data / "replay", "--as-of", as_of,
            "--data", folder / "data", cwd=folder, timeout=600, CAMARA_SOURCE="bulk", OCR="off",
        )  # fmt: skip
        assert done.code == 0, done.err
        stores[year] = open_store(load_settings({}, iris_assets_data=folder / "data").store_url)
    yield ClaimWorld(stores)
    for store in stores.values():
        store.close()

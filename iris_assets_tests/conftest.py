"""Fixtures that every room's tests share: the offline copies of the sources and the tools that may be absent."""

import os
import shutil
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def missing(reason: str) -> None:
    """Skip on a developer's machine; in CI a skip is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (CI does not skip)")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with the offline copies of the official sources (`real_data` tests only)."""
    if not SHARED_DATA.is_dir():
        missing("../shared/data is not here")
    return SHARED_DATA


@pytest.fixture(scope="session")
def tesseract() -> str:
    """The Tesseract program (make system installs it)."""
    program = shutil.which("tesseract")
    if program is None:
        missing("Tesseract is not installed: make system")
    assert program is not None
    return program


@pytest.fixture(scope="session")
def chromium() -> str:
    """A Chromium program (make system installs it)."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("Chromium is not installed: make system")
    assert program is not None
    return program

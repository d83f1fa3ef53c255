"""The notebook for journalists runs from its first cell to its last over the sample."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from iris_assets.settings import PROJECT_ROOT
from iris_assets_tests.flows.commands import Done

NOTEBOOK = PROJECT_ROOT / "examples" / "journalist.ipynb"


def test_the_notebook_runs_whole_and_the_changed_number_is_removed(
    sample_run: tuple[Path, Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRIS_ASSETS_NOTEBOOK_DATA", str(shutil.copytree(sample_run[0], tmp_path / "data")))
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    place = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=place).execute()
    verdicts = notebook.cells[-2].outputs[0]["data"]["text/plain"]
    assert "borne_out" in verdicts and "removed" in verdicts


def test_the_notebook_is_kept_without_results() -> None:
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)

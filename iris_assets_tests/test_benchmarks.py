"""The published commands work: every benchmark loads, and the one of candidates measures."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py")))
def test_a_benchmark_loads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    importlib.import_module(f"benchmarks.{name}")


@pytest.mark.slow
def test_the_benchmark_of_candidates_measures_reading_and_stage() -> None:
    command = [sys.executable, "benchmarks/bench_candidates.py", "--rows", "300", "--stage-rows", "300"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "first run: 300 created" in done.stdout

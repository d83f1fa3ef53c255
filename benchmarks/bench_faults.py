"""The whole fault matrix: each fault at a random point, for many seeds, then an undisturbed run; one line per field.

`python benchmarks/bench_faults.py [SEEDS] [FAULT…]` (20 seeds of every fault). The rows must be those of an undisturbed run.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from iris_assets.sample.generator import generate
from iris_assets_tests.flows.fault_matrix import FAULTS, after, undisturbed
from iris_assets_tests.llm.fake_openai import fake_openai

UFS = ["SP"]


def measure(seeds: int, faults: list[str]) -> Counter[str]:
    same: Counter[str] = Counter()
    with fake_openai() as model, tempfile.TemporaryDirectory() as name:
        folder, replay = Path(name), Path(name) / "replay"
        generate(replay)
        endpoint = {"embedding_base_url": model.url, "embedding_api_key": "any", "embedding_model": "m"}
        settings = {**endpoint, "embedding_dimension": 64}
        wanted = undisturbed(folder / "whole" / "data", replay, UFS, **settings)
        for seed in range(seeds):
            for fault in faults:
                rows, ended = after(fault, seed, folder / f"{fault}-{seed}" / "data", replay, UFS, **settings)
                different = [table for table in wanted if rows[table] != wanted[table]]
                same[fault] += not different
                print(fault, seed, "same rows" if not different else f"DIFFERENT {different}", *ended, flush=True)
    return same


if __name__ == "__main__":
    count = int(sys.argv[1]) if sys.argv[1:] else 20
    print(dict(measure(count, sys.argv[2:] or list(FAULTS))))

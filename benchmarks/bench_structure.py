"""The structure of plans: found from their text, read from storage, and remembered; `--data DIR` names a store with plans."""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from iris_assets.documents.structure import Block, Structure
from iris_assets.indexing.plan_text import plan_text
from iris_assets.platform import Platform
from iris_assets.settings import load_settings

ROUNDS = 5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    platform = Platform(load_settings({}, iris_assets_data=arguments.parse_args().data))
    years = platform.store.candidates.election_years()
    documents = [platform.store.documents.get(key) for year in years for key in platform.store.documents.hashes(year)]
    texts = [row["raw_text"] for row in documents if row and row["raw_text"]]
    platform.close()
    stored = [_stored(_made(text)) for text in texts]
    assert all(_read(text, rows).blocks == _made(text).blocks for text, rows in zip(texts, stored, strict=True))
    print(f"{len(texts)} plans of {sum(map(len, texts)):,} characters; stored blocks: {sum(map(len, stored)):,} bytes")
    print("| | ms a plan, median | longest |\n|---|---:|---:|")
    _row("found from the text", [_best(lambda text=text: _made(text)) for text in texts])
    pairs = zip(texts, stored, strict=True)
    _row("text made, blocks read from JSON", [_best(lambda pair=pair: _read(*pair)) for pair in pairs])
    _row("remembered", [_best(lambda text=text: plan_text(text).blocks) for text in texts])


def _made(text: str) -> Structure:
    structure = plan_text.__wrapped__(text)
    _ = structure.blocks
    return structure


def _stored(structure: Structure) -> str:
    rows = [[one.kind, one.start, one.end, one.label, one.level, one.heading] for one in structure.blocks]
    return json.dumps(rows, separators=(",", ":"))


def _read(text: str, rows: str) -> Structure:
    structure = plan_text.__wrapped__(text)
    structure.__dict__["blocks"] = tuple(Block(*row) for row in json.loads(rows))
    return structure


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times) * 1000


def _row(name: str, values: list[float]) -> None:
    print(f"| {name} | {median(values):.3f} | {max(values):.3f} |")


if __name__ == "__main__":
    main()

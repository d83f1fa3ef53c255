"""Text of the ten real plans: our pool of two workers (cleaning included) against pypdf alone, in one run.

Run: python benchmarks/bench_documents.py [folder with the PDFs]
"""

import io
import logging
import os
import sys
import time
from pathlib import Path

from pypdf import PdfReader

from iris_assets.documents import ExtractedDocument, ExtractionLimits, PdfPool

WORKERS = 2
ROUNDS = 3


def main() -> None:
    """Print the rows of docs/benchmarks.md."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else root.parent / "shared" / "data" / "pdf"
    files = [path.read_bytes() for path in sorted(folder.glob("*.pdf"))]
    if not files:
        raise SystemExit(f"no PDF in {folder}")
    start = _start_seconds()
    ours = min((_ours(files) for _ in range(ROUNDS)), key=lambda run: run[0])
    reference, characters = _pypdf(files)
    print(f"{len(files)} files, load average before the end {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    print("| What | seconds | pages/s | characters | against pypdf |")
    print("|---|---|---|---|---|")
    pages = ours[1]
    print(f"| pypdf alone, one process | {reference:.2f} | {pages / reference:.0f} | {characters} | 1.0 |")
    for name, seconds in (("start of the workers included", ours[0]), ("workers running", ours[2])):
        ratio = reference / seconds
        print(
            f"| our pool, {WORKERS} workers, {name} | {seconds:.2f} | {pages / seconds:.0f} | {ours[3]} | {ratio:.1f} |"
        )
    print(f"| start of a worker to its first answer | {start:.2f} | | | |")


def _start_seconds() -> float:
    begin = time.perf_counter()
    with PdfPool(1, ExtractionLimits()) as pool:
        pool.submit(b" ").exception()
        return time.perf_counter() - begin


def _ours(files: list[bytes]) -> tuple[float, int, float, int]:
    """(seconds with the workers' start, pages, seconds of a second pass in the same workers, characters)."""
    begin = time.perf_counter()
    with PdfPool(WORKERS, ExtractionLimits()) as pool:
        documents = [item for item in pool.map(files) if isinstance(item, ExtractedDocument)]
        first = time.perf_counter() - begin
        assert len(documents) == len(files)
        again = time.perf_counter()
        assert len(list(pool.map(files))) == len(files)
        second = time.perf_counter() - again
    pages = [page for document in documents for page in document.pages]
    return first, len(pages), second, sum(len(page.text) for page in pages)


def _pypdf(files: list[bytes]) -> tuple[float, int]:
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    begin = time.perf_counter()
    characters = sum(len(page.extract_text()) for data in files for page in PdfReader(io.BytesIO(data)).pages)
    return time.perf_counter() - begin, characters


if __name__ == "__main__":
    main()

"""Recognition of pages without text by Tesseract, Portuguese; off in a clear way when it is not installed."""

import functools
import hashlib
import os
import shutil
import subprocess
import threading
from collections.abc import Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from iris_assets.documents.faults import document_error
from iris_assets.documents.process import Image, Worker
from iris_assets.documents.recognised import RESOLUTION_DPI, recognised_file, recognised_text
from iris_assets.errors import DocumentError
from iris_assets.files import write_atomically

CORES: Final = 2
PAGE_SECONDS: Final = 120


@functools.cache
def ocr_available() -> bool:
    """Whether the `tesseract` program with the language `por` is installed."""
    program = shutil.which("tesseract")
    if program is None:
        return False
    try:
        listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "por" in listed.stdout.split()


class Recogniser:
    """Recognises pages on up to two cores, for all workers of a pool together.

    `cache` keeps the words of each recognised page and their boxes (a folder per document hash): the work of a stopped
    run is not lost, and a quote can be shown on the page. `only` restricts recognition to these page numbers.
    """

    def __init__(self, *, cache: Path | None = None, only: Collection[int] | None = None) -> None:
        self._cache = cache
        self._only = None if only is None else frozenset(only)
        self._threads = ThreadPoolExecutor(min(CORES, os.cpu_count() or 1))
        self._rendered = threading.BoundedSemaphore(2 * CORES)  # images are some 4 MB each

    def close(self) -> None:
        """Wait for pages under way; pages not begun are given up."""
        self._threads.shutdown(cancel_futures=True)

    def recognise(self, data: bytes, worker: Worker, numbers: Sequence[int]) -> dict[int, str | DocumentError]:
        """{page number: text, or why it has none} for the wanted pages (from 1), rendered in the worker process."""
        wanted = [number for number in numbers if self._only is None or number in self._only]
        document_hash = hashlib.sha256(data).hexdigest()
        results: dict[int, str | DocumentError] = {}
        running: dict[int, Future[str]] = {}
        for number in wanted:
            file = self._file(document_hash, number)
            if file is not None and file.is_file():
                results[number] = recognised_text(file.read_text("utf-8"))
                continue
            self._rendered.acquire()
            try:
                image = worker.render(data, number, RESOLUTION_DPI)
            except DocumentError as error:
                self._rendered.release()
                results[number] = error
                continue
            running[number] = self._threads.submit(self._read, image, file)
        for number, future in running.items():
            try:
                results[number] = future.result()
            except DocumentError as error:
                results[number] = error
        return results

    def _read(self, image: Image, file: Path | None) -> str:
        try:
            table = _tesseract(image)
        finally:
            self._rendered.release()
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, table.encode())  # a run that is killed leaves no half page
        return recognised_text(table)

    def _file(self, document_hash: str, number: int) -> Path | None:
        return None if self._cache is None else recognised_file(self._cache, document_hash, number)


def _tesseract(image: Image) -> str:
    """The table of the words on a picture."""
    command = ["tesseract", "stdin", "stdout", "-l", "por", "--dpi", str(RESOLUTION_DPI), "tsv"]
    picture = f"P5 {image.width} {image.height} 255\n".encode("ascii") + image.pixels
    # One thread each: two pages at once use two cores better than two threads on one page.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(
            command, input=picture, capture_output=True, timeout=PAGE_SECONDS, check=False, env=environment
        )
    except subprocess.TimeoutExpired:
        raise document_error("OCR_TIMEOUT", f"recognition took more than {PAGE_SECONDS} seconds") from None
    except OSError as error:
        raise document_error("OCR_FAILED", f"Tesseract did not start: {error}") from None
    if done.returncode != 0:
        raise document_error("OCR_FAILED", done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")

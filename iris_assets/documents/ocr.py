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
from iris_assets.errors import DocumentError
from iris_assets.files import write_atomically

# Measured on rendered plans: 200 DPI reads running text as well as 300 and large headings better, in less time.
RESOLUTION_DPI: Final = 200
CORES: Final = 2
PAGE_SECONDS: Final = 120
CACHE_VERSION: Final = f"por-{RESOLUTION_DPI}"


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

    `cache` keeps each recognised page (a folder per document hash), so that the work of a stopped run is not lost;
    `only` restricts it to these page numbers.
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
        folder = self._folder(data) if wanted else None
        results: dict[int, str | DocumentError] = {}
        running: dict[int, Future[str]] = {}
        for number in wanted:
            kept = _kept(folder, number)
            if kept is not None:
                results[number] = kept
                continue
            self._rendered.acquire()
            try:
                image = worker.render(data, number, RESOLUTION_DPI)
            except DocumentError as error:
                self._rendered.release()
                results[number] = error
                continue
            running[number] = self._threads.submit(self._read, image, folder, number)
        for number, future in running.items():
            try:
                results[number] = future.result()
            except DocumentError as error:
                results[number] = error
        return results

    def _read(self, image: Image, folder: Path | None, number: int) -> str:
        try:
            text = _tesseract(image)
        finally:
            self._rendered.release()
        if folder is not None:
            _keep(folder, number, text)
        return text

    def _folder(self, data: bytes) -> Path | None:
        if self._cache is None:
            return None
        folder = self._cache / hashlib.sha256(data).hexdigest()
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def _kept(folder: Path | None, number: int) -> str | None:
    path = None if folder is None else folder / f"{number}.{CACHE_VERSION}.txt"
    return path.read_text("utf-8") if path is not None and path.is_file() else None


def _keep(folder: Path, number: int, text: str) -> None:
    path = folder / f"{number}.{CACHE_VERSION}.txt"
    write_atomically(path, text.encode())  # a run that is killed leaves no half page


def _tesseract(image: Image) -> str:
    command = ["tesseract", "stdin", "stdout", "-l", "por", "--dpi", str(RESOLUTION_DPI)]
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

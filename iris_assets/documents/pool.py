"""Extraction in worker processes that are killed at their limits and started anew: a bad file costs itself only."""

import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from iris_assets.documents.assembly import assemble
from iris_assets.documents.pages import ExtractedDocument
from iris_assets.documents.worker import read_frame, write_frame
from iris_assets.errors import DocumentError

WALL_FACTOR: Final = 2  # a file may wait for the other core, not for ever


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """Per file: CPU seconds (twice as much by the clock) and address space of the worker."""

    seconds: int = 60
    memory_mb: int = 1536


class PdfPool:
    """`workers` processes that read PDFs; use it as a context manager, `submit` bytes, take results from futures.

    A future raises DocumentError (PDF_ENCRYPTED, PDF_MALFORMED, PDF_EMPTY_FILE, PDF_NO_PAGES, PDF_TOO_LARGE,
    PDF_MEMORY, PDF_TIMEOUT, PDF_CRASHED).
    """

    def __init__(self, workers: int, limits: ExtractionLimits, *, ocr: bool = False) -> None:
        self.workers = workers
        self._limits = limits
        self._ocr = ocr
        self._jobs: queue.Queue[tuple[bytes, Future[ExtractedDocument]] | None] = queue.Queue()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]

    def __enter__(self) -> "PdfPool":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def submit(self, data: bytes) -> "Future[ExtractedDocument]":
        future: Future[ExtractedDocument] = Future()
        self._jobs.put((data, future))
        return future

    def _serve(self) -> None:
        worker = _Worker(self._limits)
        try:
            while (job := self._jobs.get()) is not None:
                data, future = job
                try:
                    future.set_result(assemble(data, worker.read(data), ocr=self._ocr))
                except DocumentError as error:
                    future.set_exception(error)
                except Exception as error:  # noqa: BLE001
                    # The border of the thread: the caller sees the failure where it asks for the result.
                    future.set_exception(error)
        finally:
            worker.stop()


class _Worker:
    """One process and the clock over it."""

    def __init__(self, limits: ExtractionLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, data: bytes) -> dict[str, Any]:
        process = self._running()
        timer = threading.Timer(self._limits.seconds * WALL_FACTOR, process.kill)
        timer.start()
        try:
            answer = _exchange(process, data)
        finally:
            timer.cancel()
        if answer is None:
            raise self._death(process)
        if "error" in answer:
            raise DocumentError(answer["error"], answer["message"])
        return answer

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            command = [
                sys.executable,
                "-m",
                "iris_assets.documents.worker",
                str(self._limits.memory_mb),
                str(self._limits.seconds),
            ]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        return self._process

    def _death(self, process: subprocess.Popen[bytes]) -> DocumentError:
        self.stop()
        code = process.returncode
        if code in {-signal.SIGKILL, -signal.SIGXCPU}:
            return DocumentError("PDF_TIMEOUT", f"the file took more than {self._limits.seconds} seconds")
        if code == -signal.SIGABRT:
            return DocumentError("PDF_MEMORY", f"the file needs more than {self._limits.memory_mb} MiB")
        return DocumentError("PDF_CRASHED", f"the reader ended with code {code}")


def _exchange(process: subprocess.Popen[bytes], data: bytes) -> dict[str, Any] | None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        write_frame(process.stdin, data)
    frame = read_frame(process.stdout)
    return None if frame is None else json.loads(frame)


def extract_document(data: bytes, *, limits: ExtractionLimits | None = None, ocr: bool = False) -> ExtractedDocument:
    """One PDF in a worker of its own; see PdfPool for the errors."""
    with PdfPool(1, limits or ExtractionLimits(), ocr=ocr) as pool:
        return pool.submit(data).result()

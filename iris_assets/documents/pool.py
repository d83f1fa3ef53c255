"""Extraction in worker processes that are killed at their limits and started anew: a bad file costs itself only."""

import queue
import threading
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from iris_assets.documents.assembly import assemble
from iris_assets.documents.ocr import Recogniser
from iris_assets.documents.pages import ExtractedDocument
from iris_assets.documents.process import ExtractionLimits, Worker
from iris_assets.errors import DocumentError

IN_FLIGHT_BYTES: Final = 128 << 20

_Job = tuple[bytes, "Future[ExtractedDocument]"]


class PdfPool:
    """`workers` processes that read PDFs; use it as a context manager, `submit` bytes, take results from futures.

    A future raises DocumentError (PDF_ENCRYPTED, PDF_MALFORMED, PDF_EMPTY_FILE, PDF_NO_PAGES, PDF_TOO_LARGE,
    PDF_MEMORY, PDF_TIMEOUT, PDF_CRASHED). With `ocr` pages without text are recognised when Tesseract is
    installed: all of them, or those in `ocr_pages`; `ocr_cache` is a folder that keeps recognised pages, so that a
    stopped run goes on where it was.
    """

    def __init__(
        self,
        workers: int,
        limits: ExtractionLimits,
        *,
        ocr: bool = False,
        ocr_cache: Path | None = None,
        ocr_pages: Collection[int] | None = None,
    ) -> None:
        self.workers = workers
        self._limits = limits
        self._recogniser = Recogniser(cache=ocr_cache, only=ocr_pages) if ocr else None
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._in_use = [Worker(limits) for _ in range(workers)]
        self._threads = [threading.Thread(target=self._serve, args=(worker,), daemon=True) for worker in self._in_use]

    def __enter__(self) -> "PdfPool":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        if kind is not None:
            self._abandon()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        if self._recogniser is not None:
            self._recogniser.close()

    def submit(self, data: bytes) -> "Future[ExtractedDocument]":
        """Queue one PDF. The queue has no bound: `map` keeps the bytes in flight within one."""
        future: Future[ExtractedDocument] = Future()
        self._jobs.put((data, future))
        return future

    def map(
        self, files: Iterable[bytes], *, in_flight_bytes: int = IN_FLIGHT_BYTES
    ) -> Iterator[ExtractedDocument | DocumentError]:
        """Results in the order of `files`, a failed file's error in its place; `files` is drawn as results leave.

        At most `in_flight_bytes` (and always at least one file), and two files per worker, wait or are read.
        """
        pending: deque[tuple[int, Future[ExtractedDocument]]] = deque()
        waiting = 0
        for data in files:
            while pending and (waiting + len(data) > in_flight_bytes or len(pending) >= 2 * self.workers):
                size, future = pending.popleft()
                waiting -= size
                yield _outcome(future)
            pending.append((len(data), self.submit(data)))
            waiting += len(data)
        for _, future in pending:
            yield _outcome(future)

    def _abandon(self) -> None:
        """The caller failed or was interrupted: nobody waits for what is queued."""
        while True:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return
            if job is not None:
                job[1].cancel()

    def _serve(self, worker: Worker) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                if job[1].set_running_or_notify_cancel():
                    self._extract(worker, *job)
                job = None
        finally:
            worker.stop()

    def _extract(self, worker: Worker, data: bytes, future: "Future[ExtractedDocument]") -> None:
        try:
            future.set_result(assemble(data, worker, self._recogniser))
        except DocumentError as error:
            future.set_exception(error)
        except Exception as error:  # noqa: BLE001
            # The border of the thread: the caller sees the failure where it asks for the result.
            future.set_exception(error)


def _outcome(future: "Future[ExtractedDocument]") -> ExtractedDocument | DocumentError:
    try:
        return future.result()
    except DocumentError as error:
        return error


def extract_document(
    data: bytes,
    *,
    limits: ExtractionLimits | None = None,
    ocr: bool = False,
    ocr_cache: Path | None = None,
    ocr_pages: Collection[int] | None = None,
) -> ExtractedDocument:
    """One PDF in a worker of its own; see PdfPool for the errors."""
    with PdfPool(1, limits or ExtractionLimits(), ocr=ocr, ocr_cache=ocr_cache, ocr_pages=ocr_pages) as pool:
        return pool.submit(data).result()

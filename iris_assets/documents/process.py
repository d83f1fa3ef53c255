"""One worker process seen from outside: started when needed, killed at the limits, replaced after a death."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any, Final, Literal

from iris_assets.documents.faults import document_error
from iris_assets.documents.worker import read_frame, write_frame
from iris_assets.errors import DocumentError

WALL_FACTOR: Final = 2  # a file may wait for the other core, not for ever
# The reader of hostile files gets no secrets: only what Python needs to start.
ENVIRONMENT: Final = (
    "PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """Per file: CPU seconds (twice as much by the clock), MiB of address space of the worker, bytes of the file."""

    seconds: int = 60
    memory_mb: int = 1536
    max_bytes: int = 512 << 20


@dataclass(frozen=True, slots=True)
class Image:
    """A rendered page: 8-bit grey, rows from the top without padding."""

    width: int
    height: int
    pixels: bytes


class _WorkerDied(Exception):
    def __init__(self, error: DocumentError) -> None:
        super().__init__(str(error))
        self.error = error


class Worker:
    """Reads and renders PDFs in one process at a time; not for several threads at once."""

    def __init__(self, limits: ExtractionLimits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._used = False

    def read(self, data: bytes) -> dict[str, Any]:
        """What `engines.read_pdf` answers; raises DocumentError.

        A process that dies (not at the time limit) is asked again: afresh when it had read other files before,
        which may have harmed it, and then with the second engine alone, which does not die of native faults. All
        attempts together keep to the one limit by the clock.
        """
        if len(data) > self._limits.max_bytes:
            raise document_error("PDF_TOO_LARGE", f"{len(data)} bytes, at most {self._limits.max_bytes}")
        attempts: list[Literal["any", "pypdf"]] = ["any", "any", "pypdf"] if self._used else ["any", "pypdf"]
        first: DocumentError | None = None
        end = time.monotonic() + self._limits.seconds * WALL_FACTOR
        for engine in attempts:
            try:
                return self._ask({"do": "read", "engine": engine}, data, end)[0]
            except _WorkerDied as death:
                first = first or death.error
                if death.error.code == "PDF_TIMEOUT":
                    break
            except DocumentError:
                if engine == "any":
                    raise
        assert first is not None
        raise first

    def render(self, data: bytes, page: int, resolution: int, **limits: int) -> Image:
        """Page `page` (from 1) at `resolution` DPI, with `most_pixels` at less; raises DocumentError."""
        answer, pixels = self._once({"do": "render", "page": page, "resolution": resolution, "limits": limits}, data)
        return Image(answer["width"], answer["height"], pixels)

    def boxes(self, data: bytes, page: int, quote: str) -> list[list[float]]:
        """Where a quote stands on a page: [left, top, right, bottom] in shares of the page; raises DocumentError."""
        answer, _ = self._once({"do": "boxes", "page": page, "quote": quote}, data)
        boxes: list[list[float]] = answer["boxes"]
        return boxes

    def _once(self, job: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        try:
            return self._ask(job, data, time.monotonic() + self._limits.seconds * WALL_FACTOR)
        except _WorkerDied as death:
            raise death.error from None

    def stop(self) -> None:
        """End the process, in whatever it does."""
        process, self._process, self._used = self._process, None, False
        if process is not None:
            process.kill()
            process.communicate()

    def _ask(self, job: dict[str, Any], data: bytes, end: float) -> tuple[dict[str, Any], bytes]:
        process = self._running()
        self._used = True
        overdue = threading.Event()
        timer = threading.Timer(max(0.0, end - time.monotonic()), _kill, (process, overdue))
        timer.daemon = True
        timer.start()
        try:
            answer, pixels = _exchange(process, job, data)
        except ValueError:
            answer, pixels = None, b""
        finally:
            timer.cancel()
        if answer is None or overdue.is_set():
            raise _WorkerDied(self._death(process, overdue.is_set()))
        if "error" in answer:
            raise document_error(answer["error"], answer["message"])
        return answer, pixels

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.stop()
        if self._process is None:
            module = "iris_assets.documents.worker"
            command = [sys.executable, "-m", module, str(self._limits.memory_mb), str(self._limits.seconds)]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
            )
        return self._process

    def _death(self, process: subprocess.Popen[bytes], overdue: bool) -> DocumentError:
        self.stop()
        code = process.returncode
        if overdue or code == -getattr(signal, "SIGXCPU", 0):
            return document_error("PDF_TIMEOUT", f"the file took more than {self._limits.seconds} seconds")
        # A failed allocation aborts PDFium; SIGKILL that is not ours comes from a system without memory.
        if code in {-signal.SIGABRT, -getattr(signal, "SIGKILL", 0)}:
            return document_error("PDF_MEMORY", f"the file needs more than {self._limits.memory_mb} MiB")
        return document_error("PDF_CRASHED", f"the reader ended with code {code}")


def _kill(process: subprocess.Popen[bytes], overdue: threading.Event) -> None:
    overdue.set()
    process.kill()


def _exchange(
    process: subprocess.Popen[bytes], job: dict[str, Any], data: bytes
) -> tuple[dict[str, Any] | None, bytes]:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        write_frame(process.stdin, json.dumps(job).encode("ascii"))
        write_frame(process.stdin, data)
    frame = read_frame(process.stdout)
    if frame is None:
        return None, b""
    answer: dict[str, Any] = json.loads(frame)
    if "width" not in answer:
        return answer, b""
    pixels = read_frame(process.stdout)
    return (None, b"") if pixels is None else (answer, pixels)

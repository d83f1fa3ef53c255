"""The worker process: reads jobs from stdin, answers on stdout, lives under memory and CPU limits.

Frames: 8 bytes of length, then the bytes. A job is a JSON frame and a frame with the PDF; an answer is a JSON frame,
for a rendered page followed by a frame with its pixels.
"""

import contextlib
import json
import struct
import sys
from typing import IO, Any

from iris_assets.documents.engines import read_pdf
from iris_assets.documents.faults import UnreadablePdf, printable
from iris_assets.documents.pdfium_engine import find_boxes, render_page

with contextlib.suppress(ImportError):  # Windows has none: only the clock of the parent stops a file there
    import resource

HAS_LIMITS = "resource" in globals()

LONGEST_FRAME = 1 << 31


def main() -> None:
    """Serve jobs until stdin closes: `worker.py MEMORY_MB CPU_SECONDS`."""
    memory_mb, seconds = int(sys.argv[1]), int(sys.argv[2])
    limited = _limit_memory(memory_mb)
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    # Engines print to stdout when they complain: that must not reach the frames.
    sys.stdout = sys.stderr
    while (head := read_frame(incoming)) is not None and (data := read_frame(incoming)) is not None:
        _limit_cpu(seconds)
        answer, pixels = _answer(json.loads(head), data, seconds)
        answer["memory_limited"] = limited
        write_frame(outgoing, json.dumps(answer).encode("ascii"))
        if pixels is not None:
            write_frame(outgoing, pixels)


def _answer(job: dict[str, Any], data: bytes, seconds: int) -> tuple[dict[str, Any], bytes | None]:
    try:
        if job["do"] == "render":
            image = render_page(data, job["page"], job["resolution"], **job["limits"])
            return {"width": image["width"], "height": image["height"]}, image["pixels"]
        if job["do"] == "boxes":
            return find_boxes(data, job["page"], job["quote"]), None
        return read_pdf(data, seconds, job["engine"]), None
    except UnreadablePdf as error:
        return {"error": error.code, "message": printable(str(error))}, None
    except MemoryError:
        return {"error": "PDF_MEMORY", "message": "the file needs more memory than its limit"}, None
    except Exception as error:  # noqa: BLE001
        # The border of the process: whatever a hostile file raised becomes this file's own failure.
        return {"error": "PDF_MALFORMED", "message": printable(f"{type(error).__name__}: {error}")}, None


def _limit_memory(memory_mb: int) -> bool:
    """Bound the address space and switch off core dumps; False where the system cannot (macOS, Windows)."""
    if not HAS_LIMITS:
        return False
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    except (ValueError, OSError):
        return False
    return True


def _limit_cpu(seconds: int) -> None:
    if not HAS_LIMITS:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def read_frame(stream: IO[bytes]) -> bytes | None:
    """One frame's bytes, None at the end of the stream (also in the middle of a frame, or when it is absurd)."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    (length,) = struct.unpack(">Q", head)
    if length > LONGEST_FRAME:
        return None
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Length and bytes, at once."""
    stream.write(struct.pack(">Q", len(body)))
    stream.write(body)
    stream.flush()


if __name__ == "__main__":
    main()

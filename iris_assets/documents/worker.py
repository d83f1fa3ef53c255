"""The worker process: reads jobs from stdin, answers on stdout, lives under memory and CPU limits.

Frames: 8 bytes of length, then JSON; a job's JSON is followed by a frame with the PDF bytes.
"""

import json
import resource
import struct
import sys
from typing import IO, Any

from iris_assets.documents.engines import UnreadablePdf, read_pdf


def main() -> None:
    """Serve jobs until stdin closes."""
    memory_mb, seconds = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    # Engines print to stdout when they complain: that must not reach the frames.
    sys.stdout = sys.stderr
    while (data := read_frame(incoming)) is not None:
        _limit_cpu(seconds)
        write_frame(outgoing, json.dumps(_answer(data)).encode("ascii"))


def _answer(data: bytes) -> dict[str, Any]:
    try:
        return read_pdf(data)
    except UnreadablePdf as error:
        return {"error": error.code, "message": str(error)}
    except MemoryError:
        return {"error": "PDF_MEMORY", "message": "the file needs more memory than its limit"}
    except Exception as error:  # noqa: BLE001
        # The border of the process: whatever a hostile file raised becomes this file's own failure.
        return {"error": "PDF_MALFORMED", "message": f"{type(error).__name__}: {error}"[:300]}


def _limit_cpu(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def read_frame(stream: IO[bytes]) -> bytes | None:
    """One frame's bytes, None at the end of the stream (also in the middle of a frame)."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    (length,) = struct.unpack(">Q", head)
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: IO[bytes], body: bytes) -> None:
    stream.write(struct.pack(">Q", len(body)))
    stream.write(body)
    stream.flush()


if __name__ == "__main__":
    main()

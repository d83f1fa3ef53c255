"""The PDFs of the plans, by the SHA-256 of their bytes, and pictures of their pages made in a worker process."""

import struct
import threading
import zlib
from pathlib import Path
from typing import Final

from iris_assets.documents.boxes import as_shown, quote_boxes
from iris_assets.documents.process import ExtractionLimits, Image, Worker
from iris_assets.documents.recognised import recognised_file, recognised_words
from iris_assets.files import write_atomically

RESOLUTION_DPI: Final = 110  # text of 8 points can be read, an A4 page has 900 pixels across
MOST_PIXELS: Final = 4_000_000
MOST_PICTURES: Final = 2000  # files kept; the oldest go


class PlanFiles:
    """`<folder>/<first two of the hash>/<hash>.pdf`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, document_hash: str) -> Path:
        return self._folder / document_hash[:2] / f"{document_hash}.pdf"

    def keep(self, document_hash: str, data: bytes) -> None:
        """Write the file, for our user alone, unless it is there."""
        path = self.path(document_hash)
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data)
            path.chmod(0o600)

    def read(self, document_hash: str) -> bytes | None:
        """The bytes, None when the file was not kept."""
        path = self.path(document_hash)
        return path.read_bytes() if path.is_file() else None


class PagePictures:
    """Pages as PNG files in a folder of bounded size, and boxes of quotes; safe to share between threads."""

    def __init__(self, folder: Path, limits: ExtractionLimits, recognised: Path | None = None) -> None:
        """`recognised` is the folder in which a recogniser keeps the words of scanned pages."""
        self._folder, self._worker, self._recognised = folder, Worker(limits), recognised
        self._lock = threading.Lock()  # one worker: pages are rendered one after the other

    def png(self, document_hash: str, page: int, data: bytes) -> bytes:
        """The page (from 1) as PNG, 8-bit grey; raises DocumentError."""
        path = self._folder / f"{document_hash}.{page}.{RESOLUTION_DPI}.png"
        if path.is_file():
            return path.read_bytes()
        with self._lock:
            picture = encode_png(self._worker.render(data, page, RESOLUTION_DPI, most_pixels=MOST_PIXELS))
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, picture)
            self._trim()
        return picture

    def boxes(self, document_hash: str, page: int, data: bytes, quote: str) -> list[list[float]]:
        """[left, top, right, bottom] of the quote's lines, in shares of the page; raises DocumentError.

        The letters are those that the text was read from: of a scanned page the recognised ones.
        """
        if self._recognised is not None and (file := recognised_file(self._recognised, document_hash, page)).is_file():
            found = quote_boxes(recognised_words(file.read_text("utf-8")), quote)
            if found:
                return [as_shown(box) for box in found]
        with self._lock:
            return self._worker.boxes(data, page, quote)

    def close(self) -> None:
        """End the worker process."""
        with self._lock:
            self._worker.stop()

    def _trim(self) -> None:
        files = sorted(self._folder.glob("*.png"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(len(files) - MOST_PICTURES, 0)]:
            path.unlink(missing_ok=True)


def encode_png(image: Image) -> bytes:
    """8-bit grey pixels as a PNG file."""
    head = struct.pack(">IIBBBBB", image.width, image.height, 8, 0, 0, 0, 0)
    rows = range(0, len(image.pixels), image.width)
    raw = b"".join(b"\0" + image.pixels[row : row + image.width] for row in rows)
    parts = (_part(b"IHDR", head), _part(b"IDAT", zlib.compress(raw, 6)), _part(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

"""pypdf, the second engine: for files that PDFium cannot open and pages where it fails or finds nothing."""

import contextlib
import io
import logging
import signal
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from iris_assets.documents.faults import UnreadablePdf, printable
from iris_assets.documents.pdfium_engine import MAX_PAGES

BOX_TOLERANCE_PT: Final = 2.0
INTERVAL_SECONDS: Final = 0.5


class _OutOfTime(BaseException):
    """The processor time of this engine is used up; no library code may take it for an error of its own."""


def read_with_pypdf(data: bytes, seconds: float, only: Collection[int] | None = None) -> dict[str, Any]:
    """{"engine", "pages": [{"text", "label", "error"}]}, page indexes outside `only` left empty; raises UnreadablePdf.

    After `seconds` of processor time the rest of the pages carries the error PDF_TIMEOUT.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    end = time.process_time() + seconds
    try:
        with _interrupted_at(end):
            reader, count, labels = _open(data)
    except _OutOfTime:
        raise UnreadablePdf("PDF_TIMEOUT", f"the file took more than {seconds:.0f} seconds to open") from None
    pages = [
        _page(reader, index, labels, end) if only is None or index in only else _result("", None, None)
        for index in range(count)
    ]
    return {"engine": "pypdf", "pages": pages, "counts": {}}


def _open(data: bytes) -> tuple[Any, int, list[str]]:
    from pypdf import PdfReader

    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadablePdf("PDF_ENCRYPTED", "a password is needed")
        count = len(reader.pages)
    except (UnreadablePdf, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001
        # The library raises whatever its parser trips over; each is the file's fault.
        raise UnreadablePdf("PDF_MALFORMED", f"{type(error).__name__}: {error}") from None
    if count == 0:
        raise UnreadablePdf("PDF_NO_PAGES", "the file has no pages")
    if count > MAX_PAGES:
        raise UnreadablePdf("PDF_TOO_LARGE", f"{count} pages, at most {MAX_PAGES}")
    return reader, count, _labels(reader)


def _labels(reader: Any) -> list[str]:
    try:
        return list(reader.page_labels)
    except Exception:  # noqa: BLE001
        # A broken label tree costs the printed labels, not the text.
        return []


def _page(reader: Any, index: int, labels: list[str], end: float) -> dict[str, Any]:
    label = labels[index] if index < len(labels) else None
    try:
        with _interrupted_at(end):
            return _result(_visible_text(reader.pages[index]), label, None)
    except _OutOfTime:
        return _result("", label, "PDF_TIMEOUT")
    except MemoryError:
        return _result("", label, "PDF_MEMORY")
    except Exception as error:  # noqa: BLE001
        # As above: a page that cannot be read costs itself and says why.
        return _result("", label, printable(f"{type(error).__name__}: {error}"))


def _visible_text(page: Any) -> str:
    """The page's text without what begins outside its visible box (a cut spread holds the facing page's text)."""
    left, bottom, right, top = (float(edge) for edge in page.cropbox)
    parts: list[str] = []

    def visit(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        inside = left - BOX_TOLERANCE_PT <= x <= right + BOX_TOLERANCE_PT
        if not text.strip() or (inside and bottom - BOX_TOLERANCE_PT <= y <= top + BOX_TOLERANCE_PT):
            parts.append(text)

    visitor: Callable[..., None] = visit
    page.extract_text(visitor_text=visitor)
    return "".join(parts)


def _result(text: str, label: str | None, error: str | None) -> dict[str, Any]:
    return {"text": text, "label": label, "error": error}


@contextlib.contextmanager
def _interrupted_at(end: float) -> Iterator[None]:
    """Raise _OutOfTime in the block when the process has used `end` seconds of processor time.

    Without interval timers (Windows) only the clock of the pool stops an endless page.
    """
    rest = end - time.process_time()
    if rest <= 0:
        raise _OutOfTime
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, _raise_out_of_time)
    # Again and again: library code may sit in a handler that drops the first one.
    signal.setitimer(signal.ITIMER_PROF, rest, INTERVAL_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _raise_out_of_time(_number: int, _frame: object) -> None:
    raise _OutOfTime

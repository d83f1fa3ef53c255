"""Reading through the worker process: valid files, faults with their codes, restarts, order, bounds."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.documents import ExtractionLimits, PdfPool, extract_document, inspect_pdf
from iris_assets.documents.process import Worker
from iris_assets.errors import DocumentError
from iris_assets_tests.documents import pdfs

LIMITS = ExtractionLimits(seconds=4, memory_mb=512)
VALID = pdfs.pdf([["Plano de governo", "Educação e saúde"], ["Segunda página"]])


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker(LIMITS)
    yield worker
    worker.stop()


def test_a_plain_file_gives_its_pages() -> None:
    document = extract_document(VALID, limits=LIMITS)
    assert [(page.number, page.text) for page in document.pages] == [
        (1, "Plano de governo\nEducação e saúde"),
        (2, "Segunda página"),
    ]
    assert (document.engine, document.status) == ("pdfium", "OK")
    assert (document.quality["pages"], document.quality["characters"]) == (2, 47)


def test_inspection_has_the_promised_shape() -> None:
    result = inspect_pdf(VALID, limits=LIMITS)
    assert result["pages"][1] == {"number": 2, "label": None, "text": "Segunda página", "ocr": False}
    assert (result["kind"], result["engine"], result["status"]) == ("pdf", "pdfium", "OK")


def test_printed_labels_stand_beside_the_physical_number() -> None:
    labels = "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 1 >>] >>"
    document = extract_document(pdfs.pdf([["capa"], ["um"], ["dois"]], catalogue=labels), limits=LIMITS)
    assert [(page.number, page.label) for page in document.pages] == [(1, "i"), (2, "1"), (3, "2")]


@pytest.mark.parametrize(("rotation", "box"), [(0, ""), (90, ""), (180, ""), (0, "/CropBox [0 0 595 842]")])
def test_rotated_pages_keep_their_lines_in_order(rotation: int, box: str) -> None:
    data = pdfs.pdf([["primeira linha", "segunda linha"]], page_entries=f"/Rotate {rotation} {box}")
    assert extract_document(data, limits=LIMITS).pages[0].text == "primeira linha\nsegunda linha"


SPREAD = pdfs.pdf(
    [pdfs.stream(b"BT /F1 12 Tf 50 700 Td (visivel) Tj ET BT /F1 12 Tf 700 700 Td (vizinha) Tj ET")],
    page_entries="/CropBox [0 0 595 842]",
)


@pytest.mark.parametrize("engine", ["any", "pypdf"])
def test_text_outside_the_visible_box_is_not_the_page_s(worker: Worker, engine: str) -> None:
    answer, _ = worker._ask({"do": "read", "engine": engine}, SPREAD, time.monotonic() + 30)
    assert [page["text"] for page in answer["pages"]] == ["visivel"]


def test_an_empty_user_password_is_no_obstacle() -> None:
    data = pdfs.encrypted(pdfs.pdf([["Cifrado sem senha"]]), user="")
    assert extract_document(data, limits=LIMITS).pages[0].text == "Cifrado sem senha"


def test_attachments_are_counted_and_never_read() -> None:
    document = extract_document(pdfs.with_attachment(pdfs.pdf([["Com anexo"]])), limits=LIMITS)
    assert document.quality["attachments"] == 1
    assert [page.text for page in document.pages] == ["Com anexo"]


def test_pages_of_images_and_of_nothing_are_told() -> None:
    square = pdfs.stream(b"0 0 100 100 re f")
    document = extract_document(pdfs.pdf([square, ["texto"], pdfs.stream(b"")]), limits=LIMITS)
    assert (document.status, document.quality["pages_without_text"]) == ("PARTIAL", [1, 3])
    assert extract_document(pdfs.pdf([square, square]), limits=LIMITS).status == "EMPTY"


@pytest.mark.parametrize(
    "data",
    [VALID[9:], VALID.replace(b"%PDF-1.7", b"%PXX-1.7"), VALID.replace(b"/Root 1 0 R", b"")],
    ids=["no header", "wrong header", "no catalogue named"],
)
def test_a_file_that_pdfium_refuses_is_read_by_pypdf(data: bytes) -> None:
    document = extract_document(data, limits=LIMITS)
    assert (document.engine, document.status) == ("pypdf", "OK")
    assert [page.text for page in document.pages] == ["Plano de governo\nEducação e saúde", "Segunda página"]


@pytest.mark.parametrize(("kids", "broken"), [(b"[4 0 R 99 0 R]", 2), (b"[99 0 R 6 0 R]", 1)])
def test_a_broken_page_costs_itself_and_moves_no_other(kids: bytes, broken: int) -> None:
    document = extract_document(VALID.replace(b"[4 0 R 6 0 R]", kids), limits=LIMITS)
    assert document.status == "PARTIAL"
    assert [bool(page.error) for page in document.pages] == [broken == 1, broken == 2]
    whole = ["Plano de governo\nEducação e saúde", "Segunda página"]
    assert document.pages[2 - broken].text == whole[2 - broken]
    assert document.quality["page_errors"] == {str(broken): "Failed to load page."}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("empty", "PDF_EMPTY_FILE"),
        ("blank", "PDF_EMPTY_FILE"),
        ("html", "PDF_MALFORMED"),
        ("git-lfs pointer", "PDF_MALFORMED"),
        ("header only", "PDF_MALFORMED"),
        ("zip", "PDF_MALFORMED"),
        ("noise", "PDF_MALFORMED"),
        ("no pages", "PDF_NO_PAGES"),
        ("password", "PDF_ENCRYPTED"),
    ],
)
def test_each_fault_has_its_code_and_a_hint(worker: Worker, name: str, code: str) -> None:
    with pytest.raises(DocumentError) as caught:
        worker.read(pdfs.hand_made()[name])
    assert caught.value.code == code


def test_errors_tell_what_to_do() -> None:
    with pytest.raises(DocumentError) as caught:
        extract_document(b"<html>", limits=LIMITS)
    assert caught.value.hint


def test_a_file_beyond_the_size_limit_is_not_even_sent() -> None:
    with pytest.raises(DocumentError) as caught:
        extract_document(VALID, limits=ExtractionLimits(seconds=4, memory_mb=512, max_bytes=100))
    assert caught.value.code == "PDF_TOO_LARGE"


def test_a_file_that_expands_to_a_gigabyte_costs_itself_only() -> None:
    bomb = pdfs.bomb(1 << 30)
    assert len(bomb) < 100_000
    start = time.monotonic()
    with PdfPool(1, ExtractionLimits(seconds=3, memory_mb=512)) as pool:
        bad, good = pool.submit(bomb), pool.submit(VALID)
        error = bad.exception()
        assert isinstance(error, DocumentError)
        assert error.code in {"PDF_MEMORY", "PDF_TIMEOUT", "PDF_TOO_LARGE", "PDF_MALFORMED"}
        assert good.result().pages[1].text == "Segunda página"
    assert time.monotonic() - start < 30


def test_an_endless_page_is_stopped_at_its_limit() -> None:
    # 2^30 forms: each calls the next one twice.
    depth = 30
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>"]
    objects.append(
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Contents 4 0 R >>"
    )
    objects.append(pdfs.stream(b"/X Do"))
    for number in range(5, 5 + depth):
        entries = f"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {number + 1} 0 R >> >>"
        objects.append(pdfs.stream(b"/X Do /X Do", entries))
    limits = ExtractionLimits(seconds=2, memory_mb=512)
    start = time.monotonic()
    try:
        document = extract_document(pdfs.pdf_of_objects(objects), limits=limits)
    except DocumentError as error:
        assert error.code in {"PDF_TIMEOUT", "PDF_MEMORY"}
    else:
        assert document.status == "EMPTY"
    assert time.monotonic() - start < 3 * limits.seconds + 3


def test_a_worker_that_dies_between_files_harms_none() -> None:
    worker = Worker(LIMITS)
    try:
        worker.read(VALID)
        process = worker._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        assert worker.read(VALID)["pages"][0]["text"].startswith("Plano")
    finally:
        worker.stop()


def test_the_worker_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_API_KEY", "segredo-do-teste")
    worker = Worker(LIMITS)
    try:
        worker.read(VALID)
        assert worker._process is not None
        assert b"segredo-do-teste" not in Path(f"/proc/{worker._process.pid}/environ").read_bytes()
    finally:
        worker.stop()


def test_results_come_in_order_and_files_are_drawn_as_they_leave() -> None:
    drawn = 0

    def files() -> Iterator[bytes]:
        nonlocal drawn
        for number in range(12):
            drawn += 1
            yield b"" if number == 5 else pdfs.pdf([[f"documento {number}"]])

    with PdfPool(2, LIMITS) as pool:
        results = []
        for result in pool.map(files(), in_flight_bytes=3000):
            results.append(result)
            assert drawn <= len(results) + 4
    errors = [number for number, result in enumerate(results) if isinstance(result, DocumentError)]
    assert errors == [5]
    texts = [result.pages[0].text for result in results if not isinstance(result, DocumentError)]
    assert texts == [f"documento {number}" for number in range(12) if number != 5]


def test_an_interrupted_caller_does_not_wait_for_the_queue() -> None:
    data = pdfs.pdf([["x"] * 50] * 100)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), PdfPool(1, LIMITS) as pool:
        futures = [pool.submit(data) for _ in range(100)]
        raise KeyboardInterrupt
    assert futures[-1].cancelled()
    assert time.monotonic() - start < 10

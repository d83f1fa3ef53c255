"""Recognition: only pages without text, marked, resumable, and off in a clear way."""

import hashlib
import json
import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.documents import ExtractionLimits, extract_document, inspect_pdf, ocr_available
from iris_assets.documents.plan_files import PagePictures
from iris_assets.documents.recognised import recognised_text
from iris_assets.documents.sentences import sentence_spans
from iris_assets_tests.documents import pdfs

LIMITS = ExtractionLimits(seconds=10)
SQUARE = pdfs.stream(b"0 0 100 100 re f")


def words(*texts: str) -> str:
    """Lines of a shell program that print the words of one line as Tesseract's table has them."""
    places = (f"5\\t1\\t1\\t1\\t1\\t{n}\\t{100 * n}\\t50\\t90\\t20\\t95.5" for n, _ in enumerate(texts, 1))
    return "".join(f'printf "{place}\\t%s\\n" {text}\n' for place, text in zip(places, texts, strict=True))


@pytest.fixture
def recogniser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A program in the place of Tesseract: its words are the size of the picture that it got; it logs each call."""
    folder = tmp_path / "bin"
    folder.mkdir()
    log = tmp_path / "calls.log"
    program = folder / "tesseract"
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = "--list-langs" ]; then echo por; exit 0; fi\n'
        f'echo call >> "{log}"\n'
        "set -- $(head -c 12 | head -n 1); cat > /dev/null\n"
        r"""printf '1\t1\t0\t0\t0\t0\t0\t0\t%s\t%s\t-1\t\n' $2 $3""" + "\n" + words("figura", "$2", "$3")
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    ocr_available.cache_clear()
    log.touch()
    yield log
    ocr_available.cache_clear()


def test_only_pages_without_text_are_recognised_and_marked(recogniser: Path) -> None:
    document = extract_document(pdfs.pdf([["com texto"], SQUARE]), limits=LIMITS, ocr=True)
    assert [(page.ocr, page.text[:6]) for page in document.pages] == [(False, "com te"), (True, "figura")]
    assert (document.status, document.quality["ocr"]) == ("OCR", "available")
    assert recogniser.read_text() == "call\n"


def test_a_stopped_run_goes_on_page_by_page(recogniser: Path, tmp_path: Path) -> None:
    data = pdfs.pdf([SQUARE, SQUARE, SQUARE])
    cache = tmp_path / "cache"
    first = extract_document(data, limits=LIMITS, ocr=True, ocr_cache=cache, ocr_pages=(1, 2))
    assert ([page.ocr for page in first.pages], first.status) == ([True, True, False], "PARTIAL")
    second = extract_document(data, limits=LIMITS, ocr=True, ocr_cache=cache)
    assert ([page.ocr for page in second.pages], second.status) == ([True, True, True], "OCR")
    assert recogniser.read_text() == "call\n" * 3
    assert not list(cache.rglob("*.part"))


def test_a_quote_has_its_box_on_the_recognised_page(recogniser: Path, tmp_path: Path) -> None:
    data, cache = pdfs.pdf([["com texto"], SQUARE]), tmp_path / "cache"
    extract_document(data, limits=LIMITS, ocr=True, ocr_cache=cache)
    pictures = PagePictures(tmp_path / "pictures", LIMITS, cache)
    page, other = (pictures.boxes(hashlib.sha256(data).hexdigest(), number, data, "FIGURA") for number in (2, 1))
    pictures.close()
    assert other == [] and page == [[round(value, 4) for value in (100 / 1653, 50 / 2339, 190 / 1653, 70 / 2339)]]


def test_the_table_of_words_gives_the_text_by_lines_and_paragraphs() -> None:
    place = "\t0\t0\t9\t9\t90\t"
    rows = [
        f"5\t1\t{block}\t1\t{line}\t1{place}{word}"
        for block, line, word in ((1, 1, "Vamos"), (1, 2, "lá."), (2, 1, "2"))
    ]
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
    assert recognised_text("\n".join([head, *rows, ""])) == "Vamos\nlá.\n\n2"


def test_two_pages_are_recognised_at_once(recogniser: Path) -> None:
    program = recogniser.parent / "bin" / "tesseract"
    program.write_text(
        '#!/bin/sh\nif [ "$1" = "--list-langs" ]; then echo por; exit 0; fi\n'
        f'echo begin >> "{recogniser}"; cat > /dev/null; sleep 1; echo end >> "{recogniser}"\n{words("texto")}'
    )
    extract_document(pdfs.pdf([SQUARE, SQUARE]), limits=LIMITS, ocr=True)
    assert recogniser.read_text().split() == ["begin", "begin", "end", "end"]


def test_a_page_of_absurd_size_is_rendered_small(recogniser: Path) -> None:
    data = pdfs.pdf([SQUARE]).replace(b"[0 0 595 842]", b"[0 0 14400 14400]")
    text = extract_document(data, limits=LIMITS, ocr=True).pages[0].text
    width, height = (int(number) for number in re.findall(r"\d+", text))
    assert width * height <= 41_000_000


def test_a_failing_recogniser_costs_the_page_only(recogniser: Path) -> None:
    program = recogniser.parent / "bin" / "tesseract"
    program.write_text('#!/bin/sh\nif [ "$1" = "--list-langs" ]; then echo por; exit 0; fi\necho "falha" >&2; exit 1\n')
    document = extract_document(pdfs.pdf([["texto"], SQUARE]), limits=LIMITS, ocr=True)
    assert (document.status, document.pages[1].error) == ("PARTIAL", "OCR: OCR_FAILED")


def test_without_the_program_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ocr_available.cache_clear()
    try:
        assert not ocr_available()
        document = extract_document(pdfs.pdf([SQUARE]), limits=LIMITS, ocr=True)
        assert (document.status, document.quality["ocr"]) == ("EMPTY", "not installed")
    finally:
        ocr_available.cache_clear()


def comparable(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


def _phrases(shared_data: Path) -> dict[str, int]:
    index = json.loads((shared_data / "pdf" / "index.json").read_text("utf-8"))
    entry = next(entry for entry in index if entry["file"] == "2022_ciro_sem_texto.pdf")
    return {phrase["text"]: phrase["page"] for phrase in entry["phrases"]}


@pytest.mark.ocr
@pytest.mark.real_data
@pytest.mark.slow
def test_the_scanned_plan_gives_its_three_phrases(shared_data: Path, tesseract: str) -> None:
    phrases = _phrases(shared_data)
    path = shared_data / "pdf" / "2022_ciro_sem_texto.pdf"
    result = inspect_pdf(path, ocr=True, ocr_pages=sorted(phrases.values()))
    texts = {page["number"]: comparable(page["text"]) for page in result["pages"] if page["ocr"]}
    # The name of the project is printed on other pages too, as anybody can see: only "is on its page" is claimed.
    assert {phrase: phrase in texts[page] for phrase, page in phrases.items()} == dict.fromkeys(phrases, True)


@pytest.mark.ocr
@pytest.mark.real_data
@pytest.mark.slow
def test_every_sentence_of_a_scanned_page_has_its_boxes_one_below_the_other(
    shared_data: Path, tmp_path: Path, tesseract: str
) -> None:
    data = (shared_data / "pdf" / "2022_ciro_sem_texto.pdf").read_bytes()
    cache = tmp_path / "cache"
    text = extract_document(data, ocr=True, ocr_cache=cache, ocr_pages=(22,)).pages[21].text
    sentences = [text[slice(*span)] for span in sentence_spans(text, 0, len(text))]
    pictures = PagePictures(tmp_path / "pictures", LIMITS, cache)
    found = [pictures.boxes(hashlib.sha256(data).hexdigest(), 22, data, one) for one in sentences if len(one) > 40]
    pictures.close()
    assert len(found) > 5 and all(found)
    tops = [boxes[0][1] for boxes in found]
    assert tops == sorted(tops)


@pytest.mark.ocr
@pytest.mark.real_data
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(os.environ.get("OCR_FULL") != "1", reason="OCR_FULL=1 recognises all 26 pages (minutes)")
def test_the_whole_scanned_plan_is_recognised(shared_data: Path, tesseract: str) -> None:
    result = inspect_pdf(shared_data / "pdf" / "2022_ciro_sem_texto.pdf", ocr=True)
    texts = {page["number"]: comparable(page["text"]) for page in result["pages"]}
    assert sum(page["ocr"] for page in result["pages"]) >= 24
    assert all(phrase in texts[page] for phrase, page in _phrases(shared_data).items())

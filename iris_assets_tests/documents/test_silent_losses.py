"""What PDFs lose without a word: letters without a mapping, narrow spaces, the order of columns; on generated files."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from iris_assets.documents import ExtractedDocument, extract_document, inspect_pdf, ocr_available
from iris_assets.documents.second_opinion import doubted_pages
from iris_assets.documents.unmapped import Glyphs, mend_unmapped
from iris_assets_tests.documents.pdfs import pdf, stream, with_holes

# Two glyphs without a mapping: \x02 is drawn as fi, \x03 as fl.
HOLES = b"\x02\x03"


def read(data: bytes) -> ExtractedDocument:
    return extract_document(data)


def lines(*texts: str) -> list[bytes]:
    return [text.encode("latin-1") for text in texts]


def test_ligatures_without_a_mapping_are_read_by_the_words_of_the_document() -> None:
    words = lines(
        "A eficiência da oficina e as florestas.", "A ine\x02ciência não; e\x02ciência na o\x02cina, \x03orestas."
    )
    document = read(with_holes(words, holes=HOLES))
    assert document.pages[0].text == (
        "A eficiência da oficina e as florestas.\nA ineficiência não; eficiência na oficina, florestas."
    )
    assert document.status == "PARTIAL"
    assert [document.quality[f"unmapped_glyphs{kind}"] for kind in ("", "_repaired")] == [4, 4]
    assert document.quality["pages_with_unmapped_glyphs"] == [1]
    assert document.quality["pages_with_lost_letters"] == []


def test_what_no_word_tells_stays_visible_and_makes_the_plan_partial() -> None:
    document = read(with_holes(lines("O grá\x02co da a\x03ição"), holes=HOLES))
    assert document.pages[0].text == "O grá\ufffdco da a\ufffdição"
    assert (document.status, document.quality["pages_with_lost_letters"]) == ("PARTIAL", [1])
    assert "unmapped_glyphs_repaired" not in document.quality


@pytest.mark.skipif(not ocr_available(), reason="needs Tesseract with Portuguese: make system")
def test_a_page_with_lost_letters_is_recognised_and_marked() -> None:
    # The glyph of \x02 is none in Helvetica: the picture shows the word without it, as a reader would see it.
    data = with_holes(lines("Plano de governo para a cidade", "O grá\x02co"), holes=HOLES)
    document = extract_document(data, ocr=True)
    assert (document.pages[0].ocr, document.status) == (True, "OCR")
    assert "Plano de governo para a cidade" in document.pages[0].text
    assert "\ufffd" not in document.pages[0].text


def test_a_single_letter_needs_two_words_and_no_rival() -> None:
    glyphs = Glyphs()
    mark, other = glyphs.mark("Arial", 7), glyphs.mark("Arial", 9)
    assert mark == glyphs.mark("Arial", 7) != other
    counts: Counter[str] = Counter()
    pages, found = mend_unmapped([f"saúde educação cidade sa{mark}de ed{mark}cação {other}idade"], counts)
    assert pages == ["saúde educação cidade sa\ufffdde ed\ufffdcação \ufffdidade"]
    pages, _ = mend_unmapped([f"cidade cada cem {mark}idade {mark}ada {mark}em bem"], Counter())
    assert pages == ["cidade cada cem cidade cada cem bem"]
    assert found == [3]


def test_words_apart_by_less_than_a_space_are_parted_where_both_are_words() -> None:
    content = (
        b"BT /F1 12 Tf 50 780 Td 14 TL (uma creche em cada bairro e uma creche em cada bairro) Tj T* "
        b"[(uma) -120 (creche) -130 (em) -110 (cada) -120 (bairro)] TJ T* "
        b"(contra quem tar contra quem tar contratar) Tj T* 1.5 Tc (cada bairro) Tj ET"
    )
    document = read(pdf([stream(content)]))
    assert document.pages[0].text.splitlines() == [
        "uma creche em cada bairro e uma creche em cada bairro",
        "uma creche em cada bairro",
        "contra quem tar contra quem tar contratar",
        "cada bairro",
    ]
    assert document.quality["glued_words_parted"] >= 1


def test_a_display_heading_comes_before_the_columns_and_a_drop_capital_before_its_word() -> None:
    content = (
        b"BT /F1 24 Tf 50 780 Td (SAUDE PARA TODOS) Tj ET "
        b"BT /F1 36 Tf 50 720 Td (A) Tj ET BT /F1 11 Tf 78 735 Td (creche abre cedo) Tj ET "
        b"BT /F1 11 Tf 14 TL 50 680 Td (primeira coluna) Tj T* (segue a primeira) Tj ET "
        b"BT /F1 11 Tf 14 TL 320 680 Td (segunda coluna) Tj T* (segue a segunda) Tj ET"
    )
    text = read(pdf([stream(content)])).pages[0].text
    order = [text.index(words) for words in ("SAUDE", "A", "creche", "primeira coluna", "segue a primeira", "segunda")]
    assert order[0] == 0 and order[2:] == sorted(order[2:])


def test_words_that_only_the_second_engine_finds_are_told_and_equal_texts_are_not() -> None:
    lines = [f"linha {number} com palavras de um plano de governo" for number in range(8)]
    data = pdf([lines, lines, lines])
    assert "second_engine_word_recall" not in read(data).quality
    pages = [
        {"text": "\n".join(lines)},
        {"text": "\n".join(lines[:7]) + " linha com palavras um govrno"},
        {"text": "x"},
    ]
    # Of the words of four letters and more the second engine finds none that stands nowhere in this text: none is lost.
    assert doubted_pages(data, pages, 1.0) == {}
    pages[1]["text"] = pages[1]["text"].replace("palavras", "palavas")
    # linha, palavras, plano, governo: four long words a line, one of them never there.
    assert doubted_pages(data, pages, 1.0) == {"2": 0.75}


# -- against another engine --------------------------------------------------------------------------------------------

WORD = re.compile(r"\w+")
LIGATURES = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"})


def _words(text: str) -> Counter[str]:
    """Words apart from two documented differences: hyphens at a line's end, and the digits of a letterspaced number."""
    text = re.sub(r"\b\d{1,2}(?: \d{1,2}){2}\b", lambda year: year[0].replace(" ", ""), text)
    text = re.sub(r"[-\u00ad\u2010\x02]\s*", "", text.translate(LIGATURES))
    return Counter(WORD.findall(text.lower()))


@pytest.mark.real_data
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs poppler-utils: make system")
def test_the_real_plans_have_the_words_that_poppler_finds(shared_data: Path) -> None:
    worst: dict[str, tuple[float, float]] = {}
    for path in sorted((shared_data / "pdf").glob("*.pdf")):
        told = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, check=True).stdout.decode("utf-8")
        ours, theirs = _words("\n".join(p["text"] for p in inspect_pdf(path)["pages"])), _words(told)
        both = (ours & theirs).total()
        if theirs.total() < 100:  # scanned pages
            continue
        worst[path.name] = (both / theirs.total(), both / ours.total())
    assert len(worst) >= 8
    assert {name: figures for name, figures in worst.items() if min(figures) < 0.999} == {}

"""Pictures of pages and the boxes of quotes on them."""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.documents import ExtractionLimits, PlanFiles
from iris_assets.documents.boxes import Letter, quote_boxes
from iris_assets.documents.plan_files import PagePictures, encode_png
from iris_assets.documents.process import Image
from iris_assets_tests.documents.pdfs import pdf

PAGES = [["Primeira página, sem nada."], ["Vamos construir creches em todos os", "bairros da cidade.", "Outra frase."]]


@pytest.fixture
def pictures(tmp_path: Path) -> Iterator[PagePictures]:
    made = PagePictures(tmp_path / "pictures", ExtractionLimits())
    yield made
    made.close()


def line(text: str, top: float) -> list[Letter]:
    return [Letter(char, (10.0 * i, top - 8, 10.0 * i + 9, top)) for i, char in enumerate(text)]


def test_a_quote_over_two_lines_has_a_box_for_each() -> None:
    letters = [*line("Vamos cons-", 100), *line("truir já.", 80)]
    assert quote_boxes(letters, "construir já") == [(60.0, 92.0, 99.0, 100.0), (0.0, 72.0, 79.0, 80.0)]


def test_parts_of_a_quote_are_found_one_by_one_and_strangers_are_not() -> None:
    letters = line("um dois tres quatro", 100)
    assert quote_boxes(letters, "um … quatro") == [(0.0, 92.0, 19.0, 100.0), (130.0, 92.0, 189.0, 100.0)]
    assert quote_boxes(letters, "cinco") == []


def test_what_goes_on_on_the_next_page_is_marked_to_the_end_of_this_one() -> None:
    letters = line("a frase começa bem no fim da página", 100)
    assert quote_boxes(letters, "começa bem no fim da página e segue na outra") == [(80.0, 92.0, 349.0, 100.0)]


def test_a_ligature_of_the_page_is_the_letters_of_the_quote() -> None:
    letters = [Letter("e", (0, 0, 9, 9)), Letter("ﬁ", (10, 0, 19, 9)), Letter("m", (20, 0, 29, 9))]
    assert quote_boxes(letters, "efim") == [(0, 0, 29, 9)]


def test_the_page_is_a_picture_that_is_made_once(pictures: PagePictures, tmp_path: Path) -> None:
    data = pdf(PAGES)
    picture = pictures.png("a" * 64, 2, data)
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    assert (width, height) == (909, 1287) or abs(width - 595 * 110 / 72) <= 1 >= abs(height - 842 * 110 / 72) - 0.5
    assert pictures.png("a" * 64, 2, b"") == picture  # from the folder: no PDF is read
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == [f"{'a' * 64}.2.110.png"]


@pytest.mark.parametrize(("rotation", "upright"), [(0, True), (90, False), (180, True), (270, False)])
def test_boxes_are_shares_of_the_page_as_it_is_shown(pictures: PagePictures, rotation: int, upright: bool) -> None:
    boxes = pictures.boxes(
        "a" * 64, 2, pdf(PAGES, page_entries=f"/Rotate {rotation}"), "construir creches em todos os bairros"
    )
    assert len(boxes) == 2 and all(0 <= value <= 1 for box in boxes for value in box)
    left, top, right, bottom = boxes[0]
    assert (right - left > bottom - top) == upright
    corner = {0: top < 0.2, 90: right > 0.8, 180: bottom > 0.8, 270: left < 0.2}[rotation]
    assert corner  # the first line stands where the top of the page went


def test_pixels_survive_the_picture_file() -> None:
    data = encode_png(Image(2, 2, bytes([0, 255, 128, 7])))
    start = data.index(b"IDAT") + 4
    length = struct.unpack(">I", data[start - 8 : start - 4])[0]
    assert zlib.decompress(data[start : start + length]) == bytes([0, 0, 255, 0, 128, 7])


def test_a_plan_is_kept_under_its_hash(tmp_path: Path) -> None:
    files = PlanFiles(tmp_path)
    assert files.read("ab" + "0" * 62) is None
    files.keep("ab" + "0" * 62, b"%PDF")
    assert files.read("ab" + "0" * 62) == b"%PDF"
    assert files.path("ab" + "0" * 62) == tmp_path / "ab" / f"ab{'0' * 62}.pdf"

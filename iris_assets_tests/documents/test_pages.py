"""Pages, their markers and the lines that headers repeat."""

from hypothesis import given
from hypothesis import strategies as st

from iris_assets.documents import Page, pages_of, raw_text, repeated_lines, strip_repeated_lines
from iris_assets.documents.cleaning import clean_document
from iris_assets.documents.pages import text_status


def test_raw_text_marks_every_page_that_has_text() -> None:
    pages = [Page(1, "capa"), Page(2, ""), Page(3, "um\n\ndois")]
    assert raw_text(pages) == "[Página 1]\ncapa\n\n[Página 3]\num\n\ndois"
    assert pages_of(raw_text(pages)) == [(1, "capa"), (3, "um\n\ndois")]


def test_a_line_that_looks_like_a_marker_makes_no_page() -> None:
    pages = [Page(1, "antes\n[Página 9]\ndepois"), Page(2, "[Página 7]")]
    assert raw_text(pages).count("\n[Página 9]\n") == 0
    assert pages_of(raw_text(pages)) == [(1, "antes\n[Página 9]\ndepois"), (2, "[Página 7]")]


def test_a_document_without_text_has_no_pages() -> None:
    assert pages_of(raw_text([Page(1, ""), Page(2, " ")])) == []
    assert pages_of("") == []


line = st.one_of(st.text(max_size=20), st.sampled_from(["[Página 1]", "[Página 22]", "[Página x]", "", "[Página 3] "]))


@given(st.lists(st.lists(line, max_size=6).map("\n".join), max_size=5))
def test_markers_are_undone_exactly(texts: list[str]) -> None:
    cleaned, _ = clean_document(texts)
    pages = [Page(number, text) for number, text in enumerate(cleaned, 1)]
    assert pages_of(raw_text(pages)) == [(page.number, page.text) for page in pages if page.text]


def test_status_tells_what_has_text() -> None:
    assert text_status([Page(1, "a"), Page(2, "b")]) == "OK"
    assert text_status([Page(1, "a"), Page(2, "")]) == "PARTIAL"
    assert text_status([Page(1, ""), Page(2, "")]) == "EMPTY"
    assert text_status([Page(1, "a"), Page(2, "b", ocr=True)]) == "OCR"
    assert text_status([Page(1, ""), Page(2, "b", ocr=True)]) == "PARTIAL"


def _plan(pages: int) -> list[tuple[int, str]]:
    return [
        (
            number,
            f"PLANO DE GOVERNO 2026\n\nProposta de número {number * 7} da área {'abcdefgh'[number]}\n\nPágina {number}",
        )
        for number in range(1, pages + 1)
    ]


def test_repeated_headers_and_footers_stay_on_their_first_page_only() -> None:
    pages = _plan(5)
    assert repeated_lines(pages) == {"PLANO DE GOVERNO #": 5, "Página #": 5}
    stripped = strip_repeated_lines(pages)
    assert stripped[0] == pages[0]
    assert stripped[1:] == [(n, f"Proposta de número {n * 7} da área {'abcdefgh'[n]}") for n in range(2, 6)]


def test_lines_of_the_body_and_of_short_documents_stay() -> None:
    assert strip_repeated_lines(_plan(3)) == _plan(3)
    body = [
        (n, "\n".join([f"a{chr(96 + n)}", "b" * n, "c" * n, "Saúde", "d" * n, "e" * n, "f" * n])) for n in range(1, 7)
    ]
    assert repeated_lines(body) == {}
    assert strip_repeated_lines(body) == body


def test_a_page_of_nothing_but_its_header_keeps_its_number() -> None:
    pages = [(n, f"15\nproposta {'abcdef'[n]}") for n in range(5)] + [(5, "15")]
    assert strip_repeated_lines(pages)[5] == (5, "")


def test_lines_of_short_pages_that_say_something_else_on_each_stay() -> None:
    slides = [(n, f"PLANO DA CIDADE\nMeta {n * 3}: {n * 100} vagas\nCreche {n}") for n in range(1, 9)]
    assert repeated_lines(slides) == {"Creche #": 8, "PLANO DA CIDADE": 8}
    stripped = strip_repeated_lines(slides)
    assert stripped[0] == slides[0]
    assert stripped[1:] == [(n, f"Meta {n * 3}: {n * 100} vagas\nCreche {n}") for n in range(2, 9)]


def test_numbers_that_do_not_go_with_the_page_make_no_header() -> None:
    body = {n: "\n".join(f"{'abcdefghi'[n]} linha {'abcdefgh'[k]}" for k in range(8)) for n in range(1, 9)}
    years = [(n, f"{body[n]}\nInvestimento de {n * n + 7} milhões") for n in range(1, 9)]
    assert repeated_lines(years) == {}
    assert strip_repeated_lines(years) == years


def test_page_numbers_of_spreads_and_totals_are_headers() -> None:
    filler = [f"corpo {'abcdefghijkl'[n]}" for n in range(12)]
    pages = [
        (n, "\n".join([f"Plano 2026 {2 * n} {2 * n + 1}", *filler[n:], *filler[:n], f"Página {n} de 8"]))
        for n in range(1, 9)
    ]
    assert repeated_lines(pages) == {"Plano # # #": 8, "Página # de #": 8}
    assert all("Plano" not in text and "Página" not in text for _, text in strip_repeated_lines(pages)[1:])


def test_a_short_page_loses_its_page_number_only() -> None:
    pages = [(n, f"Proposta {n}\n{'abcdef'[n]} é a prioridade\n{n}") for n in range(6)]
    assert strip_repeated_lines(pages)[5] == (5, "Proposta 5\nf é a prioridade")

"""Cleaning: each defect by a text that a reader can check by eye."""

import time
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iris_assets.documents.cleaning import clean_document, clean_page


def clean(text: str, engine: str = "") -> tuple[str, dict[str, int]]:
    pages, counts = clean_document([text], engine)
    return pages[0], dict(counts)


@pytest.mark.parametrize(
    ("raw", "expected", "counted"),
    [
        ("sa\x00úde", "saúde", {"controls_removed": 1}),
        ("um\n\x00\ndois", "um\n\ndois", {"controls_removed": 1}),
        ("a\x07b\x1fc\x7fd\x9fe", "abcde", {"controls_removed": 4}),
        ("um\x0cdois\x0btrês\x85quatro\u2028cinco", "um\ndois\ntrês\nquatro\ncinco", {}),
        ("a\r\nb\rc", "a\nb\nc", {}),
        ("só \ud83d um", "só um", {"surrogates_mended": 1}),
        ("\ud83d\ude00 par", "😀 par", {"surrogates_mended": 2}),
        ("ﬁscalização ﬂorestal conﬂito oﬃce", "fiscalização florestal conflito office", {"ligatures_joined": 4}),
        ("desaﬁ os e cientíﬁ ca, oﬃ  ce", "desafios e científica, office", {"ligatures_joined": 3}),
        ("educac\u0327a\u0303o", "educação", {"accents_composed": 2}),
        ("educa¸c˜ao, ´area e propor¸c˜oes", "educação, área e proporções", {"accents_composed": 5}),
        ("o termo ´area´ aqui", "o termo ´area´ aqui", {}),
        ("edu-\ncação", "educação", {"hyphenations_joined": 1}),
        ("edu\u00ad\ncação e sa\u00adúde", "educação e saúde", {"hyphenations_joined": 1}),
        ("PSOL-\nRJ", "PSOL-\nRJ", {}),
        ("1964-\n1985", "1964-\n1985", {}),
        ("item -\nradical", "item -\nradical", {}),
        ("zero\u200blargura", "zerolargura", {"zero_width_removed": 1}),
        ("um\u00a0 dois\t três", "um dois três", {}),
        ("\uf0b7 item", "• item", {}),
        ("nº 1º art. 5º", "nº 1º art. 5º", {}),
        ("mal\ufffdlido", "mal\ufffdlido", {"replacement_characters": 1}),
        ("<|endoftext|> [E9]", "<|endoftext|> [E9]", {}),
    ],
)
def test_each_defect_is_mended_and_counted(raw: str, expected: str, counted: dict[str, int]) -> None:
    text, counts = clean(raw)
    assert text == expected
    assert {name: counts.get(name) for name in counted} == counted


def test_split_ligatures_are_joined_only_where_the_document_splits_them() -> None:
    text, counts = clean("o staﬀ da empresa, ﬁscal, ﬂora, ﬁm, wi-ﬁ em casa")
    assert text == "o staff da empresa, fiscal, flora, fim, wi-fi em casa"
    assert "split_ligatures_joined" not in counts


def test_u0002_is_a_hyphen_only_when_pdfium_wrote_it() -> None:
    assert clean("edu\x02cação", "pdfium")[0] == "educação"
    assert clean("edu\x02\r\ncação", "pdfium")[0] == "educação"
    assert clean("PSOL\x02RJ", "pdfium")[0] == "PSOL-RJ"
    text, counts = clean("edu\x02cação")
    assert (text, counts["controls_removed"]) == ("educação", 1)


def test_a_hyphen_that_belongs_to_the_word_stays() -> None:
    raw = "defendê\x02lo, tornar\x02se, pós\x02abolição, mas pró\x02prio e educa\x02ção"
    text, counts = clean(raw, "pdfium")
    assert text == "defendê-lo, tornar-se, pós-abolição, mas próprio e educação"
    assert (counts["hyphens_kept"], counts["hyphenations_joined"]) == (3, 2)


def test_the_words_of_the_document_decide() -> None:
    pages, _ = clean_document(["o bem comum, a custo-benefício, contra", "custo\x02benefício e con\x02tra"], "pdfium")
    assert pages[1] == "custo-benefício e contra"


def test_a_document_that_never_breaks_words_keeps_its_hyphens() -> None:
    many_words = " ".join(f"palavra{number}" for number in range(2500))
    pages, _ = clean_document([many_words, "PSOL\x02RJ Norte\x02Sul colocá\x02las auxílio\x02doença"], "pdfium")
    assert pages[1] == "PSOL-RJ Norte-Sul colocá-las auxílio-doença"


def test_a_hyphen_at_the_end_of_the_page_and_broken_neighbours() -> None:
    assert clean("fim\x02", "pdfium")[0] == "fim-"
    assert clean("\x02", "pdfium")[0] == "-"
    assert clean("trans\x02for\x02mação", "pdfium")[0] == "transformação"


@given(st.text(alphabet=st.characters(), max_size=200))
def test_clean_text_is_storable_composed_and_free_of_controls(raw: str) -> None:
    text, _ = clean(raw, "pdfium")
    text.encode("utf-8")
    assert text == unicodedata.normalize("NFC", text)
    assert not any(ord(char) < 32 and char != "\n" for char in text)
    assert not any(char in text for char in "\u00ad\u2060\ufdd0\x7f")


def test_ordinary_text_stays_as_it_is() -> None:
    text = "Art. 5º – O chefe afim de fins\nà educação: “R$ 1.000,00”; wi-fi do staff."
    assert clean(text) == (text, {})


def test_cleaning_takes_linear_time_on_walls_of_letters() -> None:
    counts: Counter[str] = Counter()
    start = time.process_time()
    for wall in ("a" * 300_000, "-" * 300_000, "fi " * 100_000, "a\x02" * 30_000, "a- \n" * 60_000):
        clean_page(wall, counts)
        clean(wall, "pdfium")
    assert time.process_time() - start < 20

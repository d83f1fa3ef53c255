"""The analyzer: one form for all spellings, codes and numbers whole, acronyms both ways."""

import unicodedata

import pytest

from iris_assets.indexing.analyzer import Analyzer, analyze, analyze_query, prepare
from iris_assets.words.text import fold_for_index as fold


@pytest.mark.parametrize("word", ["educação", "educacao", "EDUCAÇÃO", unicodedata.normalize("NFD", "educação")])
def test_four_spellings_are_one_term(word: str) -> None:
    assert analyze(word) == analyze("educação")
    assert analyze_query(word).exact == ("educacao",)


def test_plurals_meet_their_singular() -> None:
    for plural, singular in (("educações", "educação"), ("hospitais", "hospital"), ("jovens", "jovem"),
                             ("professores", "professor"), ("creches", "creche"), ("cidadãos", "cidadão")):  # fmt: skip
        assert Analyzer("plural").analyze(plural) == Analyzer("plural").analyze(singular)
        assert analyze(plural) == analyze(singular)


def test_codes_and_numbers_stay_whole() -> None:
    text = "PL 1.234/2023, jornada 6x1, R$ 1.500,00, covid-19, d'água, nº 7, n.º 8, art. 5º"
    found = analyze(text)
    assert found[:4] == ["pl", "1234/2023", analyze("jornada")[0], "6x1"]
    assert found[4:] == ["r$", "1500,00", "covid-19", analyze("água")[0], "nº", "7", "nº", "8", "art", "5º"]


def test_ordinal_signs_do_not_become_letters() -> None:
    assert fold("nº 1º") == "nº 1º"  # NFKC would give "no 1o"
    assert "no" not in analyze("nº 5")


def test_ligatures_soft_hyphens_and_apostrophes_are_opened() -> None:
    assert analyze("ﬁscalização") == analyze("fiscalização")
    assert analyze("edu\u00adcação") == analyze("educação")
    assert analyze("d’água") == analyze("d'água") == analyze("água")


def test_a_bill_number_does_not_answer_for_its_parts_in_a_question() -> None:
    assert analyze_query("PL 1234/2023").terms[1] == ("1234/2023",)
    assert "1234" in prepare("", "", "PL 1234/2023").body.split()


def test_acronym_and_long_form_find_each_other() -> None:
    long_form = prepare("", "", "fortalecer o Sistema Único de Saúde")
    assert "sus" in long_form.body.split()
    terms = analyze_query("Sistema Único de Saúde").terms
    assert all("sus" in alternatives for alternatives in terms)


def test_stop_words_are_out_and_the_exact_form_stays_beside_the_stem() -> None:
    prepared = prepare("Plano", None, "o governador e a governança do governo")
    assert prepared.body.split()[0] == "govern"
    assert prepared.exact == "plano governador governanca governo"


@pytest.mark.parametrize("text", ["", "   ", '"', "AND OR NOT", "a* NEAR(b)", "\x00", "(((", "🙂", "-" * 500])
def test_nothing_raises(text: str) -> None:
    analyze_query(text)
    prepare(text, text, text)

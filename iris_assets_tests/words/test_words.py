"""The lists of words/ are whole and consistent: each entry is found again by every form it is written in."""

import csv
import zipfile
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path

import pytest

from iris_assets.words import bill_kinds as kinds
from iris_assets.words.offices import by_name, find_offices, offices, offices_of, vices_of
from iris_assets.words.order import neutral_key
from iris_assets.words.parties import Party, find_parties, members_of, parties, party_of, same_party, stored_spellings
from iris_assets.words.source_kinds import SOURCE_KINDS, source_kind_of
from iris_assets.words.text import fold, fold_any_script, fold_for_index, fold_in_place, fold_to_token

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "replay"


def cased(text: str) -> Iterable[str]:
    return text, text.upper(), text.lower(), fold(text)


@pytest.mark.parametrize("party", parties(), ids=lambda party: party.acronym)
def test_every_spelling_is_its_party(party: Party) -> None:
    assert all(party_of(form) is party for spelling in party.every_spelling for form in cased(spelling))
    assert all(party_of(acronym) for acronym in (party.now, *party.merged) if acronym)


@pytest.mark.parametrize("party", parties(), ids=lambda party: party.acronym)
def test_every_party_is_found_in_prose(party: Party) -> None:
    article = "o" if not party.article else party.article[0].lower()
    for spelling in party.every_spelling:
        for text in (f"Ana Souza, d{article} {spelling}, propõe creches.", f"Ana Souza ({spelling}/DF) assinou."):
            assert [one.acronym for one in find_parties(text)] == [party.acronym], text


@pytest.mark.parametrize(
    "text",
    [
        "A União repassa recursos da União aos estados.",
        "O Novo PAC e o novo ensino médio pedem ajuda da rede de ensino.",
        "Pode ser que os podemos e os cidadãos queiram agir: a cidadania, a solidariedade e a missão.",
        "O PL 45/2023 e os PLs 4 e 5 tramitam; o PL nº 7 também.",
        "A rede pública e os pros e contras da democracia.",
        "O decreto do E-Patri e o endereço unidadepopular.org.br.",
    ],
)
def test_words_of_the_language_are_no_parties(text: str) -> None:
    assert find_parties(text) == ()


def test_parties_in_a_list_and_beside_a_bill() -> None:
    text = "PT, NOVO e PL assinaram o PL 45/2023 da Rede."
    assert [(one.acronym, text[one.start : one.end]) for one in find_parties(text)] == [
        ("PT", "PT"),
        ("NOVO", "NOVO"),
        ("PL", "PL"),
        ("REDE", "Rede"),
    ]


def test_a_renamed_party_is_the_same_and_a_merged_one_is_not() -> None:
    assert same_party("PMDB", "MDB") and same_party("PCdoB", "PC DO B") and same_party("PFL", "Democratas")
    assert not same_party("DEM", "UNIÃO") and not same_party("PP", "PPS")
    assert stored_spellings("PC DO B", ["PC DO B", "PCDOB", "PT"]) == ("PC DO B", "PCDOB")
    assert stored_spellings("MISSÃO", ["PT"]) == ("MISSÃO",)
    assert members_of("fe brasil") == ("PT", "PC DO B", "PV")


def test_every_form_of_an_office_names_it_alone() -> None:
    for office in offices():
        for form in office.forms:
            assert {offices_of(one) for one in cased(form)} == {(office.name,)}
            for one in (form, form.upper(), form.capitalize()):
                assert [found.offices for found in find_offices(f"Quais {one} são?")] == [(office.name,)], one


def test_vices_abbreviations_and_groups() -> None:
    def found(text: str) -> list[tuple[str, ...]]:
        return [one.offices for one in find_offices(text)]

    assert found("Quem são os candidatos a vice-governador do DF?") == [("VICE-GOVERNADOR",)]
    assert found("Dep. fed. Ana, vicegovernadora e gov. João") == [
        ("DEPUTADO FEDERAL",),
        ("VICE-GOVERNADOR",),
        ("GOVERNADOR",),
    ]
    assert found("o presidente da Câmara quer ver o presidente do partido") == []
    assert found("os deputados")[0] == ("DEPUTADO DISTRITAL", "DEPUTADO ESTADUAL", "DEPUTADO FEDERAL")
    assert vices_of("SENADOR") == ("1º SUPLENTE", "2º SUPLENTE") and vices_of("VEREADOR") == ()
    assert all(office.vice_of is None or office.vice_of in by_name() for office in offices())


def test_every_bill_kind_is_found_by_acronym_and_name() -> None:
    for kind in kinds.bill_kinds():
        for acronym in (kind.acronym, *kind.also):
            assert kinds.kind_of(acronym) is kind and kinds.kind_of(acronym.lower()) is kind
        assert all(kinds.kind_of(form) is kind for name in kind.names for form in cased(name))
        if kind.acronym.isalpha():
            assert kinds.kind_of(f"{kind.acronym}s") is kind
    plurals = {"projetos de lei": "PL", "propostas de emenda à constituição": "PEC", "indicações": "INC", "mps": "MPV"}
    assert {text: getattr(kinds.kind_of(text), "acronym", None) for text in plurals} == plurals
    assert kinds.same_kind("PDC", "PDL") and not kinds.same_kind("PL", "PLP")
    assert {"PL", "MP", "REQ", "SUG"} <= kinds.acronyms() and not {"ATA", "LEI", "PAR"} & kinds.acronyms()


def test_source_kinds_by_name_and_alias() -> None:
    for kind in SOURCE_KINDS:
        assert all(source_kind_of(form) is kind for name in (kind.name, *kind.aliases) for form in cased(name))
    assert source_kind_of("diário") is None


def test_the_neutral_order_knows_no_punctuation() -> None:
    names = ["DR LEONARDO", "DR. FRANCISCO", "ANA MARIA", "Ána", "D'ÁVILA", "DAVI"]
    ordered = sorted(names, key=lambda name: neutral_key(name, "", "1", 2022))
    assert ordered == ["Ána", "ANA MARIA", "D'ÁVILA", "DAVI", "DR. FRANCISCO", "DR LEONARDO"]


def test_the_folds_differ_where_they_must() -> None:
    text = "1º São-João: ﬁm d’Ávila"
    assert fold(text) == "1O SAO JOAO FIM D AVILA"
    assert fold_in_place(text) == "1º sao-joao: ﬁm d’avila"
    assert fold_for_index(text) == "1º sao-joao: fim d'avila"
    assert fold_to_token(text) == "1osaojoaofimdavila"
    assert fold_any_script("Ação 東京") == "acao 東京"


@pytest.mark.real_data
@pytest.mark.parametrize("year", [2022, 2026])
def test_the_court_spells_no_party_and_no_office_that_is_missing(year: int) -> None:
    with (
        zipfile.ZipFile(REAL / "tse" / "files" / f"consulta_cand_{year}.zip") as archive,
        archive.open(f"consulta_cand_{year}_BRASIL.csv") as raw,
    ):
        for row in csv.DictReader(TextIOWrapper(raw, "latin-1"), delimiter=";"):
            party = party_of(row["SG_PARTIDO"])
            assert party is not None and offices_of(row["DS_CARGO"]) == (row["DS_CARGO"],)
            # The court changes numbers: Podemos had 19 in 2022 and has 20.
            assert party.number == int(row["NR_PARTIDO"]) or party.acronym == "PODE"
            assert same_party(row["NM_PARTIDO"], party.acronym), row["NM_PARTIDO"]

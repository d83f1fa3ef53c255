"""Real plans of government: every phrase on its true page and on no other, by either engine's text."""

import json
import re
import unicodedata
import zipfile
from pathlib import Path
from typing import Any

import pytest

from iris_assets.documents import (
    ExtractedDocument,
    ExtractionLimits,
    PdfPool,
    pages_of,
    raw_text,
    strip_repeated_lines,
)
from iris_assets.documents.cleaning import clean_document
from iris_assets.documents.pypdf_engine import read_with_pypdf

pytestmark = pytest.mark.real_data


def comparable(text: str) -> str:
    """As the data's README says: NFKC, runs of white space made one space."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


@pytest.fixture(scope="module")
def index(shared_data: Path) -> list[dict[str, Any]]:
    return json.loads((shared_data / "pdf" / "index.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def plans(shared_data: Path, index: list[dict[str, Any]]) -> dict[str, ExtractedDocument]:
    files = [shared_data / "pdf" / entry["file"] for entry in index]
    with PdfPool(2, ExtractionLimits()) as pool:
        results = dict(zip((path.name for path in files), pool.map(path.read_bytes() for path in files), strict=True))
    return {name: result for name, result in results.items() if isinstance(result, ExtractedDocument)}


def test_every_file_is_read_with_its_pages(plans: dict[str, ExtractedDocument], index: list[dict[str, Any]]) -> None:
    assert {name: len(plan.pages) for name, plan in plans.items()} == {e["file"]: e["pages"] for e in index}
    without = {name: plan.quality["pages_without_text"] for name, plan in plans.items()}
    assert without == {entry["file"]: entry["pages_without_text"] for entry in index}
    assert plans["2022_ciro_sem_texto.pdf"].status == "EMPTY"
    assert plans["2022_jefferson_capa_imagem.pdf"].status == "PARTIAL"


def test_every_phrase_stands_on_its_page_and_on_no_other(
    plans: dict[str, ExtractedDocument], index: list[dict[str, Any]]
) -> None:
    found = {}
    expected = {}
    for entry in index:
        if entry["file"] == "2022_ciro_sem_texto.pdf":
            continue
        pages = [(page.number, comparable(page.text)) for page in plans[entry["file"]].pages]
        for phrase in entry["phrases"] + entry["hard_phrases"]:
            expected[phrase["text"]] = [phrase["page"]]
            found[phrase["text"]] = [number for number, text in pages if comparable(phrase["text"]) in text]
    assert len(expected) == 27 + 4
    assert found == expected


def test_stored_text_gives_the_pages_back_and_its_chunks_keep_the_phrases(
    plans: dict[str, ExtractedDocument], index: list[dict[str, Any]]
) -> None:
    for entry in index:
        pages = plans[entry["file"]].pages
        assert pages_of(raw_text(pages)) == [(page.number, page.text) for page in pages if page.text]
        stripped = dict(strip_repeated_lines([(page.number, page.text) for page in pages]))
        if plans[entry["file"]].status != "EMPTY":
            for phrase in entry["phrases"]:
                assert comparable(phrase["text"]) in comparable(stripped[phrase["page"]])


def test_header_lines_are_found(plans: dict[str, ExtractedDocument]) -> None:
    assert plans["2018_meirelles_xref_malformado.pdf"].quality["repeated_lines"] == {"#": 21}
    assert "PLANO DE GOVERNO # - # #" in plans["2022_bolsonaro_multicoluna_ligaduras.pdf"].quality["repeated_lines"]
    assert plans["2018_vera_simples.pdf"].quality["repeated_lines"] == {}


def test_the_report_counts_what_was_mended(plans: dict[str, ExtractedDocument]) -> None:
    assert plans["2022_bolsonaro_multicoluna_ligaduras.pdf"].quality["split_ligatures_joined"] == 410
    assert plans["2018_boulos_longo.pdf"].quality["accents_composed"] == 16
    assert plans["2022_davila_linearizacao.pdf"].quality["hyphenations_joined"] > 350
    clean = {name for name, plan in plans.items() if "split_ligatures_joined" not in plan.quality}
    assert len(clean) == 9


def test_hyphens_of_words_stay_and_hyphens_of_lines_go(plans: dict[str, ExtractedDocument]) -> None:
    boulos = " ".join(page.text for page in plans["2018_boulos_longo.pdf"].pages)
    for word in ("afro-brasileira", "pós-Constituição", "PSOL-RJ", "super-exploradora"):
        assert word in boulos
    davila = " ".join(page.text for page in plans["2022_davila_linearizacao.pdf"].pages)
    for word in ("oportunidade", "transformará", "competitividade"):
        assert word in davila
    assert "oportuni-dade" not in davila


def test_pypdf_text_is_right_too_where_it_splits_ligatures(shared_data: Path, index: list[dict[str, Any]]) -> None:
    entry = index[0]
    data = (shared_data / "pdf" / entry["file"]).read_bytes()
    wanted = {phrase["page"] - 1 for phrase in entry["hard_phrases"]}
    texts = [page["text"] for page in read_with_pypdf(data, 60, wanted)["pages"]]
    pages, counts = clean_document(texts, "pypdf")
    for phrase in entry["hard_phrases"]:
        assert [n for n, text in enumerate(pages, 1) if phrase["text"] in comparable(text)] == [phrase["page"]]
    assert counts["split_ligatures_joined"] > 20


def test_pypdf_sees_the_visible_half_of_a_cut_spread_only(shared_data: Path) -> None:
    data = (shared_data / "pdf" / "2022_jefferson_capa_imagem.pdf").read_bytes()
    texts = [page["text"] for page in read_with_pypdf(data, 60)["pages"]]
    pages, _ = clean_document(texts, "pypdf")
    assert [n for n, text in enumerate(pages, 1) if "mudou com a queda do Muro de Berlim" in comparable(text)] == [12]


def test_the_plans_of_an_archive_of_the_court_are_read(shared_data: Path) -> None:
    path = shared_data / "replay" / "tse" / "files" / "proposta_governo_2022_BR.zip"
    with zipfile.ZipFile(path) as archive, PdfPool(2, ExtractionLimits()) as pool:
        names = [name for name in archive.namelist() if name.lower().endswith(".pdf")]
        results = list(pool.map(archive.read(name) for name in names))
    assert names
    assert all(isinstance(result, ExtractedDocument) for result in results)

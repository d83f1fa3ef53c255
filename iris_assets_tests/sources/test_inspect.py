"""`iris-assets inspect` on PDFs, archives and CSVs: the JSON that it promises, and nothing stored."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets_tests.documents.pdfs import encrypted, pdf
from iris_assets_tests.ingest.court import csv_bytes
from iris_assets_tests.sources.test_candidates import line
from iris_assets_tests.sources.zips import zipped


def inspect(path: Path, data: bytes, *options: str) -> tuple[int, dict[str, Any]]:
    path.write_bytes(data)
    before = set(path.parent.iterdir())
    result = CliRunner().invoke(app, ["inspect", str(path), "--json", *options])
    assert set(path.parent.iterdir()) == before
    return result.exit_code, json.loads(result.stdout)


def test_a_pdf_is_its_pages_with_their_quality(tmp_path: Path) -> None:
    labels = "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 1 >>] >>"
    code, result = inspect(tmp_path / "plano.pdf", pdf([["capa"], ["Educação"]], catalogue=labels))
    assert (code, result["engine"], result["status"]) == (0, "pdfium", "OK")
    assert result["pages"] == [
        {"number": 1, "label": "i", "text": "capa", "ocr": False},
        {"number": 2, "label": "1", "text": "Educação", "ocr": False},
    ]
    assert (result["quality"]["pages"], result["quality"]["pages_without_text"]) == (2, [])


def test_a_pdf_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    code, result = inspect(tmp_path / "plano.pdf", encrypted(pdf([["x"]]), user="senha"))
    assert (code, result["status"], result["error_code"], result["pages"]) == (1, "FAILED", "PDF_ENCRYPTED", [])
    code, result = inspect(tmp_path / "plano.pdf", b"<html>403</html>")
    assert (code, result["status"], result["error_code"]) == (1, "FAILED", "PDF_MALFORMED")


def test_without_the_recogniser_a_page_without_text_stays_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from iris_assets.documents import ocr_available

    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    ocr_available.cache_clear()
    try:
        code, result = inspect(tmp_path / "plano.pdf", pdf([["texto"], []]), "--ocr")
    finally:
        ocr_available.cache_clear()
    assert (code, result["status"], result["quality"]["ocr"]) == (0, "PARTIAL", "not installed")
    assert [page["ocr"] for page in result["pages"]] == [False, False]


def test_an_archive_is_its_members_and_the_fate_of_each(tmp_path: Path) -> None:
    members = {
        "SP/2026SP250002530091_02.pdf": b"%PDF-",
        "2022BR280001607829.pdf": b"%PDF-",
        "consulta_cand_2026_SP.csv": b"x",
        "consulta_cand_2026_BRASIL.csv": b"x",
        "leiame.pdf": b"%PDF-",
    }
    code, result = inspect(tmp_path / "any name", zipped(members))
    assert (code, result["kind"], result["status"]) == (0, "zip", "OK")
    assert {member["name"]: member["fate"] for member in result["members"]} == {
        "SP/2026SP250002530091_02.pdf": "plan of candidate 250002530091 (SP 2026), document 02",
        "2022BR280001607829.pdf": "plan of candidate 280001607829 (BR 2022), document 01",
        "consulta_cand_2026_SP.csv": "candidates of SP",
        "consulta_cand_2026_BRASIL.csv": "candidates of the whole country: read for a UF without a file of its own",
        "leiame.pdf": "ignored",
    }
    code, result = inspect(tmp_path / "a.zip", b"<!DOCTYPE html>")
    assert (code, result["status"], result["error_code"]) == (1, "REFUSED", "ARCHIVE_IS_HTML")


def test_a_csv_is_its_counts_and_reasons(tmp_path: Path) -> None:
    lines = [
        line(),
        line(SQ_CANDIDATO="250000000002", CD_TIPO_ELEICAO="1"),
        line(SQ_CANDIDATO="250000000003", NM_CANDIDATO="#NULO"),
        line(SQ_CANDIDATO="250000000004", NM_CANDIDATO=""),
        line(CD_CARGO="MASCULINO"),
    ]
    code, result = inspect(tmp_path / "consulta.csv", csv_bytes(lines))
    assert (code, result["status"]) == (0, "PARTIAL")
    assert result["counts"] == {"read": 5, "accepted": 1, "skipped": 1, "failed": 3}
    assert result["skipped"] == {"election_type": 1}
    assert result["reasons"] == {"NM_CANDIDATO is empty": 2, "CD_CARGO is not a number": 1}
    assert result["failed"][0] == {"line": 4, "reason": "NM_CANDIDATO is empty"}
    assert result["notes"] == ["layout of the file: 50 columns (2024, 2026 and regenerated years)"]


def test_a_csv_that_is_no_candidates_file_is_refused_by_name(tmp_path: Path) -> None:
    code, result = inspect(tmp_path / "x.csv", b"a;b\r\n1;2\r\n")
    assert (code, result["status"], result["error_code"]) == (1, "REFUSED", "CSV_HEADER_MISSING")


@pytest.mark.real_data
def test_real_files_of_all_kinds(shared_data: Path) -> None:
    files = shared_data / "replay" / "tse" / "files"
    for path, kind in (
        (shared_data / "pdf" / "2018_vera_simples.pdf", "pdf"),
        (files / "consulta_cand_2026.zip", "zip"),
    ):
        result = CliRunner().invoke(app, ["inspect", str(path), "--json"])
        assert (result.exit_code, json.loads(result.stdout)["kind"]) == (0, kind)

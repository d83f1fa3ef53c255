"""`iris-assets inspect` on PDFs, archives and CSVs: the JSON that it promises, and nothing stored."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets_tests.documents.pdfs import encrypted, pdf
from iris_assets_tests.ingest.court import Court, csv_bytes
from iris_assets_tests.sources.test_candidates import line
from iris_assets_tests.sources.zips import LFS, zipped


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
        "consulta_cand_2026_SP.csv": csv_bytes([line()]),
        "consulta_cand_2026_BRASIL.csv": csv_bytes([line()]),
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
    assert result["notes"] == [
        "layout of the file: 50 columns (2024, 2026 and regenerated years)",
        "text of the file: ASCII, lines end in CR LF",
    ]


def test_a_csv_that_is_no_candidates_file_is_refused_by_name(tmp_path: Path) -> None:
    code, result = inspect(tmp_path / "x.csv", b"a;b\r\n1;2\r\n")
    assert (code, result["status"], result["error_code"]) == (1, "REFUSED", "CSV_HEADER_MISSING")


GOOD = csv_bytes([line(SQ_CANDIDATO=str(250_000_000_000 + n)) for n in range(30)])
SP, NATIONAL, ALL = (f"consulta_cand_2026_{unit}.csv" for unit in ("SP", "BRASIL", "TODOS"))
ERROR_TEXT = b"Internal Server Error\n"
# What is published, and the status and code of the stage `candidates` of SP for it.
ARCHIVES: dict[str, tuple[bytes, str, str | None]] = {
    "a pointer for an archive": (LFS, "FAILED", "ARCHIVE_IS_LFS_POINTER"),
    "an error text for an archive": (ERROR_TEXT, "FAILED", "ARCHIVE_NOT_ZIP"),
    "a pointer for a member": (zipped({SP: LFS}), "FAILED", "CSV_HEADER_MISSING"),
    "an error text for a member": (zipped({SP: ERROR_TEXT}), "FAILED", "CSV_HEADER_MISSING"),
    "a pointer beside the national member": (zipped({SP: LFS, NATIONAL: GOOD}), "PARTIAL", "CSV_HEADER_MISSING"),
    "the national member alone": (zipped({NATIONAL: GOOD}), "SUCCESS", None),
    "the member of all alone": (zipped({ALL: GOOD}), "SUCCESS", None),
    "no member": (zipped({"leiame.txt": b"x"}), "FAILED", "MEMBER_MISSING"),
    "a whole archive": (zipped({SP: GOOD}), "SUCCESS", None),
}
AS_RUN = {"REFUSED": "FAILED", "PARTIAL": "PARTIAL", "OK": "SUCCESS"}


@pytest.mark.parametrize(("data", "status", "code"), ARCHIVES.values(), ids=ARCHIVES)
def test_inspect_and_run_agree(tmp_path: Path, data: bytes, status: str, code: str | None) -> None:
    court = Court(tmp_path / "court")
    court.publish_bytes(data)
    report = court.candidates("SP")["SP"]
    stored = len(court.store.candidates.list())
    court.store.close()
    assert (report.status, report.error_code, stored) == (status, code, 0 if status == "FAILED" else 30)
    exit_code, result = inspect(tmp_path / "archive.zip", data)
    assert (AS_RUN[result["status"]], exit_code) == (status, int(status == "FAILED"))
    if status == "FAILED":
        assert result["error_code"] == code
        assert SP not in (report.error_message or "") or SP in result["reason"]


def test_the_member_at_fault_is_named_with_what_its_first_line_is(tmp_path: Path) -> None:
    _, result = inspect(tmp_path / "archive.zip", zipped({SP: LFS}))
    assert result["reason"].startswith("the first line of the candidates file is no header: a git-lfs pointer")
    assert result["reason"].endswith(f"(in {SP})")


CHAMBER: dict[str, tuple[str, bytes, dict[str, Any]]] = {
    "topics": (
        "proposicoesTemas-2025.csv",
        b'"uriProposicao";"codTema";"tema"\n"https://x/1";"40";"Economia"\n',
        {"kind": "csv", "source": "camara: proposicoesTemas", "status": "OK", "counts": {"read": 1}},
    ),
    "a listing": (
        "proposicoes.json",
        b'{"dados": [{"id": 1}, {"id": 2}], "links": []}',
        {"kind": "json", "source": "camara: API", "status": "OK", "counts": {"read": 2}},
    ),
}


@pytest.mark.parametrize(("name", "data", "expected"), CHAMBER.values(), ids=CHAMBER)
def test_files_of_the_chamber_are_known_by_their_content(
    tmp_path: Path, name: str, data: bytes, expected: dict[str, Any]
) -> None:
    assert inspect(tmp_path / name, data) == (0, expected)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"dados": [], "erroCorpo": {"codigo": 500}}', "SOURCE_ERROR_BODY"),
        (b'{"dados": [{"id"', "SOURCE_JSON_INVALID"),
        (b"[1]", "SOURCE_JSON_ROOT"),
        (b'{"links": []}', "ENVELOPE_INVALID"),
        (b'"uriProposicao";"codTema";"tema"\n"https://x/1";"40"', "CSV_TRUNCATED"),
        (LFS, "CSV_HEADER_MISSING"),
    ],
)
def test_what_a_run_would_refuse_is_refused_by_the_same_name(tmp_path: Path, data: bytes, code: str) -> None:
    exit_code, result = inspect(tmp_path / "dados.csv", data)
    assert (exit_code, result["status"], result["error_code"]) == (1, "REFUSED", code)


@pytest.mark.real_data
def test_real_files_of_all_kinds(shared_data: Path) -> None:
    files = shared_data / "replay" / "tse" / "files"
    for path, kind in (
        (shared_data / "pdf" / "2018_vera_simples.pdf", "pdf"),
        (files / "consulta_cand_2026.zip", "zip"),
    ):
        result = CliRunner().invoke(app, ["inspect", str(path), "--json"])
        assert (result.exit_code, json.loads(result.stdout)["kind"]) == (0, kind)

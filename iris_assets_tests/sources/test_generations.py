"""Every header generation of every year from 2014 to 2026, with every spelling of nothing, rounds and by-elections."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from iris_assets.errors import SourceContractError
from iris_assets.sample.tse_files import zip_bytes
from iris_assets.sources.archive import Archive
from iris_assets.sources.candidate_columns import GENERATIONS as KNOWN
from iris_assets.sources.candidates import CandidateReading, read_candidates
from iris_assets_tests.ingest.court import csv_bytes
from iris_assets_tests.sources.generations import GENERATIONS, PUBLISHED, row

PERSONAL = {
    "NR_CPF_CANDIDATO": "12345678909",
    "NM_EMAIL": "FULANA@EXAMPLE.ORG",
    "DS_EMAIL": "FULANA@EXAMPLE.ORG",
    "DT_NASCIMENTO": "01/02/1970",
    "NR_TITULO_ELEITORAL_CANDIDATO": "001234567890",
}
SENTINELS = ("#NULO#", "#NULO", "#NE#", "#NE", "#nulo", "", " ", "NÃO DIVULGÁVEL", "Não divulgável", "não divulgável")


def values(year: int, sq: int, **changes: str) -> dict[str, str]:
    mayor = year % 4 == 0
    return {
        **PERSONAL,
        "ANO_ELEICAO": str(year),
        "CD_TIPO_ELEICAO": "2",
        "NR_TURNO": "1",
        "SG_UF": "RR",
        "CD_CARGO": "11" if mayor else "3",
        "DS_CARGO": "Prefeito" if mayor else "Governador",
        "SQ_CANDIDATO": str(230_000_000_000 + sq),
        "NR_CANDIDATO": "91",
        "NM_CANDIDATO": "JOÃO  DA CONCEIÇÃO",
        "NM_URNA_CANDIDATO": "JOÃO",
        "NR_PARTIDO": "91",
        "SG_PARTIDO": "PC do B",
        "DS_SITUACAO_CANDIDATURA": "APTO",
        "DS_SIT_TOT_TURNO": "2º TURNO",
        **changes,
    }


def read(
    tmp_path: Path, year: int, width: int, rows: list[str], rewrite: Callable[[bytes], bytes] = bytes
) -> tuple[list[dict[str, Any]], CandidateReading]:
    path = tmp_path / "archive.zip"
    path.write_bytes(zip_bytes({f"consulta_cand_{year}_RR.csv": rewrite(csv_bytes(rows, GENERATIONS[width]))}))
    archive = Archive(path, "0" * 64, "https://cdn.tse.jus.br/a.zip", "", "candidates", False, datetime.now(UTC))
    reading = read_candidates(archive, "RR", election_year=year, offices=("PREFEITO", "GOVERNADOR"))
    return [made for batch in reading for made in batch.rows], reading


@pytest.mark.parametrize("width", GENERATIONS)
def test_the_generations_have_the_columns_that_their_name_says(width: int) -> None:
    assert len(GENERATIONS[width]) == len(set(GENERATIONS[width])) == width
    assert set(KNOWN) == set(GENERATIONS)


@pytest.mark.parametrize(("year", "width"), PUBLISHED)
def test_every_year_in_every_layout(tmp_path: Path, year: int, width: int) -> None:
    rows = [
        row(width, values(year, 1), "#NULO#"),
        row(width, values(year, 2, DS_SIT_TOT_TURNO="NÃO ELEITO"), "#NE"),
        row(width, values(year, 1, NR_TURNO="2", DS_SIT_TOT_TURNO="ELEITO"), "#NULO"),
        row(width, values(year, 3, CD_TIPO_ELEICAO="1", DT_ELEICAO="21/06/2026"), "-1"),  # a by-election
        row(width, values(year - 4, 4), "-3"),
    ]
    made, reading = read(tmp_path, year, width, rows)
    assert {(r["tse_id"], r["election_year"], r["round"], r["round_result"]) for r in made} == {
        ("230000000001", year, 2, "ELEITO"),
        ("230000000002", year, 1, "NÃO ELEITO"),
    }
    assert {(r["name"], r["party"], r["office"]) for r in made} == {
        ("JOÃO DA CONCEIÇÃO", "PC DO B", "PREFEITO" if year % 4 == 0 else "GOVERNADOR")
    }
    assert reading.notes == [
        f"layout of the file: {width} columns ({KNOWN[width]})",
        "text of the file: Latin-1, lines end in CR LF",
    ]
    assert not any(secret.casefold() in repr(made).casefold() for secret in PERSONAL.values())


@pytest.mark.parametrize("sentinel", SENTINELS)
@pytest.mark.parametrize("width", GENERATIONS)
def test_every_spelling_of_nothing_is_no_value_in_every_layout(tmp_path: Path, width: int, sentinel: str) -> None:
    empty = dict.fromkeys(("NM_URNA_CANDIDATO", "SG_PARTIDO", "DS_SITUACAO_CANDIDATURA", "DS_SIT_TOT_TURNO"), sentinel)
    numbers = dict.fromkeys(("NR_PARTIDO", "NR_CANDIDATO", "NR_TURNO"), sentinel)
    (made,), _ = read(tmp_path, 2022, width, [row(width, values(2022, 1, **empty, **numbers), sentinel)])
    nothing = (
        "ballot_name", "party", "party_number", "candidate_number", "round", "registration_status", "round_result",
    )  # fmt: skip
    assert {name: made[name] for name in nothing} == dict.fromkeys(nothing)


@pytest.mark.parametrize("number", ["-1", "-3", "-4"])
def test_numeric_sentinels_are_no_numbers_in_every_layout(tmp_path: Path, number: str) -> None:
    changes = dict.fromkeys(("NR_PARTIDO", "NR_CANDIDATO", "NR_TURNO", "CD_TIPO_ELEICAO"), number)
    for width in GENERATIONS:
        (made,), _ = read(tmp_path, 2022, width, [row(width, values(2022, 1, **changes), number)])
        assert (made["party_number"], made["candidate_number"], made["round"]) == (None, None, None)


def test_unknown_columns_are_noted_once_in_a_file_of_many_blocks(tmp_path: Path) -> None:
    columns = [*GENERATIONS[50], "CD_NOVA", "DS_NOVA"]
    rows = [row(50, values(2026, n), "#NULO") + ';"1";"x"' for n in range(4000)]
    path = tmp_path / "archive.zip"
    path.write_bytes(zip_bytes({"consulta_cand_2026_RR.csv": csv_bytes(rows, columns)}))
    archive = Archive(path, "0" * 64, "u", "", "candidates", False, datetime.now(UTC))
    reading = read_candidates(archive, "RR", election_year=2026, offices=("GOVERNADOR",))
    assert sum(len(batch.rows) for batch in reading) == 4000
    assert [note for note in reading.notes if "NOVA" in note] == ["columns not seen before: CD_NOVA, DS_NOVA"]


def recoded(encoding: str, end: str = "\r\n") -> Callable[[bytes], bytes]:
    return lambda data: data.decode("latin-1").replace("\r\n", end).encode(encoding)


WRITTEN = {
    "Latin-1, lines end in CR": recoded("latin-1", "\r"),
    "Latin-1, lines end in LF": recoded("latin-1", "\n"),
    "UTF-8, lines end in CR LF": recoded("utf-8"),
    "UTF-8 with byte order mark, lines end in CR LF": recoded("utf-8-sig"),
    "UTF-16, lines end in CR LF": recoded("utf-16"),
}


@pytest.mark.parametrize(("year", "width"), PUBLISHED)
def test_the_rows_are_the_same_in_every_encoding_and_what_was_found_is_noted(
    tmp_path: Path, year: int, width: int
) -> None:
    people = ("JOÃO  DA CONCEIÇÃO", "ÂNGELA MUÑOZ", "ZÉ D'ÁVILA; NETO", "LINHA\r\nDUPLA")
    rows = [row(width, values(year, n, NM_CANDIDATO=name), "#NULO") for n, name in enumerate(people)]

    def told(rewrite: Callable[[bytes], bytes]) -> tuple[list[dict[str, Any]], str]:
        made, reading = read(tmp_path, year, width, rows, rewrite)
        return [{**row, "source_collected_at": None} for row in made], reading.notes[1]

    expected, _ = told(bytes)
    assert [row["name"] for row in expected][:2] == ["JOÃO DA CONCEIÇÃO", "ÂNGELA MUÑOZ"]
    for written, rewrite in WRITTEN.items():
        assert told(rewrite) == (expected, f"text of the file: {written}")


@pytest.mark.parametrize(
    "broken",
    [
        lambda data: data.decode("latin-1").encode("utf-8").replace("Ã".encode(), b"\xc3", 1),  # two encodings in one
        lambda data: data.decode("latin-1").encode("utf-8").decode("latin-1").encode("utf-8"),  # encoded twice
        lambda data: data.decode("latin-1").encode("utf-8").decode("cp1252", "replace").encode("utf-8"),
        lambda data: b"\xef\xbb\xbf" + data,  # the mark lies
    ],
)
def test_broken_characters_are_refused_by_name(tmp_path: Path, broken: Callable[[bytes], bytes]) -> None:
    rows = [row(50, values(2026, n, NM_TIPO_ELEICAO="ELEIÇÃO ORDINÁRIA"), "#NULO") for n in range(3)]
    with pytest.raises(SourceContractError, match=r"TEXT_ENCODING_BROKEN: .*\(in consulta_cand_2026_RR\.csv\)"):
        read(tmp_path, 2026, 50, rows, broken)


def test_a_lost_cedilla_is_seen_by_the_word_that_stands_in_every_row(tmp_path: Path) -> None:
    rows = [row(50, values(2026, 1, NM_TIPO_ELEICAO="ELEI??O ORDINÁRIA"), "#NULO")]
    with pytest.raises(SourceContractError, match="TEXT_ENCODING_BROKEN"):
        read(tmp_path, 2026, 50, rows)

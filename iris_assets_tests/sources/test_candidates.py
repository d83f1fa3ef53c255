"""The candidates file: layouts, sentinels, filters, rounds, damage; and the real archives against EXPECTED.json."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from iris_assets.errors import SourceContractError
from iris_assets.sample.tse_files import BARE, COLUMNS, zip_bytes
from iris_assets.sources import candidate_rows
from iris_assets.sources.archive import Archive
from iris_assets.sources.candidate_rows import RowMaker
from iris_assets.sources.candidate_values import Filters, judge
from iris_assets.sources.candidates import read_candidates
from iris_assets.sources.sentinels import missing, number_or_none, text_or_none

OFFICES = ("DEPUTADO FEDERAL", "GOVERNADOR", "PRESIDENTE")
BASE = {
    "ANO_ELEICAO": "2026",
    "CD_TIPO_ELEICAO": "2",
    "NR_TURNO": "1",
    "SG_UF": "SP",
    "CD_CARGO": "6",
    "DS_CARGO": "DEPUTADO FEDERAL",
    "SQ_CANDIDATO": "250000000001",
    "NR_CANDIDATO": "9101",
    "NM_CANDIDATO": "FULANA  DE TESTE",
    "NM_URNA_CANDIDATO": "FULANA",
    "NR_PARTIDO": "91",
    "SG_PARTIDO": "pazul",
    "DS_SITUACAO_CANDIDATURA": "APTO",
    "DS_SIT_TOT_TURNO": "ELEITO",
    "NR_CPF_CANDIDATO": "12345678909",
    "DS_EMAIL": "fulana@example.org",
    "DT_NASCIMENTO": "01/02/1970",
    "NR_TITULO_ELEITORAL_CANDIDATO": "001234567890",
}


def line(columns: Sequence[str] = COLUMNS, **changes: str) -> str:
    values = {**BASE, **changes}
    return ";".join(
        v if n in BARE else '"' + v.replace('"', '""') + '"' for n in columns for v in [values.get(n, "#NULO")]
    )


def archive_of(tmp_path: Path, members: dict[str, list[str]], columns: Sequence[str] = COLUMNS) -> Archive:
    header = ";".join(f'"{name}"' for name in columns)
    data = {
        f"consulta_cand_2026_{unit}.csv": ("\r\n".join([header, *lines]) + "\r\n").encode("latin-1")
        for unit, lines in members.items()
    }
    path = tmp_path / "archive.zip"
    path.write_bytes(zip_bytes(data))
    return Archive(path, "0" * 64, "https://cdn.tse.jus.br/a.zip", "id", "candidates", False, datetime.now(UTC))


def read(
    archive: Archive, uf: str = "SP"
) -> tuple[list[dict[str, Any]], list[tuple[int, str]], Counter[str], list[str]]:
    reading = read_candidates(archive, uf, election_year=2026, offices=OFFICES)
    rows: list[dict[str, Any]] = []
    bad: list[tuple[int, str]] = []
    skipped: Counter[str] = Counter()
    total = 0
    for batch in reading:
        rows += batch.rows
        bad += [(row.line, row.reason) for row in batch.bad_rows]
        skipped += batch.skipped
        total += batch.rows_read
    assert total == len(rows) + len(bad) + sum(skipped.values())
    return rows, bad, skipped, reading.notes


def test_a_row_becomes_a_candidate_and_personal_fields_never_do(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, {"SP": [line(SG_UE="SP", NM_UE="São Paulo")]})
    rows, bad, skipped, _ = read(archive)
    assert (bad, skipped) == ([], Counter())
    assert rows == [
        {
            "tse_id": "250000000001",
            "election_year": 2026,
            "name": "FULANA DE TESTE",
            "ballot_name": "FULANA",
            "party": "PAZUL",
            "party_number": 91,
            "office": "DEPUTADO FEDERAL",
            "state": "SP",
            "electoral_unit": "SP",
            "electoral_unit_name": "SÃO PAULO",
            "candidate_number": 9101,
            "round": 1,
            "registration_status": "APTO",
            "round_result": "ELEITO",
            "removed_at_source": False,
            "source_url": "https://cdn.tse.jus.br/a.zip",
            "source_collected_at": archive.collected_at,
        }
    ]
    assert not any(secret in str(rows) for secret in ("12345678909", "fulana@", "1970", "001234567890"))


def test_filters_count_in_their_order(tmp_path: Path) -> None:
    lines = [
        line(),
        line(ANO_ELEICAO="2022", SG_UF="RJ"),
        line(SG_UF="RJ", DS_CARGO="SENADOR"),
        line(DS_CARGO="SENADOR", CD_TIPO_ELEICAO="1"),
        line(CD_TIPO_ELEICAO="1"),
    ]
    rows, _, skipped, _ = read(archive_of(tmp_path, {"SP": lines}))
    assert len(rows) == 1
    assert skipped == {"year": 1, "uf": 1, "office": 1, "election_type": 1}


def test_bad_rows_are_told_by_line_and_reason_and_the_others_go_on(tmp_path: Path) -> None:
    lines = [
        line(NM_CANDIDATO="#NULO#"),
        line(CD_CARGO="MASCULINO", SQ_CANDIDATO="250000000002"),
        line(SQ_CANDIDATO="#NE"),
        line(SQ_CANDIDATO="250000000003") + ';"one too many"',
        line(SQ_CANDIDATO="250000000004", NM_URNA_CANDIDATO="A\0B"),
        line(SQ_CANDIDATO="250000000005", NM_URNA_CANDIDATO='ZÉ "DO; POVO"'),
        line(SQ_CANDIDATO="250000000006", NM_SOCIAL_CANDIDATO="two\r\nlines"),
        line(SQ_CANDIDATO="250000000007", DS_CARGO=""),
    ]
    rows, bad, _, _ = read(archive_of(tmp_path, {"SP": lines}))
    assert bad == [
        (2, "NM_CANDIDATO is empty"),
        (3, "CD_CARGO is not a number"),
        (4, "SQ_CANDIDATO is empty"),
        (5, "51 fields, 50 expected"),
        (6, "a NUL byte"),
        (10, "DS_CARGO is empty"),
    ]
    assert [(row["tse_id"], row["ballot_name"]) for row in rows] == [
        ("250000000005", 'ZÉ "DO; POVO"'),
        ("250000000006", "FULANA"),
    ]


def test_a_quote_that_never_closes_fails_the_file_with_its_line(tmp_path: Path) -> None:
    broken = line(SQ_CANDIDATO="250000000009").replace('"FULANA"', '"FULANA')
    with pytest.raises(SourceContractError, match="CSV_QUOTE_UNCLOSED: line 3:"):
        read(archive_of(tmp_path, {"SP": [line(), broken, line(SQ_CANDIDATO="250000000002")]}))


def test_a_quote_inside_a_name_costs_one_row(tmp_path: Path) -> None:
    odd = line(SQ_CANDIDATO="250000000009").replace('"FULANA"', '"FULANA "FU" DE TAL"')
    rows, bad, _, _ = read(archive_of(tmp_path, {"SP": [line(), odd, line(SQ_CANDIDATO="250000000002")]}))
    assert [row["tse_id"] for row in rows] == ["250000000001", "250000000002"]
    assert bad == [(3, "a quote inside a quoted field")]


def test_two_rounds_are_one_candidate_with_the_latest_result(tmp_path: Path) -> None:
    governor = {"CD_CARGO": "3", "DS_CARGO": "GOVERNADOR"}
    filler = [line(SQ_CANDIDATO=str(250000001000 + n)) for n in range(30)]
    lines = [
        line(**governor, NR_TURNO="2", DS_SIT_TOT_TURNO="ELEITO"),
        *filler,
        line(**governor, NR_TURNO="1", DS_SIT_TOT_TURNO="2º TURNO"),
    ]
    rows, _, skipped, _ = read(archive_of(tmp_path, {"SP": lines}))
    governors = [row for row in rows if row["office"] == "GOVERNADOR"]
    assert [(row["round"], row["round_result"]) for row in governors] == [(2, "ELEITO")]
    assert skipped == {"other_round": 1}


def test_the_own_member_is_read_or_else_the_national_one_never_both(tmp_path: Path) -> None:
    lines = [line(), line(SG_UF="RJ", SQ_CANDIDATO="190000000001")]
    archive = archive_of(tmp_path, {"SP": lines[:1], "BRASIL": lines})
    assert [row["tse_id"] for row in read(archive, "SP")[0]] == ["250000000001"]
    rows, _, skipped, notes = read(archive, "RJ")
    assert [row["tse_id"] for row in rows] == ["190000000001"]
    assert skipped == {"uf": 1}
    assert "RJ has no file of its own: read from the national one" in notes


def test_a_missing_required_column_is_named_before_any_batch(tmp_path: Path) -> None:
    columns = [name for name in COLUMNS if name != "NM_URNA_CANDIDATO"]
    with pytest.raises(SourceContractError, match=r"CSV_COLUMN_MISSING.*NM_URNA_CANDIDATO"):
        read(archive_of(tmp_path, {"SP": [line(columns)]}, columns))


def test_columns_may_be_reordered_added_renamed_and_optional_ones_absent(tmp_path: Path) -> None:
    columns = [*reversed([n for n in COLUMNS if n not in ("NR_TURNO", "CD_TIPO_ELEICAO")]), "COLUNA_NOVA"]
    rows, _, _, notes = read(archive_of(tmp_path, {"SP": [line(columns)]}, columns))
    assert (rows[0]["name"], rows[0]["round"]) == ("FULANA DE TESTE", None)
    assert "columns not seen before: COLUNA_NOVA" in notes
    assert "optional columns absent, their fields stay unknown: NR_TURNO, CD_TIPO_ELEICAO" in notes


def test_header_only_and_headerless_and_garbage_files(tmp_path: Path) -> None:
    rows, _, _, notes = read(archive_of(tmp_path, {"SP": []}))
    assert rows == [] and "consulta_cand_2026_SP.csv: published, still empty" in notes
    with pytest.raises(SourceContractError, match="CSV_HEADER_MISSING"):
        read(archive_of(tmp_path, {"SP": [line()]}, ["x"] * 50))
    with pytest.raises(SourceContractError, match="CSV_MOST_ROWS_INVALID"):
        read(archive_of(tmp_path, {"SP": [line(CD_CARGO="ENSINO MÉDIO")] * 30}))


@pytest.mark.parametrize(
    "text", ["", " ", "#NULO", "#NULO#", "#nulo", "#NE", "#NE#", "NÃO DIVULGÁVEL", "Não divulgável"]
)
def test_every_spelling_of_nothing(text: str) -> None:
    assert text_or_none(text) is None
    assert number_or_none(text) is None


def test_numeric_sentinels_and_values() -> None:
    assert [missing(text, number=True) for text in ("-1", "-3", "-4")] == ["null", "not existing then", "not disclosed"]
    assert [number_or_none(text) for text in ("-1", "-3", "-4", "07")] == [None, None, None, 7]
    assert text_or_none("-1") == "-1"
    with pytest.raises(ValueError):
        number_or_none("MASCULINO")


@pytest.mark.real_data
@pytest.mark.parametrize(("year", "group"), [(2022, "candidates_2022_AC_BR_DF_PI_RR"), (2026, "candidates_2026_SP")])
def test_the_real_archives_have_the_expected_candidates(shared_data: Path, year: int, group: str) -> None:
    expected = json.loads((shared_data / "replay" / "EXPECTED.json").read_text(encoding="utf-8"))[group]["files"]
    path = shared_data / "replay" / "tse" / "files" / f"consulta_cand_{year}.zip"
    archive = Archive(path, "", "u", "id", "candidates", False, datetime.now(UTC))
    for uf, figures in expected.items():
        reading = read_candidates(archive, uf, election_year=year, offices=OFFICES)
        batches = list(reading)
        counts = Counter(row["office"] for batch in batches for row in batch.rows)
        assert counts == {office: f["candidates_ordinary_election"] for office, f in figures["offices"].items()}
        assert sum(batch.rows_read for batch in batches) == figures["rows"]


def test_thousands_of_towns_are_judged_once_for_each_combination_of_the_other_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[Any] = []
    monkeypatch.setattr(candidate_rows, "judge", lambda *given: judged.append(given) or judge(*given))
    maker = RowMaker(Filters(election_year=2024), source_url="u", collected_at=datetime.now(UTC))
    names = ("ANO_ELEICAO", "CD_TIPO_ELEICAO", "SG_UF", "SG_UE", "NM_UE", "CD_CARGO", "DS_CARGO", "SQ_CANDIDATO",
             "NR_CANDIDATO", "NM_CANDIDATO", "NM_URNA_CANDIDATO", "NR_PARTIDO", "SG_PARTIDO", "NR_TURNO")  # fmt: skip
    maker.use({name: at for at, name in enumerate(names)})
    records = (
        (n, ["2024", "2", "AC", f"{n:05d}", f"Cidade {n}", "13", "Vereador", f"1{n}", "91000", f"PESSOA {n}", "P", "91", "PAZUL", "1"], "")
        for n in range(500)
    )  # fmt: skip
    batch = maker.make(records)
    assert [row["electoral_unit_name"] for row in batch.rows[:2]] == ["CIDADE 0", "CIDADE 1"]
    assert batch.rows[499]["electoral_unit"] == "00499"
    assert len(judged) == 1

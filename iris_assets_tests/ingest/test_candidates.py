"""The stage `candidates`: what a second archive changes, what a rerun says, what is suspicious, what stays private."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets.defs.recording import report_metadata
from iris_assets.ingest.candidate_changes import COMPARED, Changes
from iris_assets.ingest.checks import CHECKS, check_stage
from iris_assets.retrieval.evidence import candidate_ref
from iris_assets.retrieval.lookup import candidate_record
from iris_assets.sample.faults import HTML, Fault
from iris_assets.sample.reply import Reply
from iris_assets.sources.data_contracts import CANDIDATES, DATA_CONTRACTS, PROPOSALS, expects_plans, someone_runs
from iris_assets.ufs import PARTITIONS
from iris_assets.web.records import candidate_profile
from iris_assets_tests.documents.pdfs import pdf
from iris_assets_tests.ingest.court import CANDIDATES_PATH, Court
from iris_assets_tests.sources.test_candidates import line

PERSONAL = {
    "NR_CPF_CANDIDATO": "12345678909",
    "DS_EMAIL": "FULANA.SECRETA@EXAMPLE.ORG",
    "NR_TITULO_ELEITORAL_CANDIDATO": "001234567890",
    "DT_NASCIMENTO": "01/02/1970",
}


@pytest.fixture
def court(tmp_path: Path) -> Iterator[Court]:
    made = Court(tmp_path)
    yield made
    made.store.close()


def people(count: int, uf: str = "SP", **changes: str) -> list[str]:
    return [line(SQ_CANDIDATO=str(250_000_000_000 + n), SG_UF=uf, **changes) for n in range(count)]


def counters(report: Any) -> dict[str, int]:
    return {name: number for name, number in report.counters.items() if number}


def test_an_unchanged_archive_is_not_read_and_costs_no_download(court: Court) -> None:
    court.publish({"SP": people(30)})
    assert counters(court.candidates("SP")["SP"]) == {"read": 30, "created": 30}
    again = court.candidates("SP")["SP"]
    assert (again.status, counters(again), again.work["rows_read"]) == ("SUCCESS", {}, 0)
    assert again.figures["rows_stored"] == 30
    # The same bytes under a new Last-Modified and without validators: equal hash, nothing read.
    (court.folder / "downloads" / "manifest.json").write_text("{}")
    fresh = court.candidates("SP")["SP"]
    assert (counters(fresh), fresh.work["rows_read"]) == ({}, 0)


def test_one_changed_row_is_one_update_and_the_tables_say_what_changed(court: Court) -> None:
    court.publish({"SP": people(30)})
    first = court.candidates("SP")["SP"]
    assert (first.tables["changes"], first.tables["changes_by_field"]) == ([], [])
    changed = people(30)
    changed[7] = line(SQ_CANDIDATO="250000000007", NM_URNA_CANDIDATO="FULANA DO POVO", DS_SIT_TOT_TURNO="#NULO")
    court.publish({"SP": changed[:-1] + people(32)[30:]})
    report = court.candidates("SP")["SP"]
    assert counters(report) == {"read": 31, "created": 2, "updated": 2, "skipped": 28}
    assert report.tables["changes_by_field"] == [
        {"field": "(new candidates)", "candidates": 2},
        {"field": "(no longer in the archive)", "candidates": 1},
        {"field": "ballot_name", "candidates": 1},
        {"field": "round_result", "candidates": 1},
    ]
    assert report.tables["changes"] == [
        {"tse_id": "250000000007", "field": "ballot_name", "before": "FULANA", "after": "FULANA DO POVO"},
        {"tse_id": "250000000007", "field": "round_result", "before": "ELEITO", "after": "None"},
    ]
    stored = [
        (row["tse_id"], row["field"], row["value_before"], row["value_after"]) for row in court.store.changes.since()
    ]
    assert stored == [
        ("250000000007", "ballot_name", "FULANA", "FULANA DO POVO"),
        ("250000000007", "round_result", "ELEITO", None),
        ("250000000029", "removed_at_source", "False", "True"),
    ]
    assert {row["run_key"] for row in court.store.changes.since()} == {report.run_key}
    court.candidates("SP")
    assert len(court.store.changes.since(states=("SP",), election_year=2026)) == 3
    assert (
        court.store.changes.since(states=("RJ",)) == court.store.changes.since(datetime(2100, 1, 1, tzinfo=UTC)) == []
    )
    metadata = report_metadata(report)
    tables = ("changes", "changes_by_field")
    shown = {name: [record.data["field"] for record in metadata[f"table/{name}"].records] for name in tables}
    assert shown["changes"] == ["ballot_name", "round_result"]
    assert len(shown["changes_by_field"]) == 4


def test_an_archive_with_bad_rows_is_partial_every_time_and_read_once(court: Court) -> None:
    court.publish({"SP": [*people(30), line(CD_CARGO="MASCULINO"), line(NM_CANDIDATO="")]})
    first = court.candidates("SP")["SP"]
    assert (first.status, first.error_code, counters(first)["failed"]) == ("PARTIAL", "CSV_ROW_INVALID", 2)
    again = court.candidates("SP")["SP"]
    assert (again.status, again.error_code, counters(again)) == ("PARTIAL", "CSV_ROW_INVALID", {})
    assert again.gaps == [
        "CSV_ROW_INVALID: 2 rows of the unchanged archive: line 32: CD_CARGO is not a number; "
        "line 33: NM_CANDIDATO is empty"
    ]
    court.publish({"SP": people(30)})
    assert court.candidates("SP")["SP"].status == "SUCCESS"


@pytest.mark.parametrize(
    ("fault", "code"),
    [(HTML, "ARCHIVE_IS_HTML"), (Fault(Reply(200, b"PK\x03\x04" + bytes(500))), "ARCHIVE_TRUNCATED")],
)
def test_a_refused_archive_leaves_the_last_good_one_in_use_and_the_run_says_so(
    court: Court, fault: str | Fault, code: str
) -> None:
    court.publish({"SP": people(30)})
    court.candidates("SP")
    court.faults.script(CANDIDATES_PATH, [fault])
    report = court.candidates("SP")["SP"]
    assert (report.status, report.error_code, report.work["rows_read"]) == ("PARTIAL", code, 0)
    assert "stays in use" in report.gaps[0]
    assert len(court.store.candidates.list()) == 30
    assert court.candidates("SP")["SP"].status == "SUCCESS"


def test_without_a_good_copy_a_damaged_archive_fails_before_a_write(court: Court) -> None:
    court.publish_bytes(b"<!doctype html><title>403</title>")
    report = court.candidates("SP")["SP"]
    assert (report.status, report.error_code) == ("FAILED", "ARCHIVE_IS_HTML")
    assert court.store.candidates.list() == []


def test_header_only_members_are_right_before_the_registration_ends_and_a_gap_afterwards(court: Court) -> None:
    """Candidates register until 15 August: an empty member of a UF is normal in July and damage in September."""
    court.publish({"SP": people(3), "GO": [], "BRASIL": people(3)})
    report = court.candidates("GO", as_of="2026-07-30")["GO"]
    assert (report.status, counters(report), report.figures["source_rows"]) == ("SUCCESS", {}, 3)
    assert "consulta_cand_2026_GO.csv: published, still empty" in report.notes
    late = court.candidates("GO", as_of="2026-09-01")["GO"]
    assert (late.status, late.error_code) == ("PARTIAL", "ROW_COUNT_SUSPICIOUS")


@pytest.mark.parametrize(
    ("year", "uf", "offices", "someone"),
    [
        (2026, "BR", ("PRESIDENTE",), True), (2026, "BR", ("GOVERNADOR",), False), (2026, "SP", ("PRESIDENTE",), False),
        (2026, "DF", ("DEPUTADO FEDERAL",), True), (2024, "SP", ("PREFEITO",), True), (2024, "DF", ("PREFEITO",), False),
        (2024, "SP", ("GOVERNADOR",), False), (2026, "SP", ("PREFEITO",), False),
    ],
)  # fmt: skip
def test_who_is_elected_where_and_when(year: int, uf: str, offices: tuple[str, ...], someone: bool) -> None:
    assert someone_runs(year, uf, offices) is someone


def test_all_partitions_make_one_download_and_cut_the_national_file_once(court: Court) -> None:
    lines = [row for uf in PARTITIONS for row in people(3, uf)]
    court.publish({"BRASIL": [line(SG_UF=uf, SQ_CANDIDATO=str(n)) for n, uf in enumerate(PARTITIONS * 3)]})
    assert len(lines) == 84
    reports = court.candidates(*PARTITIONS)
    assert {report.status for report in reports.values()} == {"SUCCESS"}
    assert sum(report.counters["created"] for report in reports.values()) == 84
    assert [report.work["http_calls"] for report in reports.values()] == [2] + [0] * 27
    assert len(list((court.folder / "downloads" / "splits").iterdir())) == 1
    assert sum(report.counters["read"] for report in reports.values()) == 84 * 28


def test_one_name_under_two_numbers_is_shown_and_not_merged(court: Court) -> None:
    vice = line(SQ_CANDIDATO="250000000002", CD_CARGO="3", DS_CARGO="GOVERNADOR", DT_GERACAO="02/08/2026")
    other = line(SQ_CANDIDATO="250000000003", NM_CANDIDATO="OUTRA PESSOA")
    court.publish({"SP": [line(DT_GERACAO="02/08/2026"), vice, other]})
    report = court.candidates("SP")["SP"]
    assert (report.status, report.counters["created"], report.figures["generated"]) == ("SUCCESS", 3, "02/08/2026")
    (double,) = report.tables["possible_doubles"]
    assert sorted((double["first"], double["second"])) == ["250000000001", "250000000002"]
    assert "1 candidates bear the name of another one of this UF: both are kept, see possible_doubles" in report.notes
    again = court.candidates("SP")["SP"]
    assert again.figures == {"rows_stored": 3, "source_rows": 3, "generated": "02/08/2026"}


def test_national_and_unit_files_that_do_not_agree_are_reported(court: Court) -> None:
    court.publish({"SP": people(30), "BRASIL": people(29)})
    notes = court.candidates("SP")["SP"].notes
    assert "the national file has 29 rows, the files of the units together 30" in notes


def test_a_tenth_of_the_usual_rows_is_suspicious_and_removes_nobody(
    court: Court, judged: Callable[[], dict[str, Any]]
) -> None:
    court.publish({"SP": people(30)})
    court.candidates("SP")
    court.publish({"SP": people(3)})
    report = court.candidates("SP", **judged())["SP"]
    assert (report.status, report.error_code) == ("PARTIAL", "ROW_COUNT_SUSPICIOUS")
    assert report.gaps[0].startswith(
        "ROW_COUNT_SUSPICIOUS: suspiciously few: 3 candidates in the whole country, 20000 to 45000 are usual in 2026"
    )
    assert not any(row["removed_at_source"] for row in court.store.candidates.list(include_removed=True))
    again = court.candidates("SP", **judged())["SP"]
    assert (again.status, again.error_code, counters(again)) == ("PARTIAL", "ROW_COUNT_SUSPICIOUS", {})
    with court.context(**judged()).http:
        outcome = {check.name: check for check in check_stage(court.context(**judged()), again)}["source_passport"]
    assert not outcome.passed
    assert outcome.figures["publisher"] == "Tribunal Superior Eleitoral"
    assert (outcome.figures["rows"], outcome.figures["fewest_rows"]) == (3, 20_000)


@pytest.fixture
def judged() -> Callable[[], dict[str, Any]]:
    """Settings under which the simulated court counts as the official one."""
    return lambda: {"iris_assets_replay": None}


def test_an_offline_copy_is_shown_and_not_judged(court: Court) -> None:
    court.publish({"SP": people(3)})
    report = court.candidates("SP")["SP"]
    outcome = {check.name: check for check in check_stage(court.context(), report)}["source_passport"]
    assert outcome.passed
    assert outcome.description == "3 candidates in the whole country (an offline copy: not judged)"


def test_data_contracts_know_what_is_usual() -> None:
    assert set(DATA_CONTRACTS) == {"candidates", "proposals", "camara"}
    assert all("source_passport" in CHECKS[source] for source in DATA_CONTRACTS)
    after = date(2026, 10, 5)
    assert CANDIDATES.doubt(29_000, 2026, after) == ""
    assert CANDIDATES.doubt(2_900, 2026, after).startswith("suspiciously few")
    assert CANDIDATES.doubt(2_900, 2026, date(2026, 8, 2)) == ""  # registration is open until 15 August
    assert CANDIDATES.doubt(460_000, 2024, date(2024, 10, 7)) == ""
    assert CANDIDATES.doubt(46_000, 2024, date(2024, 10, 7)).startswith("suspiciously few")
    assert CANDIDATES.doubt(460_000, 2026, date(2026, 1, 1)).startswith("suspiciously many")
    assert PROPOSALS.doubt(504, 2024, date(2024, 10, 7)) == PROPOSALS.doubt(10, 2022, after) == ""
    assert (expects_plans("BR", 2024), expects_plans("BR", 2022), expects_plans("DF", 2020)) == (False, True, False)


def test_nothing_personal_is_kept_anywhere(court: Court, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    members = {
        "SP": [
            line(**PERSONAL),
            line(**PERSONAL, SQ_CANDIDATO="250000000002", CD_CARGO="12345678909"),
            line(**PERSONAL, SQ_CANDIDATO="250000000006", NR_CANDIDATO="12345678909"),
            line(**PERSONAL, SQ_CANDIDATO="FULANA.SECRETA@EXAMPLE.ORG"),
            line(**PERSONAL, SQ_CANDIDATO="250000000003") + ';"12345678909"',
            line(**PERSONAL, SQ_CANDIDATO="250000000004", NM_SOCIAL_CANDIDATO="A\0B"),
            line(**PERSONAL, SQ_CANDIDATO="250000000005").replace('"FULANA"', '"FULANA "FU" DE TAL"'),
        ],
        "BRASIL": [line(**PERSONAL, SG_UF="RJ"), line(**PERSONAL, SG_UF="XX", SQ_CANDIDATO="1")],
    }
    court.publish(members)
    court.publish_plans("SP", {"SP/2026SP250000000001_01.pdf": pdf([["Plano"]])})
    reports = [*court.candidates("SP", "RJ").values(), *court.proposals("SP").values()]
    assert [report.status for report in reports] == ["PARTIAL", "SUCCESS", "SUCCESS"]
    assert len(reports[0].errors) == 6
    # A table instead of an archive: what was received is told without what it says of people.
    court.publish_bytes(";".join(PERSONAL.values()).encode())
    reports.append(court.candidates("SP")["SP"])
    assert reports[-1].error_code == "ARCHIVE_NOT_ZIP"
    unclosed = line(**PERSONAL, SQ_CANDIDATO="250000000007").replace('"FULANA"', '"FULANA')
    court.publish(members | {"SP": [*members["SP"], unclosed]})
    reports.append(court.candidates("SP")["SP"])
    assert (reports[-1].error_code, "line 9:" in reports[-1].error_message) == ("CSV_QUOTE_UNCLOSED", True)
    said = repr(reports) + repr([report_metadata(report) for report in reports]) + caplog.text
    with sqlite3.connect(court.folder / "store.sqlite3") as connection:
        said += "\n".join(connection.iterdump())
    kept = [path for path in court.folder.rglob("*") if path.is_file() and "replay" not in path.parts]
    # The archive itself is kept as published; everything that we make out of it must be clean.
    ours = [path for path in kept if "objects" not in path.parts]
    assert {"manifest.json", "index.json", "RJ.csv", "store.sqlite3"} <= {path.name for path in ours}
    said += "".join(path.read_bytes().decode("latin-1") for path in ours)
    for secret in (*PERSONAL.values(), "fulana.secreta"):
        assert secret.encode().decode("latin-1") not in said
        assert secret.casefold() not in said.casefold()


def test_620_candidates_that_the_court_dropped_are_marked_and_counted(court: Court) -> None:
    court.publish({"SP": people(1300)})
    court.candidates("SP")
    court.publish({"SP": people(680)})
    report = court.candidates("SP")["SP"]
    assert counters(report) == {"read": 680, "updated": 620, "skipped": 680}
    assert report.figures["removed_at_source"] == 620
    kept = court.store.candidates.list(include_removed=True)
    assert sum(row["removed_at_source"] for row in kept) == 620 and len(kept) == 1300


def test_changes_are_listed_by_the_command_and_on_the_candidates_page(
    court: Court, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court.publish({"SP": people(2)})
    court.candidates("SP")
    court.publish({"SP": [line(SQ_CANDIDATO="250000000000", SG_PARTIDO="PVERDE"), *people(2)[1:]]})
    court.candidates("SP")
    profile = candidate_profile(court.store, court.store.candidates.by_tse_id("250000000000"))
    assert [(change.field, change.before, change.after) for change in profile.changes] == [("party", "PAZUL", "PVERDE")]
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite3'}")
    monkeypatch.setenv("IRIS_ASSETS_DATA", str(tmp_path))
    result = CliRunner().invoke(app, ["changes", "--since", "2020-01-01", "--uf", "SP", "--json"])
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)
    assert (row["tse_id"], row["field"], row["value_before"], row["value_after"]) == (
        "250000000000", "party", "PAZUL", "PVERDE",
    )  # fmt: skip
    assert CliRunner().invoke(app, ["changes", "--since", "ontem"]).exit_code == 2


def test_a_town_is_kept_and_a_store_without_it_takes_it_as_no_correction(court: Court) -> None:
    town = {"SG_UE": "01392", "NM_UE": "Rio Branco", "CD_CARGO": "11", "DS_CARGO": "PREFEITO"}
    court.publish({"AC": people(1, "AC", **town)})
    court.candidates("AC", ingest_offices=("PREFEITO",))
    (row,) = court.store.candidates.list()
    assert (row["electoral_unit"], row["electoral_unit_name"], row["state"]) == ("01392", "RIO BRANCO", "AC")
    old = {"tse_id": "1", **dict.fromkeys(COMPARED)}
    assert Changes(2026, "r").see([{**old, "electoral_unit": "SP", "party": "PT"}], {"1": old}) == {
        "1": [
            {
                "tse_id": "1",
                "field": "party",
                "value_before": None,
                "value_after": "PT",
                "election_year": 2026,
                "run_key": "r",
            }
        ]
    }


def test_a_ticket_is_office_pair_number_and_unit(court: Court) -> None:
    def runs(number: int, office: str, code: str, ballot: str, town: str) -> str:
        unit = {"SG_UE": town, "NM_UE": {"01392": "RIO BRANCO", "01120": "ACRELÂNDIA"}[town], "SG_UF": "AC"}
        names = {"NM_CANDIDATO": f"PESSOA {number}", "NM_URNA_CANDIDATO": f"P{number}"}
        office_of = {"DS_CARGO": office, "CD_CARGO": code, "NR_CANDIDATO": ballot}
        return line(SQ_CANDIDATO=str(10_000_000_000 + number), **unit, **names, **office_of)

    court.publish(
        {
            "AC": [
                runs(1, "PREFEITO", "11", "13", "01392"),
                runs(2, "VICE-PREFEITO", "12", "13", "01392"),
                runs(3, "VEREADOR", "13", "13", "01392"),  # a councillor of the same number is on no ticket
                runs(4, "VICE-PREFEITO", "12", "45", "01392"),
                runs(5, "VICE-PREFEITO", "12", "13", "01120"),
            ]
        }
    )
    court.candidates("AC", ingest_offices=("PREFEITO", "VICE-PREFEITO", "VEREADOR"))
    people = {row["ballot_name"]: row for row in court.store.candidates.list()}
    found = {
        name: [other["ballot_name"] for other in court.store.candidates.ticket(row)] for name, row in people.items()
    }
    assert found == {"P1": ["P2"], "P2": ["P1"], "P3": [], "P4": [], "P5": []}
    evidence = candidate_record(court.store, candidate_ref(people["P1"]))
    assert "Município: RIO BRANCO" in evidence.content
    assert "Vice-prefeito: P2 (PAZUL), na mesma chapa" in evidence.content
    assert [other.ballot_name for other in candidate_profile(court.store, people["P2"]).ticket] == ["P1"]

"""The yearly files give the rows that the API gives, and tell what changed when they change."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from iris_assets.sample.faults import CUT, Faults
from iris_assets_tests.ingest.camara_platform import NO_LIMITS, Platform, linked, tse
from iris_assets_tests.ingest.camara_world import World, add_candidates, made

UFS = ("SP", "RJ", "MG", "BA", "PI")


def _stored(folder: Path, mode: str, world: World, **settings: Any) -> dict[str, Any]:
    made_up = Platform(folder, world)
    add_candidates(made_up.store, range(1, 13))
    reports = made_up.run(*UFS, camara_source=mode, **settings)
    assert {report.status for report in reports.values()} == {"SUCCESS"}
    return made_up.rows()


@pytest.mark.parametrize("limits", [NO_LIMITS, {"camara_max_propositions_per_candidate": 4}])
def test_files_and_api_store_the_same_rows(tmp_path: Path, limits: dict[str, int]) -> None:
    world = made(12, 90, signers=6)
    by_api = _stored(tmp_path / "api", "api", world, **limits)
    assert _stored(tmp_path / "bulk", "bulk", world, **limits) == by_api
    assert len(by_api["bills"]) == 90 if limits is NO_LIMITS else len(by_api["bills"]) < 60


def test_auto_adds_what_the_files_do_not_have_yet(tmp_path: Path) -> None:
    world = made(12, 90, signers=3, days=600)
    whole = _stored(tmp_path / "api", "api", world, **NO_LIMITS)
    # The API knows all; the file of 2024 is of May: the Chamber that serves it has forgotten the later rows.
    made_up = Platform(tmp_path / "auto", world)
    add_candidates(made_up.store, range(1, 13))
    made_up.keep_files(until=date(2024, 5, 31))
    reports = made_up.run(*UFS, camara_source="auto", **NO_LIMITS)
    assert made_up.rows() == whole
    later = sum(bill["presentation_date"] > date(2024, 5, 31) for bill in whole["bills"])
    assert sum(report.work["bills_fetched"] for report in reports.values()) == later > 0


def test_files_alone_without_any_file_are_a_gap(tmp_path: Path) -> None:
    world = World()
    world.add_deputy(1)
    made_up = Platform(tmp_path, world)
    add_candidates(made_up.store, [1])
    report = made_up.run("RJ", camara_source="bulk")["RJ"]
    assert (report.status, report.error_code) == ("PARTIAL", "YEARLY_FILES_MISSING")
    assert made_up.run("RJ", camara_source="auto")["RJ"].status == "SUCCESS"


def test_unchanged_files_are_not_read_again(tmp_path: Path) -> None:
    made_up = Platform(tmp_path, made(12, 90))
    add_candidates(made_up.store, range(1, 13))
    made_up.run(*UFS, camara_source="bulk", **NO_LIMITS)
    again = made_up.run(*UFS, camara_source="bulk", **NO_LIMITS)
    for report in again.values():
        assert report.counters.total() == 0
        assert report.work["bills_read_from_files"] == 0
    # The listing of the deputies, and three files for each of the five years of the window.
    assert sum(report.work["http_calls"] for report in again.values()) == 1 + 15


def test_a_signer_that_the_files_lost_loses_the_link_and_the_last_one_takes_the_bill(tmp_path: Path) -> None:
    world = World()
    for number in (1, 2, 3):
        world.add_deputy(number)
    world.add_bill(100, date(2024, 5, 2), [1, 2])
    world.add_bill(102, date(2024, 5, 3), [2, 3])
    made_up = Platform(tmp_path, world)
    add_candidates(made_up.store, [1, 2])
    made_up.run("RJ", "MG", camara_source="bulk")
    assert linked(made_up.store, 100) == [tse(1), tse(2)]
    world.drop_signer(100, 2)
    world.drop_signer(102, 2)
    report = made_up.run("RJ", "MG", camara_source="bulk")["MG"]
    assert linked(made_up.store, 100) == [tse(1)]
    assert made_up.store.camara.bill(102) is None
    assert report.figures["bills_retired"] == 1


def test_files_are_read_again_only_for_a_signer_that_the_stored_authors_lack(tmp_path: Path) -> None:
    world = World()
    for number in (1, 2, 3, 5):
        world.add_deputy(number)
    world.add_bill(100, date(2024, 5, 2), [5, 3, 1, 2])  # SP's bill; 1 (RJ) and 2 (MG) sign beyond the limit
    made_up = Platform(tmp_path, world)
    settings = {"camara_source": "bulk", "camara_max_authors_per_proposition": 2, **NO_LIMITS}
    add_candidates(made_up.store, [5])
    made_up.run("SP", **settings)
    assert _authors(made_up) == [5, 3]
    add_candidates(made_up.store, [1])
    made_up.run("RJ", **settings)
    # RJ wrote the bill with its own signer: nothing is left for SP to read.
    assert made_up.run("SP", **settings)["SP"].work["bills_read_from_files"] == 0
    assert _authors(made_up) == [5, 3, 1]
    add_candidates(made_up.store, [2])
    # MG has not run yet, but its candidate is a signer whom the stored authors lack.
    assert made_up.run("SP", **settings)["SP"].work["bills_read_from_files"] == 1
    assert _authors(made_up) == [5, 3, 1, 2]
    add_candidates(made_up.store, [1], name="OUTRA PESSOA", ballot_name="OUTRA")
    made_up.run("RJ", **settings)
    assert made_up.run("SP", **settings)["SP"].work["bills_read_from_files"] == 1
    assert _authors(made_up) == [5, 3, 2]


def _authors(made_up: Platform) -> list[int]:
    return [author["camara_author_id"] for author in made_up.store.camara.bill(100)["authors"]]


def test_a_cut_file_is_refused_and_the_last_good_one_stays(tmp_path: Path) -> None:
    made_up = Platform(tmp_path, made(12, 90))
    add_candidates(made_up.store, range(1, 13))
    made_up.run("SP", camara_source="bulk", **NO_LIMITS)
    before = made_up.rows()
    made_up.world.add_bill(900, date(2024, 6, 1), [5])
    faults = Faults()
    faults.script("/arquivos/proposicoes/csv/proposicoes-2024.csv", [CUT])
    report = made_up.run("SP", camara_source="bulk", faults=faults, **NO_LIMITS)["SP"]
    assert made_up.rows()["bills"] == before["bills"]
    assert any("proposicoes-2024" in note or "last good" in note for note in report.notes)


def test_a_bill_in_the_file_of_another_year_is_taken_by_its_presentation(tmp_path: Path) -> None:
    world = World()
    world.add_deputy(5)
    world.add_bill(100, date(2022, 12, 30), [5])
    world.bills[100]["ano"] = "2023"
    found = {}
    for mode in ("api", "bulk", "auto"):
        made_up = Platform(tmp_path / mode, world)
        add_candidates(made_up.store, [5])
        made_up.run("SP", camara_source=mode)
        found[mode] = made_up.rows()["bills"]
    assert found["api"] == found["bulk"] == found["auto"]
    assert found["api"][0]["title"] == "PL 100/2023"


def test_a_year_of_nought_is_repaired_alike_by_all_ways(tmp_path: Path) -> None:
    world = World()
    world.add_deputy(5)
    world.add_bill(100, date(2024, 12, 30), [5])
    for mode in ("api", "bulk"):
        made_up = Platform(tmp_path / mode, world)
        add_candidates(made_up.store, [5])
        world.bills[100]["ano"] = "2024"
        world.write(made_up.folder / "replay")
        made_up.world = _with_year_nought(world)
        made_up.run("SP", camara_source=mode)
        bill = made_up.store.camara.bill(100)
        assert bill is not None
        assert (bill["title"], bill["year"], bill["year_repaired"]) == ("PL 100/2024", 2024, True)


def _with_year_nought(world: World) -> World:
    class Nought(World):
        def write(self, folder: Path) -> Path:
            replay = world.write(folder)
            path = replay / "camara" / "proposicoes-2024.csv"
            path.write_text(path.read_text("utf-8-sig").replace('"100";"2024"', '"100";"0"'), "utf-8-sig")
            return replay

    return Nought()

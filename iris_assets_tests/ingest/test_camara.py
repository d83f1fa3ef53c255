"""The stage on a made-up Chamber served by the simulator: identity, collection, links, difference, faults."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from iris_assets.identity.overrides import write_override
from iris_assets.ingest.review import review_cases, suggested_cases
from iris_assets.sample.faults import CUT, HTML, TRUNCATE, Fault, Faults
from iris_assets.sample.reply import Reply, json_reply
from iris_assets_tests.ingest.camara_platform import NO_LIMITS, Platform, counters, linked, tse
from iris_assets_tests.ingest.camara_world import World, add_candidates, made


def three_deputies() -> World:
    """Deputies 1 (RJ), 2 (MG), 5 (SP); bill 100 of 1 and 2, bill 101 of 5, bill 102 of 2 alone."""
    world = World()
    for number in (1, 2, 5):
        world.add_deputy(number)
    world.add_bill(100, date(2024, 5, 2), [1, 2])
    world.add_bill(101, date(2024, 5, 3), [5])
    world.add_bill(102, date(2023, 5, 3), [2])
    return world


@pytest.fixture
def platform(tmp_path: Path) -> Platform:
    made_up = Platform(tmp_path, three_deputies())
    add_candidates(made_up.store, [1, 2, 5])
    return made_up


def test_a_bill_of_two_matched_deputies_belongs_to_both_also_over_partitions(platform: Platform) -> None:
    reports = platform.run("RJ", "MG")
    assert linked(platform.store, 100) == [tse(1), tse(2)]
    assert linked(platform.store, 102) == [tse(2)]
    assert platform.store.camara.bill(101) is None
    # RJ: bill 100 and one history record; MG: bill 102 and a record created, bill 100 updated by its new link.
    assert counters(reports["RJ"]) == (2, 2, 0, 0, 0)
    assert counters(reports["MG"]) == (3, 2, 1, 0, 0)


def test_the_result_does_not_depend_on_the_order_of_the_partitions(tmp_path: Path) -> None:
    found = []
    for place, ufs in enumerate((("RJ", "MG", "SP"), ("SP", "MG", "RJ"))):
        made_up = Platform(tmp_path / str(place), made(15, 60, signers=14))
        add_candidates(made_up.store, range(1, 16))
        made_up.run(*ufs, camara_max_authors_per_proposition=2, camara_max_propositions_per_candidate=5)
        found.append(made_up.rows())
    assert found[0] == found[1]


def test_a_second_run_writes_nothing_and_asks_almost_nothing(platform: Platform) -> None:
    first = platform.run("RJ", "MG", "SP")
    calls = sum(report.work["http_calls"] for report in first.values())
    second = platform.run("RJ", "MG", "SP")
    for report in second.values():
        assert report.status == "SUCCESS"
        assert report.counters["created"] == report.counters["updated"] == 0
        assert report.work["bills_fetched"] == report.work["deputies_fetched"] == 0
    # The listing of the deputies and one listing by procedure for each of three deputies.
    assert sum(report.work["http_calls"] for report in second.values()) == 4 < calls


def test_a_bill_that_moved_is_fetched_again_and_no_other(platform: Platform) -> None:
    platform.run("RJ", "MG")
    platform.world.move(100, "2025-03-05T10:00:00")
    platform.world.bills[100]["ultimoStatus_descricaoSituacao"] = "Arquivada"
    later = platform.run("RJ", "MG", as_of=date(2025, 3, 8))
    assert platform.store.camara.bill(100)["status"] == "Arquivada"
    assert [later[uf].work["bills_fetched"] for uf in ("RJ", "MG")] == [1, 0]
    assert counters(later["RJ"])[1:3] == (0, 1)


def test_a_deputy_whose_listing_changed_is_asked_again_and_compared_anew(platform: Platform) -> None:
    platform.run("RJ", "MG")
    platform.world.deputies[1]["nomeCivil"] = "OUTRO NOME"
    platform.world.deputies[1]["ultimoStatus"]["siglaPartido"] = "PSB"
    later = platform.run("RJ", "MG")
    assert [later[uf].work["deputies_fetched"] for uf in ("RJ", "MG")] == [1, 0]
    assert platform.store.candidates.by_tse_id(tse(1))["match_status"] == "UNMATCHED"
    assert linked(platform.store, 100) == [tse(2)]


def test_a_candidate_that_appears_later_is_compared_and_collected(platform: Platform) -> None:
    platform.run("RJ")
    add_candidates(platform.store, [6], state="RJ")
    platform.world.add_deputy(6, siglaUf="RJ")
    platform.world.add_bill(300, date(2024, 6, 1), [6])
    later = platform.run("RJ")["RJ"]
    assert [line["deputy"] for line in later.tables["new_matches"]] == [6]
    assert linked(platform.store, 300) == [tse(6)]


def test_a_new_bill_is_found_by_its_procedure(platform: Platform) -> None:
    platform.run("RJ")
    platform.world.add_bill(200, date(2025, 3, 3), [1])
    platform.world.add_bill(50, date(2010, 3, 3), [1], moved="2025-03-04T10:00:00")  # old: not within the window
    later = platform.run("RJ", as_of=date(2025, 3, 8))
    assert counters(later["RJ"])[1] == 1
    assert platform.store.camara.bill(200) is not None
    assert platform.store.camara.bill(50) is None


def test_a_signer_that_vanished_loses_the_link_and_the_last_one_takes_the_bill(platform: Platform) -> None:
    platform.run("RJ", "MG")
    platform.world.drop_signer(100, 2)
    platform.world.drop_signer(102, 2)
    for bill in (100, 102):
        platform.world.move(bill, "2025-03-05T10:00:00")
    # A bill without the deputy is no longer listed for it: the files or a full refresh tell.
    platform.world.authors[102] = [platform.world._author(102, 1, 1)]
    platform.run("RJ", "MG", as_of=date(2025, 3, 8), full_refresh=True)
    assert linked(platform.store, 100) == [tse(1)]
    assert linked(platform.store, 102) == [tse(1)]
    assert [author["camara_author_id"] for author in platform.store.camara.bill(100)["authors"]] == [1]


def test_limits_restrict_collection_and_retire_nothing(platform: Platform) -> None:
    platform.run("MG")
    assert set(platform.store.camara.bill_states()) == {100, 102}
    platform.run("MG", camara_max_propositions_per_candidate=1, full_refresh=True)
    platform.run("MG", as_of=date(2029, 3, 1))  # the window has left both bills behind
    assert set(platform.store.camara.bill_states()) == {100, 102}


def test_a_higher_limit_reaches_the_bills_that_a_lower_one_had_cut(platform: Platform) -> None:
    platform.run("MG", camara_max_propositions_per_candidate=1)
    assert set(platform.store.camara.bill_states()) == {100}
    platform.run("MG", camara_max_propositions_per_candidate=0)
    assert set(platform.store.camara.bill_states()) == {100, 102}


def test_the_limit_of_matched_candidates_goes_by_tse_id(platform: Platform) -> None:
    add_candidates(platform.store, [6], state="RJ")
    platform.world.add_deputy(6)
    report = platform.run("RJ", camara_max_matched_candidates=1)["RJ"]
    assert report.figures["matched"] == 2
    assert report.figures["history_links"] == 1
    assert any("limited to 1 of 2" in note for note in report.notes)


def test_authors_are_cut_at_the_limit_but_every_matched_signer_is_kept(tmp_path: Path) -> None:
    world = World()
    for number in range(1, 202):
        world.add_deputy(number)
    world.add_bill(100, date(2024, 5, 2), range(1, 202))
    made_up = Platform(tmp_path, world)
    add_candidates(made_up.store, [1, 201])
    made_up.run("RJ")
    authors = made_up.store.camara.bill(100)["authors"]
    assert [author["signature_order"] for author in authors] == [*range(1, 11), 201]
    assert linked(made_up.store, 100) == [tse(1), tse(201)]


def test_a_bill_that_the_listing_gives_for_somebody_else_is_not_attributed(tmp_path: Path) -> None:
    world = three_deputies()
    made_up = Platform(tmp_path, world)
    add_candidates(made_up.store, [1])
    world.authors[102].append({**world._author(102, 1, 2), "uriAutor": ""})  # listed for 1, not signed by it
    report = made_up.run("RJ")["RJ"]
    assert set(made_up.store.camara.bill_states()) == {100}
    assert any("name no matched author" in note and "102" in note for note in report.notes)


def test_a_deputy_no_longer_matched_loses_the_links_and_keeps_the_history(platform: Platform) -> None:
    platform.run("RJ", "MG")
    add_candidates(platform.store, [2], name="OUTRA PESSOA", ballot_name="OUTRA")
    platform.run("RJ", "MG")
    assert platform.store.candidates.by_tse_id(tse(2))["match_status"] == "UNMATCHED"
    assert linked(platform.store, 100) == [tse(1)]
    assert platform.store.camara.bill(102) is None
    assert len(platform.store.camara.history_of_deputy(2)) == 1
    assert platform.store.links.of_candidate(platform.store.candidates.by_tse_id(tse(2))["id"]) == []


def test_one_deputy_in_two_elections_has_the_same_bills_in_both(platform: Platform) -> None:
    platform.run("MG")
    add_candidates(platform.store, [2], year=2022)
    platform.run("MG", ingest_election_year=2022)
    assert linked(platform.store, 102) == [tse(2, 2022), tse(2)]
    assert len(platform.store.links.of_source("POLITICAL_HISTORY", "CAMARA_HIST:2:57:2023-02-01T10:00")) == 2


def test_who_runs_elsewhere_is_review_until_a_verified_override_and_again_when_it_is_undone(platform: Platform) -> None:
    add_candidates(platform.store, [5], state="BR", office="PRESIDENTE")
    report = platform.run("BR")["BR"]
    assert report.figures["review"] == 1
    assert [(line["deputy"], line["points"]) for line in report.tables["review"]] == [(5, 85)]
    case = review_cases(platform.store)[0]
    assert (case["tse_id"], case["considered"][0]["camara_deputy_id"]) == (tse(5), 5)
    assert "mesmo nome civil em outra UF" in case["considered"][0]["explanation"]
    write_override(platform.folder / "overrides.json", tse(5), 5, reason="biografia", who="ana")
    report = platform.run("BR")["BR"]
    assert (report.figures["matched"], report.tables["new_matches"][0]["deputy"]) == (1, 5)
    assert linked(platform.store, 101) == [tse(5)]
    (platform.folder / "overrides.json").unlink()
    assert platform.run("BR")["BR"].figures["review"] == 1
    assert linked(platform.store, 101) == []


def test_near_names_are_listed_apart_from_the_review_cases(platform: Platform) -> None:
    add_candidates(platform.store, [1], name="PESSOA INVENTADAS 1", ballot_name="OUTRO")
    report = platform.run("RJ")["RJ"]
    assert (report.figures["unmatched"], report.figures["suggestions"]) == (1, 1)
    assert review_cases(platform.store) == []
    case = suggested_cases(platform.store)[0]
    assert (case["tse_id"], case["considered"][0]["camara_deputy_id"]) == (tse(1), 1)


def test_a_broken_overrides_file_fails_the_stage_and_changes_nothing(platform: Platform) -> None:
    (platform.folder / "overrides.json").write_text("{", "utf-8")
    report = platform.run("RJ")["RJ"]
    assert (report.status, report.error_code) == ("FAILED", "OVERRIDES_INVALID")
    assert platform.store.candidates.by_tse_id(tse(1))["match_status"] is None


NO_RECORD = json_reply({"dados": [], "links": []})


@pytest.mark.parametrize("kind", [403, 404, 429, 500, 503, 504, HTML, TRUNCATE, CUT, NO_RECORD])
def test_one_bill_that_cannot_be_had_costs_itself_and_is_asked_again(
    platform: Platform, kind: int | str | Reply
) -> None:
    faults = Faults()
    faults.script("/api/v2/proposicoes/100", [Fault(kind)] * 10)
    first = platform.run("RJ", "MG", faults=faults)
    assert [first[uf].status for uf in ("RJ", "MG")] == ["PARTIAL", "PARTIAL"]
    assert first["RJ"].counters["failed"] == 1
    assert first["RJ"].errors[0].endswith("api/v2/proposicoes/100 answered 404") or "bill 100" in first["RJ"].errors[0]
    assert set(platform.store.camara.bill_states()) == {102}
    second = platform.run("RJ", "MG")
    assert [second[uf].status for uf in ("RJ", "MG")] == ["SUCCESS", "SUCCESS"]
    assert linked(platform.store, 100) == [tse(1), tse(2)]


def _listing_page(following: str) -> Reply:
    return json_reply({"dados": [{"id": 100}], "links": [{"rel": "next", "href": following}]})


BILLS = "https://dadosabertos.camara.leg.br/api/v2/proposicoes"
LISTING_FAULTS = [
    (_listing_page("https://example.org/proposicoes?pagina=2"), "URL_NOT_ALLOWED"),
    (json_reply({"links": []}), "ENVELOPE_INVALID"),
    (404, "SOURCE_NOT_FOUND"),
    (HTML, "SOURCE_NOT_JSON"),
]


@pytest.mark.parametrize(("kind", "code"), LISTING_FAULTS)
def test_a_listing_of_bills_that_cannot_be_had_costs_its_deputy_only(
    platform: Platform, kind: int | str | Reply, code: str
) -> None:
    add_candidates(platform.store, [6])
    platform.world.add_deputy(6)
    platform.world.add_bill(300, date(2024, 6, 1), [6])
    faults = Faults()
    faults.script("/api/v2/proposicoes", [Fault(kind)])  # one worker: it meets the first deputy's listing
    report = platform.run("RJ", faults=faults, camara_http_workers=1)["RJ"]
    assert (report.status, report.counters["failed"]) == ("PARTIAL", 1)
    assert report.errors[0].startswith(f"{code}: bills of deputy 1")
    assert linked(platform.store, 300) == [tse(6)]
    assert platform.run("RJ")["RJ"].status == "SUCCESS"
    assert linked(platform.store, 100) == [tse(1)]


def test_a_next_link_that_leads_in_a_circle_costs_its_deputy_only(platform: Platform) -> None:
    faults = Faults()
    circle = _listing_page(f"{BILLS}?idDeputadoAutor=1&pagina=2")
    faults.script("/api/v2/proposicoes", [Fault(circle)] * 2)
    report = platform.run("RJ", faults=faults, camara_http_workers=1)["RJ"]
    assert (report.status, report.counters["failed"]) == ("PARTIAL", 1)
    assert report.errors[0].startswith("PAGING_LOOP: bills of deputy 1")
    assert platform.run("RJ")["RJ"].status == "SUCCESS"


def test_ids_that_come_twice_over_pages_are_one_bill(platform: Platform) -> None:
    faults = Faults()
    faults.script("/api/v2/proposicoes", [_listing_page(f"{BILLS}?idDeputadoAutor=1&pagina=2&dataInicio=2024-05-01")])
    report = platform.run("RJ", faults=faults, camara_http_workers=1)["RJ"]
    assert (report.status, report.work["bills_fetched"]) == ("SUCCESS", 1)
    assert counters(report) == (2, 2, 0, 0, 0)


ERROR_BESIDE_DATA = json_reply({"dados": [{"id": 999}], "links": [], "erroCorpo": {"mensagem": "indisponível"}})


@pytest.mark.parametrize("path", ["proposicoes", "proposicoes/100", "proposicoes/100/autores", "deputados"])
def test_a_200_that_says_error_leaves_the_rows_as_they_were_and_is_told(platform: Platform, path: str) -> None:
    platform.run("RJ", "MG")
    before = platform.rows()
    platform.world.move(100, "2025-03-01T10:00:00")
    platform.world.topics[100] = ["Educação"]
    faults = Faults()
    faults.script(f"/api/v2/{path}", [Fault(ERROR_BESIDE_DATA)] * 4)
    report = platform.run("RJ", faults=faults, camara_http_workers=1)["RJ"]
    assert report.status == ("FAILED" if path == "deputados" else "PARTIAL")
    assert report.error_code == "SOURCE_ERROR_BODY"
    assert platform.rows() == before
    assert platform.run("RJ")["RJ"].status == "SUCCESS"
    assert [topic["name"] for topic in platform.store.camara.bill(100)["topics"]] == ["Educação"]


def test_a_listing_that_stays_short_is_a_gap_and_is_read_again_by_the_next_run(platform: Platform) -> None:
    faults = Faults()
    short = json_reply({"dados": [], "links": []}, headers={"X-Total-Count": "1"})
    faults.script("/api/v2/proposicoes", [Fault(short)] * 3)
    report = platform.run("RJ", faults=faults, camara_http_workers=1, **NO_LIMITS)["RJ"]
    assert report.status == "PARTIAL"
    assert report.gaps == [
        "LISTING_INCOMPLETE: bills of deputy 1: 1 that the listing declares never came; it is read again next time"
    ]
    assert platform.run("RJ", **NO_LIMITS)["RJ"].status == "SUCCESS"
    assert linked(platform.store, 100) == [tse(1)]


def test_entries_that_name_an_author_twice_are_counted(platform: Platform) -> None:
    platform.world.authors[100] += platform.world.authors[100]
    assert platform.run("RJ")["RJ"].figures["duplicate_authors"] == 2
    assert len(platform.store.camara.bill(100)["authors"]) == 2


def test_null_names_equal_nothing_and_null_addresses_stay_text(platform: Platform) -> None:
    platform.world.deputies[1]["ultimoStatus"].update(nome=None, nomeEleitoral=None)
    executive = {**platform.world._author(100, 9, 3), "idDeputadoAutor": "", "uriAutor": "", "nomeAutor": "DEPUTADO 5"}
    platform.world.authors[100].append(executive)
    reports = platform.run("RJ", "MG", "SP")
    # Civil name, UF and party are 80 points: the null ballot names must not add the 20 that are missing.
    assert platform.store.candidates.by_tse_id(tse(1))["match_confidence"] == 80
    assert reports["RJ"].figures["review"] == 1
    assert linked(platform.store, 100) == [tse(2)]
    last = platform.store.camara.bill(100)["authors"][-1]
    assert (last["name"], last["uri"], last["camara_author_id"]) == ("DEPUTADO 5", None, None)


def test_a_deputy_that_answers_404_costs_itself_and_keeps_what_the_listing_says(platform: Platform) -> None:
    faults = Faults()
    faults.script("/api/v2/deputados/1", [404])
    first = platform.run("RJ", "MG", faults=faults)
    assert (first["RJ"].status, first["RJ"].counters["failed"]) == ("PARTIAL", 1)
    assert first["MG"].gaps[0].startswith("DEPUTIES_MISSING: 1 deputies could not be had: 1")
    assert first["MG"].figures["matched"] == 1
    assert platform.store.camara.deputy(1)["status_name"] == "Deputado 1"
    second = platform.run("RJ")["RJ"]
    assert (second.status, second.figures["matched"]) == ("SUCCESS", 1)


def test_without_the_listing_of_the_deputies_the_stage_fails_and_changes_nothing(platform: Platform) -> None:
    faults = Faults()
    faults.script("/api/v2/deputados", [503] * 10)
    report = platform.run("RJ", faults=faults)["RJ"]
    assert report.status == "FAILED"
    assert platform.store.candidates.by_tse_id(tse(1))["match_status"] is None
    assert platform.run("RJ")["RJ"].status == "SUCCESS"


@pytest.mark.parametrize(
    ("workers", "shuffle", "rates"),
    [(6, None, {}), (16, 1, {}), (6, 2, {500: 0.2}), (16, 3, {429: 0.1, 503: 0.1}), (1, 4, {TRUNCATE: 0.2})],
)
def test_workers_order_of_arrival_and_failing_calls_do_not_change_what_is_stored(
    tmp_path: Path, workers: int, shuffle: int | None, rates: dict[int | str, float]
) -> None:
    expected = _whole(tmp_path / "plain", Faults(), workers=1, shuffle=None)
    found = _whole(tmp_path / "other", Faults(rates=rates), workers=workers, shuffle=shuffle)
    assert found == expected
    assert len(expected["bills"]) == 80


@pytest.mark.parametrize("workers", [1, 6, 16])
def test_a_fifth_of_the_calls_failing_twice_changes_nothing(tmp_path: Path, workers: int) -> None:
    plain = Platform(tmp_path / "plain", made(8, 30, signers=4))
    add_candidates(plain.store, range(1, 9))
    plain.run("SP", "RJ", "MG", "BA", "PI", **NO_LIMITS)
    paths = sorted({target.split("?")[0] for target in plain.requests})
    faults = Faults()
    for path in paths[::5]:
        faults.script(path, [503, 500])
    flaky = Platform(tmp_path / "flaky", made(8, 30, signers=4))
    add_candidates(flaky.store, range(1, 9))
    reports = flaky.run(
        "SP", "RJ", "MG", "BA", "PI", faults=faults, shuffle=7, camara_http_workers=workers, **NO_LIMITS
    )
    assert {report.status for report in reports.values()} == {"SUCCESS"}
    assert len(flaky.requests) == len(plain.requests) + 2 * len(paths[::5])
    assert flaky.rows() == plain.rows()


def _whole(folder: Path, faults: Faults, *, workers: int, shuffle: int | None) -> dict[str, Any]:
    made_up = Platform(folder, made(12, 80, signers=5))
    add_candidates(made_up.store, range(1, 13))
    reports = made_up.run(
        "SP", "RJ", "MG", "BA", "PI", faults=faults, shuffle=shuffle,
        camara_http_workers=workers, http_max_retries=12, **NO_LIMITS,
    )  # fmt: skip
    assert {report.status for report in reports.values()} == {"SUCCESS"}, [r.errors for r in reports.values()]
    return made_up.rows()


def test_an_unchanged_second_run_lists_each_deputy_once_and_asks_no_bill(tmp_path: Path) -> None:
    made_up = Platform(tmp_path, made(60, 300, signers=3))
    add_candidates(made_up.store, range(1, 61))
    first = sum(r.work["http_calls"] for r in made_up.run("SP", "RJ", "MG", "BA", "PI", **NO_LIMITS).values())
    second = made_up.run("SP", "RJ", "MG", "BA", "PI", **NO_LIMITS)
    calls = sum(r.work["http_calls"] for r in second.values())
    assert calls <= 1 + 60
    assert sum(r.counters["created"] + r.counters["updated"] for r in second.values()) == 0
    assert calls < first

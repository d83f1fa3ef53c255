"""`iris-assets review`: cases and suggestions with their evidence, decisions written and undone from the command line."""

import json
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from iris_assets.cli import app
from iris_assets_tests.ingest.camara_platform import Platform, linked, tse
from iris_assets_tests.ingest.camara_world import World, add_candidates


@pytest.fixture
def platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Platform:
    """Candidate 5 runs for president (REVIEW), candidate 1 has a near name (suggested); no decision yet."""
    world = World()
    for number in (1, 5):
        world.add_deputy(number)
    world.add_bill(101, date(2024, 5, 3), [5])
    made_up = Platform(tmp_path, world)
    add_candidates(made_up.store, [5], state="BR", office="PRESIDENTE")
    add_candidates(made_up.store, [1], name="PESSOA INVENTADAS 1", ballot_name="OUTRO")
    made_up.run("BR", "RJ")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite3'}")
    return made_up


def _review(platform: Platform, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["review", *arguments, "--data", str(platform.folder)])
    assert done.exit_code == 0, done.output
    return done.output


def test_review_cases_and_suggestions_are_listed_with_their_evidence(platform: Platform) -> None:
    shown = " ".join(_review(platform).split())
    assert f"{tse(5)} PESSOA INVENTADA 5 (DEPUTADO 5), PRESIDENTE BR 2026" in shown
    assert "deputado 5 Deputado 5: 85.0 — nome civil igual (60)" in shown
    assert "mesmo nome civil em outra UF" in shown
    assert "Sugestões" in shown and f"{tse(1)} PESSOA INVENTADAS 1" in shown
    assert "nome civil parecido" in shown


def test_json_gives_the_cases_and_apart_from_them_the_suggestions(platform: Platform) -> None:
    cases = json.loads(_review(platform, "--json"))
    assert [(case["tse_id"], case["match_status"]) for case in cases] == [(tse(5), "REVIEW")]
    points = {item["name"]: item["points"] for item in cases[0]["considered"][0]["evidence"]}
    assert points == {"civil_name": 60, "ballot_name": 20, "state": 0, "party": 5}
    suggested = json.loads(_review(platform, "--suggested", "--json"))
    assert [(case["tse_id"], case["match_status"]) for case in suggested] == [(tse(1), "UNMATCHED")]
    assert suggested[0]["considered"][0]["outcome"] == "SUGGESTED"


def test_a_decision_is_accepted_and_removed_from_the_command_line(platform: Platform) -> None:
    _review(platform, "accept", tse(5), "5", "--reason", "biografia oficial", "--who", "ana")
    platform.run("BR")
    assert linked(platform.store, 101) == [tse(5)]
    _review(platform, "remove", tse(5), "--who", "bia")
    platform.run("BR")
    assert linked(platform.store, 101) == []
    assert platform.store.candidates.by_tse_id(tse(5))["match_status"] == "REVIEW"
    entry = json.loads((platform.folder / "overrides.json").read_text("utf-8"))[0]
    assert (entry["decided_by"], entry["undone_by"], entry["reason"]) == ("ana", "bia", "biografia oficial")


def test_a_rejection_is_remembered_and_can_be_undone(platform: Platform) -> None:
    assert json.loads(_review(platform, "--json"))  # candidate 5 waits
    _review(platform, "reject", tse(5), "5", "--reason", "outra data de nascimento", "--who", "ana")
    _review(platform, "reject", tse(1), "1", "--reason", "homônimo", "--who", "ana")
    for _ in range(2):
        platform.run("BR", "RJ")
        assert json.loads(_review(platform, "--json")) == []
        assert json.loads(_review(platform, "--suggested", "--json")) == []
    row = platform.store.candidates.by_tse_id(tse(5))
    assert row is not None and (row["match_status"], row["camara_deputy_id"]) == ("UNMATCHED", None)
    _review(platform, "remove", tse(5), "--who", "bia")
    platform.run("BR")
    assert [case["tse_id"] for case in json.loads(_review(platform, "--json"))] == [tse(5)]


def test_a_later_decision_about_the_pair_replaces_the_rejection(platform: Platform) -> None:
    _review(platform, "reject", tse(5), "5", "--reason", "engano", "--who", "ana")
    _review(platform, "accept", tse(5), "5", "--reason", "biografia oficial", "--who", "bia")
    platform.run("BR")
    assert linked(platform.store, 101) == [tse(5)]


@pytest.mark.parametrize(
    ("person", "deputy", "code"), [("999", "5", "CANDIDATE_NOT_FOUND"), (tse(5), "77", "DEPUTY_NOT_FOUND")]
)
@pytest.mark.parametrize("command", ["accept", "reject"])
def test_ids_that_nobody_knows_are_refused(
    platform: Platform, command: str, person: str, deputy: str, code: str
) -> None:
    arguments = ["review", command, person, deputy, "--reason", "x", "--data", str(platform.folder)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code != 0 and code in done.output
    assert not (platform.folder / "overrides.json").exists()

"""The points table, pair by pair, with values anybody can add up."""

import pytest

from iris_assets.identity.evidence import WEIGHTS, CandidateIdentity, DeputyIdentity, score, status_of
from iris_assets.identity.explanation import conflicts_of, explain
from iris_assets.identity.names import normalise_name, same_name
from iris_assets.identity.parties import party_key

CANDIDATE = CandidateIdentity("c", "1", 2026, "Maria José d'Ávila", "MARIA D'ÁVILA", "PI", "PC do B")
DEPUTY = DeputyIdentity(7, "MARIA JOSE D AVILA", "Maria D’Avila", "MARIA D'AVILA", "PI", ("PSB", "PCdoB"))


def points(candidate: CandidateIdentity, deputy: DeputyIdentity) -> dict[str, int]:
    return {item.name: item.points for item in score(candidate, deputy).evidence}


def changed(record: object, **values: object):
    from dataclasses import replace

    return replace(record, **values)  # type: ignore[type-var]


def test_everything_equal_is_one_hundred_points() -> None:
    assert points(CANDIDATE, DEPUTY) == {"civil_name": 60, "ballot_name": 20, "state": 15, "party": 5}
    assert score(CANDIDATE, DEPUTY).points == 100 == sum(weight.points for weight in WEIGHTS)


@pytest.mark.parametrize(
    ("candidate", "deputy", "total"),
    [
        ({}, {"parties": ()}, 95),
        ({"state": "BR"}, {}, 85),
        ({"state": "BR", "party": "PT"}, {}, 80),
        ({"ballot_name": "Outra"}, {}, 80),
        ({"civil_name": "Maria José"}, {}, 40),
        ({}, {"status_name": None, "electoral_name": None}, 80),
        ({}, {"status_name": "Outro Nome"}, 100),  # nomeEleitoral still agrees
        ({}, {"electoral_name": None}, 100),
    ],
)
def test_each_evidence_that_is_missing_costs_its_points(candidate: dict, deputy: dict, total: int) -> None:
    assert score(changed(CANDIDATE, **candidate), changed(DEPUTY, **deputy)).points == total


def test_null_never_equals_null() -> None:
    nobody = CandidateIdentity("c", "1", 2026, None)
    empty = DeputyIdentity(7, None)
    assert score(nobody, empty).points == 0
    assert score(changed(nobody, civil_name="", ballot_name=" - ", state="", party=""), empty).points == 0


def test_the_name_alone_never_reaches_matched() -> None:
    names_only = changed(CANDIDATE, state="SP", party="PT")
    assert score(names_only, DEPUTY).points == 80
    assert status_of(80) == "REVIEW"


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("  José   da  Silva ", "JOSE DA SILVA"),
        ("D'Ávila-Çelik", "D AVILA CELIK"),
        ("Jose\u0301", "JOSE"),
        ("ﬁlha", "FILHA"),
        ("Weiß", "WEISS"),
        ("Nº 1º", "NO 1O"),
        ("***", ""),
        (None, ""),
    ],
)
def test_names_are_compared_in_one_form(text: str | None, compared: str) -> None:
    assert normalise_name(text) == compared


def test_decomposed_and_composed_accents_are_the_same_name() -> None:
    assert same_name("José", "Jose\u0301")
    assert not same_name("", None)


@pytest.mark.parametrize(
    ("one", "other"),
    [("REPUBLIC", "REPUBLICANOS"), ("SOLIDARI", "Solidariedade"), ("PCdoB", "PC do B"), ("PODEMOS", "PODE")],
)
def test_party_aliases_are_one_party(one: str, other: str) -> None:
    assert party_key(one) == party_key(other) != ""


def test_parties_that_only_look_alike_stay_apart() -> None:
    assert party_key("PP**") != party_key("PP")
    assert party_key("PR") != party_key("PL")
    assert party_key("S.PART.") == ""


def test_the_explanation_names_every_comparison_and_the_conflict_of_ufs() -> None:
    elsewhere = score(changed(CANDIDATE, state="SP", party="PT"), DEPUTY)
    conflicts = conflicts_of(elsewhere)
    assert conflicts == [
        "mesmo nome civil em outra UF (candidatura: SP; último mandato: PI): pode ser homônimo",
    ]
    words = explain(elsewhere, conflicts)
    assert "nome civil igual (60): MARIA JOSE D AVILA" in words
    assert "UF diferente (0): SP ≠ PI" in words
    assert "partido diferente (0): PT ≠ PCdoB, PSB" in words
    assert words.endswith("pode ser homônimo")


def test_another_party_is_no_conflict() -> None:
    assert conflicts_of(score(changed(CANDIDATE, party="PT"), DEPUTY)) == []

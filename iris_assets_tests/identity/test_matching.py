"""Decisions: one-to-one within an election, ambiguity to REVIEW, overrides, homonyms."""

import time
from dataclasses import replace

from iris_assets.identity import CandidateIdentity, DeputyIdentity, MatchDecision, Override, match_candidates
from iris_assets.identity.suggestions import suggest

ANA = DeputyIdentity(10, "Ana Lima Souza", "Ana Lima", "ANA LIMA", "PI", ("PT",))


def candidate(tse_id: str, **values: object) -> CandidateIdentity:
    base = CandidateIdentity(tse_id, tse_id, 2026, "ANA LIMA SOUZA", "ANA LIMA", "PI", "PT")
    return replace(base, **values)  # type: ignore[arg-type]


def only(decisions: list[MatchDecision]) -> MatchDecision:
    assert len(decisions) == 1
    return decisions[0]


def test_a_deputy_who_runs_again_at_home_is_matched() -> None:
    decision = only(match_candidates([candidate("1")], [ANA]))
    assert (decision.status, decision.confidence, decision.deputy_id) == ("MATCHED", 100, 10)


def test_a_deputy_who_runs_in_another_uf_is_shown_to_a_human() -> None:
    decision = only(match_candidates([candidate("1", state="SP")], [ANA]))
    assert (decision.status, decision.confidence, decision.deputy_id) == ("REVIEW", 85, None)
    assert "mesmo nome civil em outra UF" in decision.explanation


def test_the_same_civil_name_in_two_ufs_goes_to_the_deputy_of_the_uf() -> None:
    namesake = replace(ANA, deputy_id=11, state="BA")
    decision = only(match_candidates([candidate("1")], [namesake, ANA]))
    assert decision.deputy_id == 10
    assert [(item.deputy_id, item.score.points) for item in decision.considered] == [(10, 100), (11, 85)]


def test_two_deputies_at_ninety_are_review_with_both() -> None:
    twin = replace(ANA, deputy_id=11)
    decision = only(match_candidates([candidate("1")], [ANA, twin]))
    assert (decision.status, decision.deputy_id) == ("REVIEW", None)
    assert [item.deputy_id for item in decision.considered] == [10, 11]
    assert "10, 11" in decision.explanation


def test_two_candidates_of_one_election_who_claim_one_deputy_are_both_review() -> None:
    decisions = match_candidates([candidate("1"), candidate("2")], [ANA])
    assert [(d.status, d.deputy_id) for d in decisions] == [("REVIEW", None), ("REVIEW", None)]
    assert all("ANA LIMA (1); ANA LIMA (2)" in d.explanation for d in decisions)


def test_one_person_may_be_a_candidate_in_several_elections() -> None:
    decisions = match_candidates([candidate("1"), candidate("2", election_year=2022)], [ANA])
    assert [d.deputy_id for d in decisions] == [10, 10]


def test_an_equal_ballot_name_and_uf_never_match_without_the_civil_name() -> None:
    # Átila Lira (PI): the Câmara gives no civil name of 123086, and 74459 bears the same parliamentary name.
    old = DeputyIdentity(74459, "Átila Freitas Lira", "Átila Lira", "ÁTILA LIRA", "PI", ("PSDB",))
    new = DeputyIdentity(123086, None, "Átila Lira", "ÁTILA LIRA", "PI", ("PP",))
    person = CandidateIdentity("1", "1", 2022, "ATILA DE MELO LIRA", "ATILA LIRA", "PI", "PP")
    decision = only(match_candidates([person], [old, new]))
    assert (decision.status, decision.deputy_id) == ("UNMATCHED", None)
    assert [(item.deputy_id, item.score.points) for item in decision.considered] == [(123086, 40), (74459, 35)]
    suggestions = suggest([person], [decision], [old, new])
    assert [item.deputy_id for item in suggestions] == [123086]


def test_near_names_are_suggested_and_stay_unmatched() -> None:
    person = candidate("1", civil_name="ANNA LIMA SOUZA", ballot_name="ANNA")
    decisions = match_candidates([person], [ANA])
    assert only(decisions).status == "UNMATCHED"
    found = suggest([person], decisions, [ANA])
    assert [(item.deputy_id, item.points) for item in found] == [(10, 20)]
    assert found[0].similarity > 90


def test_a_part_of_a_name_is_not_near_it() -> None:
    person = candidate("1", civil_name="ANA SOUZA", ballot_name="OUTRA")
    assert suggest([person], match_candidates([person], [ANA]), [ANA]) == []


def test_a_verified_override_decides_a_contested_deputy_and_leaves_the_other_in_review() -> None:
    decisions = match_candidates([candidate("1"), candidate("2")], [ANA], [Override("2", 10, "título conferido")])
    assert [(d.status, d.confidence, d.deputy_id) for d in decisions] == [("REVIEW", 100, None), ("MATCHED", 100, 10)]
    assert "título conferido" in decisions[1].explanation
    assert decisions[1].contradictions == ()


def test_an_override_that_contradicts_the_sources_is_applied_and_reported() -> None:
    other = DeputyIdentity(20, "Bruna Reis", "Bruna", "BRUNA", "PI", ("PT",))
    decision = only(match_candidates([candidate("1")], [ANA, other], [Override("1", 20, "casou-se")]))
    assert (decision.status, decision.deputy_id) == ("MATCHED", 20)
    assert decision.contradictions == (
        "os nomes civis diferem: ANA LIMA SOUZA ≠ Bruna Reis",
        "o deputado 10 alcança 100 pontos sem a decisão",
    )


def test_an_override_to_a_deputy_that_is_not_listed_is_review_and_reported() -> None:
    decision = only(match_candidates([candidate("1")], [ANA], [Override("1", 999)]))
    assert (decision.status, decision.deputy_id) == ("REVIEW", None)
    assert "999" in decision.contradictions[0]


def test_two_overrides_to_one_deputy_in_one_election_contradict_each_other() -> None:
    decisions = match_candidates([candidate("1"), candidate("2")], [ANA], [Override("1", 10), Override("2", 10)])
    assert [d.status for d in decisions] == ["REVIEW", "REVIEW"]
    assert all("mais de uma decisão verificada" in d.contradictions[-1] for d in decisions)


def test_the_order_of_deputies_and_candidates_changes_nothing() -> None:
    deputies = [ANA, replace(ANA, deputy_id=11, state="BA"), replace(ANA, deputy_id=12)]
    people = [candidate("1"), candidate("2", state="BA"), candidate("3", state="SP")]
    forward = {d.candidate_key: d for d in match_candidates(people, deputies)}
    backward = {d.candidate_key: d for d in match_candidates(people[::-1], deputies[::-1])}
    assert forward == backward


def test_ten_thousand_candidates_are_compared_in_linear_time() -> None:
    deputies = [DeputyIdentity(n, f"NOME CIVIL {n}", f"NOME {n}", f"NOME {n}", "SP", ("PT",)) for n in range(1200)]
    people = [CandidateIdentity(n, str(n), 2026, f"NOME CIVIL {n}", f"NOME {n}", "SP", "PT") for n in range(10_000)]
    started = time.process_time()
    decisions = match_candidates(people, deputies)
    assert sum(d.status == "MATCHED" for d in decisions) == 1200
    assert time.process_time() - started < 5

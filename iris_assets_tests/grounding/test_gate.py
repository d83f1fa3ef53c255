"""The citation gate against a table of answers: nothing unsupported survives, nothing supported is lost."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iris_assets.answers.check import check_answer
from iris_assets.errors import UsageError
from iris_assets_tests.grounding import gate_attacks as attacks
from iris_assets_tests.grounding.gate_cases import CASES, EVIDENCES, Case


def test_the_table_is_as_long_as_promised_and_names_each_case_once() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_answer_is_left_with_what_its_evidence_holds(case: Case) -> None:
    result = check_answer({"evidences": EVIDENCES, "answer": case.answer})
    assert result["answer"] == case.kept, result
    assert tuple(item["reason"] for item in result["removed"]) == case.reasons, result
    assert tuple(item["reason"] for item in result["flagged"]) == case.flagged, result


def attacked(answer: str) -> dict[str, Any]:
    return check_answer({"evidences": attacks.EVIDENCES, "answer": answer})


@pytest.mark.parametrize(("answer", "kept"), [*((text, text) for text in attacks.KEPT), *attacks.REWRITTEN])
def test_a_supported_answer_is_not_lost(answer: str, kept: str) -> None:
    result = attacked(answer)
    assert result["answer"] == kept, result["removed"]


@pytest.mark.parametrize(("reason", "answer"), [(why, text) for why, texts in attacks.GONE.items() for text in texts])
def test_an_attack_leaves_nothing_behind(reason: str, answer: str) -> None:
    result = attacked(answer)
    assert result["answer"] == "" and result["cited"] == []
    assert reason in [item["reason"] for item in result["removed"]], result["removed"]


@pytest.mark.parametrize(("doubt", "answer"), [(why, text) for why, texts in attacks.DOUBTED.items() for text in texts])
def test_what_no_rule_can_settle_is_shown_with_its_doubt(doubt: str, answer: str) -> None:
    assert doubt in [item["reason"] for item in attacked(answer)["flagged"]]


def test_an_underscore_before_a_number_hides_it_in_no_passage() -> None:
    passage = {"id": "E1", "text": "Programa de governo_11 Implantar 20 creches."}
    answer = "Programa de governo_11 Implantar 20 creches [E1]."
    assert check_answer({"evidences": [passage], "answer": answer})["answer"] == answer


def test_few_supported_answers_are_doubted() -> None:
    doubted = [text for text in attacks.KEPT if attacked(text)["flagged"]]
    assert len(doubted) <= len(attacks.KEPT) // 20, doubted


@pytest.mark.parametrize("case", [case for case in CASES if case.kept], ids=lambda case: case.name)
def test_what_passed_passes_again_unchanged(case: Case) -> None:
    again = check_answer({"evidences": EVIDENCES, "answer": case.kept})
    assert again["answer"] == case.kept
    assert again["removed"] == []


@pytest.mark.parametrize("case", [case for case in CASES if not case.kept], ids=lambda case: case.name)
def test_an_answer_without_citation_says_so(case: Case) -> None:
    result = check_answer({"evidences": EVIDENCES, "answer": case.answer})
    assert result["cited"] == []
    assert any("sem citação verificada" in notice for notice in result["notices"])


def test_a_sentence_that_cites_nothing_known_is_listed_as_it_reads_without_the_citation() -> None:
    result = check_answer({"evidences": EVIDENCES, "answer": "Ana Souza propõe 20 creches [E1]. IPVA [E9]. [E9]"})
    assert [(item["text"], item["reason"]) for item in result["removed"][2:]] == [("IPVA.", "UNKNOWN_CITATION")]
    assert result["answer"] == "Ana Souza propõe 20 creches [E1]."


def test_removals_are_counted_in_the_notices() -> None:
    answer = "Ana Souza propõe 20 creches [E1, E7]. Ela quer 99 pontes [E1]. Viva!"
    result = check_answer({"evidences": EVIDENCES, "answer": answer})
    assert result["notices"] == [
        "2 trechos foram retirados por não ter confirmação nas evidências.",
        "1 citação foi retirada por não corresponder a nenhuma evidência.",
    ]
    assert result["cited"] == ["E1"]


def test_the_span_of_a_citation_is_the_passage_it_rests_on() -> None:
    result = check_answer({"evidences": EVIDENCES, "answer": "Ana Souza prevê R$ 2,5 milhões para o esporte [E1]."})
    start, end = result["citations"][0]["span"]
    assert EVIDENCES[0]["text"][start:end] == "Investiremos R$ 2,5 milhões em esporte."


def test_the_span_of_a_quotation_is_the_quotation() -> None:
    result = check_answer({"evidences": EVIDENCES, "answer": 'A ementa fala de "fiscalização de barragens" [E3].'})
    start, end = result["citations"][0]["span"]
    assert EVIDENCES[2]["text"][start:end] == "ﬁscalização de barragens"


def test_candidates_are_read_from_titles_when_the_payload_has_no_candidate_data() -> None:
    bare = [{key: item[key] for key in ("id", "text", "title", "source_type")} for item in EVIDENCES]
    swapped = check_answer({"evidences": bare, "answer": "Bruno Lima propõe 20 creches [E1]."})
    assert [item["reason"] for item in swapped["removed"]] == ["OTHER_CANDIDATE"]
    right = check_answer({"evidences": bare, "answer": "Ana Souza propõe 20 creches [E1]."})
    assert right["removed"] == []


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"answer": 3, "evidences": []},
        {"answer": "x", "evidences": "y"},
        {"answer": "x", "evidences": [1]},
        {"answer": "x", "evidences": [{"id": "X", "text": "t"}]},
        {"answer": "x", "evidences": [{"id": "E1"}]},
        {"answer": "x", "evidences": [{"id": "E1", "text": "a"}, {"id": "e1", "text": "b"}]},
    ],
)
def test_a_payload_of_another_shape_is_refused_with_its_code(payload: dict[str, object]) -> None:
    with pytest.raises(UsageError) as refused:
        check_answer(payload)
    assert refused.value.code == "PAYLOAD_INVALID"


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.characters(codec=None), max_size=120), st.text(max_size=80))
def test_no_text_raises_and_every_citation_left_exists(answer: str, passage: str) -> None:
    result = check_answer({"evidences": [{"id": "E1", "text": passage}], "answer": f"{answer} [E1] [E2] {answer}"})
    assert set(result["cited"]) <= {"E1"}


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_number_passes_only_with_a_passage_that_has_it(said: int, written: int) -> None:
    dotted = f"{written:,}".replace(",", ".")
    result = check_answer(
        {"evidences": [{"id": "E1", "text": f"Há {dotted} árvores."}], "answer": f"Há {said} árvores [E1]."}
    )
    assert bool(result["answer"]) == (said == written)

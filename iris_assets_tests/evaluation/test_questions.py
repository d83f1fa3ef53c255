"""Question sets: what the schema refuses, which questions a UF gets, which set a store gets."""

from pathlib import Path

import pytest

from iris_assets.errors import UsageError
from iris_assets.evaluation import QUESTION_FOLDER, default_question_file
from iris_assets.evaluation.choice import question_file_for
from iris_assets.evaluation.questions import LONGEST_QUOTATION, load_questions
from iris_assets.store import open_store
from iris_assets.ufs import PARTITIONS

QUESTION = "name: t\nquestions:\n- {{id: one, question: q, strategy: {strategy}{more}}}\n"


@pytest.mark.parametrize(
    ("strategy", "more", "said"),
    [
        ("hybrid", "", "needs relevant sources or no_evidence"),
        ("guess", "", "strategy"),
        ("hybrid", ", no_evidence: true, partition: XX", "XX is no"),
        ("hybrid", ", no_evidence: true, relevant: [{source_type: A, source_id: b}]", "cannot expect no evidence"),
        ("hybrid", ", relevant: [{source_type: A, source_id: b}, {source_type: A, source_id: b}]", "listed twice"),
        ("refusal", ", colour: red", "colour"),
        ("refusal", f", quotation: {'x' * (LONGEST_QUOTATION + 1)}", "quotation"),
    ],
)
def test_a_wrong_set_is_refused_with_the_reason(tmp_path: Path, strategy: str, more: str, said: str) -> None:
    file = tmp_path / "set.yaml"
    file.write_text(QUESTION.format(strategy=strategy, more=more), encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        load_questions(file)
    assert raised.value.code == "QUESTION_SET_INVALID"
    assert said in str(raised.value)


def test_ids_are_unique(tmp_path: Path) -> None:
    file = tmp_path / "set.yaml"
    one = "- {id: one, question: q, strategy: refusal}\n"
    file.write_text(f"name: t\nquestions:\n{one}{one}", encoding="utf-8")
    with pytest.raises(UsageError, match="come twice: one"):
        load_questions(file)


def test_a_uf_gets_its_own_questions_and_those_of_no_uf() -> None:
    golden = load_questions(default_question_file())
    of_df = {question.id for question in golden.of_partition("DF")}
    assert {"projeto-aluguel", "conta-bia", "recusa-voto", "nada-sanduiche"} <= of_df
    assert not {"plano-lula-creche", "projeto-autismo"} & of_df
    assert len(golden.of_partition(None)) == len(golden.questions) == 119


@pytest.mark.parametrize("file", sorted(QUESTION_FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_question_that_needs_a_source_names_where_it_is(file: Path) -> None:
    """Without a UF a question is asked of all of them, so it may only rest on sources of several or on none."""
    questions = load_questions(file).questions
    unbound = {question.id for question in questions if question.partition is None and question.relevant}
    assert unbound <= {"plano-presidente-camera"}
    assert {question.partition for question in questions} - {None} <= set(PARTITIONS)


def test_golden_questions_are_the_kinds_and_the_number_that_were_asked_for() -> None:
    questions = load_questions(default_question_file()).questions
    tags = {tag for question in questions for tag in question.tags}
    assert len(questions) >= 60
    assert sum(question.shown is not None for question in questions) == 60
    assert tags >= {"plan", "bill", "history", "count", "reference", "no-answer", "injection"}


def test_an_empty_store_gets_the_default_set(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    try:
        assert question_file_for(store) == default_question_file()
    finally:
        store.close()

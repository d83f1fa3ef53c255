"""The linter's findings, each with the question it is about, and the command's exit codes."""

from pathlib import Path

import pytest

from iris_assets.evaluation import QUESTION_FOLDER
from iris_assets.evaluation.linter import lint_questions
from iris_assets_tests.evaluation.conftest import World
from iris_assets_tests.flows.commands import iris_assets

HEAD = "name: t\nquestions:\n"


def _lint(folder: Path, questions: str) -> list[str]:
    file = folder / "set.yaml"
    file.write_text(HEAD + questions, encoding="utf-8")
    return lint_questions(file)


@pytest.mark.parametrize("file", sorted(QUESTION_FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_the_bundled_sets_have_no_findings(file: Path) -> None:
    assert lint_questions(file) == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("{id: aa, question: q, strategy: hybrid}", "question aa: strategy hybrid needs relevant sources or no_evidence"),
        ("{id: aa, question: 2026-13-45, strategy: refusal}", "no YAML: month must be in 1..12"),
        ("{question: q, strategy: refusal}", "question number 1: id: Field required"),
        (
            "{id: aa, question: q, strategy: hybrid, relevant: [{source_type: T, source_id: s, page: 0}]}",
            "question aa: relevant.0.page: Input should be greater than or equal to 1",
        ),
        ("{id: aa, id: bb, question: q, strategy: refusal}", "key twice: id"),
        ("{id: aa, question: q, strategy: refusal, count: 3}", "question aa: a count is expected, but the strategy is refusal"),
        (
            "{id: aa, question: q, strategy: refusal, no_evidence: true}",
            "question aa: no_evidence says nothing with the strategy refusal",
        ),
        (
            "{id: aa, question: q, strategy: refusal, relevant: [{source_type: PROPOSITION, source_id: s}]}",
            "question aa: relevant sources cannot be found with the strategy refusal",
        ),
        (
            "{id: aa, question: q, strategy: hybrid, relevant: [{source_type: BILL, source_id: s}]}",
            "question aa: unknown source type BILL; use one of PROPOSITION, GOVERNMENT_PROPOSAL, POLITICAL_HISTORY, NEWS_ARTICLE",
        ),
        (
            "{id: aa, question: q, strategy: refusal, filters: {states: [XX]}}",
            "question aa: unknown UF XX in the filters",
        ),
        (
            "{id: aa, question: 'Q?', strategy: refusal}\n- {id: bb, question: 'q? ', strategy: refusal}",
            "question bb: asks the same as aa",
        ),
        ("[1, 2]: {", "no YAML"),
    ],
)  # fmt: skip
def test_a_problem_is_told_with_its_question(tmp_path: Path, question: str, said: str) -> None:
    problems = _lint(tmp_path, f"- {question}\n")
    assert len(problems) == 1 and said in problems[0], problems


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    problems = _lint(
        tmp_path, "- {id: aa, question: q, strategy: guess}\n- {id: BB, question: '', strategy: refusal}\n"
    )
    assert [problem.split(":")[0] for problem in problems] == ["question aa", "question BB", "question BB"]


def test_with_a_store_missing_sources_pages_and_candidates_are_told(world: World) -> None:
    assert lint_questions(world.questions, world.store) == []
    text = world.questions.read_text(encoding="utf-8")
    text = text.replace("page: 2", "page: 9", 1).replace('"900001"', '"900002"', 1)
    text = text.replace("tags: [refusal]", 'tags: [refusal], candidate: "1"')
    world.questions.write_text(text, encoding="utf-8")
    found = lint_questions(world.questions, world.store)
    assert [problem.split(":")[0] for problem in found] == [
        "question creche-ana",
        "question barragens",
        "question voto",
    ]
    assert "page 9 of GOVERNMENT_PROPOSAL" in found[0] and found[0].endswith("has no text in the store")
    assert found[1].endswith("source PROPOSITION 900002 is not in the store")
    assert found[2].endswith("candidate 1 is not in the store")


def test_the_command_exits_with_one_on_problems(world: World, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(HEAD + "- {id: aa, question: q, strategy: hybrid}\n", encoding="utf-8")
    done = iris_assets("lint-questions", bad, cwd=tmp_path)
    assert done.code == 1 and "bad.yaml: question aa: strategy hybrid needs" in done.out
    data = world.settings.iris_assets_data
    good = iris_assets("lint-questions", world.questions, "--store", "--data", data, "--json", cwd=tmp_path)
    assert good.code == 0 and good.json == {str(world.questions): []}
    missing = iris_assets("lint-questions", tmp_path / "none.yaml", cwd=tmp_path)
    assert missing.code == 2 and "FILE_UNREADABLE" in missing.err

"""Question sets, public collections, metrics and pinned baselines."""

from pathlib import Path

from iris_assets.settings import Settings

QUESTION_FOLDER = Path(__file__).parent / "questions"


def default_question_file() -> Path:
    """The question set that the evaluation uses when none is named."""
    return QUESTION_FOLDER / "golden.yaml"


def question_files(settings: Settings) -> list[Path]:
    """The file of EVALUATION_QUESTIONS, or every bundled set: what an evaluation may ask."""
    if settings.evaluation_questions is not None:
        return [settings.evaluation_questions]
    return sorted(QUESTION_FOLDER.glob("*.yaml"))


def baseline_file(questions: Path) -> Path:
    """Where the baseline of a question set is pinned."""
    return questions.with_name("floors.json")

"""Question sets, public collections, metrics and pinned floors."""

from pathlib import Path

QUESTION_FOLDER = Path(__file__).parent / "questions"


def default_question_file() -> Path:
    """The question set that the evaluation uses when none is named."""
    return QUESTION_FOLDER / "golden.yaml"

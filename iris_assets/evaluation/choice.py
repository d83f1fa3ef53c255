"""Which of the bundled question sets belongs to what a store holds: the real sources or the synthetic sample."""

from pathlib import Path

from iris_assets.evaluation import QUESTION_FOLDER, default_question_file
from iris_assets.evaluation.questions import QuestionSet, load_questions
from iris_assets.settings import Settings
from iris_assets.store import Store


def question_file(settings: Settings, store: Store) -> Path:
    """The file of EVALUATION_QUESTIONS, or the bundled set that fits the store."""
    return settings.evaluation_questions or question_file_for(store)


def question_file_for(store: Store) -> Path:
    """The bundled set with the largest share of its relevant sources in the store; the default one without any."""
    stored = set(store.chunks.sources())
    default = default_question_file()
    files = [default, *sorted(file for file in QUESTION_FOLDER.glob("*.yaml") if file != default)]
    return max(files, key=lambda file: _share(load_questions(file), stored))  # the first of equal ones


def _share(questions: QuestionSet, stored: set[tuple[str, str]]) -> float:
    wanted = {(one.source_type, one.source_id) for question in questions.questions for one in question.relevant}
    return len(wanted & stored) / max(len(wanted), 1)
